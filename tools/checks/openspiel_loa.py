"""`loa:standard` beside OpenSpiel's `lines_of_action`: moves, ends and results of random games.

    python tools/checks/openspiel_loa.py [--games N] [--seed N]
    python tools/checks/openspiel_loa.py --record tests/data/openspiel_loa.tsv

The first needs the packages `alesia` and `open_spiel`: at every ply both list the same moves, agree
on whose turn it is, and at the end on the result. The second needs `open_spiel` alone, and writes
the games of the test `openspiel`. `tools/checks/python.sh openspiel` builds the package and runs
the first.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from typing import Any

import pyspiel

SIDES = ["Black", "White"]
"""OpenSpiel's players: Black, its `x`, moves first."""

Choose = Callable[[Any, list[int]], int]
"""Picks an action of a state."""


def notation(state: Any, action: int) -> str:
    """A move as Alesia writes it: a capture has a hyphen too."""
    return state.action_to_string(action).upper().replace("X", "-")


def winner(state: Any) -> str | None:
    """The side that has won; None after a draw."""
    returns = state.returns()
    return SIDES[returns.index(1)] if 1 in returns else None


def compare(rng: random.Random, start: Any) -> tuple[str, int]:
    """Plays a random game in both programs: its result and its plies."""
    state = pyspiel.load_game("lines_of_action").new_initial_state()
    position = start
    while not state.is_terminal():
        there = {notation(state, action): action for action in state.legal_actions()}
        here = position.legal_moves()
        where = f"after {' '.join(position.moves) or 'nothing'}"
        if sorted(there) != sorted(here):
            sys.exit(f"{where}: found the moves {sorted(here)}, expected {sorted(there)}")
        if position.side != SIDES[state.current_player()]:
            sys.exit(f"{where}: found {position.side} to move, expected the other side")
        move = rng.choice(sorted(there))
        state.apply_action(there[move])
        position = position.play(move)
    result = position.result
    if result is None or result.winner != winner(state):
        sys.exit(f"{position.board}: found {result}, expected {winner(state) or 'a draw'}")
    return result.reason, position.ply


def record(choose: Choose) -> str:
    """A game as a line: the winner, and each move behind the number of legal ones."""
    state = pyspiel.load_game("lines_of_action").new_initial_state()
    moves = []
    while not state.is_terminal():
        actions = state.legal_actions()
        action = choose(state, actions)
        moves.append(f"{len(actions)}:{notation(state, action)}")
        state.apply_action(action)
    return f"{winner(state) or '-'}\t{' '.join(moves)}"


def randomly(rng: random.Random) -> Choose:
    """Any move."""
    return lambda _, actions: rng.choice(actions)


LONGEST = 23
"""A seed whose game can connect on its last ply."""


def longer(rng: random.Random) -> Choose:
    """A move that ends nothing, no capture if possible; on the last ply one that connects."""

    def choose(state: Any, actions: list[int]) -> int:
        rng.shuffle(actions)
        if len(state.history()) == 999:
            return next(a for a in actions if connects(state, a))
        actions.sort(key=lambda a: "x" in state.action_to_string(a))
        return next((a for a in actions if not state.child(a).is_terminal()), actions[0])

    return choose


def back(rng: random.Random) -> Choose:
    """A move to an earlier board, else any that ends nothing."""

    def choose(state: Any, actions: list[int]) -> int:
        rng.shuffle(actions)
        children = [(action, state.child(action)) for action in actions]
        drawn = [a for a, after in children if after.is_terminal() and winner(after) is None]
        going = [a for a, after in children if not after.is_terminal()]
        return (drawn or going or actions)[0]

    return choose


def connects(state: Any, action: int) -> bool:
    """Whether the mover's stones are one group after a move."""
    after = state.child(action)
    mark = "xo"[state.current_player()]
    rows = [line[1:] for line in str(after).splitlines()[:8]]
    stones = {(r, c) for r in range(8) for c in range(8) if rows[r][c] == mark}
    seen = [next(iter(stones))]
    for r, c in seen:
        near = {(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)}
        seen += (near & stones) - set(seen)
    return len(seen) == len(stones)


HEAD = """\
# Games of OpenSpiel's lines_of_action: the winner (- none), and each move behind the number of
# legal ones. Written by tools/checks/openspiel_loa.py.
"""


def write(path: str) -> None:
    """Writes the games of the test."""
    lines = [record(randomly(random.Random(seed))) for seed in range(30)]
    lines += [record(back(random.Random(seed))) for seed in range(8)]
    # As long as a game may last, and its last move connects: a draw all the same.
    lines.append(record(longer(random.Random(LONGEST))))
    with open(path, "w") as file:
        file.write(HEAD + "".join(f"{line}\n" for line in lines))


def main() -> None:
    """Compares, or records."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.record:
        write(arguments.record)
        return
    import alesia

    rng = random.Random(arguments.seed)
    start = alesia.Position("loa:standard")
    ends: dict[str, int] = {}
    plies = 0
    for _ in range(arguments.games):
        reason, length = compare(rng, start)
        ends[reason] = ends.get(reason, 0) + 1
        plies += length
    found = ", ".join(f"{count} {reason}" for reason, count in sorted(ends.items()))
    print(f"{arguments.games} games, {plies} plies, all alike: {found}")


if __name__ == "__main__":
    main()
