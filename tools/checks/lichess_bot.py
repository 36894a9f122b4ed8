"""lichess-bot's own test of a UCI engine, with `alesia`: whole games through its engine wrapper and
its imitation of the server. Run by suites.sh in a checkout of lichess-bot, with PROGRAM.

Its opponent plays four moves from a list, which a program of theirs answers with mate. Here the
opponent plays at random, and must be mated.
"""

import collections
import logging
import os
import random
import types
from pathlib import Path

import chess
import pytest
import yaml
from test_bot import test_bot as suite

CHANCE = random.Random(1)


class RandomOpponent(chess.Board):
    """A board that reads every text as a legal move at random."""

    def parse_uci(self, uci):
        """A legal move."""
        return CHANCE.choice(list(self.legal_moves))


@pytest.mark.parametrize("engine", ["mcts", "alphabeta"])
def test_uci(engine, tmp_path, monkeypatch):
    """A game as Black, with pondering."""
    words = {"Board": RandomOpponent, "WHITE": chess.WHITE, "BLACK": chess.BLACK}
    monkeypatch.setattr(suite, "chess", types.SimpleNamespace(**words))
    monkeypatch.setattr(suite, "scholars_mate", collections.defaultdict(str))
    program = tmp_path / "alesia-uci"
    program.symlink_to(os.environ["PROGRAM"])
    config = yaml.safe_load(Path("config.yml.default").read_text(encoding="utf-8"))
    config["token"] = ""
    config["engine"]["dir"] = str(tmp_path)
    config["engine"]["name"] = program.name
    config["engine"]["ponder"] = True
    config["engine"]["uci_options"] = {"Engine": engine, "Threads": 1, "Hash": 64}
    config["pgn_directory"] = str(tmp_path / "records")
    assert suite.run_bot(config, logging.DEBUG), "the opponent was not mated"
