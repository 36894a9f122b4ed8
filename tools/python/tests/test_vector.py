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


@pytest.mark.parametrize("game", GAMES)
def test_branches_are_copies_in_which_a_move_is_played(game: str) -> None:
    env = VectorEnv(game, 40)
    rng = np.random.default_rng(2)
    positions = [alesia.Position(game)] * 40
    for step in range(400):
        targets = rng.permutation(40)[:8]
        sources = np.where(rng.random(8) < 0.5, targets, rng.integers(0, 40, 8))
        sources = np.where(np.isin(sources, targets), targets, sources)
        actions = [int(rng.choice(positions[source].legal_actions())) for source in sources]
        env.branch(targets, sources, actions)
        for target, source, action in zip(targets, sources, actions, strict=True):
            position = positions[source].play(action)
            assert env.dones[target] == position.is_over
            positions[target] = alesia.Position(game) if position.is_over else position
        for row in targets:
            legal = positions[row].legal_actions()
            assert env.legal[row, : env.legal_counts[row]].tolist() == legal
            assert np.flatnonzero(env.mask[row]).tolist() == sorted(legal)
        if step % 20 == 0:
            planes = np.asarray([positions[row].features() for row in targets])
            assert (env.features(targets) == planes).all()


def test_branches_and_games_that_are_not_there_are_refused() -> None:
    env = VectorEnv("hadron5", 3)
    legal = int(env.legal[0, 0])
    for wrong in [(0, 3, legal), (-1, 0, legal), (0, 1, 24_000)]:
        env.reset()
        branches = np.array([(2, 0, legal), wrong]).T
        found = f"^branch 1: found game {wrong[0]} from game {wrong[1]} by {wrong[2]}, expected"
        with pytest.raises(alesia.AlesiaError, match=found):
            env.branch(*branches)
        assert env.legal_counts[2] < 25 and env.legal_counts[0] == 25
    with pytest.raises(alesia.AlesiaError, match=r"^games\[1\]: found 3, expected one below 3$"):
        env.features(np.array([0, 3]))
    assert env.features(np.array([], np.int64)).shape == (0, *env.feature_shape)


def test_an_attribute_that_is_set_changes_no_memory() -> None:
    env = VectorEnv("hadron5", 2)
    mask = env.mask
    env.mask = np.zeros(1, np.bool_)
    env.step(env.random_actions(np.random.default_rng(0)))
    assert 0 < mask.sum() < 50
