"""Positions: the same moves, results and errors as the program's."""

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import alesia

ROOT = Path(__file__).resolve().parents[3]
ALL = [*alesia.games(), *alesia.variants()]


def perft(position: alesia.Position, depth: int) -> int:
    """Counts the move sequences of this many plies."""
    if depth == 0:
        return 1
    moves = position.legal_actions()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def known_counts(most: int) -> Iterator[tuple[str, int, int]]:
    """The counts of the program's own test data that are quick to repeat."""
    for line in (ROOT / "tests/data/perft.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            game, depth, count = line.split("\t")[:3]
            if int(count) <= most:
                yield game, int(depth), int(count)


def random_game(position: alesia.Position, seed: int) -> Iterator[alesia.Position]:
    """All positions of a game of random moves."""
    choice = random.Random(seed)
    yield position
    while not position.is_over:
        position = position.play(choice.choice(position.legal_actions()))
        yield position


@pytest.mark.parametrize("name", ALL)
def test_moves_and_actions_are_the_same_in_the_same_order(name: str) -> None:
    for position in random_game(alesia.Position(name), 1):
        moves, actions = position.legal_moves(), position.legal_actions()
        assert [position.action(move) for move in moves] == actions
        assert [position.notation(action) for action in actions] == moves
        assert all(action < position.num_actions for action in actions)
        assert position.is_over == (not moves)
        if position.ply > 12:
            break


def test_moves_are_written_as_in_pgn() -> None:
    position = alesia.Position("variant:chess", moves="e2e4 d7d5")
    assert [position.san(move) for move in ["e4d5", "g1f3", "f1b5"]] == ["exd5", "Nf3", "Bb5+"]
    assert position.san(position.action("e4d5")) == "exd5"
    with pytest.raises(alesia.AlesiaError, match="legal move"):
        position.san("e4e6")
    hadron = alesia.Position("hadron5")
    assert hadron.san("A1") == "A1"


@pytest.mark.parametrize("name", ALL)
def test_a_game_can_be_copied_pickled_and_played_again(name: str) -> None:
    *_, last = random_game(alesia.Position(name), 2)
    assert last.result is not None and last.ply <= last.max_plies
    assert copy.deepcopy(last) is last and copy.copy(last) is last
    again = pickle.loads(pickle.dumps(last))
    assert again == last and hash(again) == hash(last)
    assert alesia.Position(name, moves=last.moves) == last
    assert alesia.Position(name, moves=" ".join(last.moves)).result == last.result
    assert last != alesia.Position(name)


def test_a_position_stays_as_it_is_when_a_move_is_played() -> None:
    start = alesia.Position("murus")
    after = start.play(start.legal_moves()[0])
    assert (start.ply, start.side, start.moves) == (0, "White", [])
    assert (after.ply, after.side, after.moves) == (1, "Black", [start.legal_moves()[0]])


def test_counts_of_move_sequences_are_those_of_the_program() -> None:
    checked = 0
    for game, depth, count in known_counts(10_000):
        assert perft(alesia.Position(game), depth) == count, (game, depth)
        checked += 1
    assert checked >= 8


def test_results_say_who_won_and_why() -> None:
    lost = alesia.Position("hadron1x1", moves="A1")
    result = lost.result
    assert result is not None
    assert (str(result), result.winner, result.reason) == (
        "White (no legal move)",
        "White",
        "no legal move",
    )
    assert (result.score("White"), result.score("Black")) == (1.0, 0.0)
    assert lost.legal_moves() == []
    with pytest.raises(alesia.AlesiaError, match="^side: found `white`, expected White or Black$"):
        result.score("white")


def test_boards_setups_and_their_text() -> None:
    files = alesia.Position("loa:files")
    assert files.game == "loa:files"
    assert files.start_board is None and files.board != alesia.Position("loa").board
    assert alesia.Position("loa", board=files.board).legal_moves() == files.legal_moves()
    assert alesia.Position("loa:rows") == alesia.Position("loa")
    assert alesia.Position("voidrider:thery").max_plies == 1000
    small = alesia.Position("hadron2x3", board="w../.b. w 2")
    assert str(small) == "  A w . .\n  B . b .\n    1 2 3\nboard: w../.b. w 2"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: alesia.Position("hadron5").play("F9"), "move: found `F9`, expected"),
        (lambda: alesia.Position("hadron5").play(-1), "move: found -1, expected a legal action"),
        (lambda: alesia.Position("hadron5").play(10**30), f"move: found `{10**30}`, expected a "),
        (
            lambda: alesia.Position("hadron5", moves="A1 A1"),
            "move 2, move: found `A1`, expected a legal move of Black such as A3",
        ),
        (
            lambda: alesia.Position("hadron1x1", moves="A1 A1"),
            "move 2, move: found `A1`, expected nothing after White (no legal move)",
        ),
        (lambda: alesia.Position("chess"), "game: found `chess`, expected variant:chess, or murus"),
        (lambda: alesia.Position("hadron5", "....."), "board, text board: found 1 fields"),
        (
            lambda: alesia.Position("loa:x"),
            "game: found `loa:x`, expected loa, loa:files or loa:standard",
        ),
        (lambda: alesia.Position("gone.ini"), "gone.ini: found "),
        (lambda: alesia.load_variants("[a]\nx = 1"), "text.ini:2: x: found an unknown key"),
        (lambda: alesia.Position("hadron1x1", moves="A1").evaluate(), "the game is over: White"),
    ],
)
def test_errors_have_the_text_of_the_program(call, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(alesia.AlesiaError) as caught:
        call()
    assert str(caught.value).startswith(text)
    assert isinstance(caught.value, ValueError) and "\n" not in str(caught.value)


def test_other_types_than_a_move_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="move: found NoneType, expected a text or a whole"):
        alesia.Position().play(None)  # type: ignore[arg-type]


def test_variants_come_from_files_and_texts(tmp_path: Path) -> None:
    text = "[mine:chess]\nstartFen = 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n"
    file = tmp_path / "mine.ini"
    file.write_text(text)
    of_file = alesia.Position(f"{file}:mine")
    assert alesia.load_variants(text, "here.ini") == ["here.ini:mine"]
    of_text = alesia.Position("here.ini:mine")
    assert of_file.legal_moves() == of_text.legal_moves()
    assert "e1g1" in of_text.legal_moves()
    record = alesia.Record(of_text, result="1/2-1/2", reason="agreed")
    assert alesia.Record.from_json(record.to_json()) == record and record.date is None
    with pytest.raises(alesia.AlesiaError, match="date: found `now`, expected a day such as"):
        alesia.Record(of_text, result="1/2-1/2", date="now")
    assert pickle.loads(pickle.dumps(of_text)) == of_text


def unpickled(pickled: bytes) -> subprocess.CompletedProcess[str]:
    """What another process says of a pickle."""
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).legal_moves())"
    done = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def test_a_pickle_has_the_definition_of_its_variant_and_knows_other_rules(tmp_path: Path) -> None:
    alesia.load_variants("[mine:chess]\nmustCapture = true\n", "pickled.ini")
    position = alesia.Position("pickled.ini:mine", moves="e2e4 d7d5")
    pickled = pickle.dumps(position)
    other = unpickled(pickled)
    assert other.stdout.strip() == str(position.legal_moves()), other.stderr
    alesia.load_variants("[mine:chess]\n", "pickled.ini")
    with pytest.raises(alesia.AlesiaError, match="pickled.ini:mine: found rules with the finger"):
        pickle.loads(pickled)
    file = tmp_path / "changed.ini"
    file.write_text("[mine:chess]\nmustCapture = true\n")
    pickled = pickle.dumps(alesia.Position(f"{file}:mine"))
    file.write_text("[mine:chess]\n")
    changed = unpickled(pickled)
    assert changed.returncode == 1 and "those of the pickle" in changed.stderr
    file.unlink()
    assert unpickled(pickled).returncode == 0


@pytest.mark.parametrize("name", ALL)
def test_features_show_every_piece_once(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    for position in random_game(alesia.Position(name), 3):
        planes = numpy.asarray(position.features())
        names = position.feature_names()
        assert planes.dtype == numpy.float32 and planes.shape == position.feature_shape
        rows = position.board.split(" ")[0].split("/")
        drawn = [line.split()[1:] for line in str(position).splitlines()[: len(rows)]]
        for row, cells in enumerate(drawn):
            for column, cell in enumerate(cells):
                on = [names[i] for i in numpy.flatnonzero(planes[:-2, row, column])]
                expected = {".": [], "#": ["void"], "*": ["void"]}.get(cell, [cell])
                assert on == expected, (cell, position.board)
        assert (planes[-2] == (position.side == "Black")).all()
        assert numpy.allclose(planes[-1], position.ply / position.max_plies)
        if position.ply > 20:
            break


def test_playouts_follow_from_the_seed_and_agree_with_games_of_single_moves() -> None:
    start = alesia.Position("hadron5")
    counts = start.playouts(2000, seed=7)
    assert counts == start.playouts(2000, seed=7) != start.playouts(2000, seed=8)
    assert sum(counts[:3]) == 2000 and counts[1] == 0
    ends = [list(random_game(start, seed))[-1] for seed in range(400)]
    white = sum(end.result.winner == "White" for end in ends if end.result) / 400
    plies = sum(end.ply for end in ends) / 400
    # Four standard errors of the smaller sample.
    assert abs(counts[0] / 2000 - white) < 0.11
    assert abs(counts[3] / 2000 - plies) < 0.7
    assert alesia.Position("hadron1x1", moves="A1").playouts(3) == (3, 0, 0, 0)
