//! Replays recorded games and compares every board, move set and result with the rules.
//!
//! A file holds games one after the other, one position a line, tab-separated:
//!
//! ```text
//! # comment
//! GAME  number                  (a blank may stand for the tab)
//! ply   side to move (w, b)   rows   all legal moves, sorted   the move played
//! END   plies                 result (w, b, d)                 final rows
//! ```
//!
//! A full text board may stand for the rows, and the result `-` says that the game was stopped.
//!
//! The one idea: the moves played are the only thing taken from the file; all the rest is what
//! the rules must arrive at by themselves.

use std::fmt;

use crate::game::{
    Ending, Game, GameState, MoveList, Outcome, ParseError, Side, quoted, without_bom,
};

/// What a file and the rules may disagree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The number of plies played.
    Plies,
    /// The side to move.
    SideToMove,
    /// The rows of the board.
    Board,
    /// The set of legal moves.
    LegalMoves,
    /// The move played, which is not legal.
    Move,
    /// Whether the game is over, and its winner.
    Result,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Subject::Plies => "plies",
            Subject::SideToMove => "side to move",
            Subject::Board => "board",
            Subject::LegalMoves => "legal moves",
            Subject::Move => "move",
            Subject::Result => "result",
        })
    }
}

/// One thing on which a file and the rules disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// What was compared.
    pub subject: Subject,
    /// What only the file says.
    pub file: String,
    /// What only the rules say.
    pub rules: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Mismatch { line, subject, file, rules } = self;
        write!(f, "line {line}, {subject}: the file has {file}, the rules have {rules}")
    }
}

/// How much was compared, and how often it disagreed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckSummary {
    /// Positions compared: every ply line and every END line (the final position), but none of
    /// the lines skipped in a game that could not be replayed further.
    pub positions: usize,
    /// Mismatches reported; a position may have several.
    pub mismatches: usize,
}

impl fmt::Display for CheckSummary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} positions, {} mismatches", self.positions, self.mismatches)
    }
}

/// Replays every game of `text` from `start` and calls `report` with each disagreement.
///
/// A game with an illegal move, or with moves after its end, is reported once and its rest skipped.
/// A malformed line is an error with its number, in a skipped game too.
pub fn check<G: Game>(
    start: G,
    text: &str,
    report: &mut dyn FnMut(Mismatch),
) -> Result<CheckSummary, ParseError> {
    let mut comparison = Comparison { line: 0, summary: CheckSummary::default(), report };
    let mut game = Progress::None;
    for (index, line) in without_bom(text).lines().enumerate() {
        comparison.line = index + 1;
        let parsed = parse(line).map_err(|e| e.within(format!("line {}", index + 1)))?;
        let Some(parsed) = parsed else { continue };
        let misplaced = |expected: &str| {
            Err(ParseError::new(format!("line {}", index + 1), quoted(line), expected))
        };
        game = match (game, parsed) {
            (Progress::None, Line::Game) => Progress::Replaying(Box::new(GameState::new(start))),
            (Progress::None, _) => return misplaced("a GAME line, as no game has begun"),
            (_, Line::Game) => return misplaced("the END line of the game before it"),
            (Progress::Replaying(state), Line::Ply(recorded)) => {
                comparison.ply(state, &recorded).map_or(Progress::Skipping, Progress::Replaying)
            }
            (Progress::Replaying(state), Line::End(recorded)) => {
                comparison.end(&state, &recorded);
                Progress::None
            }
            (Progress::Skipping, Line::Ply(_)) => Progress::Skipping,
            (Progress::Skipping, Line::End(_)) => Progress::None,
        };
    }
    match game {
        Progress::None => Ok(comparison.summary),
        _ => Err(ParseError::new("last line", "an unfinished game", "its END line")),
    }
}

/// Where in a file the replay stands.
enum Progress<G> {
    /// Between two games.
    None,
    /// In a game.
    Replaying(Box<GameState<G>>),
    /// In a game that could not be replayed further.
    Skipping,
}

/// A line that says something.
enum Line<'a> {
    Game,
    Ply(Ply<'a>),
    End(End<'a>),
}

struct Ply<'a> {
    ply: usize,
    side: Side,
    rows: &'a str,
    moves: &'a str,
    played: &'a str,
}

struct End<'a> {
    plies: usize,
    /// None for a game that was stopped.
    outcome: Option<Outcome>,
    rows: &'a str,
}

/// Reads a line; none if it is blank or a comment.
fn parse(line: &str) -> Result<Option<Line<'_>>, ParseError> {
    if line.trim().is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    // One more than any line has.
    let fields: Vec<&str> = line.splitn(6, '\t').collect();
    let wrong_count = |form: &str| {
        let found = format!("{} fields", line.split('\t').count());
        Err(ParseError::new("fields", found, format!("{form}, separated by tabs")))
    };
    match fields[..] {
        ["GAME", game] => {
            number(game, "game")?;
            Ok(Some(Line::Game))
        }
        [game] if game.starts_with("GAME ") => {
            number(&game["GAME ".len()..], "game")?;
            Ok(Some(Line::Game))
        }
        ["GAME", ..] => wrong_count("GAME and its number"),
        ["END", plies, result, rows] => {
            let outcome = match result {
                "w" => Some(Outcome::Win(Side::White)),
                "b" => Some(Outcome::Win(Side::Black)),
                "d" => Some(Outcome::Draw),
                "-" => None,
                other => {
                    let expected = "`w`, `b`, `d`, or `-` of a stopped game";
                    return Err(ParseError::new("result", quoted(other), expected));
                }
            };
            Ok(Some(Line::End(End { plies: number(plies, "plies")?, outcome, rows })))
        }
        ["END", ..] => wrong_count("END, plies, result, final rows"),
        [ply, side, rows, moves, played] => {
            let ply = number(ply, "ply")?;
            let side = match side {
                "w" => Side::White,
                "b" => Side::Black,
                other => return Err(ParseError::new("side to move", quoted(other), "`w` or `b`")),
            };
            Ok(Some(Line::Ply(Ply { ply, side, rows, moves, played })))
        }
        _ => wrong_count("GAME…, END…, or ply, side to move, rows, legal moves, move played"),
    }
}

fn number(text: &str, place: &str) -> Result<usize, ParseError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| ParseError::new(place, quoted(text), "a whole number"))
}

/// Counts what it compares and reports what differs.
struct Comparison<'a> {
    line: usize,
    summary: CheckSummary,
    report: &'a mut dyn FnMut(Mismatch),
}

impl Comparison<'_> {
    fn differ(&mut self, subject: Subject, file: String, rules: String) {
        self.summary.mismatches += 1;
        (self.report)(Mismatch { line: self.line, subject, file, rules });
    }

    fn equal(&mut self, subject: Subject, file: &str, rules: &str) {
        if file != rules {
            self.differ(subject, escaped(file), rules.to_owned());
        }
    }

    /// Compares the board: its rows alone, or a full text board by what it means.
    fn board<G: Game>(&mut self, position: &G, recorded: &str) {
        if !recorded.contains(' ') {
            return self.equal(Subject::Board, recorded, &position.rows().to_string());
        }
        match position.parse_board(recorded) {
            Ok(read) if read == *position => {}
            Ok(_) => self.differ(Subject::Board, escaped(recorded), position.to_string()),
            Err(error) => self.differ(Subject::Board, error.to_string(), position.to_string()),
        }
    }

    /// Compares a position and plays its move; returns none if the replay cannot continue.
    fn ply<G: Game>(
        &mut self,
        mut state: Box<GameState<G>>,
        recorded: &Ply,
    ) -> Option<Box<GameState<G>>> {
        self.summary.positions += 1;
        let position = &state.position;
        self.equal(Subject::Plies, &recorded.ply.to_string(), &position.ply().to_string());
        self.equal(Subject::SideToMove, &recorded.side.to_string(), &position.side().to_string());
        self.board(position, recorded.rows);
        self.legal_moves(position, recorded.moves);
        if let Some(ending) = state.ending() {
            self.differ(Subject::Result, "a further move".to_owned(), ending.to_string());
            return None;
        }
        match position.parse_move(recorded.played) {
            Ok(m) => {
                state.play(m);
                Some(state)
            }
            Err(error) => {
                self.differ(Subject::Move, escaped(recorded.played), error.expected);
                None
            }
        }
    }

    fn legal_moves<G: Game>(&mut self, position: &G, recorded: &str) {
        let mut list = MoveList::new();
        position.moves(&mut list);
        let mut rules: Vec<String> =
            list.iter().map(|&m| position.notation(m).to_string()).collect();
        rules.sort();
        let mut file: Vec<&str> = recorded.split_whitespace().collect();
        file.sort();
        if file == rules {
            return;
        }
        let only_in_file: Vec<&str> =
            file.iter().copied().filter(|m| !rules.iter().any(|rule| rule == m)).collect();
        let only_by_rules: Vec<&str> =
            rules.iter().map(String::as_str).filter(|m| !file.contains(m)).collect();
        let listed = |alone: &[&str], all: usize| match alone {
            [] => format!("none more ({all} in all)"),
            alone => format!("{} more ({all} in all)", escaped(&alone.join(" "))),
        };
        self.differ(
            Subject::LegalMoves,
            listed(&only_in_file, file.len()),
            listed(&only_by_rules, rules.len()),
        );
    }

    fn end<G: Game>(&mut self, state: &GameState<G>, recorded: &End) {
        self.summary.positions += 1;
        let position = &state.position;
        self.equal(Subject::Plies, &recorded.plies.to_string(), &position.ply().to_string());
        self.board(position, recorded.rows);
        let ending = state.ending();
        if ending.map(|ending| ending.outcome) != recorded.outcome {
            let not_over = || "a game that is not over".to_owned();
            let rules = ending.map_or_else(not_over, |e: Ending| e.to_string());
            let file = recorded.outcome.map_or_else(not_over, |outcome| outcome.to_string());
            self.differ(Subject::Result, file, rules);
        }
    }
}

/// Text of a file for a message, its control characters made visible.
fn escaped(text: &str) -> String {
    format!("`{}`", text.escape_debug())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::games::{Hadron, Loa, Murus, Voidrider};

    /// A random game from `start` in the format of the files.
    fn recorded<G: Game>(start: G, seed: u64) -> String {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(start);
        let mut text = format!("# seed {seed}\nGAME\t{seed}\n");
        loop {
            let position = state.position;
            if let Some(ending) = state.ending() {
                let result = match ending.outcome {
                    Outcome::Win(Side::White) => 'w',
                    Outcome::Win(Side::Black) => 'b',
                    Outcome::Draw => 'd',
                };
                writeln!(text, "END\t{}\t{result}\t{}", position.ply(), position.rows()).unwrap();
                return text;
            }
            let mut list = MoveList::new();
            position.moves(&mut list);
            let mut moves: Vec<String> =
                list.iter().map(|&m| position.notation(m).to_string()).collect();
            moves.sort();
            let m = position.random_move(&mut rng).unwrap();
            let side = if position.side() == Side::White { 'w' } else { 'b' };
            let (rows, moves, played) = (position.rows(), moves.join(" "), position.notation(m));
            writeln!(text, "{}\t{side}\t{rows}\t{moves}\t{played}", position.ply()).unwrap();
            state.play(m);
        }
    }

    fn mismatches<G: Game>(start: G, text: &str) -> Vec<Mismatch> {
        let mut found = Vec::new();
        let summary = check(start, text, &mut |mismatch| found.push(mismatch)).unwrap();
        assert_eq!(summary.mismatches, found.len());
        found
    }

    fn summary_of_two_games<G: Game>(start: G) {
        let text = recorded(start, 1) + "\n" + &recorded(start, 2);
        let positions = text.lines().filter(|line| line.contains('/')).count();
        let summary = check(start, &text, &mut |mismatch| panic!("{mismatch}")).unwrap();
        assert_eq!(summary, CheckSummary { positions, mismatches: 0 });
    }

    #[test]
    fn faithful_records_have_no_mismatch() {
        summary_of_two_games(Murus::start());
        summary_of_two_games(Hadron::start(9, 9));
        summary_of_two_games(Loa::start(Default::default()));
        summary_of_two_games(Voidrider::start());
    }

    #[test]
    fn a_file_without_games_has_no_positions() {
        let summary = check(Murus::start(), "# nothing\n\n", &mut |_| {}).unwrap();
        assert_eq!(summary.to_string(), "0 positions, 0 mismatches");
    }

    #[test]
    fn a_mismatch_says_both_sides_of_it() {
        let found = mismatches(Hadron::start(1, 2), "GAME\t0\n0\tw\t..\tA1\tA1\nEND\t1\tb\tw.\n");
        assert_eq!(
            found.iter().map(Mismatch::to_string).collect::<Vec<_>>(),
            [
                "line 2, legal moves: the file has none more (1 in all), \
                 the rules have `A2` more (2 in all)",
                "line 3, result: the file has Black, the rules have White (no legal move)",
            ]
        );
    }

    #[test]
    fn a_move_that_cannot_be_played_skips_only_its_own_game() {
        let game = "GAME\t0\n0\tw\t..\tA1 A2\tA2\nEND\t1\tw\t.w\n";
        let text = game.replace("\tA2\n", "\tB7\n") + game;
        let mut found = Vec::new();
        let summary = check(Hadron::start(1, 2), &text, &mut |m| found.push(m)).unwrap();
        assert_eq!(summary, CheckSummary { positions: 3, mismatches: 1 });
        assert_eq!((found[0].line, found[0].subject), (2, Subject::Move));
    }

    #[test]
    fn a_game_that_continues_after_its_end_is_skipped() {
        let text = "GAME\t0\n0\tw\t.\tA1\tA1\n1\tb\tw\t\tA1\n2\tw\tw\t\tA1\nEND\t3\tb\tw\n";
        let found = mismatches(Hadron::start(1, 1), text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, found[0].subject), (3, Subject::Result));
    }

    #[test]
    fn malformed_lines_are_named() {
        let cases = [
            ("GAME\n", "line 1, fields: found 1 fields"),
            ("GAME\tone\n", "line 1, game: found `one`"),
            ("# x\nGAME\t0\nnonsense\n", "line 3, fields: found 1 fields"),
            ("GAME\t0\nx\tw\t.\tA1\tA1\n", "line 2, ply: found `x`"),
            ("GAME\t0\n-1\tw\t.\tA1\tA1\n", "line 2, ply: found `-1`"),
            ("GAME\t0\n+0\tw\t.\tA1\tA1\n", "line 2, ply: found `+0`"),
            ("GAME\t0\n0\twhite\t.\tA1\tA1\n", "line 2, side to move: found `white`"),
            ("GAME\t0\n0\tw\t.\tA1\n", "line 2, fields: found 4 fields"),
            ("GAME\t0\n0\tw\t.\tA1\tA1\tA1\n", "line 2, fields: found 6 fields"),
            ("GAME\t0\nEND\t0\tW\t.\n", "line 2, result: found `W`"),
            ("GAME\t0\nEND\tmany\tw\t.\n", "line 2, plies: found `many`"),
            ("GAME\t0\nEND\t0\tw\n", "line 2, fields: found 3 fields"),
            ("0\tw\t.\tA1\tA1\n", "line 1: found `0\\tw\\t.\\tA1\\tA1`, expected a GAME line"),
            ("END\t0\tw\t.\n", "line 1: found `END\\t0\\tw\\t.`, expected a GAME line"),
            ("GAME\t0\nGAME\t1\n", "line 2: found `GAME\\t1`, expected the END line"),
            ("GAME\t0\n0\tw\t.\tA1\tA1\n", "last line: found an unfinished game"),
            // A game that is skipped must still have the form of one.
            ("GAME\t0\n0\tw\t.\tA1\tZ9\nnonsense\n", "line 3, fields: found 1 fields"),
        ];
        for (text, expected) in cases {
            let error = check(Hadron::start(1, 1), text, &mut |_| {}).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?} says {error:?}, not {expected:?}");
        }
    }

    /// Changes, drops or repeats one character at each of some places of a text.
    fn mutated(text: &str, changes: &[(usize, u8, char)]) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        for &(place, kind, new) in changes {
            let place = place % characters.len();
            match kind {
                0 => characters[place] = new,
                1 => characters.insert(place, new),
                2 => characters.insert(place, characters[place]),
                _ => {
                    // Never the last, so that there is always one to change.
                    if characters.len() > 1 {
                        characters.remove(place);
                    }
                }
            }
        }
        characters.into_iter().collect()
    }

    fn survives<G: Game>(start: G, seed: u64, changes: &[(usize, u8, char)]) {
        let original = recorded(start, seed);
        let text = mutated(&original, changes);
        // Any changed text is either read and compared or refused.
        let mut reported = 0;
        if let Ok(summary) = check(start, &text, &mut |_| reported += 1) {
            assert_eq!(summary.mismatches, reported);
            assert!(summary.positions <= text.lines().count());
        }
    }

    fn changes() -> impl Strategy<Value = Vec<(usize, u8, char)>> {
        let character = prop_oneof![
            proptest::sample::select(
                "0129ABGHIabghi.#/\t\n -=,NSEWwbdGAMENDPRV".chars().collect::<Vec<_>>()
            ),
            any::<char>(),
        ];
        prop::collection::vec((any::<usize>(), 0u8..4, character), 1..6)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 24 } else { 512 }))]

        #[test]
        fn garbage_never_panics(text in "\\PC*([\t\n]\\PC*){0,20}") {
            let _ = check(Murus::start(), &text, &mut |_| {});
        }

        #[test]
        fn damaged_records_never_panic(seed in 0u64..1000, changes in changes()) {
            survives(Murus::start(), seed, &changes);
            survives(Hadron::start(5, 5), seed, &changes);
            survives(Loa::start(Default::default()), seed, &changes);
            survives(Voidrider::start(), seed, &changes);
        }
    }
}
