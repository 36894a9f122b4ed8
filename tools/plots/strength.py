#!/usr/bin/env python3
"""Draws docs/strength.svg from docs/experiments.csv.

  pip install -r tools/plots/requirements.txt
  tools/plots/strength.py            writes the picture
  tools/plots/strength.py --check    fails if the picture is not what the table gives

Upper row: the gains of the kept changes to the tree search, added up (STEPS). Lower row: the tree
search's points against alpha-beta. The same table gives the same picture: no dates, no random ids.
"""

import argparse
import csv
import io
import math
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "experiments.csv"
PICTURE = ROOT / "docs" / "strength.svg"

GAMES = {
    "murus": "Murus Gallicus",
    "hadron": "Hadron",
    "loa": "Lines of Action",
    "voidrider": "Voidrider Chess",
}

# One line for each kept change of the tree search: game | commits of its rows | how `what` begins |
# what else the row must say, in `against` or `setting`. The first commit is where the step is
# drawn. Rows of one change are averaged, weighted by their errors. Left out are rows that compare
# today's feature with its absence long after it came (book, pondering, the kept tree) and small
# pools.
STEPS = """
murus | d5d025b | an iteration at one go for each 64 |
murus | 8d60fa5 | exploration 0.3 | 1.4
murus | 33f2204 | moves ranked by what they gain | iterations
murus | b5aa1b4 | exploration 0.5 | 0.35
murus | 4c6348d | network of 225 inputs | mcts
murus | 4c6348d | network of 64 numbers | 32
murus | da1cdc5 | a twentieth of the priors |
murus | 223ee5b | nodes of the same position share their children |
murus | 4b43bdd | weights of 30,000 games | mcts
murus | 4b43bdd | weights of 44,268 games | mcts
murus | e28ace6 | network of 256 numbers | mcts, 50 ms a move; 64
murus | 175b24e | thinks to the end of the time |
murus | 36fa6c6 | rows of moves |
murus | 4e5e9f8 | exploration 0.8 | 0.5
murus | b7ec7ad | network of d09471e | the one before
murus | 5877cb7 | wins by up to 6 threats |
murus | d99a48a | weights of the fifth |
murus | dccf06a | weights of the sixth |
murus | cbbd061 | exploration_floor=0.01 contender_share=0.1 |
murus | 9ac8d1e | prior_quarters=3 | 4
murus | 6b58087 | weights of the seventh |
hadron | c34368b 4c6348d | endgames solved as sums of regions | busy machine
hadron | 223ee5b | nodes of the same position share their children |
hadron | bee9a55 | exploration_floor=0.01 contender_share=0.1 |
hadron | ff23714 | network of 16,000 games | no early stop
loa | d5d025b | an iteration at one go for each 64 |
loa | 8d60fa5 | exploration 0.5 | 1.2
loa | 4c6348d | network of 212 inputs | mcts
loa | 4c6348d | network of 64 numbers | 32
loa | 4c6348d | exploration 0.9 | 0.6
loa | da1cdc5 | a twentieth of the priors |
loa | 223ee5b c6ad57a | nodes of the same position share their children |
loa | 80e181c | network of 128 numbers |
loa | 36fa6c6 | rows of moves |
loa | 4e5e9f8 663cf95 | exploration 1.4 | 0.9
loa | f8fa5ce | inputs of stones that may be taken |
loa | 3637f41 | a win by one move |
loa | ff62618 | weights of 54,900 games |
loa | ff62618 | exploration_floor=0.01 contender_share=0.1 |
loa | b24dd07 d304710 | prior_quarters=3 | 4
loa | c62e9a5 | weights of larger searches, the result |
voidrider | b5aa1b4 | exploration 0.8 | 1.2
voidrider | 4c6348d | network without the inputs of attacks | mcts
voidrider | da1cdc5 | a twentieth of the priors |
voidrider | fcf0eb6 | exchanges are searched |
voidrider | 36fa6c6 | rows of moves |
voidrider | f6c4a3c | network of 128 numbers |
voidrider | f6c4a3c | a side in check |
voidrider | b7e3fdb bee9a55 | ahead_discount=0.9 | 0
voidrider | 4e51a79 bee9a55 | history_factor=50 | 0
voidrider | 62ee339 | rows of moves |
voidrider | 62ee339 | second generation |
voidrider | 880a196 | exchanges that lose | 5,500
voidrider | 880a196 | equal exchanges |
voidrider | 4c92b7d | a position that comes back |
voidrider | e5f015b | nodes of the same position share their children |
voidrider | 8a45b65 | repetitions are looked for |
voidrider | bee9a55 | exploration_floor=0.01 contender_share=0.1 |
"""


def elo(share):
    """Elo of a share of the points."""
    return 400 * math.log10(share / (1 - share))


def share(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def slope(share):
    """By how much Elo grows with the share of the points."""
    return 400 / math.log(10) / (share * (1 - share))


def gain(row):
    """Elo of a row with its error; of the score and the games alone if there is no Elo."""
    if row["elo"]:
        return float(row["elo"]), float(row["error"])
    part = float(row["score"]) / 100
    deviation = math.sqrt(part * (1 - part) / int(row["games"]))
    return elo(part), 1.96 * deviation * slope(part)


def average(values):
    """The mean of values with errors, each weighted by its precision, and its error."""
    weights = [error**-2 for _, error in values]
    mean = sum(w * value for w, (value, _) in zip(weights, values)) / sum(weights)
    return mean, sum(weights) ** -0.5


def steps(rows):
    """For each game, the commits and gains of the kept changes."""
    result = {game: [] for game in GAMES}
    for line in STEPS.strip().splitlines():
        game, commits, what, other = (part.strip() for part in line.split("|"))
        wanted = [part.strip() for part in other.split(";")]

        def matches(row):
            return all(row["against"].startswith(w) or w in row["setting"] for w in wanted)

        found = [
            row
            for row in rows
            if row["game"] == game
            and row["commit"] in commits.split()
            and row["what"].startswith(what)
            and row["kept"] == "yes"
            and row["against"] != "alphabeta"
            and matches(row)
        ]
        if not found:
            sys.exit(f"no row of {TABLE.name} for the step: {line}")
        result[game].append((commits.split()[0], *average([gain(row) for row in found])))
    return result


def against_alphabeta(rows, game, setting):
    """Commits, points in percent and errors of the matches against alpha-beta."""
    matches = {}
    for row in rows:
        if (
            row["game"] == game
            and row["against"] == "alphabeta"
            and row["what"].startswith("mcts")
            and row["setting"].startswith(setting)
            and "balanced" not in row["setting"]
            and row["kept"] != "no"
            and row["games"]
        ):
            matches.setdefault((row["commit"], row["what"]), []).append(row)
    points = []
    for (commit, _), group in matches.items():
        games = sum(int(row["games"]) for row in group)
        part = sum(int(row["games"]) * float(row["score"] or 100 * share(float(row["elo"]))) for row in group)
        part /= 100 * games
        known = [float(row["error"]) for row in group if row["error"]]
        if len(known) == len(group):
            error = sum(e**-2 for e in known) ** -0.5 / slope(part)
        else:
            error = 1.96 * math.sqrt(part * (1 - part) / games)
        points.append((commit, 100 * part, 100 * error))
    return points


def places(rows):
    """Where each commit is drawn, and the days: all days are equally wide, as are a day's commits."""
    first_days = {}
    for row in rows:
        first_days.setdefault(row["commit"], row["date"])
    days = sorted(set(first_days.values()))
    place = {}
    for number, day in enumerate(days):
        commits = [commit for commit, first in first_days.items() if first == day]
        for rank, commit in enumerate(commits):
            place[commit] = number + (rank + 0.5) / len(commits)
    return place, days


def draw(rows):
    place, days = places(rows)
    end = len(days)

    plt.rcParams.update(
        {
            "svg.hashsalt": "alesia",
            "svg.fonttype": "none",
            "font.family": "DejaVu Sans",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    figure, axes = plt.subplots(2, len(GAMES), figsize=(13, 6.4), sharex=True, sharey="row")
    gains = steps(rows)
    for column, (game, title) in enumerate(GAMES.items()):
        above, below = axes[0][column], axes[1][column]
        xs, total, spread = [0], [0.0], [0.0]
        for commit, value, error in sorted(gains[game], key=lambda step: place[step[0]]):
            xs.append(place[commit])
            total.append(total[-1] + value)
            spread.append(math.hypot(spread[-1], error))
        xs.append(end)
        total.append(total[-1])
        spread.append(spread[-1])
        low = [t - s for t, s in zip(total, spread)]
        high = [t + s for t, s in zip(total, spread)]
        above.fill_between(xs, low, high, step="post", color="#1f5fa8", alpha=0.15, linewidth=0)
        above.step(xs, total, where="post", color="#1f5fa8", linewidth=1.8)
        above.set_title(title, fontsize=11)
        above.annotate(
            f"{total[-1]:.0f} ± {spread[-1]:.0f}",
            (xs[-1], high[-1]),
            xytext=(0, 4),
            textcoords="offset points",
            ha="right",
            va="bottom",
            color="#1f5fa8",
        )
        below.axhline(50, color="#888888", linewidth=0.8, linestyle=(0, (4, 3)))
        for setting, label, colour, marker in (
            ("100 ms a move", "100 ms a move", "#b8500f", "o"),
            ("1 s a move", "1 s a move, two threads", "#2b7a3b", "s"),
        ):
            points = against_alphabeta(rows, game, setting)
            below.errorbar(
                [place[commit] for commit, _, _ in points],
                [percent for _, percent, _ in points],
                yerr=[error for _, _, error in points],
                fmt=marker,
                color=colour,
                markersize=4.5,
                linewidth=1,
                markerfacecolor=colour if marker == "o" else "white",
                label=label,
            )
        below.set_ylim(0, 104)
        below.set_xlim(0, end)
        below.set_xticks([number + 0.5 for number in range(end)], [str(int(day[-2:])) for day in days])
        below.set_xlabel("day of November 2026")
        for axis in (above, below):
            axis.tick_params(axis="x", length=0)
            for number in range(1, end):
                axis.axvline(number, color="#dddddd", linewidth=0.6)
            axis.grid(axis="y", color="#dddddd", linewidth=0.6)
            axis.set_axisbelow(True)
    axes[0][0].set_ylabel("gains of kept changes, added up (Elo)")
    axes[1][0].set_ylabel("points against alpha-beta (%)")
    axes[1][0].legend(loc="upper left", fontsize=8, frameon=False)
    figure.subplots_adjust(left=0.06, right=0.985, top=0.94, bottom=0.1, hspace=0.1, wspace=0.08)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def same(one, other):
    """Whether two pictures differ in no more than the last digits of their numbers."""
    if NUMBER.sub("", one) != NUMBER.sub("", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other))
    return all(abs(float(a) - float(b)) <= 0.05 for a, b in pairs)


def main():
    parser = argparse.ArgumentParser(description="Draws docs/strength.svg from docs/experiments.csv.")
    parser.add_argument("--check", action="store_true", help="compare with the file, write nothing")
    options = parser.parse_args()
    with TABLE.open(encoding="utf-8", newline="") as table:
        picture = draw(list(csv.DictReader(table)))
    if not options.check:
        PICTURE.write_text(picture, encoding="utf-8")
    elif not same(picture, PICTURE.read_text(encoding="utf-8")):
        sys.exit(f"{PICTURE.relative_to(ROOT)} is not what {TABLE.name} gives: run tools/plots/strength.py")


if __name__ == "__main__":
    main()
