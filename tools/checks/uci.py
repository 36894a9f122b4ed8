#!/usr/bin/env python3
"""Whole games of `alesia uci` against itself, driven and refereed by python-chess, and positions that
python-chess has analysed.

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


def analyse(program, engine):
    """Asks for several lines, for some moves, and for a level; returns a line about it."""
    player = start(program, engine)
    board = chess.Board()
    limit = chess.engine.Limit(nodes=20_000)
    try:
        lines = player.analyse(board, limit, multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3], lines
        firsts = [line["pv"][0] for line in lines]
        assert len(set(firsts)) == 3, firsts
        for line in lines:
            after = board.copy()
            for move in line["pv"]:
                assert move in after.legal_moves, f"{move} in {after.fen()}"
                after.push(move)
        assert "multipv" not in player.analyse(board, limit), "one line again"
        chosen = [board.parse_san(move) for move in ("a3", "h3")]
        assert player.play(board, limit, root_moves=chosen).move in chosen
        others = [move for move in board.legal_moves if move != firsts[0]]
        info = player.analyse(board, limit, root_moves=others, multipv=2)
        assert len(info) == 2 and all(line["pv"][0] in others for line in info), info
        mate = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
        proven = player.analyse(mate, limit, multipv=3)[0]
        assert mate.san(proven["pv"][0]) == "Qxf7#" and proven["score"].relative.mate() == 1
        player.configure({"Skill Level": 1})
        assert player.play(board, limit, info=chess.engine.INFO_ALL).info["nodes"] <= 25
    finally:
        player.quit()
    return f"chess: {engine} gives {len(lines)} lines, plays chosen moves, and weakens"


def main():
    """Analyses, and plays all games."""
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/alesia"
    for engine in ("mcts", "alphabeta"):
        print(analyse(program, engine), flush=True)
    for variant, board, engines in GAMES:
        print(play(program, variant, board(), engines), flush=True)


if __name__ == "__main__":
    main()
