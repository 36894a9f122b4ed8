//! The words of the Universal Game Interface (UGI), by which match runners drive a player, and of
//! the Universal Chess Interface (UCI), from which it comes.
//!
//! The one idea: text in, values out, and the lines of the answers. Nothing here reads, writes,
//! waits or searches, so unit tests can try every line that a runner may send.

mod limits;

use std::fmt::Write;

use crate::eval::score;
use crate::game::{Ending, Game, Outcome, ParseError, Side, quoted};
use crate::games::AnyGame;
use crate::search::report::{Alternative, Proof, Report};

pub use self::limits::Limits;

/// The null move, as in UCI: printed where there is no legal move.
pub const NO_MOVE: &str = "0000";

/// The two protocols, which differ in a few words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Game Interface, for all games.
    Ugi,
    /// The Universal Chess Interface (R. Huber and S. Meyer-Kahlen 2000), for chess variants.
    Uci,
}

impl Dialect {
    /// The name, with which a runner begins.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uci => "uci",
        }
    }

    /// All words that begin a command.
    fn commands(self) -> &'static str {
        match self {
            Dialect::Ugi => {
                "ugi, isready, uginewgame, setoption, position, go, stop, query or quit"
            }
            Dialect::Uci => {
                "uci, isready, ucinewgame, setoption, position, go, stop, ponderhit or quit"
            }
        }
    }
}

/// A command of a runner: one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Print the name of the engine and its options.
    Hello,
    /// Answer when everything before is done.
    IsReady,
    /// Another game follows.
    NewGame,
    /// Set an option.
    SetOption {
        /// Its name, in any case.
        name: &'a str,
        /// Empty if none was given.
        value: &'a str,
    },
    /// Set the current position.
    Position {
        /// A text board; none: the start position.
        board: Option<&'a str>,
        /// Moves from there, separated by blanks.
        moves: &'a str,
    },
    /// Search. An error is part of the command, as the runner waits for an answer even then.
    Go(Result<Limits, ParseError>),
    /// Answer at once.
    Stop,
    /// The move that was pondered on has been played.
    PonderHit,
    /// A question about the position.
    Query(Query),
    /// The end.
    Quit,
}

/// The questions about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether the game is over.
    GameOver,
    /// Whether White is to move.
    FirstPlayersTurn,
    /// The winner.
    Result,
}

/// Reads a line; none for a blank one.
///
/// # Errors
/// The line is no command.
pub fn parse(dialect: Dialect, line: &str) -> Result<Option<Command<'_>>, ParseError> {
    let (word, rest) = first_word(line);
    Ok(Some(match word {
        "" => return Ok(None),
        _ if word == dialect.name() => Command::Hello,
        _ if word.strip_suffix("newgame") == Some(dialect.name()) => Command::NewGame,
        "isready" => Command::IsReady,
        "setoption" => {
            let (name, value) = split_at_word(rest, "value");
            match first_word(name) {
                ("name", name) if !name.is_empty() => {
                    Command::SetOption { name, value: value.unwrap_or("") }
                }
                _ => {
                    return Err(ParseError::new(
                        "setoption",
                        quoted(rest),
                        "name NAME value VALUE",
                    ));
                }
            }
        }
        "position" => {
            let (start, moves) = split_at_word(rest, "moves");
            let board = match first_word(start) {
                ("startpos", "") => None,
                ("fen", board) => Some(board),
                _ => {
                    let expected = "startpos or fen and a text board, then moves";
                    return Err(ParseError::new("position", quoted(start), expected));
                }
            };
            Command::Position { board, moves: moves.unwrap_or("") }
        }
        "go" => Command::Go(Limits::parse(dialect, rest)),
        "stop" => Command::Stop,
        "ponderhit" if dialect == Dialect::Uci => Command::PonderHit,
        "query" if dialect == Dialect::Ugi => Command::Query(match rest {
            "gameover" => Query::GameOver,
            "p1turn" => Query::FirstPlayersTurn,
            "result" => Query::Result,
            _ => {
                return Err(ParseError::new("query", quoted(rest), "gameover, p1turn or result"));
            }
        }),
        "quit" => Command::Quit,
        _ => return Err(ParseError::new("command", quoted(word), dialect.commands())),
    }))
}

/// The first word, and the rest without blanks around it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// The text before a word, and the text after it if the word occurs.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let split = text.match_indices(word).map(|(at, _)| (&text[..at], &text[at + word.len()..]));
    let apart = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let mut whole =
        split.filter(|(before, after)| apart(before.chars().last()) && apart(after.chars().next()));
    match whole.next() {
        Some((before, after)) => (before.trim(), Some(after.trim())),
        None => (text.trim(), None),
    }
}

/// The `info` line of a report, with moves written from `position` on. The score is for the side to
/// move: `mate N` for a proven win in N full moves (negative: a proven loss); else `cp C`, the
/// evaluation in hundredths of a pawn or stone ([`score`]), within ±20000. If more than one line of
/// play is asked for, an `info` line for each that is known, with its number after `multipv`.
pub fn info(report: &Report, position: &AnyGame, lines: usize) -> String {
    let Report { value, proof, depth, .. } = *report;
    let best = Alternative { value, proof, depth, variation: report.variation.clone() };
    if lines <= 1 {
        return info_line(report, &best, position, "");
    }
    let others = report.alternatives.iter().take(lines - 1);
    let all = std::iter::once(&best).chain(others).enumerate();
    let all = all
        .map(|(index, line)| info_line(report, line, position, &format!(" multipv {}", index + 1)));
    all.collect::<Vec<_>>().join("\n")
}

/// The `info` line of one line of play.
fn info_line(report: &Report, of: &Alternative, position: &AnyGame, number: &str) -> String {
    let per_second = report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-9);
    let mut line = format!(
        "info depth {}{number} nodes {} nps {per_second:.0} time {} score ",
        of.depth,
        report.nodes,
        report.elapsed.as_millis()
    );
    // Writing to a string cannot fail.
    let _ = match of.proof.map(Proof::in_moves) {
        Some(Some(moves)) => write!(line, "mate {moves}"),
        Some(None) => write!(line, "cp 0"),
        None => write!(line, "cp {}", score(of.value)),
    };
    line.push_str(" pv");
    let mut position = *position;
    for &m in &of.variation {
        let _ = write!(line, " {}", position.notation(m));
        position.play(m);
    }
    line
}

/// The answer to a question about a position.
pub fn response(query: Query, side: Side, ending: Option<Ending>) -> &'static str {
    let yes = |yes| if yes { "true" } else { "false" };
    match query {
        Query::GameOver => yes(ending.is_some()),
        Query::FirstPlayersTurn => yes(side == Side::White),
        Query::Result => match ending.map(|ending| ending.outcome) {
            Some(Outcome::Win(Side::White)) => "p1win",
            Some(Outcome::Win(Side::Black)) => "p2win",
            Some(Outcome::Draw) => "draw",
            None => "none",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chance::Chance;
    use crate::games::Hadron;

    #[test]
    fn commands_are_read() {
        let command = |line| parse(Dialect::Ugi, line).unwrap().unwrap();
        assert_eq!(parse(Dialect::Ugi, " \t\r"), Ok(None));
        assert_eq!(command("  isready \r"), Command::IsReady);
        let named = |name, value| Command::SetOption { name, value };
        assert_eq!(command("setoption name Hash value 64"), named("Hash", "64"));
        assert_eq!(command("setoption  name Clear Hash"), named("Clear Hash", ""));
        assert_eq!(command("setoption name valued value  a b "), named("valued", "a b"));
        let position = |board, moves| Command::Position { board, moves };
        assert_eq!(command("position startpos"), position(None, ""));
        assert_eq!(command("position startpos moves A1  B2"), position(None, "A1  B2"));
        assert_eq!(command("position fen w./.. b 1 moves B2"), position(Some("w./.. b 1"), "B2"));
        assert_eq!(command("query  p1turn"), Command::Query(Query::FirstPlayersTurn));
    }

    #[test]
    fn garbage_is_refused_with_what_was_expected() {
        let error = |line: &str| parse(Dialect::Ugi, line).unwrap_err().to_string();
        assert!(error("uci").starts_with("command: found `uci`, expected ugi, isready"));
        assert!(error("Ugi").starts_with("command: "));
        assert_eq!(
            error("setoption Hash 3"),
            "setoption: found `Hash 3`, expected name NAME value VALUE"
        );
        for line in ["setoption", "setoption name", "setoption name value 3", "query", "query all"]
        {
            assert!(error(line).contains("expected"), "{line}");
        }
        for line in ["position", "position start", "position moves A1", "position startpos A1"] {
            assert!(error(line).starts_with("position: found `"), "{line}");
        }
        let mut rng = fastrand::Rng::with_seed(1);
        let words =
            ["go", "position", "fen", "moves", "name", "value", "é", "\0", "-1", "wtime", " "];
        for _ in 0..10_000 {
            let line: Vec<_> =
                (0..rng.index(..6)).map(|_| words[rng.index(..words.len())]).collect();
            let _ = parse(Dialect::Ugi, &line.join([" ", ""][rng.index(..2)]));
        }
    }

    #[test]
    fn each_protocol_has_its_own_words() {
        let known = |dialect, line| parse(dialect, line).map(Option::unwrap).ok();
        for (line, command) in [
            ("uci", Command::Hello),
            ("ucinewgame", Command::NewGame),
            ("ponderhit", Command::PonderHit),
        ] {
            assert_eq!(known(Dialect::Uci, line), Some(command));
            assert_eq!(known(Dialect::Ugi, line), None);
        }
        for (line, command) in [
            ("ugi", Command::Hello),
            ("uginewgame", Command::NewGame),
            ("query result", Command::Query(Query::Result)),
        ] {
            assert_eq!(known(Dialect::Ugi, line), Some(command));
            assert_eq!(known(Dialect::Uci, line), None);
        }
        let error = parse(Dialect::Uci, "d").unwrap_err().to_string();
        assert!(error.contains("expected uci, isready, ucinewgame"), "{error}");
    }

    #[test]
    fn a_report_becomes_one_line() {
        let start = AnyGame::from(Hadron::start(2, 2));
        let mut report = Report::of_move(start.parse_move("A1").unwrap());
        let line = |report: &Report| info(report, &start, 1);
        assert_eq!(line(&report), "info depth 0 nodes 0 nps 0 time 0 score cp 0 pv A1");
        let scored = |report: &Report| line(report).contains("score cp 200 pv");
        report.value = 0.75;
        assert!(scored(&report));
        for (proof, score) in [
            (Proof::Win(1), "mate 1"),
            (Proof::Win(5), "mate 3"),
            (Proof::Loss(2), "mate -1"),
            (Proof::Loss(5), "mate -3"),
            (Proof::Draw, "cp 0"),
        ] {
            report.proof = Some(proof);
            assert!(line(&report).contains(&format!("score {score} pv")), "{proof}");
        }
    }

    #[test]
    fn lines_of_play_are_numbered_where_more_than_one_is_asked_for() {
        let start = AnyGame::from(Hadron::start(2, 2));
        let mut report = Report::of_move(start.parse_move("A1").unwrap());
        let variation = [start.parse_move("B2").unwrap()].into_iter().collect();
        let other = Alternative { value: 0.25, proof: None, depth: 7, variation };
        report.alternatives.push(other.clone());
        report.alternatives.push(Alternative { proof: Some(Proof::Loss(2)), ..other });
        assert!(!info(&report, &start, 1).contains("multipv"));
        let best = "info depth 0 multipv 1 nodes 0 nps 0 time 0 score cp 0 pv A1\n";
        let second = "info depth 7 multipv 2 nodes 0 nps 0 time 0 score cp -200 pv B2";
        assert_eq!(info(&report, &start, 2), format!("{best}{second}"));
        let third = "info depth 7 multipv 3 nodes 0 nps 0 time 0 score mate -1 pv B2";
        assert_eq!(info(&report, &start, 9), format!("{best}{second}\n{third}"));
    }
}
