"""What Alesia and Fairy-Stockfish say of a position, in the same form.

The one idea: a position is a definition, a start and the moves since, so that both programs see the
history. A call of pyffish takes some milliseconds however small the question is, so it is asked
rarely, and of a whole game at once where it can be.
"""

from dataclasses import dataclass

import pyffish

import alesia

# The file that Alesia takes the definitions to stand in.
FILE = "fairy.ini"


@dataclass(frozen=True)
class Seen:
    """A position as one program sees it."""

    moves: tuple[str, ...]
    # Rows, side to move, castling rights, and counters where there are any.
    position: str
    # `White`, `Black` or `draw`; None while the game goes on.
    ending: str | None


def load(text: str) -> None:
    """Opens definitions in both programs; an AlesiaError says what Alesia does not know."""
    alesia.load_variants(text, FILE)
    pyffish.load_variant_config(text)


def position(
    name: str, start: str | None = None, moves: list[str] | None = None
) -> alesia.Position:
    """A position of Alesia."""
    return alesia.Position(f"{FILE}:{name}", start, moves)


def without_passed_cell(fen: str) -> str:
    """A position's text without the cell of a capture en passant, which the moves show."""
    fields = fen.split()
    return " ".join(fields[:3] + fields[4:])


def ours(name: str, start: str | None, moves: list[str]) -> Seen:
    """As Alesia sees it."""
    here = position(name, start, moves)
    ending = None if here.result is None else here.result.winner or "draw"
    return Seen(tuple(sorted(here.legal_moves())), without_passed_cell(here.board), ending)


def theirs(name: str, start: str | None, moves: list[str]) -> Seen:
    """As Fairy-Stockfish sees it."""
    start = start or pyffish.start_fen(name)
    legal = pyffish.legal_moves(name, start, moves)
    fen = pyffish.get_fen(name, start, moves)
    over, value = pyffish.is_immediate_game_end(name, start, moves)
    if not over and not legal:
        over, value = True, pyffish.game_result(name, start, moves)
    elif not over:
        over, value = pyffish.is_optional_game_end(name, start, moves)
    ending = None
    if over:
        mover_is_white = fen.split()[1] == "w"
        ending = "draw" if value == 0 else "White" if (value > 0) == mover_is_white else "Black"
    # A game that may be claimed as ended has moves there.
    return Seen(() if over else tuple(sorted(legal)), without_passed_cell(fen), ending)


def their_notation(name: str, start: str | None, moves: list[str]) -> list[str]:
    """The moves of a game in standard algebraic notation, as Fairy-Stockfish writes them.

    Raises a ValueError where one is not legal there.
    """
    return pyffish.get_san_moves(name, start or pyffish.start_fen(name), moves)
