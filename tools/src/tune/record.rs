//! A game as a line of text: its result, the random moves it began with, a bar, and each further
//! move with what the engine expected of it in thousandths of a point. An example is `w G4,N A5,S |
//! G1,N:512 A8,SW:497`.
//!
//! Behind a move of a tree search stand all moves that it visited, after a slash each, with their
//! visits: `G1,N:512/G1,N:1077/A1,E:423`. Only the proportions count, so files with thousandths of
//! the visits, as they were written before, are read alike.

use std::ops::RangeInclusive;
use std::str::FromStr;

use alesia::game::{Game, GameState, Move, Outcome, ParseError, Side, quoted};
use alesia::search::report::{Proof, Report, RootMove};

/// A whole point, in thousandths.
pub const WHOLE_POINT: u16 = 1000;

/// A move and how often the search visited it, at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visited {
    pub m: Move,
    pub visits: u32,
}

/// A move and what the engine expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub m: Move,
    /// The result expected for the side that moved, in thousandths of a point, 0 to
    /// [`WHOLE_POINT`].
    pub thousandths: u16,
    /// The moves that the search visited, the best first; none of an engine that counts no visits,
    /// where the result was proven, and without a choice.
    pub visited: Box<[Visited]>,
}

impl Ply {
    /// A move of which a result from 0 to 1 is expected.
    pub fn new(m: Move, expected: f32) -> Ply {
        let thousandths = (expected.clamp(0.0, 1.0) * f32::from(WHOLE_POINT)).round() as u16;
        Ply { m, thousandths, visited: Box::default() }
    }

    /// The move of a search, what it expected, and how often it visited the moves at the root.
    pub fn of(report: &Report, root: &[RootMove]) -> Ply {
        let ply = Ply::new(report.best, report.value);
        if report.proof.is_some() { ply } else { Ply { visited: visited(root), ..ply } }
    }

    /// The result expected for the side that moved, 0 to 1.
    pub fn expected(&self) -> f32 {
        f32::from(self.thousandths) / f32::from(WHOLE_POINT)
    }
}

/// The visits of the moves at the root; none without a choice. A move that is proven lost is left
/// out: its visits came before the proof.
fn visited(root: &[RootMove]) -> Box<[Visited]> {
    if root.len() < 2 {
        return Box::default();
    }
    let is_open = |top: &&RootMove| top.visits > 0 && !matches!(top.proof, Some(Proof::Loss(_)));
    let counted = |top: &RootMove| Visited {
        m: top.m,
        visits: u32::try_from(top.visits).unwrap_or(u32::MAX),
    };
    root.iter().filter(is_open).map(counted).collect()
}

/// Reads the moves that a search visited in a position.
fn read_visited<'a, G: Game>(
    position: &G,
    words: impl Iterator<Item = &'a str>,
) -> Result<Box<[Visited]>, ParseError> {
    let mut visited: Vec<Visited> = Vec::new();
    for word in words {
        let expected = "a move and its visits from 1, such as `MOVE:500`";
        let error = || ParseError::new("visits", quoted(word), expected);
        let (text, visits) = with_number(word, 1..=u32::MAX).ok_or_else(error)?;
        let m = position.parse_move(text).map_err(|error| error.within("visits"))?;
        if visited.iter().any(|other| other.m == m) {
            return Err(ParseError::new("visits", quoted(text), "each move once"));
        }
        visited.push(Visited { m, visits });
    }
    Ok(visited.into())
}

/// A text and a number behind a colon.
fn with_number<N: FromStr + PartialOrd>(word: &str, range: RangeInclusive<N>) -> Option<(&str, N)> {
    let (text, number) = word.rsplit_once(':')?;
    let number = number.parse().ok().filter(|number| range.contains(number))?;
    Some((text, number))
}

/// A game from the start position to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayRecord {
    pub opening: Vec<Move>,
    /// What the engine played after them.
    pub plies: Vec<Ply>,
    pub outcome: Outcome,
}

impl SelfPlayRecord {
    /// The line, without its end.
    pub fn line<G: Game>(&self, start: G) -> String {
        let mut position = start;
        let mut line = String::from(match self.outcome {
            Outcome::Win(Side::White) => "w",
            Outcome::Win(Side::Black) => "b",
            Outcome::Draw => "d",
        });
        for &m in &self.opening {
            line += &format!(" {}", position.notation(m));
            position.play(m);
        }
        line += " |";
        for ply in &self.plies {
            line += &format!(" {}:{}", position.notation(ply.m), ply.thousandths);
            for Visited { m, visits } in &ply.visited {
                line += &format!("/{}:{visits}", position.notation(*m));
            }
            position.play(ply.m);
        }
        line
    }

    /// Reads a line as [`SelfPlayRecord::line`] writes it, and plays the game by the rules.
    ///
    /// # Errors
    /// What stands there instead of a game that ends as it says.
    pub fn read<G: Game>(start: G, line: &str) -> Result<SelfPlayRecord, ParseError> {
        let mut words = line.split(' ');
        let outcome = match words.next() {
            Some("w") => Outcome::Win(Side::White),
            Some("b") => Outcome::Win(Side::Black),
            Some("d") => Outcome::Draw,
            other => {
                let found = quoted(other.unwrap_or_default());
                return Err(ParseError::new("result", found, "`w`, `b` or `d`"));
            }
        };
        let mut record = SelfPlayRecord { opening: Vec::new(), plies: Vec::new(), outcome };
        let mut state = GameState::new(start);
        let mut number = 0;
        let mut play = |text: &str| {
            number += 1;
            let place = format!("move {number}");
            if let Some(ending) = state.ending() {
                return Err(ParseError::new(
                    place,
                    quoted(text),
                    format!("nothing after {ending}"),
                ));
            }
            let position = state.position;
            let m = position.parse_move(text).map_err(|error| error.within(place))?;
            state.play(m);
            Ok((position, m))
        };
        for word in words.by_ref().take_while(|&word| word != "|") {
            record.opening.push(play(word)?.1);
        }
        for word in words {
            let mut parts = word.split('/');
            let played = parts.next().unwrap_or_default();
            let expected = "a move and thousandths of a point, such as `MOVE:500`";
            let error = || ParseError::new("move", quoted(played), expected);
            let (text, thousandths) = with_number(played, 0..=WHOLE_POINT).ok_or_else(error)?;
            let (position, m) = play(text)?;
            let number = record.opening.len() + record.plies.len() + 1;
            let place = |error: ParseError| error.within(format!("move {number}"));
            let visited = read_visited(&position, parts).map_err(place)?;
            record.plies.push(Ply { m, thousandths, visited });
        }
        match state.ending() {
            Some(ending) if ending.outcome == outcome => Ok(record),
            found => {
                let found =
                    found.map_or("a game that is not over".to_owned(), |end| end.to_string());
                Err(ParseError::new("end", found, "the result at the start of a line"))
            }
        }
    }
}

#[cfg(test)]
mod tests {

    use alesia::game::chance::Chance;
    use alesia::games::{Loa, Murus, Voidrider};

    use super::*;

    /// A random game, of which the first moves count as its opening.
    fn random<G: Game>(start: G, seed: u64) -> SelfPlayRecord {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(start);
        let mut moves = Vec::new();
        let outcome = loop {
            if let Some(ending) = state.ending() {
                break ending.outcome;
            }
            let m = state.position.random_move(&mut rng).unwrap();
            moves.push(m);
            state.play(m);
        };
        let mut position = start;
        let mut plies = Vec::new();
        for (number, m) in moves.iter().copied().enumerate() {
            let mut legal = position.legal_moves();
            rng.mix(&mut legal);
            let some = legal.into_iter().take(rng.index(..6));
            let visited = some.map(|m| Visited { m, visits: rng.u32(1..) }).collect();
            if number >= 3 {
                plies.push(Ply { visited, ..Ply::new(m, rng.f32()) });
            }
            position.play(m);
        }
        moves.truncate(3);
        SelfPlayRecord { opening: moves, plies, outcome }
    }

    fn comes_back<G: Game>(start: G) {
        for seed in 0..20 {
            let record = random(start, seed);
            assert_eq!(SelfPlayRecord::read(start, &record.line(start)), Ok(record));
        }
    }

    #[test]
    fn a_game_comes_back_from_its_line() {
        comes_back(Murus::start());
        comes_back(Loa::start(Default::default()));
        comes_back(Voidrider::start());
    }

    #[test]
    fn an_expectation_keeps_within_a_point() {
        let m = Move::from_code(1);
        for (expected, thousandths) in [(0.0, 0), (0.4996, 500), (1.0, 1000), (1.2, 1000)] {
            assert_eq!(Ply::new(m, expected).thousandths, thousandths);
        }
    }

    #[test]
    fn a_ply_has_the_visits_of_all_open_moves() {
        let m = |code| Move::from_code(code);
        let root = |visits: &[u64]| -> Vec<RootMove> {
            let root = |(code, &visits)| RootMove {
                m: m(code),
                visits,
                value: 0.5,
                prior: 0.2,
                proof: None,
            };
            (1..).zip(visits).map(root).collect()
        };
        let report = Report::of_move(m(1));
        let found = |report: &Report, root: &[RootMove]| {
            let ply = Ply::of(report, root);
            assert_eq!((ply.m, ply.thousandths), (m(1), 500));
            let pairs = ply.visited.iter().map(|visited| (visited.m, visited.visits));
            pairs.collect::<Vec<(Move, u32)>>()
        };
        let many = root(&[10_000, 3000, 2000, 7, 1, 1, 0]);
        let expected =
            [(m(1), 10_000), (m(2), 3000), (m(3), 2000), (m(4), 7), (m(5), 1), (m(6), 1)];
        assert_eq!(found(&report, &many), expected);
        assert_eq!(found(&report, &root(&[1 << 62, 4, 0])), [(m(1), u32::MAX), (m(2), 4)]);
        assert_eq!(found(&report, &root(&[7, 0])), [(m(1), 7)]);
        for visits in [&[][..], &[7], &[0, 0]] {
            assert_eq!(found(&report, &root(visits)), []);
        }
        // A move that is proven to lose has no share, however many visits it has.
        let mut refuted = root(&[600, 200, 900]);
        refuted[2].proof = Some(Proof::Loss(4));
        assert_eq!(found(&report, &refuted), [(m(1), 600), (m(2), 200)]);
        let proven = Report { proof: Some(Proof::Draw), ..report };
        assert_eq!(found(&proven, &root(&[600, 200])), []);
    }

    #[test]
    fn a_wrong_game_is_reported() {
        let start = Murus::start();
        let error = |line: &str| SelfPlayRecord::read(start, line).unwrap_err().to_string();
        assert_eq!(error(""), "result: found ``, expected `w`, `b` or `d`");
        assert!(error("w G9,N |").starts_with("move 1, move: found `G9,N`, expected a move"));
        let thousandths = "expected a move and thousandths of a point, such as `MOVE:500`";
        for word in ["G1,N", "G1,N:1001", "G1,N:-1", "G1,N:x"] {
            assert_eq!(
                error(&format!("w | {word}")),
                format!("move: found `{word}`, {thousandths}")
            );
        }
        let visits = "expected a move and its visits from 1, such as `MOVE:500`";
        for word in ["", "A8,SW", "A8,SW:0", "A8,SW:4294967296", "A8,SW:x", "A8,SW=3"] {
            assert_eq!(
                error(&format!("w | G1,N:500/G1,N:12/{word}")),
                format!("move 1, visits: found `{word}`, {visits}")
            );
        }
        let illegal = error("w G1,N | A7,S:500/A7,S:12/G1,N:3");
        assert!(
            illegal.starts_with("move 2, visits, move: found `G1,N`, expected a legal move of "),
            "{illegal}"
        );
        assert_eq!(
            error("w | G1,N:500/G1,N:12/G1,N:3"),
            "move 1, visits: found `G1,N`, expected each move once"
        );
        let goes_on =
            "end: found a game that is not over, expected the result at the start of a line";
        assert_eq!(error("d | G1,N:500"), goes_on);
        let record = random(start, 0);
        let mut line = record.line(start);
        line += " G1,N:500";
        let place =
            format!("move {}: found `G1,N`, expected nothing after ", 4 + record.plies.len());
        assert!(error(&line).starts_with(&place), "{}", error(&line));
        let mut other = record;
        other.outcome = match other.outcome {
            Outcome::Draw => Outcome::Win(Side::White),
            _ => Outcome::Draw,
        };
        assert!(error(&other.line(start)).ends_with("expected the result at the start of a line"));
    }
}
