//! The value of a leaf after the exchanges that its side to move may begin (quiescence search).
//!
//! The one idea: a static evaluation does not see which side captures last. So alpha-beta searches
//! noisy moves that gain something before the leaf is evaluated, and all moves where a threat must
//! be answered; none of them is stored in the tree. Noisy moves are irreversible; answers to
//! threats are not, but draws by repetition or quiet plies are ignored here. The alpha-beta engine
//! has its own version, which also counts nodes, can be stopped, keeps lines and tries equal
//! exchanges; but it lets a side in check stand pat.

use super::exchanges::Exchanges;
use super::{Evaluate, MAX_SCORE};
use crate::game::{MoveList, Score};
use crate::processor::with_v3_instructions;

/// A noisy move is not tried where what it gains, and so much more, leaves the score below the one
/// to beat (delta pruning).
const MARGIN: i32 = 200;

/// Moves that gain less by the captures that follow on their cell are not tried: no equal
/// exchanges.
const LEAST_GAIN: i32 = 1;

/// The score of a position for its side to move, after at most `plies` plies of noisy moves and
/// answers to threats, none beyond the longest game. A stalemate by one of them, or a mate by the
/// last, may be overlooked: moves are generated only where the score is too low to end the search.
pub fn quiesce<G: Evaluate>(position: &G, plies: u32) -> i32 {
    let to_come = G::PLY_LIMIT.saturating_sub(position.ply());
    search::<G, true>(position, -MAX_SCORE, MAX_SCORE, plies.min(to_come as u32))
}

/// The score between `alpha` and `beta`; a bound outside of them. `PRUNES`: without the moves that
/// gain too little.
fn search<G: Evaluate, const PRUNES: bool>(
    position: &G,
    mut alpha: i32,
    beta: i32,
    plies: u32,
) -> i32 {
    let mut exchanges = Exchanges::new();
    let standing = with_v3_instructions(
        #[inline(always)]
        || look(position, beta, plies, &mut exchanges),
    );
    let mut best = standing;
    alpha = alpha.max(best);
    while alpha < beta
        && let Some((m, gain)) = exchanges.next()
    {
        // An answer to a threat may have to lose something.
        if PRUNES && standing > -MAX_SCORE {
            if standing + gain + MARGIN <= alpha {
                break;
            }
            if !position.gains(m, LEAST_GAIN) {
                continue;
            }
        }
        let mut child = *position;
        child.play(m);
        best = best.max(-search::<G, PRUNES>(&child, -beta, -alpha, plies - 1));
        alpha = alpha.max(best);
    }
    best
}

/// The score of a position as it stands, and in `exchanges` what may raise it. Who must answer a
/// threat may not stand pat: that is the worst score, and any move may raise it.
#[inline(always)]
fn look<G: Evaluate>(position: &G, beta: i32, plies: u32, exchanges: &mut Exchanges) -> i32 {
    let urgent = plies > 0 && position.is_urgent();
    let score = if urgent { -MAX_SCORE } else { position.evaluate() };
    if score >= beta || plies == 0 {
        return score;
    }
    let mut tried = MoveList::new();
    let any = if urgent {
        position.moves(&mut tried);
        !tried.is_empty()
    } else {
        position.noisy_moves(&mut tried)
    };
    if !any {
        return match position.without_moves().outcome.for_side(position.side()) {
            Score::Win => MAX_SCORE,
            Score::Draw => 0,
            Score::Loss => -MAX_SCORE,
        };
    }
    exchanges.extend(position, &tried);
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameState, Move};
    use crate::games::Voidrider;

    /// The value of a position where either side may stand pat unless it is in check, written
    /// straight from the definition.
    fn plainly(position: &Voidrider, plies: u32) -> i32 {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        if plies == 0 {
            return position.evaluate();
        }
        if moves.is_empty() {
            return if position.in_check() { -MAX_SCORE } else { 0 };
        }
        let after = |&m: &Move| {
            let mut child = *position;
            child.play(m);
            -plainly(&child, plies - 1)
        };
        if position.in_check() {
            return moves.iter().map(after).max().expect("there is a move");
        }
        let noisy = moves.iter().filter(|&&m| position.is_noisy(m));
        noisy.map(after).fold(position.evaluate(), i32::max)
    }

    /// Positions of random games, the first of each game left out.
    fn positions(games: u64) -> Vec<Voidrider> {
        let mut found = Vec::new();
        for seed in 0..games {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Voidrider::start());
            while state.ending().is_none() {
                state.play(state.position.random_move(&mut rng).expect("the game is not over"));
                found.push(state.position);
            }
        }
        found
    }

    #[test]
    fn alpha_beta_finds_the_value_of_plain_minimax() {
        let mut changed = 0;
        for position in positions(3) {
            let expected = plainly(&position, 3);
            let found = search::<_, false>(&position, -MAX_SCORE, MAX_SCORE, 3);
            assert_eq!(found, expected, "{position}");
            changed += usize::from(found != position.evaluate());
        }
        assert!(changed > 50, "exchanges matter: {changed}");
    }

    #[test]
    fn leaving_out_moves_that_gain_too_little_seldom_changes_the_value_by_a_pawn() {
        const PAWN: i32 = 100;
        let all = positions(20);
        let far_from = |position: &Voidrider, other: i32| {
            let full = search::<_, false>(position, -MAX_SCORE, MAX_SCORE, 4);
            full.abs_diff(other) > PAWN as u32
        };
        let wrong = all.iter().filter(|p| far_from(p, quiesce(*p, 4))).count();
        let without = all.iter().filter(|p| far_from(p, quiesce(*p, 0))).count();
        // Against those that any exchange changes so.
        assert!(wrong * 10 < without, "{wrong}, {without} of {}", all.len());
    }

    #[test]
    fn without_plies_it_is_the_evaluation() {
        assert!(positions(2).iter().all(|position| quiesce(position, 0) == position.evaluate()));
    }

    #[test]
    fn who_is_mated_has_lost_and_stalemate_is_a_draw() {
        let mut ended = 0;
        for position in positions(40) {
            if position.count_moves() == 0 {
                let expected = if position.in_check() { -MAX_SCORE } else { 0 };
                assert_eq!(quiesce(&position, 1), expected, "{position}");
                ended += 1;
            }
        }
        assert!(ended > 0, "a game that ends so");
    }
}
