#!/usr/bin/env python3
"""Whole games of `alesia uci` against itself, driven and refereed by python-chess.

    pip install chess
    cargo build --release
    tools/checks/uci.py [target/release/alesia]

python-chess has rules of its own: it refuses illegal moves and decides when a game is over. Chess, and
the variant that both programs know alike.
"""

import sys
import time

import chess
import chess.engine
import chess.variant

# The variant of `UCI_Variant`, the board of python-chess, and the engines of White and Black. In
# racing kings python-chess lets Black answer, so it is left out.
GAMES = [
    ("chess", chess.Board, ("mcts", "alphabeta")),
    ("chess", chess.Board, ("alphabeta", "mcts")),
    ("kingofthehill", chess.variant.KingOfTheHillBoard, ("mcts", "alphabeta")),
    ("kingofthehill", chess.variant.KingOfTheHillBoard, ("alphabeta", "mcts")),
]

# Seconds on each clock, and for each move.
CLOCK, INCREMENT = 10.0, 0.1
MAX_PLIES = 400


def start(program, engine):
    """A player that speaks UCI."""
    player = chess.engine.SimpleEngine.popen_uci([program, "uci", "--engine", engine])
    player.configure({"Threads": 1, "Hash": 64, "MoveOverhead": 100})
    return player


def play(program, variant, board, engines):
    """Plays a game; returns a line about it."""
    players = [start(program, engine) for engine in engines]
    clocks = [CLOCK, CLOCK]
    ponders = 0
    try:
        while not board.is_game_over(claim_draw=True) and board.ply() < MAX_PLIES:
            turn = 0 if board.turn == chess.WHITE else 1
            limit = chess.engine.Limit(
                white_clock=clocks[0],
                black_clock=clocks[1],
                white_inc=INCREMENT,
                black_inc=INCREMENT,
            )
            # The tree search also thinks in the opponent's time.
            ponder = engines[turn] == "mcts"
            begun = time.monotonic()
            result = players[turn].play(
                board, limit, info=chess.engine.INFO_ALL, ponder=ponder
            )
            clocks[turn] += INCREMENT - (time.monotonic() - begun)
            assert clocks[turn] > 0, f"{engines[turn]} loses on time in {board.fen()}"
            assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
            assert "score" in result.info and result.info["pv"][0] == result.move, result.info
            ponders += result.ponder is not None
            board.push(result.move)
    finally:
        for player in players:
            player.quit()
    outcome = board.outcome(claim_draw=True)
    reason = outcome.termination.name.lower() if outcome else "stopped"
    left = f"{min(clocks):.1f} s left at the least"
    white, black = engines
    return (
        f"{variant}: {white} against {black}, {board.ply()} plies, "
        f"{board.result(claim_draw=True)} ({reason}); {ponders} replies expected, {left}"
    )


def main():
    """Plays all games."""
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/alesia"
    for variant, board, engines in GAMES:
        print(play(program, variant, board(), engines), flush=True)


if __name__ == "__main__":
    main()
