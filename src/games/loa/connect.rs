//! Lines of Action: whether one move wins.
//!
//! The one idea: few cells touch all groups of a side, or all but one. A move that connects them
//! leads there, so most positions are settled without a look at their moves.

use super::rules::{Board, Loa};
use crate::game::{Game, MoveList};

/// The cells that touch all groups of the stones, or all but one, which may be a single stone that
/// moves there: no move elsewhere connects them.
#[inline(always)]
fn joining_cells(stones: u64) -> u64 {
    let (mut touch_all, mut touch_all_but_one) = (!0, !0);
    let mut left = stones;
    while left != 0 && touch_all_but_one & !stones != 0 {
        let group = Board::first_group(left);
        let touched = Board::dilate(group);
        touch_all_but_one = touch_all_but_one & touched | touch_all;
        touch_all &= touched;
        left &= !group;
    }
    touch_all_but_one & !stones
}

impl Loa {
    /// Whether the side to move can connect all its stones by one move.
    #[inline(always)]
    pub fn can_connect(&self) -> bool {
        let own = self.stones(self.side());
        let joining = joining_cells(own);
        if joining == 0 || joining & self.reach(self.side()).cells == 0 {
            return false;
        }
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves.iter().any(|&m| {
            let (from, to) = Loa::from_and_to(m);
            joining >> to & 1 != 0 && Board::connected(own & !(1 << from) | 1 << to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chance::Chance;
    use crate::game::{Move, Side};

    #[test]
    fn a_side_can_connect_where_one_of_its_moves_does() {
        let mut rng = fastrand::Rng::with_seed(9);
        let mut found = [0; 2];
        for _ in 0..20_000 {
            let (count, enemies) = (rng.index(2..=8), rng.index(1..=8));
            let mut stones = [0u64; 2];
            // Own stones near one another, so that some positions are close to the end.
            let corner = 8 * rng.u32(0..4) + rng.u32(0..4);
            while (stones[0].count_ones() as usize) < count {
                stones[0] |= 1 << (corner + 8 * rng.u32(0..5) + rng.u32(0..5));
            }
            for _ in 0..enemies {
                stones[1] |= 1 << rng.u32(0..64) & !stones[0];
            }
            let position = Loa::new(stones, Side::White, 10);
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            let connects = |m: &Move| {
                let mut after = position;
                after.play(*m);
                Board::connected(after.stones(Side::White))
            };
            let expected = moves.iter().any(connects);
            if !Board::connected(stones[0]) {
                assert_eq!(position.can_connect(), expected, "{position}");
                found[usize::from(expected)] += 1;
            }
        }
        assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
    }
}
