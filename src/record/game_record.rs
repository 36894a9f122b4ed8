//! Finished games as lines of JSON, as `alesia-lab match` writes them (`-jsonlout`).
//!
//! The one idea: what is noted during a game has its room from the beginning, so that noting a move
//! allocates nothing. The line is made and written after the end.

use std::fmt::Write as _;
use std::time::Duration;

use arrayvec::ArrayVec;

use crate::game::named::named;
use crate::game::{Ending, MAX_PLIES, Outcome, Rule, Side};
use crate::net::referee::{self, GameResult};
use crate::net::tournament::MoveText;
use crate::record::date::Date;
use crate::record::measurements::push_text;
use crate::search::report::{Proof, Report};

named! {
    /// What decided a game.
    pub enum Cause ("cause", name) {
        /// A rule of the game.
        Rule = "rule",
        /// A limit of moves below that of the game.
        MoveLimit = "move-limit",
        /// The players' own scores, in a match of the lab.
        Adjudication = "adjudication",
        /// A player's move came too late.
        Time = "time",
        /// A player's move was illegal.
        IllegalMove = "illegal-move",
        /// A player's connection or program ended.
        Disconnect = "disconnect",
        /// A player said nothing.
        Stall = "stall",
        /// The word of a server, a person or another program: the game was not over by the rules.
        Reported = "reported",
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won.
    pub outcome: Outcome,
    /// What decided it.
    pub cause: Cause,
    /// The same in words.
    pub reason: String,
}

impl End {
    /// An end by the rules.
    pub fn by_rule(ending: Ending) -> End {
        End { outcome: ending.outcome, cause: Cause::Rule, reason: ending.rule.to_string() }
    }

    /// The end by the rules where they agree with a server or a person, else their word.
    pub fn as_said(outcome: Outcome, reason: String, ending: Option<Ending>) -> End {
        match ending.filter(|ending| ending.outcome == outcome) {
            Some(ending) => End::by_rule(ending),
            None => End { outcome, cause: Cause::Reported, reason },
        }
    }

    /// The result of a referee who gives `move_time` for a move; `by_option` is whether a limit of
    /// moves can only be that of the options.
    pub fn of_referee(result: &GameResult, move_time: Duration, by_option: bool) -> End {
        let loser = match result.outcome {
            Outcome::Win(Side::White) => Side::Black,
            Outcome::Win(Side::Black) | Outcome::Draw => Side::White,
        };
        let (cause, reason) = match result.cause {
            referee::Cause::Rule(Rule::PLY_LIMIT) if by_option => {
                (Cause::MoveLimit, Rule::PLY_LIMIT.to_string())
            }
            referee::Cause::Rule(rule) => (Cause::Rule, rule.to_string()),
            referee::Cause::Timeout(elapsed) => {
                // Rounded up, so that late never looks in time.
                let over = elapsed.saturating_sub(move_time).as_nanos().div_ceil(1_000_000);
                (Cause::Time, format!("{loser} loses on time ({over} ms overrun)"))
            }
            referee::Cause::Disconnected => (Cause::Disconnect, format!("{loser} disconnects")),
            referee::Cause::IllegalMove | referee::Cause::Flood => {
                let own = format!("{loser} ");
                let what = result.reason.strip_prefix(&own).unwrap_or(&result.reason);
                let reason = match what.strip_prefix("made an illegal move") {
                    Some(which) => format!("{own}makes an illegal move{which}"),
                    None => format!("{own}makes an illegal move ({what})"),
                };
                (Cause::IllegalMove, reason)
            }
        };
        End { outcome: result.outcome, cause, reason }
    }
}

/// What the player of a move knew of it, in the fields that the lab writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The expected result for the mover, 0 (loss) to 1 (win).
    pub value: f32,
    /// A proven result, see [`Proof::in_moves`].
    pub mate: Option<i32>,
    /// Plies, see [`Report::depth`].
    pub depth: u32,
    /// Iterations of the tree search, or positions visited by alpha-beta.
    pub nodes: u64,
}

impl Thought {
    /// What a report says of its move; none where nothing was searched, known or proven.
    pub fn of(report: &Report) -> Option<Thought> {
        let Report { value, proof, nodes, depth, .. } = *report;
        // After pondering a move may be clear at once, without an iteration more.
        (nodes > 0 || depth > 0 || proof.is_some() || report.from_book).then(|| Thought {
            value,
            mate: proof.and_then(Proof::in_moves),
            depth: depth as u32,
            nodes,
        })
    }
}

/// A move that was played.
#[derive(Clone, Copy, Debug)]
struct NotedMove {
    text: MoveText,
    elapsed: Option<Duration>,
    thought: Option<Thought>,
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// As on the command line.
    game: String,
    names: [String; 2],
    /// The text board at the beginning, where that is not the game's own.
    board: Option<String>,
    /// The fingerprint of the definition, see [`fingerprint`](crate::games::GameSpec::fingerprint).
    definition: Option<String>,
    /// When it began.
    date: Date,
    moves: Box<ArrayVec<NotedMove, MAX_PLIES>>,
}

impl GameRecord {
    /// A game that begins today, as it is called on the command line, between White and Black.
    /// `board` is the text board before the first move, where that is not the one of the name.
    pub fn new(game: String, names: [String; 2], board: Option<String>) -> GameRecord {
        let date = Date::today();
        GameRecord { game, names, board, definition: None, date, moves: Box::default() }
    }

    /// The same of a game whose rules stand in a file, with their fingerprint.
    pub fn with_definition(self, definition: Option<String>) -> GameRecord {
        GameRecord { definition, ..self }
    }

    /// Changes the name of a side.
    pub fn name(&mut self, side: Side, name: String) {
        self.names[side as usize] = name;
    }

    /// Notes a move, and the time that it took and what its player thought where that is known.
    /// Allocates nothing.
    pub fn moved(&mut self, text: MoveText, elapsed: Option<Duration>, thought: Option<Thought>) {
        // No game is longer.
        let _ = self.moves.try_push(NotedMove { text, elapsed, thought });
    }

    /// Takes back all moves but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.moves.truncate(count);
    }

    /// Begins anew at a board: a move that led there is not known.
    pub fn restart(&mut self, board: String) {
        self.board = Some(board);
        self.moves.clear();
    }

    /// The number of moves.
    pub fn length(&self) -> usize {
        self.moves.len()
    }

    /// The record as a line, with its end.
    pub fn line(&self, end: &End) -> String {
        let mut line = String::from("{\"seed\":0,\"pair\":0,\"leg\":0,\"game\":");
        push_text(&mut line, &self.game);
        for (key, name) in ["white", "black"].iter().zip(&self.names) {
            push_key(&mut line, key);
            push_text(&mut line, name);
        }
        if let Some(board) = &self.board {
            push_key(&mut line, "board");
            push_text(&mut line, board);
        }
        if let Some(definition) = &self.definition {
            push_key(&mut line, "definition");
            push_text(&mut line, definition);
        }
        push_key(&mut line, "date");
        push_text(&mut line, &self.date.to_string());
        line.push_str(",\"opening\":[],\"moves\":[");
        for (index, played) in self.moves.iter().enumerate() {
            line.push_str(if index == 0 { "{" } else { ",{" });
            played.push(&mut line);
            line.push('}');
        }
        line.push(']');
        let result = match end.outcome {
            Outcome::Win(Side::White) => "1-0",
            Outcome::Win(Side::Black) => "0-1",
            Outcome::Draw => "1/2-1/2",
        };
        for (key, value) in
            [("result", result), ("cause", end.cause.name()), ("reason", &*end.reason)]
        {
            push_key(&mut line, key);
            push_text(&mut line, value);
        }
        let sum = crc32([line.as_bytes(), b"}"]);
        let _ = writeln!(line, ",\"crc32\":\"{sum:08x}\"}}");
        line
    }
}

impl NotedMove {
    /// The fields of the move.
    fn push(&self, line: &mut String) {
        line.push_str("\"move\":");
        push_text(line, &self.text);
        // To a thousandth of a millisecond. Writing to a string cannot fail.
        if let Some(elapsed) = self.elapsed {
            let _ = write!(line, ",\"ms\":{:?}", elapsed.as_micros() as f64 / 1000.0);
        }
        if let Some(Thought { value, mate, depth, nodes }) = self.thought {
            let _ = write!(line, ",\"value\":{value:?}");
            if let Some(moves) = mate {
                let _ = write!(line, ",\"mate\":{moves}");
            }
            let _ = write!(line, ",\"depth\":{depth},\"nodes\":{nodes}");
        }
    }
}

fn push_key(line: &mut String, key: &str) {
    let _ = write!(line, ",\"{key}\":");
}

/// The checksum of IEEE 802.3, by which the lab sees whether a line was changed.
fn crc32(parts: [&[u8]; 2]) -> u32 {
    let mut sum = !0_u32;
    for &byte in parts.iter().copied().flatten() {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            let low = sum & 1;
            sum = (sum >> 1) ^ (0xedb8_8320 & low.wrapping_neg());
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_becomes_a_line() {
        let names = ["A \"x\"\n".to_owned(), "b\\c".to_owned()];
        let mut record = GameRecord::new("hadron2x2".into(), names, None);
        let thought = Thought { value: 0.75, mate: Some(-3), depth: 4, nodes: 50 };
        let time = Some(Duration::from_micros(1500));
        record.moved(MoveText::from("A1").unwrap(), time, Some(thought));
        record.moved(MoveText::from("B2").unwrap(), None, None);
        record.moved(MoveText::from("B1").unwrap(), None, None);
        record.truncate(2);
        record.name(Side::Black, "B".into());
        let reason = "Black disconnects".to_owned();
        let outcome = Outcome::Win(Side::White);
        let line = record.line(&End { outcome, cause: Cause::Disconnect, reason });
        let date = format!(r#","date":"{}","#, Date::today());
        assert!(line.contains(&date), "{line}");
        let line = line.replace(&date, ",");
        let expected = r#"{"seed":0,"pair":0,"leg":0,"game":"hadron2x2","white":"A \"x\"\u000a","black":"B","opening":[],"moves":[{"move":"A1","ms":1.5,"value":0.75,"mate":-3,"depth":4,"nodes":50},{"move":"B2"}],"result":"1-0","cause":"disconnect","reason":"Black disconnects","crc32":""#;
        assert!(line.starts_with(expected), "{line}");
    }

    #[test]
    fn a_game_of_a_definition_has_its_fingerprint() {
        let record = GameRecord::new("a.ini:x".into(), Default::default(), None);
        let outcome = Outcome::Draw;
        let end = End { outcome, cause: Cause::Reported, reason: String::new() };
        assert!(!record.line(&end).contains("definition"));
        let line = record.with_definition(Some("0123".into())).line(&end);
        assert!(line.contains(r#","black":"","definition":"0123","date""#), "{line}");
    }

    #[test]
    fn only_what_was_searched_known_or_proven_is_a_thought() {
        let report = Report::of_move(crate::game::Move::from_code(7));
        assert_eq!(Thought::of(&report), None);
        let proven = Report { proof: Some(Proof::Loss(4)), value: 0.0, ..report.clone() };
        assert_eq!(Thought::of(&proven).unwrap().mate, Some(-2));
        assert!(Thought::of(&Report { nodes: 1, ..report.clone() }).is_some());
        assert!(Thought::of(&Report { depth: 3, ..report.clone() }).is_some(), "pondered before");
        assert!(Thought::of(&Report { from_book: true, ..report }).is_some());
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32([b"1234", b"56789"]), 0xcbf4_3926);
    }

    #[test]
    fn another_beginning_is_part_of_the_line() {
        let names = ["A".to_owned(), "B".to_owned()];
        let record = GameRecord::new("hadron2x2".into(), names, Some("w./.. b 1".into()));
        let end = End::as_said(Outcome::Draw, "a draw is agreed".into(), None);
        let line = record.line(&end);
        assert!(line.contains("\"black\":\"B\",\"board\":\"w./.. b 1\",\"date\""), "{line}");
        assert!(line.contains("\"cause\":\"reported\",\"reason\":\"a draw is agreed\""), "{line}");
    }

    #[test]
    fn the_rules_come_before_what_is_said() {
        let ending = Ending { outcome: Outcome::Win(Side::White), rule: Rule::PLY_LIMIT };
        let end = |outcome| End::as_said(outcome, "said".into(), Some(ending)).cause;
        assert_eq!(end(Outcome::Win(Side::White)), Cause::Rule);
        assert_eq!(end(Outcome::Draw), Cause::Reported);
    }

    #[test]
    fn a_referees_results_have_the_words_of_a_match() {
        let result = |cause, reason: &str| GameResult {
            outcome: Outcome::Win(Side::White),
            cause,
            reason: reason.to_owned(),
            plies: 3,
            slowest: [Duration::ZERO; 2],
        };
        let late = referee::Cause::Timeout(Duration::from_micros(1_000_001));
        for (cause, reason, expected) in [
            (late, "", "Black loses on time (1 ms overrun)"),
            (referee::Cause::Disconnected, "Black disconnected", "Black disconnects"),
            (
                referee::Cause::IllegalMove,
                "Black made an illegal move: `Z9`",
                "Black makes an illegal move: `Z9`",
            ),
            (
                referee::Cause::Flood,
                "Black sent too many lines",
                "Black makes an illegal move (sent too many lines)",
            ),
        ] {
            let end = End::of_referee(&result(cause, reason), Duration::from_secs(1), false);
            assert_eq!(end.reason, expected);
        }
    }
}
