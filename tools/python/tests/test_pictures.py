"""What notebooks show of positions and analyses."""

from xml.etree import ElementTree

import pytest

import alesia

ALL = [*alesia.games(), *alesia.variants()]
SVG = "{http://www.w3.org/2000/svg}"

WIDE = """
[wide]
king = k
queen = q
maxRank = 3
maxFile = 12
startFen = k10q/*11/K10Q w - - 0 1
"""


def board_of(position: alesia.Position) -> ElementTree.Element:
    return ElementTree.fromstring(position._repr_svg_())


@pytest.mark.parametrize("name", ALL)
def test_every_board_is_drawn_cell_by_cell(name: str) -> None:
    position = alesia.Position(name)
    svg = board_of(position)
    _, rows, columns = position.feature_shape
    assert svg.tag == f"{SVG}svg" and svg.findtext(f"{SVG}title") == position.board
    # The background is one more.
    assert len(svg.findall(f"{SVG}rect")) == rows * columns + 1
    pieces = sum(character.isalpha() for character in position.board.split()[0])
    circles = {(item.get("cx"), item.get("cy")) for item in svg.findall(f"{SVG}circle")}
    texts = {(item.get("x"), item.get("y")) for item in svg.findall(f"{SVG}text")}
    assert len(circles | texts) == pieces + rows + columns


def test_a_wide_board_of_a_definition_is_drawn() -> None:
    (name,) = alesia.load_variants(WIDE, "wide.ini")
    svg = board_of(alesia.Position(name))
    texts = [text.text for text in svg.findall(f"{SVG}text")]
    assert [text for text in texts if text and len(text) == 1] == [*"321", *"abcdefghijkl"]
    assert sorted(text[0] for text in texts if text and len(text) == 2) == [*"♔♕♚♛"]
    fills = [rect.get("fill") for rect in svg.findall(f"{SVG}rect")]
    assert fills.count("#777") == 1


def test_stones_of_both_sides_and_towers_differ() -> None:
    circles = board_of(alesia.Position("murus")).findall(f"{SVG}circle")
    assert {(circle.get("r"), circle.get("fill")) for circle in circles} >= {
        ("15", "#fff"),
        ("15", "#222"),
    }


def test_an_analysis_is_a_table_of_all_moves() -> None:
    position = alesia.Position("hadron5")
    found = alesia.Engine("hadron5", memory="4MiB").search(position, nodes=100)
    table = ElementTree.fromstring(found._repr_html_())
    rows = [[cell.text for cell in row] for row in table.iter("tr")]
    assert rows[0] == ["move", "visits", "value", "prior", "proof"]
    assert [row[:2] for row in rows[1:]] == [[move.move, str(move.visits)] for move in found.moves]
    caption = table.findtext("caption")
    assert caption is not None and caption.startswith(f"{found.move} (0.")
    assert caption.endswith(f", 100 nodes): {' '.join(found.variation)}")


def test_an_analysis_without_moves_is_a_table_too() -> None:
    position = alesia.Position("variant:chess")
    found = alesia.Engine("variant:chess", "alphabeta", memory="4MiB").search(position, depth=2)
    table = ElementTree.fromstring(found._repr_html_())
    assert len(list(table.iter("tr"))) == 1
