"""The default of every key that both programs share, and how every piece of the grammar moves.

The one idea: a case is a definition in which a key makes a difference. Left out, the key must mean
what the documents say it does, in both programs; with another value both must see another position.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import programs
from beside import Difference
from sections import OWN_KEYS, Section

Keys = dict[str, str]


class Case(NamedTuple):
    """A key by its default and by another value, each with the keys that it needs.

    They are seen after some moves, from a start position (where it is none of them).
    """

    key: str
    start: str
    moves: str
    default: Keys
    other: Keys
    base: Keys


# Keys without an influence on the rules.
SILENT = {"pieceToCharTable", "variantTemplate", "pocketSize", "pieceValueMg", "pieceValueEg"}

PIECES = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q", "king": "k"}
CASTLED = PIECES | {"promotionPieceTypes": "nbrq"}
CHESS = CASTLED | {"castling": "false"}
NO_PROMOTION = PIECES | {"castling": "false"}
SOLDIERS = CHESS | {"soldier": "s"}
COUNTED = CHESS | {"extinctionValue": "loss", "extinctionPieceTypes": "q"}
FLAGS = CHESS | {"flagRegionWhite": "*3"}
COMMONERS = {**{key: value for key, value in CHESS.items() if key != "king"}, "commoner": "k"}

FULL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
SEVEN_RANKS = "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
SEVEN_FILES = "rnbqkbn/ppppppp/7/7/7/7/PPPPPPP/RNBQKBN w - - 0 1"
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
ROOK = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
UNCASTLED = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"
STALEMATE = "k7/8/8/2Q5/8/8/8/K7 w - - 0 1"
QUEENS = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1"
BEFORE_LAST = "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1"
REPEATED = "b1c3 b8c6 c3b1 c6b8"


def case(
    key: str, base: Keys, start: str, moves: str, default: str, other: str, **also: str
) -> Case:
    """A case of a key whose value needs no other keys, but for those that its other value does."""
    return Case(key, start, moves, {key: default}, {key: other, **also}, base)


CASES = [
    case("maxRank", CHESS, FULL, "", "8", "7", startFen=SEVEN_RANKS, promotionRegionWhite="*7"),
    case("maxFile", CHESS, FULL, "", "8", "7", startFen=SEVEN_FILES),
    Case(
        "startFen",
        "",
        "",
        {"startFen": FULL.replace(" -", " KQkq", 1)},
        {"startFen": FULL},
        CASTLED,
    ),
    case("pawnTypes", SOLDIERS, "4k3/S7/8/8/8/8/8/4K3 w - - 0 1", "", "p", "s"),
    case("promotionPawnTypes", SOLDIERS, "4k3/S7/8/8/8/8/8/4K3 w - - 0 1", "", "p", "s"),
    case("promotionRegionWhite", CHESS, "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "", "*8", "*7"),
    case("promotionRegionBlack", CHESS, "4k3/8/8/8/8/p7/8/4K3 w - - 0 1", "e1f1", "*1", "*2"),
    case("promotionPieceTypes", NO_PROMOTION, BEFORE_LAST, "", "-", "q"),
    case("promotionPieceTypesWhite", CHESS, BEFORE_LAST, "", "nbrq", "q"),
    case("promotionPieceTypesBlack", CHESS, BEFORE_LAST, "e1f1", "nbrq", "q"),
    case("mandatoryPawnPromotion", CHESS, BEFORE_LAST, "", "true", "false"),
    case("doubleStep", CHESS, FULL, "", "true", "false"),
    case("doubleStepRegionWhite", CHESS, "4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "", "*2", "*3"),
    case("doubleStepRegionBlack", CHESS, "4k3/8/p7/8/8/8/8/4K3 w - - 0 1", "e1f1", "*7", "*6"),
    case(
        "enPassantRegion",
        CHESS,
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
        "e2e4",
        "*1 *2 *3 *4 *5 *6 *7 *8",
        "*6",
    ),
    case("castling", CASTLED, ROOKS, "", "true", "false", startFen=UNCASTLED),
    case("castlingKingsideFile", CASTLED, ROOKS, "", "g", "h"),
    case("castlingQueensideFile", CASTLED, ROOKS, "", "c", "b"),
    case(
        "castlingRank",
        CASTLED,
        ROOKS,
        "",
        "1",
        "2",
        startFen="8/r3k2r/8/8/8/8/R3K2R/8 w KQkq - 0 1",
    ),
    case(
        "castlingKingFile",
        CASTLED,
        ROOKS,
        "",
        "e",
        "d",
        startFen="r2k3r/8/8/8/8/8/8/R2K3R w KQkq -",
    ),
    case("castlingRookKingsideFile", CASTLED, "4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "", "h", "g"),
    case("castlingRookQueensideFile", CASTLED, "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "", "a", "b"),
    case("castlingKingPiece", CASTLED, ROOKS, "", "k", "-", startFen=UNCASTLED),
    case(
        "castlingRookPieces",
        CASTLED,
        ROOKS,
        "",
        "r",
        "q",
        startFen="4k3/8/8/8/8/8/8/Q3K2Q w KQ - 0 1",
    ),
    case("checking", CHESS, FULL, "e2e4 f7f6", "true", "false"),
    case("mustCapture", CHESS, FULL, "e2e4 d7d5", "false", "true"),
    case("nMoveRule", CHESS, ROOK.replace(" 0 1", " 99 1"), "a1b1", "50", "51"),
    case("nMoveRuleTypes", CHESS, "4k3/8/8/8/8/8/P7/4K3 w - - 5 1", "a2a3", "p", "-"),
    case("nFoldRule", CHESS, FULL, REPEATED, "3", "2"),
    case("nFoldValue", CHESS, FULL, f"{REPEATED} {REPEATED}", "draw", "win"),
    case("stalemateValue", CHESS, STALEMATE, "c5c7", "draw", "loss"),
    case("passOnStalemate", CHESS, STALEMATE, "c5c7", "false", "true"),
    case("checkmateValue", CHESS, "k7/8/1K6/2Q5/8/8/8/8 w - - 0 1", "c5c8", "loss", "win"),
    case("checkCounting", CHESS, ROOK, "a1a8", "false", "true"),
    case("extinctionValue", CHESS, QUEENS, "d1d8", "none", "loss", extinctionPieceTypes="q"),
    case("extinctionPieceTypes", CHESS, QUEENS, "d1d8", "-", "q", extinctionValue="loss"),
    case("extinctionPieceCount", COUNTED, "2qqk3/8/8/8/8/8/8/2QQK3 w - - 0 1", "d1d8", "0", "1"),
    case("extinctionPseudoRoyal", COUNTED, QUEENS, "", "false", "true"),
    case("blastOnCapture", COMMONERS, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "false", "true"),
    case("flagRegionWhite", CHESS, FULL, "a2a3", "-", "*3"),
    case("flagRegionBlack", CHESS, FULL, "a2a3 a7a6", "-", "*6"),
    case("flagPiece", FLAGS, FULL, "a2a3", "*", "k"),
    case("flagPieceCount", FLAGS, FULL, "a2a3", "1", "2"),
]


def seen(case: Case, number: int, keys: Keys) -> list[programs.Seen]:
    """What both programs see of a case with some keys more."""
    start = {"startFen": case.start} if case.start else {}
    name = f"default-{case.key}-{number}"
    programs.load(Section(name, None, case.base | start | keys).text())
    moves = case.moves.split()
    return [programs.ours(name, None, moves), programs.theirs(name, None, moves)]


def differences() -> Iterator[Difference]:
    """Where a key means something else than it should."""
    for case in CASES:
        left_out, default, other = (
            seen(case, number, keys) for number, keys in enumerate([{}, case.default, case.other])
        )
        for what, (one, another) in [
            (f"{case.key} left out", left_out),
            (f"{case.key} by default", default),
            (f"{case.key} otherwise", other),
            (f"{case.key} left out, and by default", (left_out[0], default[0])),
        ]:
            if one != another:
                yield Difference(case.key, tuple(case.moves.split()), what, str(one), str(another))
        if left_out[0] == other[0]:
            yield Difference(
                case.key, (), "a case that shows nothing", str(left_out[0]), "the same"
            )


def pieces(names: list[str]) -> Iterator[Difference]:
    """Where a piece of the grammar moves otherwise."""
    for name in names:
        keys = {name: "a", "castling": "false", "doubleStep": "false"}
        keys |= {} if name == "king" else {"king": "k"}
        keys |= {} if name == "pawn" else {"pawn": "p"}
        start = {
            "king": "a7/8/2p5/8/3A4/2P1p3/8/8",
            "pawn": "k7/8/2a5/8/3A4/2A1a3/8/K7",
        }.get(name, "k7/8/2p5/8/3A4/2P1p3/8/K7")
        section = Section(f"piece-{name}", None, keys | {"startFen": f"{start} w - - 0 1"})
        programs.load(section.text())
        one, other = programs.ours(section.name, None, []), programs.theirs(section.name, None, [])
        if one != other:
            yield Difference(name, (), "moves of the piece", str(one), str(other))


def documented(page: Path) -> tuple[set[str], list[str]]:
    """The shared keys of the table in the documents, and the pieces of the grammar."""
    table = page.read_text().split("\n## The keys\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    cells = [re.findall(r"`([^`]+)`", row) for row in rows]
    pieces = next(names[0].split() for names in cells if names[0].startswith("pawn "))
    keys = {name for names in cells for name in names if " " not in name}
    custom = {name for name in keys if name.startswith("customPiece")}
    return keys - custom - {"king"} - SILENT - OWN_KEYS, pieces
