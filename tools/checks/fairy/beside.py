"""Random games by both programs' rules.

The one idea: Alesia plays a game of random moves; Fairy-Stockfish then reads all of its moves at
once, and is asked for legal moves, position and end after some of them and after the last.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import programs


@dataclass(frozen=True)
class Difference:
    """Where the programs disagree, and what each says."""

    name: str
    moves: tuple[str, ...]
    what: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        moves = " ".join(self.moves) or "no move"
        return f"{self.name}, after {moves}: {self.what}: {self.ours}; there {self.theirs}"


def random_game(name: str, plies: int, choice: random.Random) -> tuple[list[str], list[str]]:
    """A game's moves, and the same in standard algebraic notation."""
    position = programs.position(name)
    moves: list[str] = []
    notation: list[str] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        # Promotions are rare among random moves.
        move = max(choice.choices(legal, k=2), key=lambda move: move[-1].isalpha())
        notation.append(position.san(move))
        moves.append(move)
        position = position.play(move)
    return moves, notation


def only(some: tuple[str, ...], others: tuple[str, ...]) -> str:
    """The moves that are not among others."""
    return " ".join(move for move in some if move not in others) or "no other"


def seen_otherwise(name: str, start: str | None, moves: list[str]) -> Difference | None:
    """How the programs see a position differently."""
    here, there = programs.ours(name, start, moves), programs.theirs(name, start, moves)
    for what, one, other in [
        ("end", here.ending, there.ending),
        ("moves", only(here.moves, there.moves), only(there.moves, here.moves)),
        ("position", here.position, there.position),
    ]:
        if one != other:
            return Difference(name, tuple(moves), what, str(one), str(other))
    return None


def games(name: str, seed: int, count: int, plies: int, looks: int) -> Iterator[Difference]:
    """Differences in some games: all of the notation, and the first of anything else of each."""
    for number in range(count):
        choice = random.Random(f"{seed} {name} {number}")
        moves, notation = random_game(name, plies, choice)
        looked = sorted({*choice.choices(range(len(moves) + 1), k=looks), len(moves)})
        try:
            written = programs.their_notation(name, None, moves)
        except ValueError:
            # One of the moves is not legal there: the first position that is seen otherwise.
            written, looked = [], list(range(len(moves) + 1))
        seen = (seen_otherwise(name, None, moves[:ply]) for ply in looked)
        if difference := next(filter(None, seen), None):
            yield difference
            continue
        for ply, (one, other) in enumerate(zip(notation, written, strict=True)):
            if one != other:
                yield Difference(name, tuple(moves[: ply + 1]), "notation", one, other)
