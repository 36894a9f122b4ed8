"""Engines: what a search returns, its limits, other threads meanwhile, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import alesia

SMALL = "16MiB"


def test_the_same_nodes_and_seed_find_the_same() -> None:
    start = alesia.Position("loa")
    found = [alesia.Engine("loa", memory=SMALL).search(start, nodes=300) for _ in range(2)]
    assert found[0].move == found[1].move and found[0].variation == found[1].variation
    first = found[0]
    assert first.nodes == 300 and first.move == first.variation[0] == first.moves[0].move
    assert first.action == start.action(first.move) and first.proof is None
    assert not first.from_book and 0 < first.value < 1 and first.depth == len(first.variation)
    assert first.info.splitlines()[-1].startswith(f"info depth {first.depth} time ")


def test_all_root_moves_have_visits_values_and_priors() -> None:
    start = alesia.Position("loa")
    moves = alesia.Engine("loa", memory=SMALL).search(start, nodes=400).moves
    assert sorted(move.move for move in moves) == sorted(start.legal_moves())
    assert 390 <= sum(move.visits for move in moves) <= 400
    assert abs(sum(move.prior for move in moves) - 1) < 0.01
    assert all(0 <= move.value <= 1 for move in moves)


@pytest.mark.parametrize("engine", ["mcts", "alphabeta"])
def test_a_proof_says_who_wins_and_when(engine: str) -> None:
    position = alesia.Position("hadron2x2")
    found = alesia.Engine("hadron2x2", engine, memory=SMALL).search(position, nodes=10_000)
    proof = found.proof
    assert proof is not None
    assert (proof.result, proof.plies, str(proof)) == ("loss", 4, "loss in 4") or (
        proof.result,
        str(proof),
    ) == ("win", f"win in {proof.plies}")
    after = position.play(found.move)
    reply = alesia.Engine("hadron2x2", engine, memory=SMALL).search(after, nodes=10_000).proof
    assert reply is not None and {proof.result, reply.result} == {"win", "loss"}


def test_a_search_without_a_usable_limit_or_position_is_refused() -> None:
    engine = alesia.Engine("hadron5", memory=SMALL)
    start = alesia.Position("hadron5")
    for call, text in [
        (lambda: engine.search(start), "limit: found none, expected time_ms, nodes or depth"),
        (lambda: engine.search(start, nodes=0), "nodes: found 0, expected a whole number from 1"),
        (lambda: engine.search(start, time_ms=0), "time: found `0`, expected a time from 1ms"),
        (
            lambda: engine.search(alesia.Position("loa"), nodes=1),
            "position: found one of loa, expected one of hadron5, the game of this engine",
        ),
        (
            lambda: alesia.Engine("hadron5", memory="1K"),
            "memory: found 1024 bytes, expected at least 65536 bytes",
        ),
        (lambda: alesia.Engine("hadron5", "deep"), "engine: found `deep`, expected mcts, "),
        (
            lambda: alesia.Engine("hadron5", memory=SMALL, trees=2),
            "trees: found 2, expected from 1 to one for each thread, and threads is 1",
        ),
        (
            lambda: alesia.Engine("loa", "alphabeta", memory=SMALL, threads=2, trees=2),
            "trees: found engine alphabeta, expected engine mcts: others have no trees",
        ),
        (
            lambda: alesia.Engine(memory=SMALL, parameters={"exploration": -1}),
            "parameters, exploration: found `-1`, expected a number from 0 to 100",
        ),
        (
            lambda: alesia.Engine("hadron5", "random", parameters={"exploration": 1}),
            "parameters: found `exploration=1`, expected engine mcts: the engine random has no",
        ),
    ]:
        with pytest.raises(alesia.AlesiaError) as caught:
            call()
        assert str(caught.value).startswith(text)
    over = alesia.Position("hadron1x1", moves="A1")
    with pytest.raises(alesia.AlesiaError, match="^the game is over: White \\(no legal move\\)$"):
        alesia.Engine("hadron1x1", memory=SMALL).search(over, nodes=1)


def test_a_parameter_changes_the_search() -> None:
    start = alesia.Position("loa")
    flat = alesia.Engine("loa", memory=SMALL, parameters={"exploration": 20.0})
    most = [
        engine.search(start, nodes=400).moves[0].visits
        for engine in [flat, alesia.Engine("loa", memory=SMALL)]
    ]
    assert most[0] < most[1]


def test_new_game_begins_the_random_choices_again() -> None:
    start = alesia.Position("loa")
    engine = alesia.Engine("loa", "random", memory=SMALL, seed=3)
    first = [engine.search(start, nodes=1).move for _ in range(10)]
    assert first != [engine.search(start, nodes=1).move for _ in range(10)]
    engine.new_game(3)
    assert first == [engine.search(start, nodes=1).move for _ in range(10)]


def test_other_threads_run_while_an_engine_thinks() -> None:
    engine = alesia.Engine("loa", memory=SMALL)
    counts, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counts[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counts[0]
    engine.search(alesia.Position("loa"), time_ms=400)
    after = counts[0]
    done.set()
    thread.join()
    assert after - before > 5


INTERRUPTED = """
import signal, threading, time, alesia
# A program in the background of a script begins with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
position = alesia.Position("loa")
engine = alesia.Engine("loa", memory="16MiB")
limit = float("inf")
def judged(evaluate):
    return alesia.Engine("loa", "alphabeta", memory="16MiB", evaluate=evaluate)
def in_use():
    global limit
    limit = time.monotonic() + 3
    threading.Thread(target=lambda: engine.search(position, time_ms=4_000)).start()
    time.sleep(0.1)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.monotonic() < limit)
    print(engine.search(position, nodes=50).move in position.legal_moves())
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGINT goes to a whole console there")
@pytest.mark.parametrize(
    "call",
    [
        "engine.search(position, time_ms=120_000)",
        "position.playouts(10**9)",
        "judged(alesia.Position.evaluate).search(position, time_ms=120_000)",
        "judged(lambda _: 0).search(position, nodes=10**9)",
        # Those that wait for an engine in use; the other thread's search ends by itself.
        "in_use(); engine.search(position, time_ms=1)",
        "in_use(); engine.search(position, nodes=1)",
        "in_use(); engine.new_game()",
    ],
)
def test_ctrl_c_ends_what_takes_long_and_the_engine_can_be_used_again(call: str) -> None:
    code = INTERRUPTED.format(call=call)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n"
            time.sleep(0.3)
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=60)
        finally:
            program.kill()
    assert (out, program.returncode) == ("interrupted True\nTrue\n", 0), err


def test_a_book_answers_first_if_it_has_the_position() -> None:
    start = alesia.Position("loa")
    found = alesia.Engine("loa", memory=SMALL, book=True).search(start, nodes=20)
    assert found.from_book and found.nodes == 0 and found.move in start.legal_moves()
    assert not alesia.Engine("loa", memory=SMALL).search(start, nodes=20).from_book


def test_weights_are_read_from_a_file(tmp_path: Path) -> None:
    gone = tmp_path / "gone.weights"
    with pytest.raises(alesia.AlesiaError, match="gone.weights: found No such file"):
        alesia.Engine("variant:chess", memory=SMALL, weights=gone)
    wrong = tmp_path / "wrong.weights"
    wrong.write_bytes(b"no weights")
    with pytest.raises(alesia.AlesiaError, match="^weights: .*wrong.weights: found "):
        alesia.Engine("variant:chess", memory=SMALL, weights=wrong)


def test_several_threads_and_trees_search_one_position() -> None:
    start = alesia.Position("murus")
    engine = alesia.Engine("murus", memory=SMALL, threads=2, trees=2)
    found = engine.search(start, nodes=400)
    assert found.move in start.legal_moves() and found.nodes >= 400


def run_code(code: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of its own, which must end."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_an_engine_made_before_a_fork_is_refused_in_the_child() -> None:
    code = """
import os, sys, alesia
engine = alesia.Engine("hadron5", memory="16MiB", threads=2)
start = alesia.Position("hadron5")
child = os.fork()
if child == 0:
    try:
        engine.search(start, nodes=200)
    except alesia.AlesiaError as error:
        print(error)
    # One of its own plays, and both can be given up.
    print(alesia.Engine("hadron5", memory="16MiB").search(start, nodes=5000).nodes, flush=True)
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
assert engine.search(start, nodes=200).nodes == 200
"""
    done = run_code(code)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert lines[0].startswith("engine: found one made by process ")
    assert ", before a fork, expected one made in this process" in lines[0]
    assert int(lines[1]) > 1000


def test_a_daemon_thread_that_searches_does_not_disturb_the_end() -> None:
    code = """
import threading, time, alesia
engine = alesia.Engine("loa", memory="16MiB", threads=2)
def think():
    while True:
        engine.search(alesia.Position("loa"), time_ms=60_000)
def judge():
    judged = alesia.Engine("loa", memory="16MiB", evaluate=alesia.Position.evaluate)
    while True:
        judged.search(alesia.Position("loa"), time_ms=60_000)
def count():
    while True:
        alesia.Position("loa").playouts(1_000_000)
for work in [think, judge, count]:
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
print("main ends", flush=True)
"""
    began = time.monotonic()
    done = run_code(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "main ends\n", "")
    assert time.monotonic() - began < 30
