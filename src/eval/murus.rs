//! Murus Gallicus: a network that sees every wall and tower, and who reaches home in two plies.

use super::Evaluate;
use super::network::{Network, Seen};
use crate::bitboard::{Direction, Grid, cells};
use crate::game::{Game, Move, Side};
use crate::games::Murus;

type Board = Grid<7, 8>;

/// The cells of the board.
const CELLS: usize = 56;
/// The input that says that the other side threatens to reach home; before it, one for each cell
/// with an own wall, an own tower, an enemy wall, an enemy tower.
const THREAT_INPUT: usize = 4 * CELLS;
/// Rows of moves by what stands on the next two cells, and by the row left; before them, by the cell
/// left and the direction.
const LANDING_ROWS: usize = 8 * CELLS;
/// A sacrifice, or each combination of empty cells and own walls.
const LANDINGS: usize = 5;
/// Rows by whether the enemy could reach home after the move (1), and the side to move if it went on (2).
const REACH_ROWS: usize = LANDING_ROWS + LANDINGS * 7;
/// Rows by the enemy towers beside each cell that the move makes a wall: one and two steps away, or the
/// one that a sacrifice leaves.
const EXPOSED_ROWS: usize = REACH_ROWS + 4;
const EXPOSURES: usize = 4;

static NETWORK: Network<{ Murus::HIDDEN }, { Murus::INPUTS }, { Murus::MOVE_ROWS }> =
    Network::from_bytes(include_bytes!("weights/murus.bin"));

impl Evaluate for Murus {
    const PLAYOUT_PLIES: u32 = 0;
    const EXPLORATION: f32 = 0.8;
    const REDUCTION: usize = 4;
    const ENOUGH_MOVES: &'static [usize] = &[4, 6, 8, 10];

    fn touch_weights() {
        NETWORK.touch();
    }

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        NETWORK.score(self, &NETWORK.hidden(self))
    }

    #[inline(always)]
    fn decided(&self) -> Option<(Side, usize)> {
        if self.can_reach_home() {
            return Some((self.side(), 1));
        }
        // A move with which the limit is reached makes a draw before.
        let replies = self.ply() + 1 < Murus::PLY_LIMIT;
        (replies && self.cannot_hold_home()).then_some((!self.side(), 2))
    }

    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        NETWORK.weigh(self, &NETWORK.hidden(self), moves, weights);
    }
}

/// A cell as the side to move sees it, its own home at the bottom.
#[inline(always)]
fn seen_cell(cell: usize, side: Side) -> usize {
    if side == Side::White { cell } else { 48 - (cell & 56) + (cell & 7) }
}

impl Seen for Murus {
    const HIDDEN: usize = 256;
    const INPUTS: usize = THREAT_INPUT + 1;
    const MOVE_ROWS: usize = EXPOSED_ROWS + 3 * EXPOSURES;

    #[inline(always)]
    fn each_input(&self, mut see: impl FnMut(usize)) {
        let me = self.side();
        let planes = [self.walls(me), self.towers(me), self.walls(!me), self.towers(!me)];
        for (plane, stones) in planes.into_iter().enumerate() {
            // Rows upside down: the first byte is no row.
            let stones = if me == Side::White { stones } else { stones.swap_bytes() >> 8 };
            for cell in cells(stones) {
                see(plane * CELLS + cell);
            }
        }
        if self.with_side(!me).can_reach_home() {
            see(THREAT_INPUT);
        }
    }

    type Sight = Sight;

    #[inline(always)]
    fn sight(&self) -> Sight {
        let towers = self.towers(!self.side());
        let mut towers_beside = [0; EXPOSURES - 1];
        for direction in Direction::ALL {
            let mut more = Board::shift(towers, direction);
            for cells in &mut towers_beside {
                (*cells, more) = (*cells | more, *cells & more);
            }
        }
        Sight { towers_beside }
    }

    #[inline(always)]
    fn each_row(&self, sight: &Sight, m: Move, mut see: impl FnMut(usize)) {
        let me = self.side();
        let (from, direction) = self.source_and_direction(m);
        let left = 1 << from;
        let next = Board::shift(left, direction);
        let last = Board::shift(next, direction);
        let walls = self.walls(me);
        let is_wall = |cell: u64| walls & cell != 0;
        let mut expose = |place: usize, cell: u64| {
            let beside = sight.towers_beside.map(|cells| usize::from(cells & cell != 0));
            see(EXPOSED_ROWS + place * EXPOSURES + beside.iter().sum::<usize>());
        };
        let kind = if self.walls(!me) & next != 0 {
            expose(2, left);
            LANDINGS - 1
        } else {
            if !is_wall(next) {
                expose(0, next);
            }
            if !is_wall(last) {
                expose(1, last);
            }
            usize::from(is_wall(next)) + 2 * usize::from(is_wall(last))
        };
        let from = seen_cell(from, me);
        let direction = direction as usize;
        let direction = if me == Side::White { direction } else { (12 - direction) % 8 };
        see(from * 8 + direction);
        see(LANDING_ROWS + kind * 7 + from / 8);
        let mut after = *self;
        after.play_unkeyed(m);
        let goes_on = after.with_side(me).can_reach_home();
        see(REACH_ROWS + usize::from(after.can_reach_home()) + 2 * usize::from(goes_on));
    }
}

/// What the moves of a position are looked at with.
pub struct Sight {
    /// The cells with one, two, three enemy towers beside them, or more.
    towers_beside: [u64; EXPOSURES - 1],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveList;

    /// Positions of random games.
    fn positions(games: u64, mut look: impl FnMut(&Murus)) {
        for seed in 0..games {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = Murus::start();
            while position.won().is_none() {
                look(&position);
                let Some(m) = position.random_move(&mut rng) else { break };
                position.play(m);
            }
        }
    }

    #[test]
    fn what_is_decided_is_so_and_few_losses_in_two_plies_are_overlooked() {
        let (mut won, mut lost, mut overlooked) = (0, 0, 0);
        positions(2000, |position| {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            if moves.is_empty() {
                return;
            }
            let after = |m| {
                let mut after = *position;
                after.play(m);
                after
            };
            let wins = moves.iter().any(|&m| after(m).won().is_some());
            let loses = moves.iter().all(|&m| after(m).can_reach_home());
            let me = position.side();
            let expected = match (wins, loses) {
                (true, _) => Some((me, 1)),
                (_, true) if position.ply() + 1 < Murus::PLY_LIMIT => Some((!me, 2)),
                _ => None,
            };
            won += usize::from(wins);
            lost += usize::from(loses && !wins);
            // The only stone that can stop a threat may be what stops another one already.
            match position.decided() {
                None if !wins => overlooked += usize::from(expected.is_some()),
                found => assert_eq!(found, expected, "{position}"),
            }
        });
        assert!(won > 100 && lost > 50 && overlooked < lost / 4, "{won} {lost} {overlooked}");
    }
}
