#!/usr/bin/env python3
"""Compares the iterations a second of builds of Alesia, one thread each.

  tools/checks/speed.py OLD NEW [--games murus,loa] [--rounds 8] [--move-time 300]

The builds take turns at the same positions, so that other load of the machine meets both alike. A
line for each game: the median of the ratios NEW / OLD with its quartiles, and the median rates.
Positions are those after 2, 6, 10 and 14 moves of a game that OLD plays against itself. A position
that a build solves before its time is up does not count.
"""

import argparse
import re
import statistics
import subprocess

PLIES = (2, 6, 10, 14)


class Engine:
    """A build at work, spoken to in UGI."""

    def __init__(self, build: str, game: str) -> None:
        command = [build, "ugi", "--game", game, "--threads", "1", "--memory", "256MiB"]
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        except OSError as error:
            raise SystemExit(f"{build}: {error.strerror}; expected an `alesia`") from error

    def say(self, line: str) -> None:
        """Sends a command."""
        assert self.process.stdin is not None
        try:
            print(line, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            raise SystemExit(f"{self.process.args!r} has ended") from None

    def search(self, moves: list[str], milliseconds: int) -> tuple[str, float | None]:
        """The best move, and thousands of iterations a second if the time was used up."""
        assert self.process.stdout is not None
        self.say("uginewgame")
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.say(f"go movetime {milliseconds}")
        rate = None
        for line in self.process.stdout:
            nodes, time = (re.search(rf"\b{word} (\d+)", line) for word in ("nodes", "time"))
            if nodes and time and int(time[1]) >= milliseconds // 2:
                rate = int(nodes[1]) / int(time[1])
            if line.startswith("bestmove"):
                return line.split()[1], rate
        raise SystemExit(f"{self.process.args!r} ended without a move")


def compare(builds: list[str], game: str, rounds: int, milliseconds: int) -> str:
    """The line of one game."""
    old, new = engines = [Engine(build, game) for build in builds]
    moves: list[str] = []
    for _ in range(max(PLIES)):
        moves.append(old.search(moves, 50)[0])
    pairs = []
    for _ in range(rounds):
        for plies in PLIES:
            rates = [engine.search(moves[:plies], milliseconds)[1] for engine in engines]
            if all(rates):
                pairs.append(rates)
    for engine in engines:
        engine.say("quit")
    if len(pairs) < 2:
        return f"{game}: all positions were solved at once"
    low, median, high = statistics.quantiles((b / a for a, b in pairs), n=4)
    olds, news = (statistics.median(rates) for rates in zip(*pairs))
    return f"{game}: {median:.3f} ({low:.3f} to {high:.3f}), {olds:.0f} and {news:.0f} thousand/s"


def main() -> None:
    """Reads the command line, and prints a line for each game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("builds", nargs=2, metavar="BUILD", help="path of an `alesia`")
    parser.add_argument("--games", default="murus,hadron,loa,voidrider")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--move-time", type=int, default=300, help="milliseconds")
    options = parser.parse_args()
    for game in options.games.split(","):
        print(compare(options.builds, game, options.rounds, options.move_time), flush=True)


if __name__ == "__main__":
    main()
