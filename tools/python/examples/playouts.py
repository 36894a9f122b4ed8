"""Measures random games a second: Alesia from Python beside OpenSpiel's own Lines of Action.

Each number is games of uniformly random moves from the start to the end, on one thread, the two
programs in turn in this one run; the best of the rounds counts.
"""

import argparse
import json
import random
import time
from collections.abc import Callable

import alesia


def one_by_one(games: int) -> int:
    """Plays each move from Python; returns the plies."""
    start, plies = alesia.Position("loa"), 0
    for _ in range(games):
        position = start
        while actions := position.legal_actions():
            position = position.play(random.choice(actions))
        plies += position.ply
    return plies


def in_rust(games: int) -> int:
    """Plays all games in one call."""
    return alesia.Position("loa").playouts(games, seed=random.getrandbits(32))[3]


def openspiel(games: int) -> int:
    """The same moves one by one in OpenSpiel's C++ game, from Python."""
    import pyspiel

    game, plies = pyspiel.load_game("lines_of_action"), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        plies += state.move_number()
    return plies


def openspiel_rollouts(games: int) -> int:
    """OpenSpiel's own random playouts in C++, in one call: those of one simulation of its MCTS."""
    import pyspiel

    game = pyspiel.load_game("lines_of_action")
    seed = random.getrandbits(31)
    evaluator = pyspiel.RandomRolloutEvaluator(games, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, seed, False)
    bot.step(game.new_initial_state())
    return 0


WAYS: dict[str, tuple[Callable[[int], int], int]] = {
    "Alesia, playouts(n, seed)": (in_rust, 2000),
    "Alesia, each move from Python": (one_by_one, 50),
    "OpenSpiel, each move from Python": (openspiel, 10),
    "OpenSpiel, rollouts in C++": (openspiel_rollouts, 10),
}


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """Games and plies a second of each way; plies are 0 where they are not known."""
    best: dict[str, dict[str, float]] = {}
    for _ in range(rounds):
        for name, (play, games) in WAYS.items():
            began = time.perf_counter()
            plies = play(games)
            seconds = time.perf_counter() - began
            rate = {"games": games / seconds, "plies": plies / seconds}
            if rate["games"] > best.get(name, rate)["games"] or name not in best:
                best[name] = rate
    return best


def main() -> None:
    """Prints the rates, and the two ratios with OpenSpiel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--least", type=float, help="fail below this ratio of playouts")
    options = parser.parse_args()
    rates = measure(options.rounds)
    batch, single, theirs, rollouts = (rates[name]["games"] for name in WAYS)
    fastest = max(theirs, rollouts)
    if options.json:
        print(json.dumps({"rates": rates, "batch": batch / fastest, "single": single / theirs}))
    else:
        for name, rate in rates.items():
            print(f"{name:34} {rate['games']:9.0f} games/s {rate['plies']:10.0f} plies/s")
        print(f"playouts(n, seed): {batch / fastest:.1f} times OpenSpiel's faster way")
        print(f"each move from Python: {single / theirs:.1f} times OpenSpiel")
    if options.least is not None and batch / fastest < options.least:
        raise SystemExit(
            f"playouts: found {batch / fastest:.1f}, expected at least {options.least}"
        )


if __name__ == "__main__":
    main()
