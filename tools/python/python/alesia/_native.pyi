"""The types of the part that is written in Rust."""

import os
from collections.abc import Callable, Sequence
from typing import final

__all__ = [
    "AlesiaError",
    "Analysis",
    "Engine",
    "MoveInfo",
    "Position",
    "Proof",
    "Record",
    "RecordedMove",
    "Result",
    "VectorGames",
    "__VERSION__",
    "elo",
    "elo_in_words",
    "game_seed",
    "games",
    "load_variants",
    "opening",
    "read_records",
    "variants",
    "write_records",
]

__VERSION__: str

class AlesiaError(ValueError):
    """Something that cannot be used: where, what was found, what was expected."""

@final
class Result:
    """How a game ended."""

    @property
    def winner(self) -> str | None:
        """`White`, `Black`, or None after a draw."""
    @property
    def reason(self) -> str:
        """The rule that ended it."""
    @property
    def text(self) -> str:
        """Both, as in the program's line of the result: `White (no legal move)`."""
    def score(self, side: str) -> float:
        """1 for a win of the side, 0 for its loss, ½ for a draw."""
    def __hash__(self) -> int: ...

@final
class Position:
    """A position of a game, which never changes, with all that its rules need to know."""

    def __new__(
        cls,
        game: str = "murus",
        board: str | None = None,
        moves: str | Sequence[str | int] | None = None,
    ) -> Position:
        """The beginning of a game or a text board, and the position after some moves."""
    @property
    def game(self) -> str:
        """The name of the game, as on the command line."""
    @property
    def title(self) -> str:
        """The game's name for people."""
    @property
    def side(self) -> str:
        """The side to move, `White` or `Black`."""
    @property
    def ply(self) -> int:
        """Plies since the beginning of the game."""
    @property
    def max_plies(self) -> int:
        """Max plies of a game."""
    @property
    def board(self) -> str:
        """The text board."""
    @property
    def start_board(self) -> str | None:
        """The text board that the moves begin with; None: the game's start position."""
    @property
    def moves(self) -> list[str]:
        """The moves so far, in the game's notation."""
    @property
    def result(self) -> Result | None:
        """The end of the game; None while it is not over."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def key(self) -> int:
        """The Zobrist key: equal for positions with the same moves and side."""
    @property
    def num_actions(self) -> int:
        """All actions of the game are below this."""
    @property
    def feature_shape(self) -> tuple[int, int, int]:
        """The shape of `features`: planes, rows, columns."""
    def legal_moves(self) -> list[str]:
        """The legal moves in the game's notation; none where the game is over."""
    def legal_actions(self) -> list[int]:
        """The same moves as numbers, in the same order."""
    def play(self, move: str | int, /) -> Position:
        """The position after a move, given as text or as an action."""
    def action(self, move: str, /) -> int:
        """The action of a legal move."""
    def notation(self, action: int, /) -> str:
        """The notation of a legal action."""
    def san(self, move: str | int, /) -> str:
        """A legal move as PGN writes it: in standard algebraic notation in chess variants."""
    def evaluate(self) -> int:
        """The static score for the side to move, in hundredths of about a pawn or stone."""
    def features(self) -> memoryview:
        """Planes of 32-bit floats for `numpy.asarray`, the top row first."""
    def feature_names(self) -> list[str]:
        """What each plane of `features` says."""
    def playouts(self, games: int, seed: int = 0) -> tuple[int, int, int, int]:
        """Games of random moves from here: White's wins, draws, Black's wins, plies in all."""
    def _repr_svg_(self) -> str:
        """The board as an image, which notebooks show."""
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: object, /) -> Position: ...
    def __hash__(self) -> int: ...

@final
class Proof:
    """A proven result for the side to move."""

    @property
    def result(self) -> str:
        """`win`, `draw` or `loss`."""
    @property
    def plies(self) -> int | None:
        """The game ends within this many plies; None for a draw."""
    @property
    def text(self) -> str:
        """Both: `win in 3`."""
    def __hash__(self) -> int: ...

@final
class MoveInfo:
    """What the tree search knows of one move."""

    @property
    def move(self) -> str:
        """In the game's notation."""
    @property
    def action(self) -> int:
        """The same as a number."""
    @property
    def visits(self) -> int:
        """Iterations that came to its position."""
    @property
    def value(self) -> float:
        """Their mean result for the side to move, 0 to 1."""
    @property
    def prior(self) -> float:
        """Its share among the moves before anything was searched, 0 to 1."""
    @property
    def proof(self) -> Proof | None:
        """Its proven result for the side to move."""

@final
class Analysis:
    """What a search has found."""

    @property
    def move(self) -> str:
        """The move to play, in the game's notation."""
    @property
    def action(self) -> int:
        """The same as a number."""
    @property
    def value(self) -> float:
        """The expected result for the side to move, 0 (loss) to 1 (win)."""
    @property
    def proof(self) -> Proof | None:
        """The proven result for the side to move."""
    @property
    def depth(self) -> int:
        """The completed depth of alpha-beta; the plies of the variation of the tree search."""
    @property
    def nodes(self) -> int:
        """Iterations of the tree search, or positions visited by alpha-beta."""
    @property
    def seconds(self) -> float:
        """Time spent."""
    @property
    def variation(self) -> list[str]:
        """The line of play expected, beginning with the move."""
    @property
    def moves(self) -> list[MoveInfo]:
        """All moves, the preferred ones first; none from other engines than the tree search."""
    @property
    def from_book(self) -> bool:
        """Whether nothing was searched, as an opening book has the move."""
    @property
    def info(self) -> str:
        """The lines of `alesia search`."""
    def _repr_html_(self) -> str:
        """A table of the moves, which notebooks show."""

@final
class Engine:
    """An engine of one game, with its memory and its threads."""

    def __new__(
        cls,
        game: str = "murus",
        engine: str = "mcts",
        *,
        threads: int = 1,
        trees: int = 1,
        memory: str = "512MiB",
        seed: int = 0,
        parameters: dict[str, float | str] | None = None,
        weights: str | os.PathLike[str] | None = None,
        book: bool = False,
        evaluate: Callable[[Position], float] | None = None,
    ) -> Engine:
        """Takes the memory and starts the threads; the options are those of `alesia search`.

        `evaluate` stands in place of the game's own evaluation: it returns the score of a position
        for the side to move, in the unit of `Position.evaluate`.
        """
    @property
    def game(self) -> str:
        """The name of its game."""
    @property
    def engine(self) -> str:
        """`mcts`, `alphabeta` or `random`."""
    def search(
        self,
        position: Position,
        *,
        time_ms: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Analysis:
        """Searches until the first of the limits or a proof; Ctrl-C ends it."""
    def new_game(self, seed: int = 0) -> None:
        """Forgets all earlier positions: as if just built with this seed."""

@final
class RecordedMove:
    """A move of a record with what its player said of it."""

    @property
    def move(self) -> str:
        """In the game's notation."""
    @property
    def ms(self) -> float | None:
        """Milliseconds it took."""
    @property
    def value(self) -> float | None:
        """The expected result for the mover, 0 to 1."""
    @property
    def cp(self) -> int | None:
        """The score in centipawns, of an external program."""
    @property
    def mate(self) -> int | None:
        """The mover's own moves to its proven win, negative to its loss."""
    @property
    def depth(self) -> int | None:
        """Plies searched."""
    @property
    def nodes(self) -> int | None:
        """Iterations or positions."""

@final
class Record:
    """A recorded game: a JSON line of `alesia-lab`."""

    def __new__(
        cls,
        position: Position,
        *,
        white: str = "White",
        black: str = "Black",
        opening: int = 0,
        analyses: Sequence[Analysis | None] | None = None,
        ms: Sequence[float | None] | None = None,
        result: str | None = None,
        cause: str = "reported",
        reason: str = "",
        date: str | None = None,
        seed: int = 0,
        pair: int = 0,
        leg: int = 0,
    ) -> Record:
        """The game that led to a position; without `result` it must be over by the rules."""
    @staticmethod
    def from_json(line: str, place: str = "record") -> Record:
        """Reads a line, and checks it by the rules; `place` says in errors where it stands."""
    def to_json(self) -> str:
        """The line, without its end."""
    @property
    def start(self) -> Position:
        """The position before the first move."""
    @property
    def position(self) -> Position:
        """The last position."""
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def white(self) -> str:
        """The first player."""
    @property
    def black(self) -> str:
        """The second player."""
    @property
    def opening(self) -> list[str]:
        """The moves of the opening, not chosen by the players."""
    @property
    def moves(self) -> list[RecordedMove]:
        """The moves of the players."""
    @property
    def result(self) -> str:
        """`1-0`, `0-1` or `1/2-1/2`."""
    @property
    def cause(self) -> str:
        """What decided the game, such as `rule`."""
    @property
    def reason(self) -> str:
        """The same in words."""
    @property
    def date(self) -> str | None:
        """The day on which it began, such as `2026-11-27`, in universal time, where known."""
    @property
    def seed(self) -> int:
        """The seed of the match."""
    @property
    def pair(self) -> int:
        """The number of the pair of games in the match, from 0."""
    @property
    def leg(self) -> int:
        """0: the match's first player is White; 1: it is Black."""
    def __hash__(self) -> int: ...

@final
class VectorGames:
    """The native half of `alesia.vector.VectorEnv`."""

    MAX_MOVES: int
    def __new__(cls, game: str, count: int) -> VectorGames: ...
    def step(self, actions: int | None, addresses: tuple[int, ...], threads: int) -> int | None:
        """Plays the actions at an address, or begins anew; the first game where one is wrong."""
    def branch(self, branches: int, count: int, addresses: tuple[int, ...]) -> int | None:
        """Makes the branches at an address; the first that is wrong."""
    def features(self, games: int, count: int, planes: int) -> int | None:
        """Writes the planes of the games at an address; the first that is not there."""

def games() -> list[str]:
    """The names of the built-in games, with their other boards."""

def variants() -> list[str]:
    """The names of the built-in chess variants."""

def load_variants(text: str, file: str = "text.ini") -> list[str]:
    """Reads definitions of variants from a text; returns the names by which they are known."""

def opening(game: str, seed: int = 0, pair: int = 0, plies: int = 4) -> Position:
    """The opening of a pair of games of `alesia-lab match`, by its seed: random moves."""

def game_seed(seed: int, pair: int) -> int:
    """The seed of a player in both games of a pair, from its own; that of `alesia-lab match`."""

def elo(pairs: Sequence[int]) -> tuple[float, float]:
    """Elo and its error from the numbers of pairs with 0, ½, 1, 1½ and 2 points.

    Elo is infinite where all points were won or lost; the error is nan where there is none.
    """

def elo_in_words(pairs: Sequence[int]) -> str:
    """The same in words, as the lab prints them: no interval where the pairs determine none."""

def read_records(path: str | os.PathLike[str]) -> list[Record]:
    """Reads the records of a file, checked by the rules."""

def write_records(path: str | os.PathLike[str], records: Sequence[Record]) -> None:
    """Appends records to a file, or makes it."""
