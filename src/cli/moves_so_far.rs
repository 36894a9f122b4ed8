//! The moves of a game so far, for a person who continues it by hand.
//!
//! The one idea: a game may be interrupted at any moment, so its moves are recorded where another
//! thread can read them; everything else that is shown follows from them. Recording a move needs
//! no allocation and almost no time, so the thread that plays against the clock may do it.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use alesia::game::screen;
use alesia::game::{Ending, Game, GameState, MAX_PLIES, Move, Side};
use alesia::games::{AnyGame, AnyState};
use alesia::net::client::{Answer, ClientEvent, Player, SoFar};
use alesia::net::tournament::{MoveText, move_text};
use arrayvec::ArrayVec;
use parking_lot::Mutex;

use super::by_hand::{ByHand, Sides};

/// A game that can be read while it is played.
pub struct LiveRecord {
    /// The command that continues it, sides and moves not set yet.
    command: ByHand,
    /// Whether all moves are made here, so that a game that is over has nothing left to be done.
    here: bool,
    noted: Mutex<Noted>,
}

/// The part that changes.
#[derive(Clone)]
struct Noted {
    /// The position before the moves.
    start: AnyGame,
    /// Whether `start` is not the position where the game began.
    restarted: bool,
    moves: ArrayVec<MoveText, MAX_PLIES>,
    /// A move of ours that is chosen, perhaps sent, and not among the moves yet.
    chosen: Option<Move>,
    /// The sides that are played by hand when the game is continued; none while ours is not known.
    by_hand: Option<Sides>,
}

impl Noted {
    fn replay(&self) -> AnyState {
        let mut state = GameState::new(self.start);
        for text in &self.moves {
            // Only legal moves are recorded.
            let Ok(m) = state.position.parse_move(text) else { break };
            state.play(m);
        }
        state
    }
}

impl LiveRecord {
    /// An empty record. `command` is the command that plays this game by hand.
    pub fn new(start: AnyGame, command: ByHand) -> LiveRecord {
        let moves = ArrayVec::new();
        let noted = Noted { start, restarted: false, moves, chosen: None, by_hand: None };
        LiveRecord { command, here: false, noted: Mutex::new(noted) }
    }

    /// The same for a game without a connection.
    pub fn played_here(self) -> LiveRecord {
        LiveRecord { here: true, ..self }
    }

    /// Records which sides a person would play.
    pub fn by_hand(&self, sides: Sides) {
        self.noted.lock().by_hand = Some(sides);
    }

    /// Records our side: a person would enter the moves of the other.
    pub fn we_are(&self, side: Side) {
        self.by_hand(Sides::only(!side));
    }

    /// Records a move of ours before it is sent: from now on the opponent may know it.
    fn chosen(&self, m: Move) {
        self.noted.lock().chosen = Some(m);
    }

    /// Records a move that has been played.
    pub fn moved(&self, text: MoveText) {
        let mut noted = self.noted.lock();
        noted.chosen = None;
        // No game is longer.
        let _ = noted.moves.try_push(text);
    }

    /// Records a move that has led to a position. Moves that it has replaced are gone; where one is
    /// missing that our rules do not know, the record begins anew.
    fn moved_to(&self, text: MoveText, position: &AnyGame) {
        let before = (position.ply() - 1).checked_sub(self.noted.lock().start.ply());
        match before {
            Some(before) if before <= self.moves().len() => {
                self.truncate(before);
                self.moved(text);
            }
            _ => self.follow(position),
        }
    }

    /// Makes the record match the position of the game: moves beyond it were refused; a missing
    /// move was one that our rules do not know.
    fn follow(&self, position: &AnyGame) {
        let mut noted = self.noted.lock();
        noted.chosen = None;
        let plies = position.ply().checked_sub(noted.start.ply());
        match plies {
            Some(plies) if plies <= noted.moves.len() => noted.moves.truncate(plies),
            _ => {
                noted.start = *position;
                noted.restarted = true;
                noted.moves.clear();
            }
        }
    }

    /// Takes back all moves but the first `count`.
    pub fn truncate(&self, count: usize) {
        self.noted.lock().moves.truncate(count);
    }

    /// The moves, in the game's notation.
    pub fn moves(&self) -> ArrayVec<MoveText, MAX_PLIES> {
        self.noted.lock().moves.clone()
    }

    /// The game after the moves, with its history.
    pub fn state(&self) -> AnyState {
        self.noted.lock().replay()
    }

    /// The position before the last move, if there is a move.
    pub fn before_last_move(&self) -> Option<AnyGame> {
        let mut noted = self.noted.lock().clone();
        noted.moves.pop()?;
        Some(noted.replay().position)
    }

    /// The lines with all that is needed to continue by hand, after a blank one; a game that was
    /// played here and is over needs nothing.
    pub fn lines(&self) -> String {
        self.lines_of(self.noted.lock().clone())
    }

    /// The lines of a game with this end, after a blank one.
    pub fn lines_at_end(&self, ending: Ending) -> String {
        let noted = self.noted.lock().clone();
        at_end(&noted.replay().position, &noted.moves, ending)
    }

    /// The same for the last time: a thread that records something later waits for ever, so that
    /// no move is sent that is not among these.
    pub fn last_lines(&self) -> String {
        let noted = self.noted.lock();
        let last = noted.clone();
        std::mem::forget(noted);
        self.lines_of(last)
    }

    fn lines_of(&self, noted: Noted) -> String {
        let mut state = noted.replay();
        if let Some(ending) = state.ending().filter(|_| self.here) {
            return at_end(&state.position, &noted.moves, ending);
        }
        let Noted { start, restarted, mut moves, chosen, by_hand } = noted;
        if let Some(m) = chosen
            && moves.try_push(move_text(&state.position, m)).is_ok()
        {
            state.play(m);
        }
        let mut lines = format!("\n{}board: {}\n", screen::board(&state.position), state.position);
        // Writing to a string cannot fail.
        let _ = self.write_turn(&mut lines, &state, &moves, by_hand);
        let mut command = self.command.clone();
        command.position.moves = moves.join(" ");
        if restarted {
            command.position.position = Some(start.to_string());
        }
        let _ = writeln!(lines, "{}", moves_line(&moves));
        match by_hand {
            Some(sides) => {
                command.side = sides;
                let _ = writeln!(lines, "continue by hand: {command}");
            }
            None => {
                for ours in [Side::White, Side::Black] {
                    command.side = Sides::only(!ours);
                    let _ = writeln!(lines, "continue by hand as {ours}: {command}");
                }
            }
        }
        lines
    }

    /// The side to move, our side, and the last move.
    fn write_turn(
        &self,
        lines: &mut String,
        state: &AnyState,
        moves: &[MoveText],
        by_hand: Option<Sides>,
    ) -> std::fmt::Result {
        let to_move = state.position.side();
        match state.ending() {
            Some(ending) => write!(lines, "over: {ending}")?,
            None => write!(lines, "to move: {to_move}")?,
        }
        let ours = by_hand.map(Sides::engine_side);
        match ours {
            Some(Some(ours)) => writeln!(lines, "; Alesia plays {ours}")?,
            Some(None) => writeln!(lines)?,
            None => writeln!(lines, "; the server has not named our side yet")?,
        }
        if let Some(last) = moves.last() {
            let arrived = match ours.flatten() == Some(!to_move) {
                true => " (ours): check that the opponent received it",
                false => "",
            };
            writeln!(lines, "last move: {} {} {last}{arrived}", moves.len(), !to_move)?;
        }
        Ok(())
    }
}

/// Board, end and moves of a game that is over, after a blank line.
fn at_end(position: &AnyGame, moves: &[MoveText], ending: Ending) -> String {
    let board = screen::board(position);
    format!("\n{board}board: {position}\nover: {ending}\n{}\n", moves_line(moves))
}

/// A player whose game is recorded, its own moves before they are sent.
pub struct Recorded<P> {
    player: P,
    record: Arc<LiveRecord>,
}

impl<P: Player> Recorded<P> {
    /// A player whose moves go to that record.
    pub fn new(player: P, record: &Arc<LiveRecord>) -> Recorded<P> {
        Recorded { player, record: record.clone() }
    }
}

impl<P: Player> Player for Recorded<P> {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        self.record.follow(&state.position);
        let answer = self.player.choose(state, received);
        self.record.chosen(answer.m);
        answer
    }

    fn choose_watched(&mut self, state: &AnyState, received: Instant, so_far: SoFar) -> Answer {
        self.record.follow(&state.position);
        let answer = self.player.choose_watched(state, received, so_far);
        self.record.chosen(answer.m);
        answer
    }

    fn instead(&mut self, state: &AnyState, moves: &[Move]) -> Move {
        let best = self.player.instead(state, moves);
        self.record.chosen(best);
        best
    }

    fn event(&mut self, event: &ClientEvent<'_>) {
        self.player.event(event);
        match *event {
            ClientEvent::Welcome { side, .. } => self.record.we_are(side),
            ClientEvent::Moved { side, text, thinking, state, .. } => {
                // A server may never have named our side.
                self.record.we_are(if thinking.is_some() { side } else { !side });
                self.record.moved_to(text, &state.position);
            }
            ClientEvent::Connected(_) | ClientEvent::Message(_) | ClientEvent::Ended(_) => {}
        }
    }
}

/// The moves as `--moves` accepts them.
pub fn moves_line(moves: &[MoveText]) -> String {
    let separator = if moves.is_empty() { "" } else { " " };
    format!("moves:{separator}{}", moves.join(" "))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use alesia::games::Hadron;

    use super::*;
    use crate::cli::by_hand::program;
    use crate::cli::by_hand::tests::by_hand;

    fn record() -> LiveRecord {
        LiveRecord::new(AnyGame::from(Hadron::start(3, 3)), by_hand("--game hadron3 --seed 7"))
    }

    fn note(record: &LiveRecord, moves: &str) {
        moves.split(' ').for_each(|text| record.moved(MoveText::from(text).unwrap()));
    }

    #[test]
    fn a_game_between_two_moves() {
        let record = record();
        record.we_are(Side::White);
        note(&record, "B1 A3");
        let expected = "
  A . . b
  B w . .
  C . . .
    1 2 3
board: ..b/w../... w 2
to move: White; Alesia plays White
last move: 2 Black A3
moves: B1 A3
continue by hand: alesia manual --game hadron3 --side black --seed 7 --moves \"B1 A3\"
";
        assert_eq!(record.lines().replace(&program(), "alesia"), expected);
    }

    #[test]
    fn a_move_on_its_way_counts_and_is_marked() {
        let record = record();
        record.we_are(Side::White);
        note(&record, "B1 A3");
        record.chosen(record.state().position.parse_move("C2").unwrap());
        let lines = record.lines();
        let last = "last move: 3 White C2 (ours): check that the opponent received it\n";
        assert!(lines.contains(last), "{lines}");
        assert!(lines.contains("\nover: White (no legal move); Alesia plays White\n"), "{lines}");
        assert!(lines.contains("\nmoves: B1 A3 C2\n"), "{lines}");
        note(&record, "C2");
        assert_eq!(record.lines(), lines, "counted once");
    }

    #[test]
    fn a_game_played_here_that_is_over_is_not_continued() {
        let record = record().played_here();
        record.we_are(Side::White);
        note(&record, "B1 A3");
        assert!(record.lines().contains("\ncontinue by hand: "));
        note(&record, "C2");
        let lines = record.lines();
        let end = "\nover: White (no legal move)\nmoves: B1 A3 C2\n";
        assert!(lines.ends_with(end), "{lines}");
        assert!(!lines.contains("check that") && !lines.contains("continue"), "{lines}");
    }

    #[test]
    fn after_the_last_lines_no_move_gets_through() {
        let (record, (sender, sent)) = (Arc::new(record()), channel());
        let lines = record.lines();
        let m = record.state().position.parse_move("B1").unwrap();
        assert_eq!(record.last_lines(), lines);
        let late = record.clone();
        thread::spawn(move || {
            late.chosen(m);
            sender.send(m)
        });
        assert!(sent.recv_timeout(Duration::from_millis(200)).is_err());
    }

    #[test]
    fn while_our_side_is_not_known_either_can_be_continued() {
        let lines = record().lines();
        assert!(lines.contains("; the server has not named our side yet\nmoves:\n"));
        for (ours, side) in [("White", "black"), ("Black", "white")] {
            let line = format!("continue by hand as {ours}: ");
            let line = lines.lines().find(|found| found.starts_with(&line)).unwrap();
            assert!(line.ends_with(&format!(" manual --game hadron3 --side {side} --seed 7")));
        }
    }

    #[test]
    fn a_game_that_continued_otherwise_is_followed() {
        let record = record();
        record.we_are(Side::White);
        note(&record, "B1 A3 C2");
        let mut refused = GameState::new(AnyGame::from(Hadron::start(3, 3)));
        refused.play_text("B1 A3").unwrap();
        record.follow(&refused.position);
        assert_eq!(record.moves().join(" "), "B1 A3", "our last move was refused");
        let other = AnyGame::from(Hadron::start(3, 3)).parse_board(".bb/w../.w. w 4").unwrap();
        record.follow(&other);
        let lines = record.lines();
        assert!(lines.contains("\nto move: White; Alesia plays White\nmoves:\n"), "{lines}");
        assert!(lines.contains("--position \".bb/w../.w. w 4\""), "{lines}");
    }

    #[test]
    fn a_move_that_replaces_another_stands_in_its_place() {
        let record = record();
        record.we_are(Side::White);
        note(&record, "B1 A3");
        let after = |moves: &str| {
            let mut state = GameState::new(AnyGame::from(Hadron::start(3, 3)));
            state.play_text(moves).unwrap();
            state.position
        };
        record.moved_to(MoveText::from("C2").unwrap(), &after("B1 C2"));
        assert_eq!(record.moves().join(" "), "B1 C2");
        record.moved_to(MoveText::from("A2").unwrap(), &after("A2"));
        assert_eq!(record.moves().join(" "), "A2");
        // The opponent's move is missing.
        let other = AnyGame::from(Hadron::start(3, 3)).parse_board(".bb/w../.w. w 4").unwrap();
        record.moved_to(MoveText::from("C2").unwrap(), &other);
        assert_eq!(record.moves().join(" "), "");
        assert_eq!(record.state().position, other);
    }

    #[test]
    fn moves_taken_back_are_gone() {
        let record = record();
        assert_eq!(record.before_last_move(), None);
        note(&record, "B1 A3 C2");
        assert_eq!(record.before_last_move().unwrap().ply(), 2);
        record.truncate(1);
        assert_eq!(record.moves().join(" "), "B1");
        assert_eq!(record.state().position.ply(), 1);
    }
}
