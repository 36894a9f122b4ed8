"""Collects positions of self-play into NumPy arrays: what a network learns from.

For each position: the planes, the shares of the visits of all actions (the policy), and the result
of the game for the side to move (AlphaZero's targets, Silver et al. 2018).
"""

import argparse

import numpy as np

import alesia


def policy(position: alesia.Position, analysis: alesia.Analysis) -> np.ndarray:
    """The share of each action's visits."""
    shares = np.zeros(position.num_actions, np.float32)
    for move in analysis.moves:
        shares[move.action] = move.visits
    total = shares.sum()
    if total == 0:
        # A move that is proven at sight needs no visits.
        shares[analysis.action] = total = 1
    return shares / total


def play(engine: alesia.Engine, seed: int, nodes: int) -> list[tuple]:
    """The positions of one game with both targets; moves are drawn in proportion to the visits."""
    random = np.random.default_rng(seed)
    engine.new_game(seed)
    position, seen = alesia.Position(engine.game), []
    while not position.is_over:
        shares = policy(position, engine.search(position, nodes=nodes))
        seen.append((position, shares))
        position = position.play(int(random.choice(len(shares), p=shares)))
    return [(at.features(), shares, position.result.score(at.side)) for at, shares in seen]


def main() -> None:
    """Plays the games and writes the arrays `planes`, `policy` and `value`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", help="file to write, such as games.npz")
    parser.add_argument("--game", default="loa")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=200)
    options = parser.parse_args()
    engine = alesia.Engine(options.game, memory="64MiB")
    rows = [row for seed in range(options.games) for row in play(engine, seed, options.nodes)]
    planes, shares, values = (np.asarray(column, np.float32) for column in zip(*rows, strict=True))
    np.savez_compressed(options.out, planes=planes, policy=shares, value=values)
    print(f"{len(rows)} positions, planes {planes.shape}, policy {shares.shape}")


if __name__ == "__main__":
    main()
