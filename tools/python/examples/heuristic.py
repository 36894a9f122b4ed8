"""A heuristic of one's own for Hadron, in both engines, against the network of this program.

python heuristic.py [--pairs 20] [--nodes 1000]
"""

import argparse
import time

import alesia


def odd_cells(position: alesia.Position) -> float:
    """The idea: the side to move wants an odd number of moves, to place the last stone."""
    return 50 if len(position.legal_moves()) % 2 == 1 else -50


def main() -> None:
    """Plays the matches, and says how many positions a second each engine searches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=1000)
    options = parser.parse_args()
    game, small = "hadron5", "16MiB"
    for kind in ["alphabeta", "mcts"]:
        engine = alesia.Engine(game, kind, memory=small, evaluate=odd_cells)
        mine = alesia.Player(engine, nodes=options.nodes)
        network = alesia.Player(alesia.Engine(game, kind, memory=small), nodes=options.nodes)
        result = alesia.play_match(mine, network, game, pairs=options.pairs)
        print(f"{kind}: {result}; the verdict:")
        print(f"alesia-lab match sprt {' '.join(map(str, result.pairs))} --elo0=0 --elo1=20")
        begun = time.process_time()
        nodes = engine.search(alesia.Position(game), nodes=20_000).nodes
        print(f"{nodes / (time.process_time() - begun):,.0f} nodes a second of processor time")


if __name__ == "__main__":
    main()
