//! The loss of every move of a game, and the marks of bad moves.
//!
//! The one idea: the loss of a move is the value of the position before it minus that of the one
//! after it, both for its mover. A proof after a move is also a lower bound for the position before
//! it, as the mover could play that move.

use crate::report_view::Colour;
use serde::Serialize;

use crate::position::Played;
use crate::shape::MoveShape;

/// From how much of a whole point on a loss is marked.
const INACCURACY: f32 = 0.05;
const MISTAKE: f32 = 0.10;
const BLUNDER: f32 = 0.20;

/// A move that has lost something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    Inaccuracy,
    Mistake,
    /// Much. A proven win or draw that is proven to be less afterwards is half a point at least.
    Blunder,
}

impl Mark {
    fn of(loss: f32) -> Option<Mark> {
        match loss {
            BLUNDER.. => Some(Mark::Blunder),
            MISTAKE.. => Some(Mark::Mistake),
            INACCURACY.. => Some(Mark::Inaccuracy),
            _ => None,
        }
    }
}

/// What a search has found of a position of the game.
#[derive(Clone, Debug)]
pub struct Known {
    /// The expected result for White, 0 to 1.
    pub value: f32,
    /// Whether the value is a proven result.
    pub proven: bool,
    /// The best move; none where the game is over.
    pub best: Option<MoveShape>,
}

/// A position of the game and the move that was played there.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// The expected result for White, 0 to 1.
    pub value: f32,
    /// The best move; none where the game is over.
    pub best: Option<MoveShape>,
    /// What the move has lost its mover; none while the position after it is not known.
    pub loss: Option<f32>,
    /// Its mark.
    pub mark: Option<Mark>,
}

/// A value for White as one for a side, or back.
fn for_side(value: f32, side: Colour) -> f32 {
    if side == Colour::White { value } else { 1.0 - value }
}

/// Judges the moves between the first positions of a game, but for those of its opening, which no
/// player chose.
pub fn judge(known: &[Known], moves: &[Played], opening: usize) -> Vec<Judged> {
    let known = with_later_proofs(known, moves);
    let judge = |(number, here): (usize, &Known)| {
        let (value, best) = (here.value, here.best.clone());
        let (Some(played), Some(after)) = (moves.get(number), known.get(number + 1)) else {
            return Judged { value, best, loss: None, mark: None };
        };
        if number < opening {
            return Judged { value, best, loss: None, mark: None };
        }
        let is_best = best.as_ref().is_some_and(|best| best.text == played.shape.text);
        let lost = for_side(value, played.side) - for_side(after.value, played.side);
        let loss = if is_best { 0.0 } else { lost.max(0.0) };
        Judged { value, best, loss: Some(loss), mark: Mark::of(loss) }
    };
    known.iter().enumerate().map(judge).collect()
}

/// The positions, each worth at least the proven value after its move.
fn with_later_proofs(known: &[Known], moves: &[Played]) -> Vec<Known> {
    let mut known = known.to_vec();
    for (number, played) in moves.iter().enumerate().rev() {
        let Some([here, after]) = known.get_mut(number..number + 2) else { continue };
        let worth = for_side(after.value, played.side);
        if after.proven && worth > for_side(here.value, played.side) {
            let proven = worth == 1.0;
            *here = Known { value: after.value, proven, best: Some(played.shape.clone()) };
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position;
    use alesia::record::game_record::GameLine;

    /// Hadron's moves B1 A3 C2 on 3 × 3 cells, and the results of the positions between: values,
    /// proofs as an exclamation mark, the best move after a colon.
    fn judged(known: &str) -> Vec<Judged> {
        judged_after(0, known)
    }

    /// The same after an opening of this many moves.
    fn judged_after(opening: usize, known: &str) -> Vec<Judged> {
        let moves = ["B1", "A3", "C2"].map(str::to_owned).into();
        let game = "hadron3".parse().unwrap();
        let shown = position::show(game, &GameLine { board: None, moves }).unwrap();
        let read = |word: &str| {
            let (value, best) = word.split_once(':').unwrap_or((word, ""));
            let mut shape = shown.moves[0].shape.clone();
            shape.text = best.to_owned();
            let proven = value.ends_with('!');
            Known {
                value: value.trim_end_matches('!').parse().unwrap(),
                proven,
                best: (!best.is_empty()).then_some(shape),
            }
        };
        let known: Vec<Known> = known.split_whitespace().map(read).collect();
        judge(&known, &shown.moves, opening)
    }

    fn marks(known: &str) -> Vec<Option<Mark>> {
        judged(known).into_iter().map(|judged| judged.mark).collect()
    }

    #[test]
    fn a_move_loses_the_value_before_minus_the_value_after() {
        let judged = judged("0.7:B2 0.5:A2 0.55:C3");
        let losses: Vec<_> = judged.iter().map(|judged| judged.loss).collect();
        assert!((losses[0].unwrap() - 0.2).abs() < 1e-6, "White's");
        assert!((losses[1].unwrap() - 0.05).abs() < 1e-6, "Black's");
        assert_eq!(losses[2], None, "not known yet");
        let better = marks("0.5:B2 0.6:A2 0.5:C3 0.6");
        assert_eq!(better, [None, None, None, None], "better than was thought");
        assert_eq!(marks("0.7:B1 0.1:A2"), [None, None], "nothing better was known");
    }

    #[test]
    fn losses_are_marked_by_their_size() {
        use Mark::{Blunder, Inaccuracy, Mistake};
        assert_eq!(marks("0.5:B2 0.46:A2 0.5:C3 0.45"), [None, None, Some(Inaccuracy), None]);
        assert_eq!(marks("0.5:B2 0.39:A2 0.58:C3"), [Some(Mistake), Some(Mistake), None]);
        assert_eq!(marks("0.5:B2 0.29:A2 0.55:C3"), [Some(Blunder), Some(Blunder), None]);
        assert_eq!(marks("1!:B2 0.5!:A2 1!:C3"), [Some(Blunder), Some(Blunder), None]);
    }

    #[test]
    fn the_moves_of_an_opening_are_nobodys_faults() {
        let judged = judged_after(1, "1!:B2 0.5:A2 1!:C3");
        let marks: Vec<_> =
            judged.iter().map(|judged| (judged.loss.is_some(), judged.mark)).collect();
        assert_eq!(marks, [(false, None), (true, Some(Mark::Blunder)), (false, None)]);
        assert_eq!(judged[0].value, 1.0);
    }

    #[test]
    fn later_proofs_hold_for_earlier_moves() {
        // White has won by C2, in spite of the values before it; so Black's move lost.
        let judged = judged("0.5:B1 0.4:A1 0.4:C3 1!");
        assert_eq!((judged[2].value, judged[2].loss), (1.0, Some(0.0)));
        assert_eq!(judged[2].best.as_ref().unwrap().text, "C2");
        assert_eq!(judged[1].mark, Some(Mark::Blunder));
        assert_eq!(judged[1].value, 0.4, "there may have been better moves");
    }
}
