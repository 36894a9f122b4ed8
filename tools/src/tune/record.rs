//! A game as a line of text: its result, the random moves it began with, a bar, and each further
//! move with what the engine expected of it in thousandths of a point, such as
//! `w G4,N A5,S | G1,N:512 A8,SW:497`.

use alesia::game::{Game, GameState, Move, Outcome, ParseError, Side, quoted};

/// The most thousandths there are of a point.
pub const WHOLE_POINT: u16 = 1000;

/// A move and what the engine expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// The result expected for the side that moved, in thousandths of a point, 0 to
    /// [`WHOLE_POINT`].
    pub thousandths: u16,
}

impl Ply {
    /// A move of which a result from 0 to 1 is expected.
    pub fn new(m: Move, expected: f32) -> Ply {
        let thousandths = (expected.clamp(0.0, 1.0) * f32::from(WHOLE_POINT)).round() as u16;
        Ply { m, thousandths }
    }

    /// The result expected for the side that moved, 0 to 1.
    pub fn expected(self) -> f32 {
        f32::from(self.thousandths) / f32::from(WHOLE_POINT)
    }
}

/// A game from the start position to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The random moves.
    pub opening: Vec<Move>,
    /// What the engine played after them.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Record {
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
            position.play(ply.m);
        }
        line
    }

    /// Reads a line as [`Record::line`] writes it, and plays the game by the rules.
    ///
    /// # Errors
    /// What stands there instead of a game that ends as it says.
    pub fn read<G: Game>(start: G, line: &str) -> Result<Record, ParseError> {
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
        let mut record = Record { opening: Vec::new(), plies: Vec::new(), outcome };
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
            let m = state.position.parse_move(text).map_err(|error| error.within(place))?;
            state.play(m);
            Ok(m)
        };
        for word in words.by_ref().take_while(|&word| word != "|") {
            record.opening.push(play(word)?);
        }
        for word in words {
            let expected = "a move and thousandths of a point, such as `MOVE:500`";
            let error = || ParseError::new("move", quoted(word), expected);
            let (text, number) = word.rsplit_once(':').ok_or_else(error)?;
            let thousandths = number.parse().ok().filter(|&number| number <= WHOLE_POINT);
            record.plies.push(Ply { thousandths: thousandths.ok_or_else(error)?, m: play(text)? });
        }
        match state.ending() {
            Some(ending) if ending.outcome == outcome => Ok(record),
            found => {
                let found = found.map_or("a game that goes on".to_owned(), |end| end.to_string());
                Err(ParseError::new("end", found, "the result at the head of the line"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alesia::games::{Loa, Murus, Voidrider};

    use super::*;

    /// A random game, of which the first moves count as its opening.
    fn random<G: Game>(start: G, seed: u64) -> Record {
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
        let played = moves.split_off(3);
        let plies = played.into_iter().map(|m| Ply::new(m, rng.f32())).collect();
        Record { opening: moves, plies, outcome }
    }

    fn comes_back<G: Game>(start: G) {
        for seed in 0..20 {
            let record = random(start, seed);
            assert_eq!(Record::read(start, &record.line(start)), Ok(record));
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
    fn what_is_no_game_is_told() {
        let start = Murus::start();
        let error = |line: &str| Record::read(start, line).unwrap_err().to_string();
        assert_eq!(error(""), "result: found ``, expected `w`, `b` or `d`");
        assert!(error("w G9,N |").starts_with("move 1, move: found `G9,N`, expected a move"));
        let thousandths = "expected a move and thousandths of a point, such as `MOVE:500`";
        for word in ["G1,N", "G1,N:1001", "G1,N:-1", "G1,N:x"] {
            assert_eq!(
                error(&format!("w | {word}")),
                format!("move: found `{word}`, {thousandths}")
            );
        }
        let goes_on = "end: found a game that goes on, expected the result at the head of the line";
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
        assert!(error(&other.line(start)).ends_with("expected the result at the head of the line"));
    }
}
