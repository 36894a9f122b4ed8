"""Random definitions from a seed.

The one idea: every key that both programs share is drawn with some chance, over a start position
with the same random pieces on both sides.
"""

import random
import re

from sections import Section

PIECES = (
    "knight bishop rook queen fers alfil fersAlfil silver bers archbishop chancellor amazon knibis "
    "biskni kniroo rookni wazir centaur cannon horse elephant soldier gold breakthrough immobile"
).split()
LETTERS = "abcdefghijlmnoqrstuvwxyz"
VALUES = ("win", "draw", "loss")


# The single steps of an atom, of which two parts of a piece may not share any: Fairy-Stockfish
# forgets the former.
STEPS = {"R": "W", "B": "F", "Q": "WF", "K": "WF"}


def part(choice: random.Random) -> tuple[str, set[str]]:
    """One part of how a piece moves, as both programs read it alike, and its steps."""
    text = choice.choice(
        [
            choice.choice(["n", ""]) + choice.choice("DNA"),
            choice.choice("pg") + choice.choice("RBQ"),
            choice.choice("WFRBQK") + choice.choice("234"),
            choice.choice("fbsvlr") + choice.choice("WFDNAHCZGKRBQ"),
            choice.choice(["W", "F", "D", "N", "A", "H", "C", "Z", "G", "K", "R", "B", "Q", "NN"]),
        ]
    )
    atom = next(letter for letter in text if letter.isupper())
    return text, set(STEPS.get(atom, atom))


def betza(choice: random.Random) -> str:
    """How a piece moves."""
    (one, steps), (other, more) = part(choice), part(choice)
    if choice.random() < 0.3:
        return f"m{one}c{other}"
    return one if steps & more or choice.random() < 0.4 else one + other


def ranks(choice: random.Random, rows: int) -> tuple[str, str]:
    """A region of each side, as a rank and its mirror image."""
    rank = choice.randint(rows // 2 + 1, rows)
    return f"*{rank}", f"*{rows + 1 - rank}"


class Draft:
    """A definition while it is made, by one generator."""

    def __init__(self, seed: int, number: int) -> None:
        self.choice = random.Random(f"{seed} definition {number}")
        self.rows, self.columns = self.choice.randint(5, 8), self.choice.randint(4, 8)
        self.keys = {"maxRank": str(self.rows), "maxFile": str(self.columns)}
        self.royal = self.chance(0.7)
        self.letters = self.choice.sample(LETTERS, 5)
        self.pawns = ["p"]

    def chance(self, share: float) -> bool:
        """Whether something happens that happens with some probability."""
        return self.choice.random() < share

    def add(self, share: float, key: str, *values: str) -> None:
        """With some probability, gives a key one of some values."""
        if self.chance(share):
            self.keys[key] = self.choice.choice(values)

    def pieces(self) -> None:
        """Four kinds of officers, a king or what stands for it, and pawns."""
        for index, letter in enumerate(self.letters[:4]):
            if self.chance(0.4):
                self.keys[f"customPiece{index + 1}"] = f"{letter}:{betza(self.choice)}"
            else:
                left = [name for name in PIECES if name not in self.keys]
                self.keys[self.choice.choice(left)] = letter
        self.keys["king" if self.royal else "commoner"] = "k"
        self.keys["pawn"] = "p"
        if self.chance(0.3):
            moves = self.choice.choice(["mfFcefWimfnA", "fmWfceFifmR3"])
            self.keys["customPiece9"] = f"{self.letters[4]}:{moves}"
            self.keys["promotionPawnTypes"] = f"p{self.letters[4]}"
            self.pawns.append(self.letters[4])

    def start(self) -> tuple[str, str]:
        """The officers and the pawns of Black; sometimes with a king and rooks that castle."""
        officers = [*self.choice.choices(self.letters[:4], k=self.columns - 1), "k"]
        self.choice.shuffle(officers)
        self.keys["castling"] = "false"
        if self.columns == 8 and self.chance(0.7):
            king = officers.index("k")
            officers[4], officers[king] = officers[king], officers[4]
            officers[0] = officers[7] = self.letters[0]
            self.keys |= {"castling": "true", "castlingRookPieces": self.letters[0]}
            self.keys |= {} if self.royal else {"castlingKingPiece": "k"}
        front = [self.choice.choice([*self.pawns, "p", "."]) for _ in range(self.columns)]
        return "".join(officers), "".join(front)

    def moves(self) -> None:
        """Promotions, first moves, and what moves are allowed."""
        white, black = (
            ranks(self.choice, self.rows) if self.chance(0.3) else (f"*{self.rows}", "*1")
        )
        self.keys |= {"promotionRegionWhite": white, "promotionRegionBlack": black}
        promotions = self.choice.sample(self.letters[:4], self.choice.randint(1, 3))
        self.keys["promotionPieceTypes"] = "".join(promotions)
        self.add(0.2, "mandatoryPawnPromotion", "false")
        if self.rows > 5 and self.chance(0.7):
            self.keys["doubleStepRegionWhite"] = "*2"
            self.keys["doubleStepRegionBlack"] = f"*{self.rows - 1}"
            self.add(0.2, "enPassantRegion", f"*3 *{self.rows - 2}")
        else:
            self.keys["doubleStep"] = "false"
        self.add(0.15, "mustCapture", "true")
        self.add(0.3, "passOnStalemate", "true")

    def ends(self, pieces: str) -> str:
        """How the game ends; returns the checks of the start position."""
        self.add(0.3, "nMoveRule", *"23456")
        all_of_them = "".join([*self.letters[:4], *self.pawns, "k"])
        self.add(0.3, "nMoveRuleTypes", "".join(self.pawns), all_of_them, "-", self.letters[0])
        self.add(0.3, "nFoldRule", *"23")
        self.add(0.3, "nFoldValue", *VALUES)
        self.add(0.3, "stalemateValue", *VALUES)
        self.add(0.3, "checkmateValue", *VALUES)
        if self.chance(0.3) or not self.royal:
            self.extinction(pieces)
        if self.chance(0.3):
            regions = ranks(self.choice, self.rows)
            self.keys["flagRegionWhite"], self.keys["flagRegionBlack"] = regions
            self.add(0.7, "flagPiece", "k", "p", "*", self.letters[0])
            self.add(0.7, "flagPieceCount", *"123")
        if self.royal and self.chance(0.2):
            self.keys["checkCounting"] = "true"
            return f" {self.choice.randint(1, 4)}+{self.choice.randint(1, 4)}"
        if self.royal:
            self.add(0.1, "checking", "false")
        return ""

    def extinction(self, pieces: str) -> None:
        """Extinction, pieces that are royal by their number, and explosions."""
        count = self.choice.randint(0, 1)
        left = sorted(
            {one for one in pieces if one.isalpha() and pieces.count(one) > count} - {"k"}
        )
        some = self.choice.sample(left, min(len(left), self.choice.randint(1, 2)))
        some += [] if self.royal or count else ["k"]
        types = "".join(some) if some and self.chance(0.8) else "*"
        self.keys |= {"extinctionPieceTypes": types, "extinctionPieceCount": str(count)}
        self.keys["extinctionValue"] = self.choice.choice(VALUES)
        if types != "*":
            self.add(0.4, "extinctionPseudoRoyal", "true")
        if not self.royal:
            self.add(0.5, "blastOnCapture", "true")


def definition(seed: int, number: int) -> Section:
    """The definition of a number."""
    draft = Draft(seed, number)
    draft.pieces()
    back, front = draft.start()
    draft.moves()
    checks = draft.ends(back + front)
    empty = ["." * draft.columns] * (draft.rows - 4)
    board = "/".join([back, front, *empty, front.upper(), back.upper()])
    board = re.sub(r"\.+", lambda cells: str(len(cells[0])), board)
    rights = "KQkq" if draft.keys["castling"] == "true" else "-"
    draft.keys["startFen"] = f"{board} w {rights} -{checks} 0 1"
    return Section(f"random-{seed}-{number}", None, draft.keys)
