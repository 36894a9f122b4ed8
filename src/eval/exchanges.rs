//! Noisy moves, and answers to threats, in the order in which both engines try them beyond a leaf.
//!
//! The one idea: the largest gain comes first, and of equal gains the smallest risk; each move is
//! selected only when needed, since after a cutoff the rest is not used.

use arrayvec::ArrayVec;

use super::{Evaluate, Exchange};
use crate::game::{MAX_MOVES, Move};

/// Moves of a position, handed out one by one.
pub struct Exchanges {
    /// Gain, inverse risk, and bits of a move: the largest is next. The selected ones come first.
    ranked: ArrayVec<(u16, u16, u16), MAX_MOVES>,
    handed_out: usize,
}

impl Exchanges {
    /// No moves.
    #[inline(always)]
    pub fn new() -> Exchanges {
        Exchanges { ranked: ArrayVec::new(), handed_out: 0 }
    }

    /// Adds moves of a position.
    #[inline(always)]
    pub fn extend<G: Evaluate>(&mut self, position: &G, moves: &[Move]) {
        self.ranked.extend(moves.iter().map(|&m| {
            let Exchange { gain, risk } = position.exchange(m);
            (gain, u16::MAX - risk, m.code())
        }));
    }

    /// The remaining move with the largest gain, and its gain.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(Move, i32)> {
        let left = self.ranked.get_mut(self.handed_out..)?;
        let largest = (0..left.len()).max_by_key(|&index| left[index])?;
        left.swap(0, largest);
        self.handed_out += 1;
        let (gain, _, code) = left[0];
        Some((Move::from_code(code), gain.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameState, MoveList};
    use crate::games::Voidrider;

    #[test]
    fn each_move_is_handed_out_once_by_gain_and_then_by_risk() {
        let mut equal_gains = 0;
        for seed in 0..10 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Voidrider::start());
            while state.ending().is_none() {
                let position = state.position;
                let mut moves = MoveList::new();
                position.noisy_moves(&mut moves);
                let mut exchanges = Exchanges::new();
                exchanges.extend(&position, &moves);
                let found: Vec<_> = std::iter::from_fn(|| exchanges.next()).collect();
                let exchange_of = |&(m, _): &(Move, i32)| position.exchange(m);
                for pair in found.windows(2) {
                    let (first, second) = (exchange_of(&pair[0]), exchange_of(&pair[1]));
                    assert!(first.gain >= second.gain, "{position}");
                    if first.gain == second.gain {
                        equal_gains += 1;
                        assert!(first.risk <= second.risk, "{position}");
                    }
                }
                assert!(found.iter().all(|one| one.1 == i32::from(exchange_of(one).gain)));
                let mut all: Vec<_> = found.iter().map(|(m, _)| m.code()).collect();
                all.sort_unstable();
                let mut expected: Vec<_> = moves.iter().map(|m| m.code()).collect();
                expected.sort_unstable();
                assert_eq!(all, expected, "{position}");
                state.play(position.random_move(&mut rng).expect("the game is not over"));
            }
        }
        assert!(equal_gains > 100, "{equal_gains}");
    }
}
