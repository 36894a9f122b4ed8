"""Where Alesia differs from Fairy-Stockfish on purpose, each by the name that
`docs/games/variants.md` has for it.
"""

from beside import Difference

# What is left of a move without its marks, and the marks.
MARKS = "+#"


def letter_of_pawns(difference: Difference, keys: dict[str, str]) -> bool:
    """Pieces of `pawnTypes` have no letter, and nor has `p` where there are none."""
    pawns = keys.get("pawnTypes", "-")
    pawns = "p" if pawns == "-" else pawns
    ours, theirs = difference.ours.rstrip(MARKS), difference.theirs.rstrip(MARKS)
    goal = theirs[-2:] if "=" not in theirs else theirs[theirs.index("=") - 2 :]
    return (
        difference.what == "notation"
        and theirs[0].lower() in pawns
        and theirs[0].isupper()
        and not ours[0].isupper()
        and ours.endswith(goal)
    )


def marks_of_other_ends(difference: Difference, keys: dict[str, str]) -> bool:
    """`#` is every win and no draw, and `+` also a check to pieces royal by their number."""
    wins = {"extinctionValue", "flagRegionWhite", "flagRegionBlack", "checkCounting"}
    is_marked = (difference.ours + difference.theirs).count("#") == 1 and wins & keys.keys()
    is_check = "extinctionPseudoRoyal" in keys and difference.ours.endswith(tuple(MARKS))
    same = difference.ours.rstrip(MARKS) == difference.theirs.rstrip(MARKS)
    return difference.what == "notation" and same and bool(is_marked or is_check)


def clock_of_breakthrough(difference: Difference, keys: dict[str, str]) -> bool:
    """In `variant:breakthrough` every move begins the count of quiet moves anew."""
    ours, theirs = difference.ours.split(), difference.theirs.split()
    return (
        difference.what == "position"
        and keys.get("breakthrough", "") == keys.get("nMoveRuleTypes")
        and (ours[-2], ours[:-2], ours[-1]) == ("0", theirs[:-2], theirs[-1])
    )


KNOWN = {
    "letters of pawns": letter_of_pawns,
    "marks": marks_of_other_ends,
    "clock of breakthrough": clock_of_breakthrough,
}


def known(difference: Difference, keys: dict[str, str]) -> str | None:
    """The name of a difference on purpose; None of one that is not."""
    return next((name for name, is_it in KNOWN.items() if is_it(difference, keys)), None)
