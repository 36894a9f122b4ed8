"""Many games a call: each goes as a `Position` does."""

import numpy as np
import pytest

import alesia
from alesia.vector import VectorEnv

GAMES = ["murus", "hadron5", "loa", "loa:standard", "voidrider", "variant:breakthrough"]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", GAMES)
def test_each_game_goes_as_a_position(game: str, threads: int) -> None:
    env = VectorEnv(game, 5, threads=threads)
    start = alesia.Position(game)
    positions = [start] * 5
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(400):
        actions = env.random_actions(rng)
        before = positions
        positions = [position.play(int(a)) for position, a in zip(positions, actions, strict=True)]
        env.step(actions)
        for row, (old, position) in enumerate(zip(before, positions, strict=True)):
            result = position.result
            assert env.dones[row] == (result is not None)
            reward = 0 if result is None else 2 * result.score(old.side) - 1
            assert env.rewards[row] == reward
            if result is not None:
                ended += 1
                positions[row] = start
            legal = positions[row].legal_actions()
            assert env.legal[row, : env.legal_counts[row]].tolist() == legal
            assert np.flatnonzero(env.mask[row]).tolist() == sorted(legal)
    assert ended > 0 or start.max_plies > 400


def test_a_reset_begins_all_games_anew() -> None:
    env = VectorEnv("hadron5", 2)
    first = env.mask.copy()
    env.step(env.legal[:, 0])
    assert (env.mask != first).any()
    env.reset()
    assert (env.mask == first).all() and env.legal_counts.tolist() == [25, 25]


def test_what_is_wrong_is_refused_and_the_rest_is_played() -> None:
    env = VectorEnv("hadron5", 3)
    legal = int(env.legal[0, 0])
    for wrong in [-1, 25, 10**12]:
        env.reset()
        with pytest.raises(alesia.AlesiaError, match=rf"^actions\[1\]: found {wrong}, expected a"):
            env.step(np.array([legal, wrong, legal]))
        assert env.legal_counts[1] == 25 and (env.legal_counts[[0, 2]] < 25).all()
    with pytest.raises(alesia.AlesiaError, match=r"^actions: found the shape \(2,\), expected"):
        env.step(np.array([0, 0]))
    with pytest.raises(alesia.AlesiaError, match="^count: found 0"):
        VectorEnv("loa", 0)
    with pytest.raises(alesia.AlesiaError, match="^threads: found 0"):
        VectorEnv("loa", 1, threads=0)


def test_an_attribute_that_is_set_changes_no_memory() -> None:
    env = VectorEnv("hadron5", 2)
    mask = env.mask
    env.mask = np.zeros(1, np.bool_)
    env.step(env.random_actions(np.random.default_rng(0)))
    assert 0 < mask.sum() < 50
