"""Plots White's chances along a recorded game, as its players and a new search see them.

Without matplotlib the curve is drawn with characters.
"""

import argparse

import alesia


def curve(record: alesia.Record, nodes: int) -> list[float]:
    """White's expected result, 0 to 1, at each position of the game."""
    engine = alesia.Engine(record.game, memory="64MiB")
    position, values = record.start, []
    for move in [*record.opening, *(played.move for played in record.moves)]:
        value = engine.search(position, nodes=nodes).value
        values.append(value if position.side == "White" else 1 - value)
        position = position.play(move)
    result = position.result
    return [*values, result.score("White")] if result else values


def draw(values: list[float], width: int = 40) -> str:
    """The curve with characters, a line for each ply."""
    return "\n".join(f"{ply:3} {'█' * round(width * value)}" for ply, value in enumerate(values))


def main() -> None:
    """Reads a record, or plays a game, and shows its curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="?", help="file of game records; its first game is shown")
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--out", help="picture to write, such as curve.svg")
    options = parser.parse_args()
    if options.records:
        record = alesia.read_records(options.records)[0]
    else:
        player = alesia.Player(alesia.Engine("loa", memory="64MiB"), nodes=options.nodes)
        record = alesia.play_game(player, player, alesia.opening("loa", seed=1))
    values = curve(record, options.nodes)
    if options.out is None:
        print(draw(values))
        return
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3))
    axes = figure.subplots()
    axes.plot(values)
    axes.set(xlabel="ply", ylabel="White's expected result", ylim=(0, 1), title=str(record))
    figure.savefig(options.out, bbox_inches="tight")


if __name__ == "__main__":
    main()
