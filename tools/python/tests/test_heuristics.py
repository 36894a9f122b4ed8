"""Engines that ask a function of Python for the value of a position."""

import math
import threading
from collections.abc import Callable

import pytest

import alesia

SMALL = "4MiB"
ENGINES = ["mcts", "alphabeta"]


def engine_with(
    evaluate: Callable[[alesia.Position], float], kind: str = "mcts", game: str = "hadron5"
) -> alesia.Engine:
    return alesia.Engine(game, kind, memory=SMALL, evaluate=evaluate)


@pytest.mark.parametrize("kind", ENGINES)
def test_the_function_stands_in_place_of_the_evaluation(kind: str) -> None:
    start = alesia.Position("loa")
    assert engine_with(lambda _: 0, kind, "loa").search(start, nodes=100).value == 0.5
    good = engine_with(lambda position: 200 if position.side == "White" else -200, kind, "loa")
    assert good.search(start, nodes=100).value == pytest.approx(0.75, abs=0.02)


@pytest.mark.parametrize("game", ["murus", "hadron5", "loa", "voidrider", "variant:chess"])
def test_it_gets_positions_of_the_game_and_scores_their_side_to_move(game: str) -> None:
    start, seen = alesia.Position(game), []

    def few_replies(position: alesia.Position) -> float:
        seen.append(position)
        return 0.5 + len(position.legal_moves())

    found = engine_with(few_replies, "alphabeta", game).search(start, depth=1)
    scores = [0.5 + len(start.play(move).legal_moves()) for move in start.legal_moves()]
    after = start.play(found.move)
    assert 0.5 + len(after.legal_moves()) == min(scores)
    assert after.board in [position.board for position in seen]
    assert all(position.game == game and not position.moves for position in seen)
    again = next(position for position in seen if position.board == after.board)
    assert again.legal_moves() == after.legal_moves() and again.evaluate() == after.evaluate()


def test_the_own_evaluation_of_a_game_can_be_asked() -> None:
    engine = engine_with(alesia.Position.evaluate, "alphabeta", "murus")
    plain = alesia.Engine("murus", "alphabeta", memory=SMALL)
    start = alesia.Position("murus")
    values = [which.search(start, depth=2).value for which in [engine, plain]]
    assert values[0] == values[1]


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("nodes", [100, 10**9])
def test_an_exception_ends_the_search_and_reaches_the_caller(kind: str, nodes: int) -> None:
    wrong, calls = RuntimeError("planted"), 0

    def fails_once(_: alesia.Position) -> float:
        nonlocal calls
        calls += 1
        if calls == 7:
            raise wrong
        return 0

    engine, start = engine_with(fails_once, kind), alesia.Position("hadron5")
    with pytest.raises(RuntimeError) as caught:
        engine.search(start, nodes=nodes)
    assert caught.value is wrong and calls == 7
    assert engine.search(start, nodes=50).move in start.legal_moves()


@pytest.mark.parametrize(
    ("returned", "error", "found"),
    [
        (None, TypeError, "NoneType"),
        ("3", TypeError, "str"),
        (math.nan, alesia.AlesiaError, "NaN"),
        (math.inf, alesia.AlesiaError, "inf"),
    ],
)
def test_what_is_no_number_is_refused(returned: float, error: type, found: str) -> None:
    engine = engine_with(lambda _: returned)
    with pytest.raises(error) as caught:
        engine.search(alesia.Position("hadron5"), nodes=10)
    text = f"evaluate: found {found}, expected a number, the score for the side to move"
    assert str(caught.value) == text


def test_numbers_without_bound_are_no_proofs() -> None:
    for number in [10**9, -1e300]:
        engine = engine_with(lambda _, number=number: number)
        assert engine.search(alesia.Position("hadron5"), nodes=1).proof is None


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"threads": 2}, "threads: found 2, expected 1 with evaluate, as Python calls one"),
        ({"engine": "random"}, "evaluate: found engine random, expected engine mcts or alphabeta"),
    ],
)
def test_options_that_do_not_go_with_a_function_are_refused(options: dict, text: str) -> None:
    with pytest.raises(alesia.AlesiaError) as caught:
        alesia.Engine("hadron5", memory=SMALL, evaluate=lambda _: 0, **options)
    assert str(caught.value).startswith(text)
    with pytest.raises(TypeError, match="^evaluate: found int, expected a function of a position$"):
        alesia.Engine("hadron5", memory=SMALL, evaluate=3)  # type: ignore[arg-type]


def test_a_function_may_search_with_another_engine_but_not_with_its_own() -> None:
    inner = engine_with(lambda _: 100)

    def searches(position: alesia.Position) -> float:
        return inner.search(position, nodes=3).value

    start = alesia.Position("hadron5")
    assert engine_with(searches).search(start, nodes=20).nodes == 20

    def itself(position: alesia.Position) -> float:
        return own.search(position, nodes=3).value

    own = engine_with(itself)
    with pytest.raises(alesia.AlesiaError, match="^engine: found the one that has called this"):
        own.search(start, nodes=20)


def test_two_threads_share_an_engine() -> None:
    engine, start, found = engine_with(lambda _: 0), alesia.Position("hadron5"), []
    threads = [
        threading.Thread(target=lambda: found.append(engine.search(start, nodes=300).nodes))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [300] * 3


def test_a_heuristic_plays_a_match() -> None:
    mine = alesia.Player(engine_with(lambda position: -len(position.legal_moves())), nodes=20)
    chance = alesia.Player(alesia.Engine("hadron5", "random", memory=SMALL), nodes=1)
    assert alesia.play_match(mine, chance, "hadron5", pairs=1).games == 2
