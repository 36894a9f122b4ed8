"""Games and matches between players: engines with a limit, or functions that choose moves.

The one idea: a player is anything that is called with a position and returns a move, so an engine,
a program of one's own and a person can all play, and each game becomes a `Record`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone

from ._native import (
    AlesiaError,
    Analysis,
    Engine,
    Position,
    Record,
    elo,
    elo_in_words,
    game_seed,
    opening,
)

__all__ = ["MatchResult", "Move", "Player", "play_game", "play_match"]

Move = Analysis | str | int
"""What a player may return: an analysis, a move in the game's notation, or an action."""

ChoosesMoves = Callable[[Position], Move]


@dataclass
class Player:
    """An engine with its limit for each move: milliseconds, nodes or depth.

    `seed` is that of its random choices; each game has its own, which follows from it as in
    `alesia-lab match`.
    """

    engine: Engine
    time_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    name: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        """Names a player without a name like its engine."""
        self.name = self.name or self.engine.engine

    def new_game(self, seed: int) -> None:
        """Forgets the games before."""
        self.engine.new_game(seed)

    def __call__(self, position: Position) -> Analysis:
        """Searches the position."""
        return self.engine.search(
            position, time_ms=self.time_ms, nodes=self.nodes, depth=self.depth
        )


def _name(player: ChoosesMoves) -> str:
    name = getattr(player, "name", None) or getattr(player, "__name__", None)
    return str(name or type(player).__name__)


def _begin(player: ChoosesMoves, pair: int) -> None:
    new_game = getattr(player, "new_game", None)
    if new_game is not None:
        new_game(game_seed(getattr(player, "seed", 0), pair))


def play_game(
    white: ChoosesMoves,
    black: ChoosesMoves,
    start: Position | str = "murus",
    *,
    seed: int = 0,
    pair: int = 0,
    leg: int = 0,
) -> Record:
    """Plays a game to its end, from a position or from the beginning of a game.

    The moves before `start` become the record's opening. A player with a method `new_game` is given
    a seed first. An exception of a player ends the game; an illegal move is an `AlesiaError`.
    """
    position = start if isinstance(start, Position) else Position(start)
    for player in [white, black]:
        _begin(player, pair)
    before = len(position.moves)
    today = datetime.now(timezone.utc).date().isoformat()
    analyses: list[Analysis | None] = []
    times: list[float | None] = []
    while not position.is_over:
        player = white if position.side == "White" else black
        began = time.perf_counter()
        move = player(position)
        times.append(round((time.perf_counter() - began) * 1000, 3))
        analyses.append(move if isinstance(move, Analysis) else None)
        position = position.play(move.action if isinstance(move, Analysis) else move)
    return Record(
        position,
        white=_name(white),
        black=_name(black),
        opening=before,
        analyses=analyses,
        ms=times,
        date=today,
        seed=seed,
        pair=pair,
        leg=leg,
    )


@dataclass
class MatchResult:
    """The games of a match, counted for its first player."""

    records: list[Record] = field(default_factory=list)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Numbers of pairs with 0, ½, 1, 1½ and 2 points."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game, 0 to 1."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def elo(self) -> tuple[float, float]:
        """The Elo difference, and half the width of its 95 % confidence interval.

        It is infinite where all points were won or lost; the width is nan where there is none.
        """
        return elo(self.pairs)

    def _add(self, record: Record) -> int:
        """Counts a game; returns the half points of the first player."""
        self.records.append(record)
        first = "White" if record.leg == 0 else "Black"
        winner = {"1-0": "White", "0-1": "Black"}.get(record.result)
        self.wins += winner == first
        self.draws += winner is None
        self.losses += winner not in (first, None)
        return 1 if winner is None else 2 * (winner == first)

    def __str__(self) -> str:
        """Says the result in a line."""
        return (
            f"{self.games} games: {self.wins} won, {self.draws} drawn, {self.losses} lost, "
            f"Elo {elo_in_words(self.pairs)}"
        )


def play_match(
    first: ChoosesMoves,
    second: ChoosesMoves,
    game: str = "murus",
    *,
    pairs: int = 10,
    plies: int = 4,
    seed: int = 0,
    each: Callable[[Record], None] | None = None,
) -> MatchResult:
    """Plays pairs of games: the same opening of `plies` random moves twice, the sides exchanged.

    Openings and seeds are those of `alesia-lab match` with the same seed. `each` is called with
    every record as soon as its game has ended.
    """
    if pairs < 1:
        raise AlesiaError(f"pairs: found {pairs}, expected a whole number from 1")
    result = MatchResult()
    for pair in range(pairs):
        start = opening(game, seed, pair, plies)
        points = 0
        for leg, (white, black) in enumerate([(first, second), (second, first)]):
            record = play_game(white, black, start, seed=seed, pair=pair, leg=leg)
            points += result._add(record)
            if each is not None:
                each(record)
        result.pairs[points] += 1
    return result
