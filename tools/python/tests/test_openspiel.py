"""The games in OpenSpiel: its own tests pass, and its players play them."""

import copy
import pickle
import subprocess
import sys

import pytest

pytest.importorskip("pyspiel")

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402
from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import mcts, minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import alesia  # noqa: E402
import alesia.openspiel as adapter  # noqa: E402

QUICK = ["alesia_hadron5", "alesia_murus", "alesia_variant_breakthrough"]


def test_every_game_and_variant_is_registered() -> None:
    names = [*alesia.games(), *alesia.variants()]
    assert list(adapter.NAMES.values()) == names
    assert set(adapter.NAMES) <= set(pyspiel.registered_names())
    assert adapter.register("loa") == "alesia_loa"
    with pytest.raises(alesia.AlesiaError, match="^alesia_variant_chess: found variant_chess, exp"):
        adapter.register("variant_chess")


@pytest.mark.parametrize("name", list(adapter.NAMES))
def test_random_simulation(name: str) -> None:
    game = pyspiel.load_game(name)
    # Each state of a long game is written and read back with all moves before it.
    pyspiel.random_sim_test(game, num_sims=1, serialize=name in QUICK, verbose=False)


def test_a_state_is_the_position_with_its_moves() -> None:
    state = pyspiel.load_game("alesia_loa").new_initial_state()
    start = alesia.Position("loa")
    actions = state.legal_actions()
    assert actions == sorted(start.legal_actions())
    assert state.action_to_string(0, actions[0]) == start.notation(actions[0])
    state.apply_action(actions[0])
    assert adapter.position_of(state) == start.play(actions[0])
    assert (state.current_player(), state.returns()) == (1, [0.0, 0.0])
    copied = state.clone()
    copied.apply_action(copied.legal_actions()[0])
    assert len(state.history()) == 1 and len(copied.history()) == 2
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


def test_games_states_and_policies_are_pickled() -> None:
    [name] = alesia.load_variants("[shelf:gardner]\nnFoldRule = 2\n", "shelf.ini")
    for short in ["alesia_hadron5", adapter.register(name)]:
        game = pyspiel.load_game(short)
        state = game.new_initial_state()
        for _ in range(3):
            state.apply_action(state.legal_actions()[0])
        for other in [pickle.loads(pickle.dumps(game)), copy.deepcopy(game)]:
            assert str(other) == str(game) and isinstance(other, adapter.AlesiaGame)
        for again in [pickle.loads(pickle.dumps(state)), copy.deepcopy(state)]:
            assert again.history() == state.history()
            assert adapter.position_of(again) == adapter.position_of(state)
        uniform = policy.UniformRandomPolicy(game)
        probabilities = pickle.loads(pickle.dumps(uniform)).action_probabilities(state)
        assert probabilities == uniform.action_probabilities(state)
    # In a process where the variant is not registered.
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).history())"
    pickled = pickle.dumps(state)
    found = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True)
    assert found.stdout.decode().strip() == str(state.history()), found.stderr


def test_observations_are_the_features() -> None:
    game = pyspiel.load_game("alesia_voidrider")
    state = game.new_initial_state()
    observation = make_observation(game)
    observation.set_from(state, 0)
    features = np.asarray(alesia.Position("voidrider").features())
    assert (observation.dict["observation"] == features).all()


def test_minimax_agrees_with_the_engine() -> None:
    name = adapter.register("hadron3")
    game = pyspiel.load_game(name)
    value, best = minimax.alpha_beta_search(game)
    proof = (
        alesia.Engine("hadron3", memory="16MiB")
        .search(alesia.Position("hadron3"), nodes=100_000)
        .proof
    )
    assert proof is not None
    assert value == (1 if proof.result == "win" else -1)
    assert best in alesia.Position("hadron3").legal_actions()


def test_an_engine_plays_its_lines_of_action() -> None:
    engine = alesia.Engine("loa:standard", memory="16MiB")
    bots = [adapter.LinesOfActionBot(engine, nodes=100), pyspiel.make_uniform_random_bot(1, 2)]
    state = pyspiel.load_game("lines_of_action").new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns() == [1, -1]


def test_an_engine_is_an_agent_of_kaggles_arena() -> None:
    arena = pytest.importorskip("kaggle_environments")
    agent = adapter.kaggle_agent(alesia.Engine("loa:standard", memory="16MiB"), nodes=100)
    game = arena.make("open_spiel_lines_of_action", {"includeLegalActions": True})
    for agents, rewards in [([agent, "random"], [1, -1]), (["random", agent], [-1, 1])]:
        last = game.run(agents)[-1]
        assert [(seat.status, seat.reward) for seat in last] == [("DONE", r) for r in rewards]


@pytest.mark.parametrize("name", QUICK)
def test_its_tree_search_plays(name: str) -> None:
    game = pyspiel.load_game(name)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 5, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    for _ in range(4):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
