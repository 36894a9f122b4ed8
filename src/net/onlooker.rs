//! What the server's lines say to one who sees them without reading them.
//!
//! The one idea: the [second process](super::stand_in) has the connection too, and may look at
//! bytes that the player has not been woken to read. From the position in which we moved last, the
//! opponent's move and `YOUR_TURN` give the position of our turn. Where anything else is said, the
//! player alone knows what it means.

use super::tournament::{ServerMessage, parse_move_line, read_move};
use crate::eval::MAX_SCORE;
use crate::game::{Game, GameState, Move, Score};
use crate::games::{AnyGame, AnyState};

/// A game as an onlooker knows it.
pub struct Onlooker {
    /// The last position that is known for certain; none after a move that is not understood.
    position: Option<AnyGame>,
    /// Whether the opponent's move comes next.
    we_moved: bool,
    /// The position after the opponent's move.
    answered: Option<AnyGame>,
}

impl Onlooker {
    /// At the start of a game, or at a turn of ours.
    pub fn new(position: Option<AnyGame>) -> Onlooker {
        Onlooker { position, we_moved: false, answered: None }
    }

    /// The position of our turn, if these lines of the server announce it: all that were not read
    /// yet, or those that came since they were seen last.
    pub fn see(&mut self, lines: &[u8]) -> Option<AnyGame> {
        let before = self.position?;
        let mut our_turn = false;
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            // The rest is still to come, or something comes after our turn.
            let line = line.strip_suffix(b"\n").filter(|_| !our_turn)?;
            match ServerMessage::parse(line.strip_suffix(b"\r").unwrap_or(line))? {
                ServerMessage::Welcome(_)
                | ServerMessage::Message(_)
                | ServerMessage::ValidMove => {}
                ServerMessage::OpponentMove(text) => {
                    self.answered = Some(before.after(read_move(&before, text).ok()?));
                }
                ServerMessage::YourTurn => our_turn = true,
                _ => return None,
            }
        }
        let position = self.answered.or_else(|| self.position.filter(|_| !self.we_moved));
        position.filter(|_| our_turn)
    }

    /// Our turn was answered with a line.
    pub fn we_sent(&mut self, line: &[u8]) {
        let position = self.answered.take().or(self.position);
        self.we_moved = true;
        self.position = position.and_then(|position| {
            let text = parse_move_line(line)?;
            Some(position.after(read_move(&position, text.as_bytes()).ok()?))
        });
    }
}

/// The best of some moves by the static evaluation after each; none if there are none.
pub fn at_a_glance(state: &AnyState, moves: &[Move]) -> Option<Move> {
    let for_opponent = |&&m: &&Move| {
        let after = state.after(m);
        let opponent = !state.position.side();
        match after.ending().map(|ending| ending.outcome.for_side(opponent)) {
            None => after.position.evaluate(),
            Some(Score::Win) => MAX_SCORE,
            Some(Score::Draw) => 0,
            Some(Score::Loss) => -MAX_SCORE,
        }
    };
    moves.iter().min_by_key(for_opponent).copied()
}

/// The same of all moves in a position whose game is not over.
pub fn best_at_a_glance(position: AnyGame) -> Option<Move> {
    let state = GameState::new(position);
    state.ending().is_none().then(|| at_a_glance(&state, &position.legal_moves())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Hadron;
    use crate::net::tournament::move_line;

    fn start() -> AnyGame {
        Hadron::start(5, 5).into()
    }

    fn after(moves: &[&str]) -> AnyGame {
        let play =
            |position: AnyGame, text: &&str| position.after(position.parse_move(text).unwrap());
        moves.iter().fold(start(), play)
    }

    /// One who knows that we have played A1.
    fn having_moved() -> Onlooker {
        let mut onlooker = Onlooker::new(Some(start()));
        onlooker.we_sent(&move_line("A1"));
        onlooker
    }

    #[test]
    fn our_turn_is_known_from_the_lines_before_it() {
        let all = b"VALID_MOVE\nMESSAGE well\nOPPONENT_MOVE e5\r\nYOUR_TURN\n";
        assert_eq!(having_moved().see(all), Some(after(&["A1", "E5"])));
        let mut white = Onlooker::new(Some(start()));
        assert_eq!(white.see(b"WELCOME White\nMESSAGE begin\nYOUR_TURN\n"), Some(start()));
        let mut black = Onlooker::new(Some(start()));
        assert_eq!(black.see(b"OPPONENT_MOVE E5\nYOUR_TURN\n"), Some(after(&["E5"])));
    }

    #[test]
    fn lines_may_be_seen_in_pieces_once_or_again() {
        let mut onlooker = having_moved();
        assert_eq!(onlooker.see(b"VALID_MOVE\nOPPONENT_MO"), None);
        assert_eq!(onlooker.see(b"VALID_MOVE\nOPPONENT_MOVE E5\n"), None);
        let turn = Some(after(&["A1", "E5"]));
        assert_eq!(onlooker.see(b"YOUR_TURN\n"), turn, "what came before was read meanwhile");
        assert_eq!(onlooker.see(b"OPPONENT_MOVE E5\nYOUR_TURN\n"), turn);
        onlooker.we_sent(&move_line("C3"));
        let next = Some(after(&["A1", "E5", "C3", "A5"]));
        assert_eq!(onlooker.see(b"OPPONENT_MOVE A5\nYOUR_TURN\n"), next);
    }

    #[test]
    fn what_is_not_a_plain_turn_is_left_to_the_player() {
        for lines in [
            "",
            "YOUR_TURN",
            "YOUR_TURN\n",
            "OPPONENT_MOVE E5\n",
            "ILLEGAL_MOVE\nYOUR_TURN\n",
            "TIMEOUT\nYOUR_TURN\n",
            "OPPONENT_MOVE E5\nVICTORY\n",
            "OPPONENT_MOVE E5\nYOUR_TURN\nDEFEAT\n",
            "OPPONENT_MOVE E5\nYOUR_TURN\nMESSAGE hurry\n",
            "OPPONENT_MOVE A1\nYOUR_TURN\n",
            "OPPONENT_MOVE\nYOUR_TURN\n",
            "what?\nOPPONENT_MOVE E5\nYOUR_TURN\n",
        ] {
            assert_eq!(having_moved().see(lines.as_bytes()), None, "{lines:?}");
        }
        let mut lost = having_moved();
        lost.we_sent(b"MOVE A1\n");
        assert_eq!(lost.see(b"OPPONENT_MOVE E5\nYOUR_TURN\n"), None, "our move was not understood");
    }

    #[test]
    fn a_move_at_a_glance_is_legal_and_there_while_the_game_lasts() {
        let mut position = start();
        while let Some(m) = best_at_a_glance(position) {
            assert!(position.legal_moves().contains(&m));
            position.play(m);
        }
        assert!(GameState::new(position).ending().is_some());
    }
}
