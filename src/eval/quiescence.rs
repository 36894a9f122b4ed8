//! The value of a leaf after the exchanges that its side to move may begin (quiescence search).
//!
//! The one idea: a static evaluation does not see which side captures last. So alpha-beta searches
//! noisy moves that gain something before the leaf is evaluated; none of them is stored in a tree.
//! [`search`] does this for both engines. What they do differently they say as a [`Quiescence`].
//! The tree search ([`quiesce`]) also tries all moves where a threat must be answered, and leaves
//! out what gains too little to matter. The alpha-beta engine keeps lines, sees repetitions, and
//! tries equal exchanges. Either ends with the [nodes](super::nodes) of the leaf.

use std::ops::ControlFlow;

use super::exchanges::Exchanges;
use super::nodes::Nodes;
use super::{Evaluate, MAX_SCORE};
use crate::eval::processor::with_v3_instructions;
use crate::game::{Move, MoveList, Score};

/// How an engine searches beyond a leaf.
pub trait Quiescence<G: Evaluate> {
    /// A noisy move is not tried where what it gains, and so much more, leaves the score below the
    /// one to beat (delta pruning).
    const MARGIN: i32;

    /// Moves that gain less by the captures that follow on their cell are not tried.
    const LEAST_GAIN: i32;

    /// The score of a position as it stands, and in `exchanges` what may raise it; `Break` if that
    /// is its value. `height` is in plies, from where [`search`] was asked for.
    fn look(
        &mut self,
        position: &G,
        height: usize,
        beta: i32,
        exchanges: &mut Exchanges,
    ) -> ControlFlow<i32, i32>;

    /// Whether moves that gain little are tried as well, at a position that stands so.
    fn tries_all(&self, standing: i32) -> bool;

    /// Moves of a position are played from now on.
    fn enter(&mut self, position: &G) {
        let _ = position;
    }

    /// The moves of the position entered last have been played.
    fn leave(&mut self) {}

    /// Whether the leaf or the search is over: no further move is tried.
    fn over(&self) -> bool;

    /// A move has raised the score above `alpha`.
    fn raised(&mut self, height: usize, m: Move) {
        let _ = (height, m);
    }
}

/// The score of a position between `alpha` and `beta`; a bound outside of them.
pub fn search<G: Evaluate, Q: Quiescence<G>>(
    engine: &mut Q,
    position: &G,
    height: usize,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    let mut exchanges = Exchanges::new();
    let seen = with_v3_instructions(
        #[inline(always)]
        || engine.look(position, height, beta, &mut exchanges),
    );
    let standing = match seen {
        ControlFlow::Break(score) => return score,
        ControlFlow::Continue(score) => score,
    };
    let mut best = standing;
    alpha = alpha.max(best);
    engine.enter(position);
    while alpha < beta
        && let Some((m, gain)) = exchanges.next()
    {
        if !engine.tries_all(standing) {
            if standing + gain + Q::MARGIN <= alpha {
                break;
            }
            if !position.gains(m, Q::LEAST_GAIN) {
                continue;
            }
        }
        let mut child = *position;
        child.play(m);
        let score = -search(engine, &child, height + 1, -beta, -alpha);
        best = best.max(score);
        if engine.over() {
            break;
        }
        if score > alpha {
            alpha = score;
            engine.raised(height, m);
        }
    }
    engine.leave();
    best
}

/// The score of a position for its side to move, after at most `plies` plies of noisy moves and
/// answers to threats, none beyond the longest game or the nodes of the leaf. A stalemate by one of
/// them, or a mate by the last, may be overlooked: moves are generated only where the score is too
/// low to end the search. Noisy moves are irreversible; answers to threats are not, but draws by
/// repetition or quiet plies are ignored.
pub fn quiesce<G: Evaluate>(position: &G, plies: u32, nodes: &mut Nodes<'_>) -> i32 {
    let to_come = position.ply_limit().saturating_sub(position.ply());
    let mut leaf = Leaf::<true> { plies: to_come.min(plies as usize), nodes };
    search(&mut leaf, position, 0, -MAX_SCORE, MAX_SCORE)
}

/// At a leaf of the tree search, at most `plies` deep. `PRUNES`: without the moves that gain too
/// little.
struct Leaf<'n, 'a, const PRUNES: bool> {
    plies: usize,
    nodes: &'n mut Nodes<'a>,
}

impl<G: Evaluate, const PRUNES: bool> Quiescence<G> for Leaf<'_, '_, PRUNES> {
    const MARGIN: i32 = 200;

    /// No equal exchanges.
    const LEAST_GAIN: i32 = 1;

    /// Who must answer a threat may not stand pat: that is the worst score, and any move may raise
    /// it.
    #[inline(always)]
    fn look(
        &mut self,
        position: &G,
        height: usize,
        beta: i32,
        exchanges: &mut Exchanges,
    ) -> ControlFlow<i32, i32> {
        let goes_on = height < self.plies && self.nodes.visit();
        let urgent = goes_on && position.is_urgent();
        let score = if urgent { -MAX_SCORE } else { position.evaluate() };
        if score >= beta || !goes_on {
            return ControlFlow::Break(score);
        }
        let mut tried = MoveList::new();
        let any = if urgent {
            position.moves(&mut tried);
            !tried.is_empty()
        } else {
            position.noisy_moves(&mut tried)
        };
        if !any {
            return ControlFlow::Break(
                match position.without_moves().outcome.for_side(position.side()) {
                    Score::Win => MAX_SCORE,
                    Score::Draw => 0,
                    Score::Loss => -MAX_SCORE,
                },
            );
        }
        exchanges.extend(position, &tried);
        ControlFlow::Continue(score)
    }

    /// An answer to a threat may have to lose something.
    #[inline(always)]
    fn tries_all(&self, standing: i32) -> bool {
        !PRUNES || standing == -MAX_SCORE
    }

    #[inline(always)]
    fn over(&self) -> bool {
        self.nodes.over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameState};
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

    fn quiesce(position: &Voidrider, plies: u32) -> i32 {
        super::quiesce(position, plies, &mut Nodes::at_most(u64::MAX))
    }

    /// Every noisy move is tried, at most `plies` deep.
    fn in_full(position: &Voidrider, plies: usize) -> i32 {
        let nodes = &mut Nodes::at_most(u64::MAX);
        search(&mut Leaf::<false> { plies, nodes }, position, 0, -MAX_SCORE, MAX_SCORE)
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
            let found = in_full(&position, 3);
            assert_eq!(found, expected, "{position}");
            changed += usize::from(found != position.evaluate());
        }
        assert!(changed > 50, "exchanges matter: {changed}");
    }

    #[test]
    fn leaving_out_moves_that_gain_too_little_seldom_changes_the_value_by_a_pawn() {
        const PAWN: i32 = 100;
        let all = positions(20);
        let far_from =
            |position: &Voidrider, other: i32| in_full(position, 4).abs_diff(other) > PAWN as u32;
        let wrong = all.iter().filter(|p| far_from(p, quiesce(p, 4))).count();
        let without = all.iter().filter(|p| far_from(p, quiesce(p, 0))).count();
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
