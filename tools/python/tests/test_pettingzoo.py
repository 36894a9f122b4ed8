"""The games in PettingZoo: its own tests pass."""

import copy
import pickle
import warnings

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402

import alesia  # noqa: E402
from alesia.pettingzoo import AlesiaEnv, env  # noqa: E402


@pytest.mark.parametrize("name", [*alesia.games(), "variant:chess", "variant:gardner"])
def test_the_api(name: str) -> None:
    with warnings.catch_warnings():
        # It would rather see images or vectors.
        warnings.simplefilter("ignore")
        api_test(env(name), num_cycles=100)


def test_seeds() -> None:
    seed_test(lambda: env("hadron5"), num_cycles=50)


def test_the_winner_is_rewarded_and_only_the_side_to_move_may_move() -> None:
    board = AlesiaEnv("hadron3", render_mode="ansi")
    board.reset()
    while not any(board.terminations.values()):
        agent = board.agent_selection
        other = {"White": "Black", "Black": "White"}[agent]
        mask = board.observe(agent)["action_mask"]
        assert sorted(board.position.legal_actions()) == list(mask.nonzero()[0])
        assert not board.observe(other)["action_mask"].any()
        board.step(int(mask.argmax()))
    result = board.position.result
    assert result is not None and result.winner is not None
    assert board.rewards[result.winner] == 1
    assert sum(board.rewards.values()) == 0
    assert board.render() == str(board.position)


def test_a_copy_in_the_middle_of_a_game_goes_on_from_there() -> None:
    board = env("hadron5")
    board.reset()
    for _ in range(3):
        board.step(int(board.last()[0]["action_mask"].argmax()))
    for other in [copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
        assert other.unwrapped.position == board.unwrapped.position
        assert other.unwrapped.position.ply == 3
        assert other.agents == board.agents and other.rewards == board.rewards
        other.step(int(other.last()[0]["action_mask"].argmax()))
        assert (other.unwrapped.position.ply, board.unwrapped.position.ply) == (4, 3)


def test_an_illegal_move_loses() -> None:
    board = env("hadron5")
    board.reset()
    board.step(49)
    assert board.rewards == {"White": -1, "Black": 0}
    assert board.terminations == {"White": True, "Black": True}


def test_a_wrong_render_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="^render_mode: found 'film', expected ansi or human$"):
        AlesiaEnv("hadron5", render_mode="film")
