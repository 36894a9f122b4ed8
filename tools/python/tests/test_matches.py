"""Games, matches and records: those of the lab."""

import shutil
import subprocess
from pathlib import Path

import pytest

import alesia

ROOT = Path(__file__).resolve().parents[3]
LAB = shutil.which("alesia-lab", path=str(ROOT / "target/debug"))


def player(name: str, nodes: int, seed: int = 0, kind: str = "mcts") -> alesia.Player:
    """A player of Hadron on five by five cells."""
    engine = alesia.Engine("hadron5", kind, memory="16MiB", seed=seed)
    return alesia.Player(engine, nodes=nodes, name=name, seed=seed)


def first_move(position: alesia.Position) -> str:
    """Plays the first legal move."""
    return position.legal_moves()[0]


def test_a_game_becomes_a_record_with_what_the_players_thought() -> None:
    record = alesia.play_game(player("tree", 60), first_move, "hadron5")
    assert (record.white, record.black, record.game) == ("tree", "first_move", "hadron5")
    assert record.cause == "rule" and record.opening == []
    first, second = record.moves[:2]
    assert first.nodes == 60 and first.value is not None and first.ms is not None
    assert second.value is None and second.ms is not None
    assert record.position.result is not None
    winner = {"1-0": "White", "0-1": "Black"}[record.result]
    assert record.position.result.winner == winner
    assert record.reason == record.position.result.reason


def test_a_match_plays_each_opening_twice_and_counts_for_the_first() -> None:
    heard: list[alesia.Record] = []
    result = alesia.play_match(
        player("a", 100), player("b", 1, kind="random"), "hadron5", pairs=3, each=heard.append
    )
    assert (result.games, len(result.records), sum(result.pairs)) == (6, 6, 3)
    assert result.records == heard
    for pair in range(3):
        one, two = result.records[2 * pair : 2 * pair + 2]
        assert one.opening == two.opening and len(one.opening) == 4
        assert (one.white, one.black, two.white) == ("a", "b", "b")
    assert result.wins >= 4 and result.score > 0.6
    assert str(result).startswith(f"6 games: {result.wins} won, ")


def test_elo_is_that_of_the_lab() -> None:
    value, error = alesia.elo([1, 3, 10, 4, 2])
    assert (round(value, 1), round(error, 1)) == (26.1, 74.9)


def test_a_result_words_its_elo_as_the_lab_does() -> None:
    for pairs, said in [
        ([1, 3, 10, 4, 2], "Elo 26.11 +/- 74.90"),
        ([0, 0, 1, 0, 1], "Elo 190.85"),
        ([0, 0, 0, 0, 7], "Elo inf"),
        ([0, 0, 0, 0, 0], "Elo -"),
        ([1, 1, 2, 1, 1], "Elo 0.00"),
    ]:
        result = alesia.MatchResult(pairs=pairs)
        assert str(result) == f"0 games: 0 won, 0 drawn, 0 lost, {said}"


def test_an_illegal_move_ends_the_match_with_its_text() -> None:
    with pytest.raises(alesia.AlesiaError, match="^move: found `Z9`, expected "):
        alesia.play_game(lambda _: "Z9", first_move, "hadron5")


def test_records_are_written_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    result = alesia.play_match(player("a", 20), first_move, "hadron5", pairs=1)
    alesia.write_records(file, result.records[:1])
    alesia.write_records(file, result.records[1:])
    assert alesia.read_records(file) == result.records
    lines = file.read_text().splitlines()
    assert lines == [record.to_json() for record in result.records]
    assert result.records[0].date is not None and result.records[0].date.startswith("20")
    changed = lines[0].replace('"leg":0', '"leg":1')
    for text, error in [
        (changed, "line 1, crc32: found "),
        ("{}", "line 1: found `{}`, expected a game record "),
    ]:
        file.write_text(text)
        with pytest.raises(alesia.AlesiaError, match=error):
            alesia.read_records(file)
    with pytest.raises(OSError, match="gone.jsonl: No such file"):
        alesia.read_records(tmp_path / "gone.jsonl")
    file.write_text("notes\n")
    assert len({*result.records, *result.records}) == len(result.records)
    with pytest.raises(alesia.AlesiaError, match="expected a new file or one of game records"):
        alesia.write_records(file, result.records)
    assert file.read_text() == "notes\n"


def test_a_record_that_is_wrong_by_the_rules_cannot_be_made() -> None:
    over = alesia.Position("hadron1x1", moves="A1")
    assert alesia.Record(over).reason == "no legal move"
    with pytest.raises(alesia.AlesiaError, match="^result: found Black"):
        alesia.Record(over, result="0-1", cause="rule", reason="no legal move")
    going = alesia.Position("hadron5", moves="A1")
    with pytest.raises(alesia.AlesiaError, match="^result: found none, and a game that is not"):
        alesia.Record(going)
    with pytest.raises(alesia.AlesiaError, match="^cause: found `luck`, expected rule, move-limit"):
        alesia.Record(going, result="1-0", cause="luck")
    with pytest.raises(alesia.AlesiaError, match="^analyses: found 0, expected 1, one for each"):
        alesia.Record(going, result="1-0", analyses=[])


@pytest.mark.skipif(LAB is None, reason="alesia-lab is not built")
def test_the_lab_plays_the_same_games_and_replays_ours(tmp_path: Path) -> None:
    theirs, ours = tmp_path / "lab.jsonl", tmp_path / "ours.jsonl"
    match = "match -game hadron5 -rounds 2 -srand 5 -concurrency 1 -openings plies=3".split()
    each = ["-each", "nodes=50", "option.memory=16MiB"]
    engines = ["-engine", "name=a", "option.seed=1", "-engine", "name=b", "option.seed=2"]
    subprocess.run(
        [str(LAB), *match, *engines, *each, "-jsonlout", f"file={theirs}"],
        check=True,
        capture_output=True,
    )
    result = alesia.play_match(
        player("a", 50, 1), player("b", 50, 2), "hadron5", pairs=2, plies=3, seed=5
    )

    def told(record: alesia.Record) -> list[object]:
        thoughts = [(m.move, m.value, m.mate, m.depth, m.nodes) for m in record.moves]
        return [record.pair, record.leg, record.opening, record.white, thoughts, record.result]

    lab = sorted(alesia.read_records(theirs), key=lambda record: (record.pair, record.leg))
    assert [told(record) for record in lab] == [told(record) for record in result.records]
    alesia.write_records(ours, result.records)
    replayed = subprocess.run([str(LAB), "replay", str(ours)], check=True, capture_output=True)
    assert b"4 games" in replayed.stdout
