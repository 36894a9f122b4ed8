//! The judge without network or clock: what came when is written down, to the nanosecond.

use super::*;
use crate::game::chance::Chance;
use crate::games::{AnyGame, Hadron, Loa, Murus};

const MOVE_TIME: Duration = Duration::from_millis(1000);

const TERMS: RefereeOptions = RefereeOptions {
    move_time: MOVE_TIME,
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::from_secs(30),
    moves_per_player: None,
};

/// A clerk that records everything. Its clock stands still unless the test moves it.
struct Notes {
    now: Instant,
    sent: [Vec<String>; 2],
    events: Vec<GameEvent>,
}

impl Clerk for Notes {
    fn send(&mut self, to: Side, message: ServerMessage) -> Instant {
        let line = String::from_utf8(message.to_line().to_vec()).unwrap();
        self.sent[to as usize].push(line.trim_end().to_owned());
        self.now
    }

    fn pass_on(&mut self, to: Side, bytes: &[u8]) {
        self.sent[to as usize].push(format!("passed on: {}", quoted_bytes(bytes)));
    }

    fn report(&mut self, event: GameEvent) {
        self.events.push(event);
    }
}

/// A judge and its clerk.
struct Trial {
    judge: Judge,
    notes: Notes,
}

impl Trial {
    /// Both players are there.
    fn new(start: AnyGame, terms: RefereeOptions) -> Trial {
        let now = Instant::now();
        let mut notes = Notes { now, sent: Default::default(), events: Vec::new() };
        let judge = Judge::new(start, terms, now, &mut notes);
        Trial { judge, notes }
    }

    /// White has been given its turn, and what was sent until then is forgotten.
    fn opened(start: AnyGame, terms: RefereeOptions) -> Trial {
        let mut trial = Trial::new(start, terms);
        trial.wait();
        trial.notes.sent = Default::default();
        trial
    }

    /// Time passes until the judge has asked to be woken.
    fn wait(&mut self) {
        self.notes.now = self.judge.wakes_at().unwrap();
        self.judge.time_passed(&mut self.notes);
    }

    /// So much time passes.
    fn pass(&mut self, time: Duration) {
        self.notes.now += time;
    }

    fn input(&mut self, side: Side, at: Instant, input: Input) {
        self.judge.arrived(Arrival { side, at, input }, &mut self.notes);
    }

    /// A line comes in, and is judged at once.
    fn line(&mut self, side: Side, line: &str) {
        self.input(side, self.notes.now, Input::Line(line.into()));
    }

    fn result(&self) -> String {
        self.judge.result().map_or("none".to_owned(), |result| result.to_string())
    }

    /// What was sent to a player since the last look.
    fn told(&mut self, side: Side) -> Vec<String> {
        std::mem::take(&mut self.notes.sent[side as usize])
    }
}

use Side::{Black, White};

#[test]
fn white_is_given_its_turn_after_the_warm_up() {
    let mut trial = Trial::new(AnyGame::from(Murus::start()), TERMS);
    assert_eq!(trial.told(White), ["MESSAGE all players connected"]);
    assert_eq!(trial.told(Black), ["MESSAGE all players connected"]);
    assert_eq!(trial.judge.wakes_at(), Some(trial.notes.now + TERMS.warm_up));
    trial.wait();
    assert_eq!(trial.told(White), ["YOUR_TURN"]);
    assert!(trial.told(Black).is_empty());
}

#[test]
fn the_last_nanosecond_is_in_time_and_the_next_is_late() {
    let mut trial = Trial::opened(AnyGame::from(Murus::start()), TERMS);
    trial.pass(MOVE_TIME);
    trial.line(White, "MOVE G4,NE");
    assert_eq!(trial.told(White), ["VALID_MOVE"]);
    assert_eq!(trial.told(Black), ["OPPONENT_MOVE G4,NE", "YOUR_TURN"]);
    trial.pass(MOVE_TIME + Duration::from_nanos(1));
    trial.line(Black, "MOVE A1,S");
    assert_eq!(trial.result(), "White (Black exceeded the move time (1001 ms of 1000))");
    assert_eq!(trial.told(Black), ["TIMEOUT", "DEFEAT"]);
    let reason = "MESSAGE Black exceeded the move time (1001 ms of 1000)";
    assert_eq!(trial.told(White), [reason, "VICTORY"]);
}

#[test]
fn the_tolerance_of_a_side_is_added_to_its_move_time() {
    let tolerance = [90, 20].map(Duration::from_millis);
    let mut trial =
        Trial::opened(AnyGame::from(Murus::start()), RefereeOptions { tolerance, ..TERMS });
    trial.pass(MOVE_TIME + tolerance[0]);
    trial.line(White, "MOVE G4,NE");
    assert_eq!(trial.result(), "none");
    trial.pass(MOVE_TIME + tolerance[1] + Duration::from_nanos(1));
    trial.line(Black, "MOVE A1,S");
    assert_eq!(trial.result(), "White (Black exceeded the move time (1021 ms of 1000))");
}

#[test]
fn a_game_without_draws_goes_on_beyond_the_limit_of_moves() {
    let options = RefereeOptions { moves_per_player: Some(1), ..TERMS };
    let mut trial = Trial::opened(AnyGame::from(Hadron::start(2, 2)), options);
    for (side, line) in [(White, "A2"), (Black, "B1"), (White, "A1"), (Black, "B2")] {
        assert_eq!(trial.result(), "none");
        trial.line(side, &format!("MOVE {line}"));
    }
    assert_eq!(trial.result(), "Black (no legal move)");
}

#[test]
fn a_line_counts_from_its_stamp_however_late_it_is_judged() {
    let mut trial = Trial::opened(AnyGame::from(Murus::start()), TERMS);
    let stamp = trial.notes.now + Duration::from_millis(990);
    trial.pass(Duration::from_secs(3));
    trial.input(White, stamp, Input::Line(b"MOVE G4,NE".to_vec()));
    assert_eq!(trial.told(White), ["VALID_MOVE"]);
    // The opponent's time begins when it is notified, not when the line came.
    trial.pass(Duration::from_millis(10));
    trial.line(Black, "MOVE A1,S");
    let GameEvent::Moved { elapsed, .. } = trial.notes.events[1] else { panic!() };
    assert_eq!(elapsed, Duration::from_millis(990));
    let GameEvent::Moved { elapsed, .. } = trial.notes.events[2] else { panic!() };
    assert_eq!(elapsed, Duration::from_millis(10));
}

#[test]
fn no_move_at_all_is_late_soon_after_the_time() {
    let mut trial = Trial::opened(AnyGame::from(Murus::start()), TERMS);
    let begin = trial.notes.now;
    trial.wait();
    let waited = trial.notes.now - begin;
    assert!(waited > MOVE_TIME && waited < MOVE_TIME + Duration::from_millis(100));
    assert_eq!(trial.result(), "Black (White exceeded the move time (no move in 1000 ms))");
    assert_eq!(trial.told(White), ["TIMEOUT", "DEFEAT"]);
    assert_eq!(trial.judge.wakes_at(), None);
}

#[test]
fn times_beyond_the_clock_mean_for_ever() {
    let (move_time, tolerance) = (Duration::MAX, [Duration::MAX; 2]);
    let mut trial = Trial::opened(
        AnyGame::from(Murus::start()),
        RefereeOptions { move_time, tolerance, ..TERMS },
    );
    assert_eq!(trial.judge.wakes_at(), None);
    trial.line(White, "MOVE G4,NE");
    assert_eq!(trial.told(White), ["VALID_MOVE"]);
    let warm_up = Duration::MAX;
    let trial = Trial::new(AnyGame::from(Murus::start()), RefereeOptions { warm_up, ..TERMS });
    assert_eq!(trial.judge.wakes_at(), None);
}

#[test]
fn an_early_line_is_the_next_turns_move_and_costs_no_time() {
    let mut trial = Trial::opened(AnyGame::from(Hadron::start(3, 3)), TERMS);
    trial.line(White, "MOVE B1");
    trial.line(White, "MOVE C2");
    assert_eq!(trial.told(White), ["VALID_MOVE"]);
    trial.pass(MOVE_TIME);
    trial.line(Black, "MOVE A3");
    assert_eq!(trial.told(White), ["OPPONENT_MOVE A3", "YOUR_TURN", "VALID_MOVE", "VICTORY"]);
    assert_eq!(trial.result(), "White (no legal move)");
    let slowest = trial.judge.result().unwrap().slowest;
    assert_eq!(slowest, [Duration::ZERO, MOVE_TIME]);
}

#[test]
fn lines_of_both_players_during_the_warm_up_play_the_game_at_once() {
    let mut trial = Trial::new(AnyGame::from(Hadron::start(3, 3)), TERMS);
    for (side, line) in [(White, "MOVE B1"), (White, "MOVE C2"), (Black, "MOVE A3")] {
        trial.line(side, line);
    }
    assert_eq!(trial.result(), "none");
    trial.wait();
    assert_eq!(trial.result(), "White (no legal move)");
}

#[test]
fn an_early_line_that_is_no_move_loses_only_when_its_turn_comes() {
    let mut trial = Trial::opened(AnyGame::from(Hadron::start(3, 3)), TERMS);
    trial.line(Black, "hello");
    assert_eq!(trial.result(), "none");
    trial.line(White, "MOVE B1");
    assert_eq!(trial.result(), "White (Black sent a line without a move: `hello`)");
    assert_eq!(trial.told(Black), ["OPPONENT_MOVE B1", "YOUR_TURN", "ILLEGAL_MOVE", "DEFEAT"]);
}

#[test]
fn eight_early_lines_are_kept_and_the_ninth_loses() {
    let mut trial = Trial::opened(AnyGame::from(Murus::start()), TERMS);
    for _ in 0..MAX_EARLY_LINES {
        trial.line(Black, "MOVE A1,S");
    }
    assert_eq!(trial.result(), "none");
    trial.input(Black, trial.notes.now, Input::TooLong);
    assert_eq!(trial.result(), "White (Black sent more than 8 lines out of turn)");
    assert_eq!(trial.told(Black), ["MESSAGE Black sent more than 8 lines out of turn", "DEFEAT"]);
}

#[test]
fn a_disconnection_wins_for_the_other_even_in_the_warm_up() {
    let mut trial = Trial::new(AnyGame::from(Murus::start()), TERMS);
    trial.input(Black, trial.notes.now, Input::Closed);
    assert_eq!(trial.result(), "White (Black disconnected)");
    assert_eq!(
        trial.told(White),
        ["MESSAGE all players connected", "MESSAGE Black disconnected", "VICTORY"]
    );
    assert_eq!(trial.told(Black), ["MESSAGE all players connected"]);
}

#[test]
fn who_leaves_after_its_time_has_lost_on_time() {
    let end = |late, side| {
        let mut trial = Trial::opened(AnyGame::from(Murus::start()), TERMS);
        trial.pass(MOVE_TIME + late);
        trial.input(side, trial.notes.now, Input::Closed);
        trial.result()
    };
    let just = Duration::from_nanos(1);
    assert_eq!(end(Duration::ZERO, White), "Black (White disconnected)");
    assert_eq!(end(just, White), "Black (White exceeded the move time (no move in 1000 ms))");
    assert_eq!(end(just, Black), "White (Black disconnected)", "it was not its turn");
}

#[test]
fn after_the_end_nothing_more_is_said() {
    let mut trial = Trial::opened(AnyGame::from(Murus::start()), TERMS);
    trial.line(White, "MOVE G4,X");
    assert_eq!(trial.result(), "Black (White made an illegal move: `G4,X`)");
    assert_eq!(trial.told(White), ["ILLEGAL_MOVE", "DEFEAT"]);
    trial.told(Black);
    let events = trial.notes.events.len();
    trial.line(Black, "MOVE A1,S");
    trial.input(White, trial.notes.now, Input::Closed);
    trial.judge.time_passed(&mut trial.notes);
    assert_eq!(trial.result(), "Black (White made an illegal move: `G4,X`)");
    assert!(trial.told(White).is_empty() && trial.told(Black).is_empty());
    assert_eq!(trial.notes.events.len(), events);
}

#[test]
fn the_move_limit_is_a_tie_unless_the_last_move_decides() {
    let limit = |moves| RefereeOptions { moves_per_player: Some(moves), ..TERMS };
    let mut trial = Trial::opened(AnyGame::from(Murus::start()), limit(1));
    trial.line(White, "MOVE G4,NE");
    trial.line(Black, "MOVE A1,S");
    assert_eq!(trial.result(), "tie (move limit)");
    assert_eq!(trial.told(White), ["VALID_MOVE", "OPPONENT_MOVE A1,S", "TIE"]);
    assert_eq!(trial.told(Black), ["OPPONENT_MOVE G4,NE", "YOUR_TURN", "VALID_MOVE", "TIE"]);

    let mut trial = Trial::opened(AnyGame::from(Hadron::start(2, 3)), limit(1));
    trial.line(White, "MOVE A1");
    trial.line(Black, "MOVE B3");
    assert_eq!(trial.result(), "Black (no legal move)");
}

#[test]
fn a_position_that_is_already_over_is_announced_and_not_played() {
    let over = AnyGame::from(Murus::start())
        .parse_board("W......./......../......../......../......../......../........ b 1")
        .unwrap();
    let mut trial = Trial::new(over, TERMS);
    trial.wait();
    assert_eq!(trial.result(), "White (home row reached)");
    assert_eq!(trial.told(White), ["MESSAGE all players connected", "VICTORY"]);
    assert_eq!(trial.told(Black), ["MESSAGE all players connected", "DEFEAT"]);
}

#[test]
fn thousands_of_games_with_faults_all_end_with_one_result() {
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut trial = Trial::new(AnyGame::from(Hadron::start(4, 5)), TERMS);
        let mut gone = [false; 2];
        while trial.judge.result().is_none() {
            let side = if rng.bool() { White } else { Black };
            trial.pass(Duration::from_millis(rng.u64(..60)));
            if trial.judge.wakes_at().is_some_and(|wake| wake <= trial.notes.now) {
                trial.judge.time_passed(&mut trial.notes);
                continue;
            }
            match rng.u32(..200) {
                0 => trial.line(side, "MOVE"),
                1 => trial.input(side, trial.notes.now, Input::TooLong),
                2 => {
                    gone[side as usize] = true;
                    trial.input(side, trial.notes.now, Input::Closed);
                }
                3..=10 => trial.wait(),
                _ => {
                    let position = trial.judge.state.position;
                    let legal = position.legal_moves();
                    let m = tournament::move_text(&position, legal[rng.index(..legal.len())]);
                    trial.line(side, &format!("MOVE {m}"));
                }
            }
        }
        let result = trial.judge.result().unwrap().clone();
        let (outcome, reason) = (result.outcome, result.reason.clone());
        assert_eq!(trial.notes.events.last(), Some(&GameEvent::Ended { outcome, reason }));
        for side in [White, Black] {
            let told = trial.told(side);
            let results: Vec<&String> =
                told.iter().filter(|l| ["VICTORY", "DEFEAT", "TIE"].contains(&&l[..])).collect();
            if gone[side as usize] {
                assert!(results.is_empty(), "seed {seed}: {told:?}");
                continue;
            }
            let expected = if result.outcome == Outcome::Win(side) { "VICTORY" } else { "DEFEAT" };
            assert_eq!(results, [expected], "seed {seed}: {told:?}");
            assert_eq!(told.last().unwrap(), expected, "seed {seed}");
        }
    }
}

/// White speaks the relay protocol, Black that of the tournament.
fn relayed() -> Trial {
    let mut trial = Trial::new(AnyGame::from(Loa::start(Default::default())), TERMS);
    trial.judge = trial.judge.with_wires([Wire::Relay, Wire::Tournament]);
    trial.wait();
    trial.notes.sent = Default::default();
    trial
}

fn message(trial: &mut Trial, side: Side, bytes: &[u8]) {
    trial.input(side, trial.notes.now, Input::Message(bytes.to_vec()));
}

#[test]
fn the_first_move_of_the_relay_protocol_has_two_seconds() {
    let mut trial = relayed();
    trial.pass(2 * MOVE_TIME);
    message(&mut trial, White, b"B1-B3\n");
    assert_eq!(trial.notes.sent[Black as usize], ["OPPONENT_MOVE B1-B3", "YOUR_TURN"]);
    trial.line(Black, "MOVE A2-C2");
    trial.pass(MOVE_TIME + Duration::from_nanos(1));
    message(&mut trial, White, b"B3-B1\n");
    assert_eq!(trial.result(), "Black (White exceeded the move time (1001 ms of 1000))");
}

#[test]
fn a_message_of_the_relay_protocol_is_exact_and_in_turn() {
    for (bytes, shown) in [(&b"b1-b3\n"[..], "`b1-b3\\n`"), (b"B1-B3\r\n", "`B1-B3\\r\\n`")] {
        let mut trial = relayed();
        message(&mut trial, White, bytes);
        assert_eq!(trial.notes.sent[Black as usize][0], format!("passed on: {shown}"));
        assert_eq!(trial.result(), format!("Black (White made an illegal move: {shown})"));
    }
    let mut trial = relayed();
    message(&mut trial, White, b"B1-B3\n");
    message(&mut trial, White, b"C1-C3\n");
    assert_eq!(trial.result(), "Black (White sent `C1-C3\\n` out of turn)");
}
