"""The worked examples of docs/python.md do what they say, and the page's own pieces run."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import alesia

HERE = Path(__file__).resolve()
EXAMPLES = HERE.parents[1] / "examples"
PAGE = (HERE.parents[3] / "docs/python.md").read_text(encoding="utf-8")


def load(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name: str, *arguments: str) -> str:
    """What an example prints."""
    program = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments]
    done = subprocess.run(program, check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def test_alpha_beta_is_short_finds_wins_and_plays_alesia() -> None:
    source = (EXAMPLES / "alphabeta.py").read_text(encoding="utf-8")
    engine = source[source.index("WIN = ") : source.index("def main")].strip()
    assert 30 <= len(engine.splitlines()) <= 45
    best_move = load("alphabeta").best_move
    position = alesia.Position("hadron3")
    proof = alesia.Engine("hadron3", memory="16MiB").search(position, nodes=50_000).proof
    assert proof is not None and proof.plies is not None
    winner = position.side if proof.result == "win" else {"White": "Black"}[position.side]
    while not position.is_over:
        position = position.play(best_move(position, 9))
    assert position.result is not None and position.result.winner == winner
    printed = run("alphabeta", "hadron5", "--nodes", "50").splitlines()
    assert len(printed) == 3 and printed[-1].startswith("2 games: ")


def test_a_value_curve_ends_with_the_result(tmp_path: Path) -> None:
    example = load("value_curve")
    player = alesia.Player(alesia.Engine("hadron5", memory="16MiB"), nodes=50)
    record = alesia.play_game(player, player, "hadron5")
    values = example.curve(record, 50)
    assert len(values) == len(record.moves) + 1
    assert all(0 <= value <= 1 for value in values)
    assert values[-1] == {"1-0": 1, "0-1": 0}[record.result]
    file = tmp_path / "games.jsonl"
    alesia.write_records(file, [record])
    assert len(run("value_curve", str(file), "--nodes", "20").splitlines()) == len(values)
    pytest.importorskip("matplotlib")
    picture = tmp_path / "curve.svg"
    run("value_curve", str(file), "--nodes", "20", "--out", str(picture))
    assert "<svg" in picture.read_text()


def test_self_play_becomes_arrays_of_planes_policies_and_values(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    file = tmp_path / "games.npz"
    run("self_play", str(file), "--game", "hadron5", "--games", "2", "--nodes", "30")
    arrays = numpy.load(file)
    start = alesia.Position("hadron5")
    count = len(arrays["value"])
    assert arrays["planes"].shape == (count, *start.feature_shape)
    assert arrays["policy"].shape == (count, start.num_actions)
    assert numpy.allclose(arrays["policy"].sum(axis=1), 1)
    assert set(arrays["value"]) == {0, 1}
    assert (arrays["planes"][0] == numpy.asarray(start.features())).all()


def test_alphazero_plays_itself_and_learns_what_it_has_seen() -> None:
    numpy = pytest.importorskip("numpy")
    example = load("alphazero")
    trees = example.Trees("hadron3", 8, 12)
    actions = trees.env.num_actions
    network = example.Network(trees.see(trees.roots).shape[1], actions)
    rows: list[tuple] = []
    running: list[list] = [[] for _ in range(8)]
    while len(rows) < 40:
        rows += trees.play(network, running)
    seen, policy, result = (numpy.array(column, "f4") for column in zip(*rows, strict=True))
    assert set(result) == {1, -1} and numpy.allclose(policy.sum(1), 1)
    assert len(trees.turns) == 8
    for of_seen, of_action in trees.turns:
        turned, shares = seen[:, of_seen], policy[:, of_action]
        assert (shares[turned[:, :actions] == 0] == 0).all() and turned.sum() == seen.sum()
    before = ((network(seen)[1] - result) ** 2).mean()
    for _ in range(300):
        network.learn(seen, policy, result)
    assert ((network(seen)[1] - result) ** 2).mean() < before / 2


def test_a_heuristic_plays_in_both_engines_and_prints_its_verdict() -> None:
    printed = run("heuristic", "--pairs", "1", "--nodes", "30").splitlines()
    assert [line.split(":")[0] for line in printed[::3]] == ["alphabeta", "mcts"]
    assert all(line.startswith("alesia-lab match sprt ") for line in printed[1::3])
    assert all(line.endswith(" nodes a second of processor time") for line in printed[2::3])


def test_the_page_shows_pieces_that_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len(blocks) >= 4
    scope: dict[str, object] = {}
    for block in blocks:
        if "pyspiel" in block:
            pytest.importorskip("pyspiel")
        if "pettingzoo" in block:
            pytest.importorskip("pettingzoo")
        if "numpy" in block:
            pytest.importorskip("numpy")
        exec(compile(block, "docs/python.md", "exec"), scope)


def test_the_page_names_everything_that_the_package_exports() -> None:
    for name in alesia.__all__:
        assert f"`{name}" in PAGE or f"alesia.{name}" in PAGE, name
