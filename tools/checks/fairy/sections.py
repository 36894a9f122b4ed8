"""Sections of a file of definitions, as text that both programs read.

The one idea: names get a prefix, so that a section does not meet the variant of the same name that
Fairy-Stockfish has built in; a parent that the text does not define is one that both have.
"""

import re
from dataclasses import dataclass, field

HEAD = re.compile(r"^\[([^:\]]+)(?::([^\]]+))?\]$")

# Keys of Alesia alone: what has one of them, or inherits it, cannot be compared.
OWN_KEYS = {"voidMoves", "pawnVoidMoves", "voidRiders", "castlingMoves"}


@dataclass
class Section:
    """A variant: its name with the prefix, and its keys."""

    name: str
    parent: str | None
    keys: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The section without comments, which Fairy-Stockfish reads as parts of values."""
        head = f"[{self.name}:{self.parent}]" if self.parent else f"[{self.name}]"
        return "\n".join([head, *(f"{key} = {value}" for key, value in self.keys.items()), "\n"])


def read(text: str, prefix: str) -> list[Section]:
    """The sections of a text."""
    found: list[Section] = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if head := HEAD.match(line):
            name, parent = head[1].strip(), head[2] and head[2].strip()
            if any(section.name == prefix + (parent or "") for section in found):
                parent = prefix + parent
            found.append(Section(prefix + name, parent))
        elif "=" in line and found:
            key, value = line.split("=", 1)
            found[-1].keys[key.strip()] = value.strip()
    return found


def all_keys(section: Section, sections: list[Section]) -> dict[str, str]:
    """The keys of a section with those of its parents in the same text."""
    parent = next((other for other in sections if other.name == section.parent), None)
    return {**(all_keys(parent, sections) if parent else {}), **section.keys}


def comparable(sections: list[Section]) -> list[Section]:
    """The sections that have no key of Alesia alone."""
    return [one for one in sections if not OWN_KEYS & all_keys(one, sections).keys()]
