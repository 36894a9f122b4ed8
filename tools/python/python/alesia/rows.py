"""Records as rows, such as `pandas.DataFrame` reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._native import Record

_OF_GAME = [
    "game",
    "white",
    "black",
    "result",
    "cause",
    "reason",
    "date",
    "seed",
    "pair",
    "leg",
]

_OF_MOVE = ["move", "ms", "value", "cp", "mate", "depth", "nodes"]


def game_rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """A row for each game, with its plies."""
    return [
        {name: getattr(record, name) for name in _OF_GAME} | {"plies": record.position.ply}
        for record in records
    ]


def move_rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """A row for each move of the players: the number of its record, its ply, who played it."""
    rows = []
    for number, record in enumerate(records):
        position = record.start
        for move in record.opening:
            position = position.play(move)
        for played in record.moves:
            player = record.white if position.side == "White" else record.black
            position = position.play(played.move)
            head = {"record": number, "ply": position.ply, "player": player}
            rows.append(head | {name: getattr(played, name) for name in _OF_MOVE})
    return rows
