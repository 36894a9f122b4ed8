#!/usr/bin/env python3
"""Chess games of `alesia uci` against another chess program, driven and refereed by python-chess.

    pip install chess
    cargo build --release
    tools/checks/uci_against.py target/release/alesia --engine mcts --other "gnuchess --uci" --depth 4

Each opening, four random plies that follow from the seed, is played with both colours. Prints a line
for each game, and the score.
"""

import argparse
import random
import shlex

import chess
import chess.engine

MAX_PLIES = 400


def opening(rng):
    """A board after four random plies."""
    board = chess.Board()
    for _ in range(4):
        board.push(rng.choice(list(board.legal_moves)))
    return board


def play(board, players, limits):
    """Plays a game to its end and returns White's points; None where it was cut off."""
    while not board.is_game_over(claim_draw=True):
        if board.ply() >= MAX_PLIES:
            return None
        turn = 0 if board.turn == chess.WHITE else 1
        board.push(players[turn].play(board, limits[turn]).move)
    return {"1-0": 1, "0-1": 0}.get(board.result(claim_draw=True), 0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the player, such as target/release/alesia")
    parser.add_argument("--engine", default="mcts", help="mcts or alphabeta")
    parser.add_argument("--other", default="gnuchess --uci", help="the other program and its words")
    parser.add_argument("--depth", type=int, default=4, help="plies that the other searches")
    parser.add_argument("--ms", type=int, default=100, help="milliseconds of a move of ours")
    parser.add_argument("--pairs", type=int, default=10, help="openings, each with both colours")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ours = chess.engine.SimpleEngine.popen_uci([options.program, "uci", "--engine", options.engine])
    ours.configure({"Threads": 1, "Hash": 64})
    other = chess.engine.SimpleEngine.popen_uci(shlex.split(options.other))
    limits = [chess.engine.Limit(time=options.ms / 1000), chess.engine.Limit(depth=options.depth)]
    rng = random.Random(options.seed)
    counts = {1: 0, 0.5: 0, 0: 0}
    try:
        for _ in range(options.pairs):
            start = opening(rng)
            for ours_is_white in (True, False):
                order = 1 if ours_is_white else -1
                points = play(start.copy(), [ours, other][::order], limits[::order])
                # A game that has no end counts as a draw.
                points = 0.5 if points is None else points if ours_is_white else 1 - points
                counts[points] += 1
                print(f"{'White' if ours_is_white else 'Black'}: {points}", flush=True)
    finally:
        ours.quit()
        other.quit()
    print(f"{options.engine} against {options.other} at depth {options.depth}: "
          f"{counts[1]} wins, {counts[0.5]} draws, {counts[0]} losses")


if __name__ == "__main__":
    main()
