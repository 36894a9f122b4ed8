#!/usr/bin/env python3
"""A tournament of Lines of Action between plain clients that share no code with Alesia.

    cargo build --release --workspace
    tools/checks/tournament.py [PLAYERS [MOVES]]     (30 by default, 10 moves each at most)

Half of the players speak the tournament protocol, half the relay protocol. They meet twice each in
`alesia-lab tournament --host`, while machines and the server are killed and started again. Every
game must be played once, none may be lost, and only machines that were killed may lose by it.
"""

import collections
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

# Above those that Linux gives to outgoing connections.
FIRST_PORT = 61001
KILLED_MACHINES = 12
KILLED_SERVERS = 2
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


class Board:
    """The rules as document 004 has them, without the ends, which the server sees."""

    def __init__(self):
        self.stones = {}
        for i in range(1, 7):
            self.stones.update({(i, 0): "w", (i, 7): "w", (0, i): "b", (7, i): "b"})

    def target(self, start, step):
        """Where a stone gets in a direction; None where it may not."""
        (x, y), (dx, dy) = start, step
        line = [(x + dx * i, y + dy * i) for i in range(-7, 8)]
        count = sum(cell in self.stones for cell in line)
        side = self.stones[start]
        for i in range(1, count + 1):
            cell = (x + dx * i, y + dy * i)
            if not (0 <= cell[0] < 8 and 0 <= cell[1] < 8):
                return None
            stone = self.stones.get(cell, ".")
            if i < count and stone not in (".", side) or i == count and stone == side:
                return None
        return cell

    def moves(self, side):
        own = [cell for cell, stone in self.stones.items() if stone == side]
        tried = ((cell, self.target(cell, step)) for cell in own for step in STEPS)
        return [(start, end) for start, end in tried if end]

    def play(self, text):
        start, end = [("ABCDEFGH".index(cell[0]), int(cell[1]) - 1) for cell in text.split("-")]
        self.stones[end] = self.stones.pop(start)

    def choose(self, side):
        moves = self.moves(side)
        if not moves:
            return None
        text = "-".join("ABCDEFGH"[x] + str(y + 1) for x, y in random.choice(moves))
        self.play(text)
        return text


def tournament_client(stream):
    board, side, lines = Board(), None, stream.makefile("r")
    for line in lines:
        words = line.split()
        if words[0] == "WELCOME":
            side = words[1][0].lower()
        elif words[0] == "OPPONENT_MOVE":
            board.play(words[1])
        elif words[0] == "YOUR_TURN":
            stream.sendall(f"MOVE {board.choose(side)}\n".encode())
        elif words[0] in ("VICTORY", "DEFEAT", "TIE"):
            return


def relay_client(stream, side):
    board, lines = Board(), stream.makefile("r")
    if side == "w":
        stream.sendall(f"{board.choose(side)}\n".encode())
    for line in lines:
        board.play(line.strip())
        move = board.choose(side)
        if move:
            stream.sendall(f"{move}\n".encode())


def again_and_again(action):
    while True:
        try:
            action()
        except OSError:
            pass
        time.sleep(0.02)


def machine(port, listens):
    """A player's machine: starts its program again after each game."""

    def comes(play):
        with socket.create_connection(("127.0.0.1", port)) as stream:
            play(stream)

    if not listens:
        again_and_again(lambda: comes(tournament_client))
    listener = socket.create_server(("127.0.0.1", listens))

    def is_visited():
        with listener.accept()[0] as stream:
            relay_client(stream, "w")

    threading.Thread(target=again_and_again, args=(is_visited,), daemon=True).start()
    again_and_again(lambda: comes(lambda stream: relay_client(stream, "b")))


class Player:
    def __init__(self, number):
        self.name = f"Group {number + 1}"
        self.port = FIRST_PORT + 2 * number
        self.listens = self.port + 1 if number % 2 else 0
        self.kills = 0
        self.switch_on()

    def entry(self):
        text = f'[[player]]\nname = "{self.name}"\nport = {self.port}\n'
        if self.listens:
            text += f'proto = "relay"\nlistens = "127.0.0.1:{self.listens}"\n'
        return text

    def switch_on(self):
        words = [sys.executable, __file__, "machine", str(self.port), str(self.listens)]
        self.process = subprocess.Popen(words)

    def kill(self):
        self.process.kill()
        self.process.wait()


def records(path):
    lines = path.read_text().splitlines()[1:] if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def check(games, players):
    met = collections.Counter((game["white"], game["black"]) for game in games)
    wanted = {(a.name, b.name) for a in players for b in players if a is not b}
    assert set(met) == wanted and max(met.values()) == 1, "a game is missing, or was played twice"
    killed = {player.name for player in players if player.kills}
    causes = collections.Counter(game["cause"] for game in games)
    for game in games:
        loser = game["black"] if game["result"] == "1-0" else game["white"]
        fair = game["cause"] in ("rule", "move-limit") or loser in killed
        assert fair, f"{game['white']} against {game['black']}: {game['reason']}"
    print(f"{len(games)} games, each once: {dict(causes)}")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    max_moves = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    root = pathlib.Path(__file__).resolve().parents[2]
    lab = pathlib.Path(os.environ.get("ALESIA_BIN_DIR", root / "target/release")) / "alesia-lab"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="alesia-tournament-"))
    players = [Player(number) for number in range(count)]
    cup = folder / "cup.toml"
    head = f'title = "Plain clients"\ngame = "loa"\ndraw = 1\nmax_moves = {max_moves}\n'
    head += '[each]\nst = 1\nwait = 20\n[host]\nbind = "127.0.0.1"\n'
    cup.write_text(head + "".join(player.entry() for player in players))
    path, all_games = folder / "cup/games.jsonl", count * (count - 1)

    def start():
        words, log = [lab, "tournament", "--host", cup], open(folder / "log.txt", "a")
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": log}
        return subprocess.Popen(words, text=True, **quiet)

    def played():
        return len(records(path))

    begin, server = time.time(), start()
    try:
        accidents = ["machine"] * KILLED_MACHINES + ["server"] * KILLED_SERVERS
        random.shuffle(accidents)
        for number, accident in enumerate(accidents, 1):
            while played() < all_games * number // (len(accidents) + 2):
                assert server.poll() is None, f"the server has ended; see {folder}/log.txt"
                time.sleep(0.05)
            if accident == "machine":
                player = random.choice(players)
                player.kills += 1
                player.kill()
                time.sleep(0.5)
                player.switch_on()
                print(f"{player.name} was killed and started again")
            else:
                server.send_signal(signal.SIGKILL)
                server.wait()
                before = records(path)
                server = start()
                time.sleep(0.5)
                assert records(path)[: len(before)] == before, "games were lost"
                print(f"the server was killed after {len(before)} games and started again")
        standings = server.communicate(timeout=600)[0]
        assert server.returncode == 0, f"the server has failed; see {folder}/log.txt"
    finally:
        server.kill()
        for player in players:
            player.kill()
    print(standings)
    check(records(path), players)
    print(f"{count} players, {time.time() - begin:.0f} s; {folder}/cup/standings.html")


if __name__ == "__main__":
    if sys.argv[1:2] == ["machine"]:
        machine(int(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
