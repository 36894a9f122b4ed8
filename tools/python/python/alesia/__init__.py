"""Alesia from Python: the games and chess variants, the engines, matches and their records.

A `Position` never changes: `play` returns a new one. An `Engine` searches positions of its game.
`play_match` plays an engine, or any function that chooses moves, against another; a `Record` is the
JSON line that `alesia-lab` reads and writes. `alesia.openspiel` and `alesia.pettingzoo` show the
games to those libraries.

>>> import alesia
>>> position = alesia.Position("hadron5", moves="A1 B3")
>>> position.side, len(position.legal_moves())
('White', 18)
"""

from ._native import __VERSION__ as __version__
from ._native import (
    AlesiaError,
    Analysis,
    Engine,
    MoveInfo,
    Position,
    Proof,
    Record,
    RecordedMove,
    Result,
    elo,
    game_seed,
    games,
    load_variants,
    opening,
    read_records,
    variants,
    write_records,
)
from .matches import MatchResult, Player, play_game, play_match
from .rows import game_rows, move_rows

__all__ = [
    "AlesiaError",
    "Analysis",
    "Engine",
    "MatchResult",
    "MoveInfo",
    "Player",
    "Position",
    "Proof",
    "Record",
    "RecordedMove",
    "Result",
    "__version__",
    "elo",
    "game_rows",
    "game_seed",
    "games",
    "load_variants",
    "move_rows",
    "opening",
    "play_game",
    "play_match",
    "read_records",
    "variants",
    "write_records",
]
