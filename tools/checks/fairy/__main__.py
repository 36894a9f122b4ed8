"""Compares the chess variants of Alesia with Fairy-Stockfish's, by its Python module pyffish.

    python tools/checks/fairy [--definitions 100] [--games 1] [--seed 1] [FILE.ini ...]

Definitions of this repository and random ones are played by both programs: legal moves, standard
algebraic notation, positions and results must be the same, and so must be the default of every key.
Of another FILE.ini, such as Fairy-Stockfish's own, those sections are played that Alesia knows.

A line for each difference, and status 1, unless it is one on purpose (docs/games/variants.md).
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import defaults
import invent
import programs
import pyffish
import sections
from beside import Difference, games
from differences import known
from sections import Section

import alesia

ROOT = Path(__file__).resolve().parents[3]
OWN = [
    ROOT / "src/games/variant/variants.ini",
    *sorted((ROOT / "examples/variants").glob("*.ini")),
    *sorted((ROOT / "tests/data/variants").glob("*.ini")),
]
BUILT_IN = sections.read(OWN[0].read_text(), "")
PAGE = ROOT / "docs/games/variants.md"
# Plies of a game, and after how many of them Fairy-Stockfish is asked for its moves.
PLIES, LOOKS = 60, 8

Definition = tuple[str, dict[str, str]]


def own() -> Iterator[Definition]:
    """The definitions of this repository, opened in both programs."""
    for path in OWN:
        found = sections.read(path.read_text(), f"alesia-{path.stem}-")
        if comparable := sections.comparable(found):
            programs.load("\n".join(section.text() for section in comparable))
        for section in comparable:
            yield section.name, sections.all_keys(section, [*found, *BUILT_IN])


def of_file(path: Path) -> Iterator[Definition]:
    """The definitions of another file that Alesia knows, opened in both programs."""
    found = sections.read(path.read_text(), f"file-{path.stem}-")
    pyffish.load_variant_config("\n".join(section.text() for section in found))
    unknown = 0
    for section in sections.comparable(found):
        line: list[Section] = [section]
        while parent := next((one for one in found if one.name == line[0].parent), None):
            line.insert(0, parent)
        try:
            alesia.load_variants("\n".join(one.text() for one in line), programs.FILE)
        except alesia.AlesiaError:
            unknown += 1
            continue
        yield section.name, sections.all_keys(section, [*found, *BUILT_IN])
    print(f"{path.name}: {unknown} of {len(found)} sections have what is not here")


def invented(seed: int, count: int) -> Iterator[Definition]:
    """Random definitions whose start can be played, opened in both programs."""
    refused = 0
    for number in range(count):
        section = invent.definition(seed, number)
        try:
            programs.load(section.text())
        except alesia.AlesiaError as error:
            # Such as a start in check.
            assert "startFen" in str(error), f"{section.text()}{error}"
            refused += 1
            continue
        yield section.name, section.keys
    print(f"random definitions: {refused} of {count} have a start that cannot be played")


def compare(
    title: str, definitions: Iterable[Definition], count: int, seed: int
) -> list[Difference]:
    """Plays some games of each definition; says what was found."""
    found: list[Difference] = []
    purposes: Counter[str] = Counter()
    played = 0
    for name, keys in definitions:
        played += count
        for difference in games(name, seed, count, PLIES, LOOKS):
            if purpose := known(difference, keys):
                purposes[purpose] += 1
            else:
                found.append(difference)
                print(difference, file=sys.stderr)
    on_purpose = ", ".join(f"{purpose} ({times})" for purpose, times in purposes.items())
    print(f"{title}: {played} games, {len(found)} differences; on purpose: {on_purpose or 'none'}")
    return found


def compared_keys() -> list[Difference]:
    """Compares the defaults of all documented keys, and the pieces; says what was found."""
    keys, pieces = defaults.documented(PAGE)
    cases = {case.key for case in defaults.CASES}
    assert keys == cases, f"keys without a case, or not documented: {sorted(keys ^ cases)}"
    found = [*defaults.differences(), *defaults.pieces(pieces)]
    for difference in found:
        print(difference, file=sys.stderr)
    print(f"{len(cases)} keys and {len(pieces)} pieces: {len(found)} differences")
    return found


def main() -> None:
    """Runs all comparisons."""
    parser = argparse.ArgumentParser(description="Variants beside Fairy-Stockfish's")
    parser.add_argument("--definitions", type=int, default=100, help="random ones [100]")
    parser.add_argument("--games", type=int, default=1, help="games of each [1]")
    parser.add_argument("--seed", type=int, default=1, help="of games and definitions [1]")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE.ini")
    options = parser.parse_args()
    games_and_seed = (options.games, options.seed)
    found = compared_keys()
    found += compare("own definitions", own(), *games_and_seed)
    random = invented(options.seed, options.definitions)
    found += compare("random definitions", random, *games_and_seed)
    for file in options.files:
        found += compare(file.name, of_file(file), *games_and_seed)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
