//! The scores of the search: static evaluations in the middle, proven results beyond.
//!
//! The one idea: a win is worth less the more plies it takes, so that plain comparison prefers
//! the quickest win and the slowest loss.

use crate::eval::MAX_SCORE;
use crate::game::{Ending, MAX_PLIES, Score, Side};
use crate::search::report::Proof;

/// Max length of a line of a search, in plies: a height is at most this.
pub const MAX_HEIGHT: usize = 96;

/// A position won already. A win in `n` plies is worth `WIN_SCORE - n`.
pub const WIN_SCORE: i32 = 30_000;

/// Beyond every score.
pub const INFINITE: i32 = WIN_SCORE + 1;

/// No rule makes a longer game, so that scores beyond plus or minus this are proven results.
const LEAST_WIN: i32 = WIN_SCORE - MAX_PLIES as i32;

const _: () = assert!(MAX_SCORE < LEAST_WIN && INFINITE < i16::MAX as i32);

/// Whether the score is a proven win of either side, not an evaluation.
#[inline(always)]
pub const fn is_proven(score: i32) -> bool {
    is_win(score) || is_loss(score)
}

/// Whether the score is a proven win of the side to move.
#[inline(always)]
pub const fn is_win(score: i32) -> bool {
    score >= LEAST_WIN
}

/// Whether the score is a proven loss of the side to move.
#[inline(always)]
pub const fn is_loss(score: i32) -> bool {
    score <= -LEAST_WIN
}

/// A proven score's plies to the end of the game.
#[inline(always)]
pub const fn distance(score: i32) -> usize {
    WIN_SCORE.abs_diff(score.abs()) as usize
}

/// The proven result that a score means.
pub fn proof(score: i32) -> Option<Proof> {
    let plies = distance(score) as u16;
    match (is_win(score), is_loss(score)) {
        (true, _) => Some(Proof::Win(plies)),
        (_, true) => Some(Proof::Loss(plies)),
        _ => None,
    }
}

/// The score of a game that ended `height` plies below the root, for the side to move there.
#[inline(always)]
pub fn of_ending(ending: Ending, side: Side, height: usize) -> i32 {
    match ending.outcome.for_side(side) {
        Score::Draw => 0,
        Score::Win => WIN_SCORE - height as i32,
        Score::Loss => height as i32 - WIN_SCORE,
    }
}

/// A score counted from the root as one counted from a position `height` plies below it, which
/// is what the transposition table keeps.
#[inline(always)]
pub const fn from_here(score: i32, height: usize) -> i32 {
    if is_win(score) {
        score + height as i32
    } else if is_loss(score) {
        score - height as i32
    } else {
        score
    }
}

/// The inverse of [`from_here`].
#[inline(always)]
pub const fn from_root(score: i32, height: usize) -> i32 {
    if is_win(score) {
        score - height as i32
    } else if is_loss(score) {
        score + height as i32
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rule;

    #[test]
    fn quicker_wins_and_slower_losses_are_better() {
        let win = |height| of_ending(Ending::win(Side::White, Rule::NO_MOVE), Side::White, height);
        let loss = |height| of_ending(Ending::win(Side::White, Rule::NO_MOVE), Side::Black, height);
        assert!(win(3) > win(5) && win(200) > MAX_SCORE);
        assert!(loss(3) < loss(5) && loss(200) < -MAX_SCORE);
        assert_eq!(proof(win(3)), Some(Proof::Win(3)));
        assert_eq!(proof(loss(4)), Some(Proof::Loss(4)));
        assert_eq!(proof(MAX_SCORE), None);
        assert_eq!(of_ending(Ending::draw(Rule::PLY_LIMIT), Side::White, 7), 0);
    }

    #[test]
    fn distances_travel_between_heights() {
        for score in [0, 137, -137, WIN_SCORE - 9, 9 - WIN_SCORE] {
            assert_eq!(from_root(from_here(score, 4), 4), score);
        }
        assert_eq!(proof(from_here(WIN_SCORE - 9, 4)), Some(Proof::Win(5)));
        assert_eq!(proof(from_root(WIN_SCORE - 5, 4)), Some(Proof::Win(9)));
    }
}
