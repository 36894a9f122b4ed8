"""Records as rows for pandas."""

import alesia


def test_games_and_moves_are_rows() -> None:
    player = alesia.Player(alesia.Engine("hadron5", memory="16MiB"), nodes=50, name="tree")
    chance = alesia.Player(alesia.Engine("hadron5", "random"), nodes=1, name="chance")
    records = alesia.play_match(player, chance, "hadron5", pairs=2, seed=1).records
    games = alesia.game_rows(records)
    assert [row["pair"] for row in games] == [0, 0, 1, 1]
    assert games[1]["white"] == "chance" and games[1]["plies"] == records[1].position.ply
    moves = alesia.move_rows(records)
    of_second = [row for row in moves if row["record"] == 1]
    assert [row["move"] for row in of_second] == [played.move for played in records[1].moves]
    # The opening has no row, and its plies count.
    assert [row["ply"] for row in of_second] == list(range(5, games[1]["plies"] + 1))
    assert [row["player"] for row in of_second[:2]] == ["chance", "tree"]
    assert of_second[1]["nodes"] > 0


def test_black_may_move_first() -> None:
    position = alesia.Position("loa:standard", moves="B1-B3 A2-C2")
    record = alesia.Record(position, white="W", black="B", result="1-0")
    assert [row["player"] for row in alesia.move_rows([record])] == ["B", "W"]
