//! In which order moves are tried: a good first move is what makes alpha-beta fast.
//!
//! The one idea: every move of a position gets one number, rank above move bits, and the moves are
//! taken by largest number. They are selected only as they are needed, since after a cutoff the
//! rest is never looked at. First the table's move, then noisy moves, killers (Akl and Newborn
//! 1977), and the rest by the butterfly history (Schaeffer 1989, Hartmann 1988) and the game's
//! weights.

use arrayvec::ArrayVec;

use super::score::MAX_HEIGHT;
use crate::eval::processor::with_v3_instructions;
use crate::eval::{Evaluate, Weights};
use crate::game::{MAX_MOVES, Move, MoveList, Side};

/// Ranks from here on belong to noisy moves; the two below to the killers.
const NOISY_RANK: u32 = 0xc000;
const FIRST_KILLER_RANK: u32 = NOISY_RANK - 1;
const SECOND_KILLER_RANK: u32 = NOISY_RANK - 2;
/// The rank of a quiet move without history and weight.
const QUIET_RANK: u32 = 0x6000;
/// The table's move.
const FIRST_RANK: u32 = 0xffff;

/// Histories stay within plus or minus this.
const MAX_HISTORY: i32 = 0x2000;
/// Max share of a weight in a rank.
const MAX_PRIOR: u32 = 0x1fff;

const _: () = assert!(QUIET_RANK + MAX_HISTORY as u32 + MAX_PRIOR < SECOND_KILLER_RANK);
const _: () = assert!(QUIET_RANK >= MAX_HISTORY as u32);
const _: () = assert!(NOISY_RANK + MAX_PRIOR < FIRST_RANK);

/// How much a weight of 1 adds to the rank of a move.
const PRIOR_SCALE: f32 = 128.0;

/// Move codes that the history distinguishes: all but the kind of a promotion.
const CODES: usize = 1 << 12;

/// What one worker has learned about good moves, and room for the moves of one position.
pub struct Order {
    /// For each height the last two quiet moves that caused a cutoff there.
    killers: [[Option<Move>; 2]; MAX_HEIGHT],
    /// By side and move: how often it caused a cutoff, against how often it was tried in vain.
    history: [[i16; CODES]; 2],
    moves: MoveList,
    weights: Weights,
    /// Without it, moves keep the order in which they are generated.
    pub enabled: bool,
}

impl Order {
    /// An empty history; on the heap, as it is too large to be moved.
    pub fn new() -> Box<Order> {
        Box::new(Order {
            killers: [[None; 2]; MAX_HEIGHT],
            history: [[0; CODES]; 2],
            moves: MoveList::new(),
            weights: [0.0; MAX_MOVES],
            enabled: true,
        })
    }

    /// Forgets everything learned.
    pub fn clear(&mut self) {
        self.killers = [[None; 2]; MAX_HEIGHT];
        self.history = [[0; CODES]; 2];
    }

    /// Prepares for another position of the same game: killers belong to heights that are other
    /// positions now, histories fade.
    pub fn begin_search(&mut self) {
        self.killers = [[None; 2]; MAX_HEIGHT];
        for history in self.history.iter_mut().flatten() {
            *history /= 2;
        }
    }

    /// Generates the moves of a position `height` plies below the root, and ranks them. One
    /// piece of code a game.
    #[inline(never)]
    pub fn rank<G: Evaluate>(
        &mut self,
        position: &G,
        table_move: Option<Move>,
        height: usize,
        into: &mut Ranked,
    ) {
        with_v3_instructions(
            #[inline(always)]
            || self.rank_here(position, table_move, height, into),
        );
    }

    #[inline(always)]
    fn rank_here<G: Evaluate>(
        &mut self,
        position: &G,
        table_move: Option<Move>,
        height: usize,
        into: &mut Ranked,
    ) {
        into.keys.clear();
        into.picked = 0;
        position.moves(&mut self.moves);
        if !self.enabled {
            let descending = (0..self.moves.len() as u32).map(|index| FIRST_RANK - index);
            into.keys.extend(self.moves.iter().zip(descending).map(|(&m, rank)| key(rank, m)));
            return;
        }
        let weights = &mut self.weights[..self.moves.len()];
        position.weigh(&self.moves, weights);
        let history = &self.history[position.side() as usize];
        let killers = self.killers[height];
        into.keys.extend(self.moves.iter().zip(weights).map(|(&m, &mut weight)| {
            let prior = ((weight * PRIOR_SCALE) as u32).min(MAX_PRIOR);
            let rank = if Some(m) == table_move {
                FIRST_RANK
            } else if position.is_noisy(m) {
                NOISY_RANK + prior
            } else if Some(m) == killers[0] {
                FIRST_KILLER_RANK
            } else if Some(m) == killers[1] {
                SECOND_KILLER_RANK
            } else {
                (QUIET_RANK + prior).wrapping_add_signed(history[slot(m)].into())
            };
            key(rank, m)
        }));
    }

    /// Learns from a cutoff by the last move picked: it gains, and those picked before it, tried
    /// in vain, lose. Noisy moves have their own order and learn nothing.
    #[inline(always)]
    pub fn reward<G: Evaluate>(
        &mut self,
        position: &G,
        picked: &Ranked,
        depth: i32,
        height: usize,
    ) {
        let Some((cause, vain)) = picked.picked().split_last() else { return };
        let bonus = (depth * depth * 8).clamp(8, MAX_HISTORY / 4);
        let history = &mut self.history[position.side() as usize];
        let is_noisy = |m: Move| position.is_noisy(m);
        let mut change = |key: u32, bonus: i32| {
            if let Some(m) = move_of(key).filter(|&m| !is_noisy(m)) {
                let old = &mut history[slot(m)];
                // Exponential fading: the closer to the limit, the less a bonus counts.
                *old += (bonus - i32::from(*old) * bonus.abs() / MAX_HISTORY) as i16;
            }
        };
        change(*cause, bonus);
        vain.iter().for_each(|&key| change(key, -bonus));
        let killers = &mut self.killers[height];
        match move_of(*cause) {
            Some(m) if !is_noisy(m) && killers[0] != Some(m) => *killers = [Some(m), killers[0]],
            _ => {}
        }
    }

    /// The history of a move of `side`, within ±[`MAX_HISTORY`].
    #[inline(always)]
    pub fn history(&self, side: Side, m: Move) -> i32 {
        self.history[side as usize][slot(m)].into()
    }
}

#[inline(always)]
fn slot(m: Move) -> usize {
    m.code() as usize % CODES
}

#[inline(always)]
fn key(rank: u32, m: Move) -> u32 {
    rank << 16 | u32::from(m.to_bits())
}

#[inline(always)]
fn move_of(key: u32) -> Option<Move> {
    Move::from_bits(key as u16)
}

/// The ranked moves of a position, handed out best first.
pub struct Ranked {
    /// Rank (upper half) and move; those picked so far come first.
    keys: ArrayVec<u32, MAX_MOVES>,
    picked: usize,
}

impl Ranked {
    /// No moves.
    #[inline(always)]
    pub fn new() -> Ranked {
        Ranked { keys: ArrayVec::new(), picked: 0 }
    }

    /// Whether there are no moves at all.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The moves picked so far.
    #[inline(always)]
    fn picked(&self) -> &[u32] {
        &self.keys[..self.picked]
    }

    /// The best of the moves not yet picked.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Move> {
        let rest = self.keys.get_mut(self.picked..)?;
        let (mut best, mut best_key) = (0, *rest.first()?);
        for (index, &key) in rest.iter().enumerate() {
            if key > best_key {
                (best, best_key) = (index, key);
            }
        }
        rest.swap(0, best);
        self.picked += 1;
        move_of(best_key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::{Murus, Voidrider};

    fn in_order<G: Evaluate>(order: &mut Order, position: &G, first: Option<Move>) -> Vec<Move> {
        let mut ranked = Ranked::new();
        order.rank(position, first, 3, &mut ranked);
        std::iter::from_fn(|| ranked.next()).collect()
    }

    #[test]
    fn every_move_comes_once_the_tables_first_then_killers() {
        let start = Murus::start();
        let mut order = Order::new();
        let mut legal = start.legal_moves();
        let (table, killer) = (legal[17], legal[9]);
        let mut ranked = Ranked::new();
        order.rank(&start, Some(killer), 3, &mut ranked);
        ranked.next();
        order.reward(&start, &ranked, 4, 3);
        let moves = in_order(&mut order, &start, Some(table));
        assert_eq!(moves[..2], [table, killer]);
        let mut sorted = moves.clone();
        sorted.sort();
        legal.sort();
        assert_eq!(sorted, legal.to_vec());
    }

    #[test]
    fn history_prefers_what_cut_off_and_stays_in_its_range() {
        let start = Murus::start();
        let mut order = Order::new();
        let vain = in_order(&mut order, &start, None)[0];
        let cause = in_order(&mut order, &start, None)[15];
        for _ in 0..1000 {
            let mut ranked = Ranked::new();
            ranked.keys.extend([key(2, vain), key(1, cause)]);
            ranked.next();
            ranked.next();
            order.reward(&start, &ranked, 30, 5);
        }
        let moves = in_order(&mut order, &start, None);
        assert_eq!((moves[0], *moves.last().unwrap()), (cause, vain));
        for history in order.history.iter().flatten() {
            assert!(i32::from(*history).abs() <= MAX_HISTORY);
        }
    }

    #[test]
    fn without_order_moves_come_as_generated() {
        let start = Voidrider::start();
        let legal = start.legal_moves();
        let mut order = Order::new();
        order.enabled = false;
        assert_eq!(in_order(&mut order, &start, Some(legal[5])), legal.to_vec());
    }

    #[test]
    fn captures_come_before_quiet_moves_the_best_victim_first() {
        let start = Voidrider::start();
        let text =
            "#v###v#/r.bkbnr/#ppppp#/#.n...#/#P.PN.#/#.....#/#.P.PP#/RNBKB.R/#V###V# b 9 DdUu 0";
        let position = start.parse_board(text).unwrap();
        let moves = in_order(&mut Order::new(), &position, None);
        let captures = moves.iter().take_while(|&&m| position.is_noisy(m)).count();
        assert!(captures > 0);
        assert!(moves[captures..].iter().all(|&m| !position.is_noisy(m)));
        let victim = |m: Move| position.describe(m).captured;
        assert_eq!(victim(moves[0]), Some(crate::games::voidrider::Kind::Knight));
    }
}
