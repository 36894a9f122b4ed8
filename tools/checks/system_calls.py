#!/usr/bin/env python3
"""Makes every call of the system fail in turn, in every command.

    tools/checks/system_calls.py [--most N] [COMMAND...]

Each command is run again and again: the first time the first write fails, then the second, and so
on; then the same with reads, files that are opened, threads that are started, and so on
(failing_calls.c, which cc builds). It must end by itself, with status 0, 1, 2 or 130, without a
panic, and where it fails it must say so on standard error. --most: how many calls of a kind fail in
turn at most (20). Needs Linux, cc, and both programs in target/debug, or in ALESIA_BIN_DIR.
"""

import argparse
import errno
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("ALESIA_BIN_DIR", ROOT / "target/debug")).resolve()
PLAYER, LAB = str(BIN / "alesia"), str(BIN / "alesia-lab")

# Longer than any of these runs, on a busy machine.
PATIENCE = 60

# The kind of call, its error, and whether all calls after it fail too.
KINDS = [
    ("write", errno.ENOSPC, False),
    ("write", errno.EFBIG, True),
    ("send", errno.ECONNRESET, False),
    ("read", errno.EIO, False),
    ("receive", errno.ECONNRESET, False),
    ("open", errno.EMFILE, False),
    ("open", errno.EMFILE, True),
    ("sync", errno.EIO, True),
    ("rename", errno.ENOSPC, True),
    ("remove", errno.EACCES, True),
    ("cut", errno.EIO, True),
    ("seek", errno.EIO, False),
    ("folder", errno.ENOSPC, False),
    ("lock", errno.ENOLCK, False),
    ("stat", errno.EACCES, False),
    ("socket", errno.EMFILE, True),
    ("bind", errno.EADDRINUSE, True),
    ("listen", errno.EADDRINUSE, False),
    ("accept", errno.EMFILE, False),
    ("connect", errno.ENETUNREACH, False),
    ("option", errno.ENOBUFS, True),
    ("shutdown", errno.ENOTCONN, True),
    ("pipe", errno.EMFILE, False),
    ("poll", errno.ENOMEM, False),
    ("epoll", errno.EMFILE, False),
    ("memory", errno.ENOMEM, False),
    ("thread", errno.EAGAIN, False),
    ("thread", errno.EAGAIN, True),
    ("spawn", errno.EAGAIN, False),
]

TOURNAMENT = """game = "hadron3"
draw = 1
[each]
nodes = 1
option.engine = "random"
[[player]]
name = "A"
[[player]]
name = "B"
"""


class Run:
    """One run of a command with a call that fails, in a folder of its own."""

    def __init__(self, folder, fault):
        self.folder, self.fault = folder, fault
        self.mark = folder / "mark"
        self.others = []
        self.is_told = False

    def start(self, words, stdin=subprocess.DEVNULL, stdout=None):
        """The program that is tried."""
        (kind, error, goes_on), number, library = self.fault
        own = {"LD_PRELOAD": library, "FAIL_CALL": kind, "FAIL_NTH": str(number), "FAIL_ERROR": str(error)}
        own["FAIL_MARK"] = str(self.mark)
        if goes_on:
            own["FAIL_ON"] = "yes"
        self.errors = self.folder / "errors.txt"
        stdout = stdout or open(self.folder / "output.txt", "wb")
        with open(self.errors, "wb") as errors:
            self.tried = subprocess.Popen(
                words, cwd=self.folder, stdin=stdin, stdout=stdout, stderr=errors, env={**os.environ, **own}
            )
        return self.tried

    def tell(self, patience=0):
        """Asks it to end, after this time."""
        try:
            self.tried.wait(patience)
        except subprocess.TimeoutExpired:
            self.is_told = True
            self.tried.terminate()

    def beside(self, words):
        """A sound program beside it."""
        self.others.append(
            subprocess.Popen(
                words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        )
        return self.others[-1]

    def end(self):
        """Waits for the end; what is wrong with it, or None."""
        try:
            status = self.tried.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.tried.kill()
            self.tried.wait()
            return f"did not end in {PATIENCE} s"
        text = self.errors.read_text(errors="replace")
        if "panicked" in text:
            return "panicked: " + text.strip().replace("\n", " | ")[:300]
        # Before a game, who waits for a player ends by the signal itself.
        if status not in (0, 1, 2, 130) and not (self.is_told and status == -signal.SIGTERM):
            return f"status {status}: {text.strip()[:300]}"
        # Where standard error itself is what fails, the status has to do.
        if status in (1, 2) and not text.strip() and self.fault[0][0] != "write":
            return f"status {status} without a word"
        return None

    def close(self):
        for other in self.others:
            other.kill()
            other.wait()


given_ports = set()
giving_ports = threading.Lock()


def free_port():
    """A port that no other run has been given."""
    with giving_ports:
        while True:
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", 0))
                port = listener.getsockname()[1]
            if port not in given_ports:
                given_ports.add(port)
                return port


def plain(*words, text=""):
    """A command that runs to its end by itself, with a text on standard input."""

    def play(run):
        given = run.folder / "input.txt"
        given.write_text(text)
        with open(given, "rb") as stdin:
            run.start(words, stdin=stdin)
        return run.end()

    return play


RANDOM = ["--engine", "random", "--memory", "1MiB", "--threads", "1"]


def wait_for_port(port, process):
    """Waits until somebody listens, without a connection that would count as a player."""
    wanted = f":{port:04X} 00000000:0000 0A"
    for _ in range(PATIENCE * 20):
        if process.poll() is not None or wanted in Path("/proc/net/tcp").read_text():
            return
        threading.Event().wait(0.05)


def referee(run):
    port = free_port()
    words = f"referee --game hadron3 --bind 127.0.0.1 -p {port} -wt 0 -tt 2000 --record r.jsonl".split()
    tried = run.start([PLAYER, *words])
    wait_for_port(port, tried)
    for _ in range(2):
        run.beside([PLAYER, "play", "127.0.0.1", str(port), "--game", "hadron3", *RANDOM])
    # A referee that has lost its players waits for others, and one that is refused a thread tries
    # again for as long as it is.
    for _ in range(PATIENCE * 4):
        if tried.poll() is not None or all(other.poll() is not None for other in run.others):
            break
        threading.Event().wait(0.05)
    run.tell(2)
    return run.end()


def player(run):
    port = free_port()
    words = f"referee --game hadron3 --bind 127.0.0.1 -p {port} -wt 0 -tt 2000".split()
    other = run.beside([PLAYER, *words])
    wait_for_port(port, other)
    play = [PLAYER, "play", "127.0.0.1", str(port), "--game", "hadron3", *RANDOM]
    run.beside(play)
    run.start([*play, "-vv", "--record", "r.jsonl"])
    return run.end()


def relay(run):
    white, black = free_port(), free_port()
    side = [*RANDOM, "--any-port"]
    one = run.beside([PLAYER, "loa-white", "--listen", str(white), "--bind", "127.0.0.1", *side])
    wait_for_port(white, one)
    words = f"relay --white 127.0.0.1:{white} --listen {black} --bind 127.0.0.1 --any-port --record r.jsonl"
    tried = run.start([PLAYER, *words.split()])
    wait_for_port(black, tried)
    run.beside([PLAYER, "loa-black", "127.0.0.1", str(black), *RANDOM])
    run.tell(10)
    return run.end()


def ask(port, method, path, content=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    headers = {"content-type": "application/json"} if content is not None else {}
    connection.request(method, path, json.dumps(content) if content is not None else None, headers)
    answer = connection.getresponse().read()
    connection.close()
    return json.loads(answer)


def board(run):
    port = free_port()
    tried = run.start([LAB, "board", "--port", str(port), "--data", "games"])
    wait_for_port(port, tried)
    me, engine = {"kind": "me"}, {"kind": "engine", "engine": "random", "ms": 10}
    try:
        made = ask(port, "POST", "/api/games", {"game": "hadron3", "white": me, "black": engine})
        move = {"token": made["tokens"]["white"], "ply": 0, "move": "B1"}
        ask(port, "POST", f"/api/games/{made['id']}/move", move)
    except (OSError, http.client.HTTPException, ValueError, KeyError):
        # It may refuse that.
        pass
    run.tell(0.5)
    return run.end()


def match(*words):
    def play(run):
        end = ["-openings", "plies=2", "-each", "nodes=20", "option.memory=1MiB", "option.threads=1"]
        run.start([LAB, "match", "-game", "hadron3", "-rounds", "2", "-config", "file=m", "-pgnout", "file=g.jsonl",
                   "-engine", "name=A", *words, "-engine", "name=B", "option.engine=random", *end])
        return run.end()

    return play


def with_records(*words):
    """A command that reads game records."""

    def play(run):
        line = RECORDS.read_text()
        (run.folder / "g.jsonl").write_text(line)
        run.start(words)
        return run.end()

    return play


def tournament(run):
    (run.folder / "t.toml").write_text(TOURNAMENT)
    run.start([LAB, "tournament", "t.toml"])
    return run.end()


UGI = "ugi\nisready\nposition startpos moves B1\ngo nodes 50\nquit\n"
UCI = "uci\nisready\nposition startpos\ngo nodes 50\nquit\n"
SMALL = ["--memory", "1MiB", "--threads", "1"]

COMMANDS = {
    "search": plain(PLAYER, "search", "--game", "hadron3", "--nodes", "50", "--memory", "1MiB", "--threads", "2"),
    "alphabeta": plain(PLAYER, "search", "--game", "hadron3", "--engine", "alphabeta", "--nodes", "50", *SMALL),
    "ugi": plain(PLAYER, "ugi", "--game", "hadron3", *SMALL, text=UGI),
    "uci": plain(PLAYER, "uci", *SMALL, text=UCI),
    "manual": plain(PLAYER, "manual", "--game", "hadron3", *RANDOM, "--record", "r.jsonl", text="B1\nhint\nquit\n"),
    "perft": plain(PLAYER, "perft", "hadron3", "2"),
    "rules": plain(PLAYER, "rules", "hadron"),
    "variants": plain(PLAYER, "variants", str(ROOT / "examples/variants/mine.ini")),
    "wrong": plain(PLAYER, "play", "--nothing"),
    "completions": plain(PLAYER, "completions", "bash"),
    "referee": referee,
    "play": player,
    "relay": relay,
    "match": match(),
    "match-programs": match(f"cmd={PLAYER}", "args=ugi"),
    "match-tcp": match(f"cmd={PLAYER}", "proto=tcp", "args=play {address} --game {game} --engine random"),
    "tournament": tournament,
    "board": board,
    "replay": with_records(LAB, "replay", "g.jsonl"),
    "export": with_records(LAB, "export", "g.jsonl", "--format", "pgn"),
    "report": with_records(LAB, "report", "g.jsonl", "--out", "r.html"),
    "sprt": plain(LAB, "sprt", "1", "2", "3", "4", "5", "--elo0=0", "--elo1=5"),
    "solve": plain(LAB, "solve", "hadron2x3", "--memory", "1MiB"),
    "tune": plain(LAB, "tune", "variant:gardner", "--games", "2", "--epochs", "1", "--threads", "2", "--out", "w"),
}

RECORDS = None


def trials(name, kind, library, most):
    """Lets each call of a kind fail in turn: how many did, and what went wrong."""
    wrong = []
    for number in range(1, most + 1):
        folder = Path(tempfile.mkdtemp(prefix="alesia-calls-"))
        run = Run(folder, (kind, number, library))
        try:
            fault = COMMANDS[name](run)
        finally:
            run.close()
        has_failed = run.mark.exists()
        shutil.rmtree(folder, ignore_errors=True)
        if fault:
            call = f"{name}: {kind[0]} {number} ({errno.errorcode[kind[1]]}{' from there on' if kind[2] else ''})"
            wrong.append(f"{call}: {fault}")
            print(wrong[-1], flush=True)
        if not has_failed:
            return number - 1, wrong
    return most, wrong


def main():
    global RECORDS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=f"of {', '.join(COMMANDS)}")
    arguments = parser.parse_args()
    names = arguments.commands or list(COMMANDS)
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/failing_calls.so"
        source = ROOT / "tools/checks/failing_calls.c"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        RECORDS = Path(folder) / "records.jsonl"
        words = "match -game hadron3 -rounds 1 -each nodes=1 option.engine=random -engine name=A -engine name=B"
        words = [LAB, *words.split(), "-pgnout", f"file={RECORDS}"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            tasks = [pool.submit(trials, name, kind, library, arguments.most) for name in names for kind in KINDS]
            results = [task.result() for task in tasks]
    failed = sum(count for count, _ in results)
    wrong = [line for _, lines in results for line in lines]
    print(f"{failed} calls failed in {len(names)} commands; {len(wrong)} ended otherwise than they must")
    sys.exit(1 if wrong or failed == 0 else 0)


if __name__ == "__main__":
    main()
