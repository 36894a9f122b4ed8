#!/usr/bin/env python3
"""How much of a program's code is functions of ours that were compiled four times or more.

usage: compiled_often.py [PROGRAM] [--list N]     (default: target/release/alesia, none listed)

Names of types in angle brackets are no part of a symbol's name here, so all copies of a generic
function count together. Needs `nm` of GNU binutils, and a program that is not stripped."""
import argparse
import collections
import re
import subprocess

TIMES = 4
SYMBOL = re.compile(r"\d+ (\d+) [tTwWuUvV] (.*)")
SUFFIX = re.compile(r"::h[0-9a-f]{16}| \(\..*\)$|\.llvm\.\d+")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="target/release/alesia")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="the N largest functions")
    arguments = parser.parse_args()
    command = ["nm", "--print-size", "--demangle", "-t", "d", arguments.program]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    sizes = collections.defaultdict(list)
    for line in listed.splitlines():
        if found := SYMBOL.match(line):
            sizes[SUFFIX.sub("", found[2])].append(int(found[1]))
    often = {name: all_of for name, all_of in sizes.items() if len(all_of) >= TIMES}
    ours = {name: all_of for name, all_of in often.items() if "alesia" in name}
    everything, repeated = (sum(map(sum, some.values())) for some in (sizes, ours))
    print(f"code {everything / 1e6:.2f} MB, compiled {TIMES} times or more {repeated / 1e6:.2f} MB")
    for name, all_of in sorted(ours.items(), key=lambda one: -sum(one[1]))[: arguments.list]:
        print(f"{sum(all_of):8} {len(all_of):3} {name[:100]}")


main()
