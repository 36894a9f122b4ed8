"""Random games of Lines of Action, many a call: plies a second, with masks.

On a machine that does other work too, those of a second of its processors say more.

python vector_speed.py [--count 1024] [--threads 1] [--seconds 3]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from alesia.vector import VectorEnv


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="loa")
    parser.add_argument("--count", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3)
    arguments = parser.parse_args()
    env = VectorEnv(arguments.game, arguments.count, threads=arguments.threads)
    rng = np.random.default_rng(1)
    begun, begun_work = time.perf_counter(), time.process_time()
    plies = games = 0
    while time.perf_counter() - begun < arguments.seconds:
        env.step(env.random_actions(rng))
        plies += env.count
        games += int(env.dones.sum())
    seconds, work = time.perf_counter() - begun, time.process_time() - begun_work
    speed = f"{plies / seconds:,.0f} plies a second, {plies / work:,.0f} of processor time"
    print(f"{speed}, {games} games")


if __name__ == "__main__":
    main()
