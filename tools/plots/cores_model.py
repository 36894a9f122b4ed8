#!/usr/bin/env python3
"""Predicts the speed of the tree search on more cores than it was measured on.

  tools/plots/cores_model.py FILE...                 files of `alesia-lab stress scale --json FILE`
  tools/plots/cores_model.py FILE... --cores 32,64   numbers of cores to predict
  tools/plots/cores_model.py --check                 fails if the fit does not find known constants

The model is the universal scalability law (Gunther 1993; Guerrilla Capacity Planning, 2007):

  speed(N) = speed(1) * N / (1 + sigma * (N - 1) + kappa * N * (N - 1))

sigma is contention: the share of the work that only one thread can do at a time, such as additions
to the root's statistics. kappa is coherence: what each pair of threads costs, as a cache line that
one has written must come to the other. N / speed(N) is linear in the three constants, so that the
fit is linear least squares of relative errors, with no constant below zero. Rows with several trees
are left out, as are those with more threads than cores. Needs nothing beyond Python 3.9.
"""

import argparse
import itertools
import json
import math
import sys

CORES = "32,64"


def solve(matrix, values):
    """Solves linear equations by Gaussian elimination; none if they are singular."""
    rows = [list(row) + [value] for row, value in zip(matrix, values)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        if abs(rows[pivot][at]) < 1e-12:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for other in range(size):
            if other != at:
                factor = rows[other][at] / rows[at][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at])]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def least_squares(columns, target):
    """Coefficients of at least 0 with the least squares: the best of all sets that may be above 0."""
    best = None
    for used in itertools.chain.from_iterable(
        itertools.combinations(range(len(columns)), count) for count in range(1, len(columns) + 1)
    ):
        chosen = [columns[column] for column in used]
        normal = [[sum(a * b for a, b in zip(one, other)) for other in chosen] for one in chosen]
        right = [sum(a * b for a, b in zip(one, target)) for one in chosen]
        found = solve(normal, right)
        if found is None or min(found) < 0:
            continue
        whole = [0.0] * len(columns)
        for column, value in zip(used, found):
            whole[column] = value
        errors = [sum(c * v[row] for c, v in zip(whole, columns)) - target[row] for row in range(len(target))]
        squares = sum(error * error for error in errors)
        if best is None or squares < best[0]:
            best = (squares, whole)
    return best[1]


class Law:
    """The law's constants for one game."""

    def __init__(self, points):
        """Fits points (threads, speed); each error counts in proportion to its speed."""
        # Speeds near 1 keep the equations well-conditioned.
        unit = max(speed for _, speed in points)
        weights = [speed / unit / threads for threads, speed in points]
        columns = [
            weights,
            [w * (n - 1) for w, (n, _) in zip(weights, points)],
            [w * n * (n - 1) for w, (n, _) in zip(weights, points)],
        ]
        one, contention, coherence = least_squares(columns, [1.0] * len(points))
        self.speed_of_one = unit / one
        self.sigma = contention / one
        self.kappa = coherence / one

    def speed(self, cores):
        """Iterations per second."""
        law = 1 + self.sigma * (cores - 1) + self.kappa * cores * (cores - 1)
        return self.speed_of_one * cores / law

    def fastest(self):
        """The number of cores beyond which the speed falls; infinite without coherence."""
        return math.sqrt(max(0.0, 1 - self.sigma) / self.kappa) if self.kappa > 0 else math.inf


def read(paths):
    """For each game the speeds of one tree by threads; and what was left out."""
    speeds, left_out = {}, 0
    for path in paths:
        cores, is_scale = None, False
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    row = json.loads(line)
                    if "run" in row:
                        is_scale, cores = row["run"] == "stress scale", row.get("cores")
                        continue
                    if not is_scale or row.get("trees", 1) != 1:
                        continue
                    game, threads, speed = row["game"], int(row["threads"]), float(row["speed"])
                except (ValueError, KeyError, TypeError):
                    sys.exit(f"{path}, line {number}: expected a line of `stress scale --json`")
                if cores is not None and threads > cores:
                    left_out += 1
                elif threads > 0 and speed > 0:
                    speeds.setdefault(game, {}).setdefault(threads, []).append(speed)
    return speeds, left_out


def show(game, found, cores):
    """Prints a game's constants, how well they fit, and the predictions."""
    points = [(threads, sum(own) / len(own)) for threads, own in sorted(found.items())]
    if len(points) < 3:
        numbers = ", ".join(str(threads) for threads, _ in points)
        print(f"{game}: measured with {numbers} threads alone, expected three numbers of threads or more")
        return False
    law = Law(points)
    fastest = law.fastest()
    end = f"fastest with {fastest:.0f} cores" if math.isfinite(fastest) else "no fastest number of cores"
    print(f"{game}: {law.speed_of_one:.0f} iterations/s on one core, sigma {law.sigma:.4f}, kappa {law.kappa:.6f}, {end}")
    print(f"  {'cores':>5} {'measured':>10} {'model':>10} {'error %':>8} {'of one':>7}")
    for threads, speed in points:
        model = law.speed(threads)
        error = 100 * (model / speed - 1)
        print(f"  {threads:>5} {speed:>10.0f} {model:>10.0f} {error:>+8.1f} {model / law.speed_of_one:>7.2f}")
    for number in cores:
        model = law.speed(number)
        print(f"  {number:>5} {'-':>10} {model:>10.0f} {'-':>8} {model / law.speed_of_one:>7.2f}")
    return True


def check():
    """Fits points that known constants give."""
    for sigma, kappa in [(0.0, 0.0), (0.03, 0.0), (0.0, 0.0005), (0.02, 0.0004), (0.4, 0.01)]:
        points = [(n, 2e5 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))) for n in (1, 2, 4, 8, 16)]
        law = Law(points)
        found = (law.speed_of_one / 2e5 - 1, law.sigma - sigma, law.kappa - kappa)
        if max(map(abs, found)) > 1e-6:
            sys.exit(f"of sigma {sigma} and kappa {kappa} the fit finds {law.sigma} and {law.kappa}")
    # More than linear: no constant may be below zero.
    law = Law([(1, 1.0), (2, 2.2), (4, 4.8)])
    if law.sigma != 0 or law.kappa != 0:
        sys.exit(f"of points above the ideal line the fit finds {law.sigma} and {law.kappa}")


def numbers(text):
    parts = text.split(",")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError(f"found {text}, expected numbers of cores such as {CORES}")
    return [int(part) for part in parts]


def main():
    parser = argparse.ArgumentParser(description="Predicts the speed of the tree search on more cores.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="measurements of `alesia-lab stress scale`")
    parser.add_argument("--cores", type=numbers, default=numbers(CORES), help=f"numbers of cores [default: {CORES}]")
    parser.add_argument("--check", action="store_true", help="fit points of known constants, read nothing")
    options = parser.parse_args()
    if options.check:
        check()
        return
    if not options.files:
        parser.error("expected FILE or --check")
    try:
        speeds, left_out = read(options.files)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    if left_out:
        print(f"{left_out} rows with more threads than cores left out")
    if not speeds:
        sys.exit("no speed of `stress scale` on one tree")
    if not all([show(game, found, options.cores) for game, found in speeds.items()]):
        sys.exit(1)


if __name__ == "__main__":
    main()
