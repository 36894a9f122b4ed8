//! Games that end before the rules end them: `-maxmoves`, `-resign` and `-draw`.
//!
//! The one idea: the players' own scores decide, once they have said the same for some moves in a
//! row, and never against what one of them has proven.

use alesia::game::{Outcome, ParseError, Side, quoted};
use alesia::search::report::Proof;

use super::ruling::Ruling;
use crate::players::Choice;
use crate::words::grammar::{Group, number};
use alesia::eval::expectation;
use alesia::record::game_record::RecordedMove;

/// What ends games early; by default nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjudication {
    /// A tie after this many moves of each player.
    pub moves_per_player: Option<u32>,
    pub resign: Option<Resign>,
    pub draw: Option<Draw>,
}

impl Adjudication {
    /// Whether scores are needed, which clients of a referee do not give.
    pub fn needs_scores(&self) -> bool {
        self.resign.is_some() || self.draw.is_some()
    }

    /// How these terms would have ended a recorded game, and after how many of its moves, of which
    /// `first` made the first; none where they would not. Where the rules have ended it
    /// (`by_rule`), nothing could come after its last move.
    pub fn of_record(
        &self,
        first: Side,
        moves: &[RecordedMove],
        by_rule: bool,
    ) -> Option<(Ruling, usize)> {
        let mut adjudicator = Adjudicator::new(*self);
        let mut side = first;
        for (plies, RecordedMove { thought, .. }) in moves.iter().enumerate() {
            if let Some(ruling) = adjudicator.ruling(plies) {
                return Some((ruling, plies));
            }
            adjudicator.note(side, thought.expected(), thought.proof());
            side = !side;
        }
        let at_end = if by_rule { None } else { adjudicator.ruling(moves.len()) };
        at_end.map(|ruling| (ruling, moves.len()))
    }
}

/// A player loses whose scores are as low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// Own moves in a row.
    moves: u32,
    /// Centipawns below zero.
    score: i32,
    /// Whether the opponent must have said the same in as many moves.
    both: bool,
}

/// The game is a draw where the scores of both are about even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Moves of each player before which there is none.
    begin: u32,
    /// Moves of each player in a row.
    moves: u32,
    /// Centipawns from zero.
    score: i32,
}

/// The most moves and centipawns that can be asked for.
const MAX_NUMBER: u64 = 1_000_000;

impl Resign {
    /// Reads the values of `-resign`.
    ///
    /// # Errors
    /// A key or a value that cannot be.
    pub fn read(group: &Group) -> Result<Resign, ParseError> {
        let (mut moves, mut score, mut both) = (3, None, false);
        for (key, value) in group.only(&["movecount", "score", "twosided"])? {
            let place = format!("{}, {key}", group.place);
            match key {
                "movecount" => moves = number(&place, value, 1..=MAX_NUMBER)? as u32,
                "score" => score = Some(number(&place, value, 1..=MAX_NUMBER)? as i32),
                _ => {
                    both = value
                        .parse()
                        .map_err(|_| ParseError::new(place, quoted(value), "true or false"))?;
                }
            }
        }
        let score = score.ok_or_else(|| group.error("no score", "score=CENTIPAWNS"))?;
        Ok(Resign { moves, score, both })
    }
}

impl Draw {
    /// Reads the values of `-draw`.
    ///
    /// # Errors
    /// A key or a value that cannot be.
    pub fn read(group: &Group) -> Result<Draw, ParseError> {
        let (mut begin, mut moves, mut score) = (0, 8, None);
        for (key, value) in group.only(&["movenumber", "movecount", "score"])? {
            let place = format!("{}, {key}", group.place);
            match key {
                "movenumber" => begin = number(&place, value, 0..=MAX_NUMBER)? as u32,
                "movecount" => moves = number(&place, value, 1..=MAX_NUMBER)? as u32,
                _ => score = Some(number(&place, value, 0..=MAX_NUMBER)? as i32),
            }
        }
        let score = score.ok_or_else(|| group.error("no score", "score=CENTIPAWNS"))?;
        Ok(Draw { begin, moves, score })
    }
}

/// What the players of one game have said so far.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    terms: Adjudication,
    /// Own moves in a row with a score low enough, high enough, and near enough to zero; of White
    /// and of Black.
    low: [u32; 2],
    high: [u32; 2],
    even: [u32; 2],
    /// What each proved with its last move.
    proven: [Option<Outcome>; 2],
}

impl Adjudicator {
    /// At the beginning of a game.
    pub fn new(terms: Adjudication) -> Adjudicator {
        Adjudicator { terms, low: [0; 2], high: [0; 2], even: [0; 2], proven: [None; 2] }
    }

    /// Hears what a player says of its move.
    pub fn hear(&mut self, side: Side, choice: &Choice) {
        self.note(side, choice.thought.expected(), choice.proof());
    }

    /// Notes the expected result for the mover, 0 to 1, and its proof.
    fn note(&mut self, side: Side, expected: Option<f32>, proof: Option<Proof>) {
        let at = side as usize;
        self.proven[at] = proof.map(|proof| match proof {
            Proof::Win(_) => Outcome::Win(side),
            Proof::Loss(_) => Outcome::Win(!side),
            Proof::Draw => Outcome::Draw,
        });
        let count =
            |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        let at_most = |score| expected.is_some_and(|value| value <= expectation(score));
        let at_least = |score| expected.is_some_and(|value| value >= expectation(score));
        if let Some(Resign { score, .. }) = self.terms.resign {
            count(&mut self.low[at], at_most(-score));
            count(&mut self.high[at], at_least(score));
        }
        if let Some(Draw { score, .. }) = self.terms.draw {
            count(&mut self.even[at], at_least(-score) && at_most(score));
        }
    }

    /// The end of the game after `plies` moves of both players; none where it goes on.
    pub fn ruling(&self, plies: usize) -> Option<Ruling> {
        let moves_of_each = plies as u64 / 2;
        if self.terms.moves_per_player.is_some_and(|most| moves_of_each >= u64::from(most)) {
            return Some(Ruling::by_move_limit());
        }
        if let Some(Resign { moves, both, .. }) = self.terms.resign {
            for loser in [Side::White, Side::Black] {
                let agreed = !both || self.high[!loser as usize] >= moves;
                if self.low[loser as usize] >= moves && agreed && self.fits(Outcome::Win(!loser)) {
                    return Some(Ruling::by_resignation(loser));
                }
            }
        }
        let Draw { begin, moves, .. } = self.terms.draw?;
        let even = self.even.iter().all(|&even| even >= moves);
        (moves_of_each >= u64::from(begin) && even && self.fits(Outcome::Draw))
            .then(Ruling::by_even_scores)
    }

    /// Whether nobody has proven another result.
    fn fits(&self, outcome: Outcome) -> bool {
        self.proven.iter().flatten().all(|&proven| proven == outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use alesia::game::Game;
    use alesia::games::Hadron;
    use alesia::record::thought::Thought;

    use super::*;
    use crate::players::Details;

    fn terms(resign: Option<&str>, draw: Option<&str>) -> Adjudication {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        Adjudication {
            moves_per_player: None,
            resign: resign
                .map(|text| Resign::read(&Group::of("-resign".into(), &words(text))).unwrap()),
            draw: draw.map(|text| Draw::read(&Group::of("-draw".into(), &words(text))).unwrap()),
        }
    }

    /// After moves in turn, White's first, with these centipawns for their movers.
    fn after(terms: Adjudication, scores: &[i32]) -> Option<String> {
        let mut adjudicator = Adjudicator::new(terms);
        let sides = [Side::White, Side::Black].into_iter().cycle();
        for (side, &score) in sides.zip(scores) {
            adjudicator.note(side, Some(expectation(score)), None);
        }
        adjudicator.ruling(scores.len()).map(|ruling| ruling.reason)
    }

    #[test]
    fn a_player_resigns_whose_scores_are_low_in_a_row() {
        let one = terms(Some("movecount=2 score=500"), None);
        assert_eq!(after(one, &[0, -500, 0]), None);
        assert_eq!(after(one, &[0, -500, 0, -499, 0, -900]), None, "not in a row");
        let reason = after(one, &[0, -500, 0, -900]).unwrap();
        assert_eq!(reason, "Black resigns by its score");
    }

    #[test]
    fn both_must_agree_where_the_rule_says_so() {
        let two = terms(Some("movecount=2 score=500 twosided=true"), None);
        assert_eq!(after(two, &[400, -500, 600, -900]), None);
        assert!(after(two, &[500, -500, 600, -900]).is_some());
    }

    #[test]
    fn even_scores_of_both_are_a_draw_from_some_move_on() {
        let draw = terms(None, Some("movenumber=3 movecount=2 score=10"));
        assert_eq!(after(draw, &[0, 0, 0, 0]), None, "too early");
        assert_eq!(after(draw, &[0, 0, 0, 0, 11, 0]), None, "one is not even");
        let reason = after(draw, &[90, 0, 10, -10, 0, 0]).unwrap();
        assert_eq!(reason, "even scores");
    }

    #[test]
    fn no_result_contradicts_a_proof() {
        for (proof, ends) in [(Proof::Win(3), true), (Proof::Draw, false), (Proof::Loss(2), false)]
        {
            let mut adjudicator = Adjudicator::new(terms(Some("movecount=1 score=500"), None));
            adjudicator.note(Side::White, Some(0.5), Some(proof));
            adjudicator.note(Side::Black, Some(expectation(-900)), None);
            assert_eq!(adjudicator.ruling(2).is_some(), ends, "{proof:?}");
        }
        let mut adjudicator = Adjudicator::new(terms(None, Some("movecount=1 score=500")));
        adjudicator.note(Side::White, Some(0.5), Some(Proof::Win(9)));
        adjudicator.note(Side::Black, Some(0.5), None);
        assert_eq!(adjudicator.ruling(2), None);
    }

    #[test]
    fn a_program_resigns_that_says_only_that_it_is_mated() {
        let said = |thought| RecordedMove { text: String::new(), ms: None, thought };
        let mate = |moves| said(Thought { mate: Some(moves), ..Thought::default() });
        let cp = |cp| said(Thought { cp: Some(cp), ..Thought::default() });
        let one = terms(Some("movecount=2 score=500 twosided=true"), None);
        let end = |moves: &[RecordedMove]| one.of_record(Side::White, moves, false);
        let lost = [cp(600), cp(-600), mate(3), mate(-2)];
        let (ruling, plies) = end(&lost).unwrap();
        assert_eq!((&*ruling.reason, plies), ("Black resigns by its score", 4));
        assert!(end(&[cp(600), cp(-600), mate(3), mate(2)]).is_none(), "Black sees a win");
    }

    #[test]
    fn a_recorded_game_ends_where_it_would_have_ended() {
        let played = |scores: &[i32]| -> Vec<RecordedMove> {
            let said = |&cp: &i32| Thought { cp: Some(cp), ..Thought::default() };
            let shown =
                |score| RecordedMove { text: String::new(), ms: None, thought: said(score) };
            scores.iter().map(shown).collect()
        };
        let one = terms(Some("movecount=2 score=500"), None);
        let end_of = |first, scores: &[i32], by_rule| {
            let ended = one.of_record(first, &played(scores), by_rule);
            ended.map(|(ruling, plies)| (ruling.reason, plies))
        };
        let end = |first, scores: &[i32]| end_of(first, scores, true);
        let scores = [0, -500, 0, -900, 0, 0];
        assert_eq!(end(Side::White, &scores), Some(("Black resigns by its score".into(), 4)));
        assert_eq!(end(Side::Black, &scores), Some(("White resigns by its score".into(), 4)));
        assert_eq!(end(Side::White, &scores[..4]), None, "ended by itself at the same moment");
        let lost_on_time = end_of(Side::White, &scores[..4], false);
        assert_eq!(lost_on_time, Some(("Black resigns by its score".into(), 4)), "before its time");
    }

    #[test]
    fn a_game_is_a_tie_after_so_many_moves_of_each() {
        let limit = Adjudication { moves_per_player: Some(2), ..Adjudication::default() };
        assert_eq!(after(limit, &[0; 3]), None);
        assert_eq!(after(limit, &[0; 4]).as_deref(), Some("move limit"));
        assert!(!limit.needs_scores());
        assert!(terms(Some("score=500"), None).needs_scores());
        assert!(terms(None, Some("score=5")).needs_scores());
    }

    #[test]
    fn what_a_player_says_of_its_move_is_heard() {
        let mut adjudicator = Adjudicator::new(terms(Some("movecount=1 score=500"), None));
        let thought = Thought { cp: Some(-500), ..Thought::default() };
        let details = Details::Variation(String::new());
        let m = Hadron::start(3, 3).legal_moves()[0];
        let choice = Choice { m, elapsed: Duration::ZERO, thought, details };
        adjudicator.hear(Side::White, &choice);
        assert_eq!(adjudicator.ruling(1).unwrap().reason, "White resigns by its score");
    }

    #[test]
    fn nothing_ends_games_by_default() {
        assert_eq!(after(Adjudication::default(), &[0, -9_000, 0, -9_000]), None);
        assert_eq!(after(Adjudication::default(), &[0; 400]), None);
    }
}
