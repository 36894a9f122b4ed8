"""Alpha-beta in 40 lines of Python plays a match against Alesia, in any of its games."""

import argparse

import alesia

WIN = 30_000


def search(position: alesia.Position, depth: int, alpha: int, beta: int) -> int:
    """The value for the side to move (negamax; Knuth and Moore 1975)."""
    result = position.result
    if result is not None:
        sign = {position.side: 1, None: 0}.get(result.winner, -1)
        return sign * (WIN - position.ply)
    if depth == 0:
        return position.evaluate()
    for child in children(position, depth):
        alpha = max(alpha, -search(child, depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def children(position: alesia.Position, depth: int) -> list[alesia.Position]:
    """The positions after each move; far from the leaves the most promising ones first."""
    after = [position.play(action) for action in position.legal_actions()]
    if depth > 1:
        after.sort(key=lambda child: -WIN if child.is_over else child.evaluate())
    return after


def best_move(position: alesia.Position, depth: int = 2) -> str:
    """The move with the best value."""
    best, value = "", -WIN - 1
    for move in position.legal_moves():
        found = -search(position.play(move), depth - 1, -WIN - 1, -value)
        if found > value:
            best, value = move, found
    return best


def main() -> None:
    """Plays the match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="loa")
    parser.add_argument("--pairs", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=500, help="Alesia's iterations for a move")
    options = parser.parse_args()
    engine = alesia.Engine(options.game, memory="64MiB")
    player = alesia.Player(engine, nodes=options.nodes, name="Alesia")
    print(alesia.play_match(best_move, player, options.game, pairs=options.pairs, each=print))


if __name__ == "__main__":
    main()
