//! Murus Gallicus: stones, advanced towers, mobility, and who reaches home first.

use super::Evaluate;
use super::network::{Network, Seen};
use crate::bitboard::{Grid, cells};
use crate::game::{Game, Move, Side};
use crate::games::Murus;

type Board = Grid<7, 8>;

/// A stone on the board, in hundredths.
const STONE: i32 = 30;
/// A tower by its distance in rows from the enemy's home (6 at the start, 1 next to it): a tower
/// two rows away needs only open cells to win.
const TOWER_BY_DISTANCE: [i32; 7] = [0, 90, 80, 45, 25, 12, 0];
/// A wall by its distance, which may become a tower there.
const WALL_BY_DISTANCE: [i32; 7] = [0, 45, 35, 22, 12, 6, 0];
/// A direction in which a tower may move.
const MOVE: i32 = 3;
/// The side to move cannot win at once but the other side could.
const THREATENED: i32 = 60;

/// By how much less a move gains than the best one whose prior is a quarter of its.
const GAIN_SCALE: f32 = 60.0;

impl Evaluate for Murus {
    const PLAYOUT_PLIES: u32 = 0;
    const EXPLORATION: f32 = 0.35;
    const REDUCTION: usize = 4;
    const ENOUGH_MOVES: &'static [usize] = &[4, 6, 8, 10];

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

static NETWORK: Network<{ Murus::INPUTS }, { Murus::MOVE_ROWS }> =
    Network::from_bytes(include_bytes!("weights/murus.bin"));

/// Inputs of one kind: each cell.
const CELLS: usize = 56;
/// The input that says that the other side threatens to reach home.
const THREAT_INPUT: usize = 4 * CELLS;
/// Rows of moves: first by cell and direction, then by what is there and the row.
const LANDING_ROWS: usize = 8 * CELLS;

/// A cell as the side to move sees it, its own home at the bottom.
#[inline(always)]
fn seen_cell(cell: usize, side: Side) -> usize {
    if side == Side::White { cell } else { 48 - (cell & 56) + (cell & 7) }
}

impl Seen for Murus {
    const INPUTS: usize = THREAT_INPUT + 1;
    const MOVE_ROWS: usize = LANDING_ROWS + 5 * 7;

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

    type Sight = ();

    #[inline(always)]
    fn sight(&self) {}

    #[inline(always)]
    fn each_row(&self, _: &(), m: Move, mut see: impl FnMut(usize)) {
        let me = self.side();
        let (from, direction) = self.source_and_direction(m);
        let next = Board::shift(1 << from, direction);
        let last = Board::shift(next, direction);
        let walls = self.walls(me);
        let kind = if self.walls(!me) & next != 0 {
            4
        } else {
            usize::from(walls & next != 0) + 2 * usize::from(walls & last != 0)
        };
        let from = seen_cell(from, me);
        let direction = direction as usize;
        let direction = if me == Side::White { direction } else { (12 - direction) % 8 };
        see(from * 8 + direction);
        see(LANDING_ROWS + kind * 7 + from / 8);
    }
}

impl Murus {
    /// By how much a legal move changes the evaluation of where the stones stand.
    #[inline(always)]
    fn gain(&self, m: Move) -> i32 {
        let me = self.side();
        let (from, direction) = self.source_and_direction(m);
        let next = Board::shift(1 << from, direction);
        let distance = |cells: u64, side: Side| {
            let row = cells.trailing_zeros() as usize / 8;
            if side == Side::White { row } else { 6 - row }
        };
        let here = distance(1 << from, me);
        let left = 2 * STONE + TOWER_BY_DISTANCE[here];
        if self.walls(!me) & next != 0 {
            let removed = STONE + WALL_BY_DISTANCE[distance(next, !me)];
            return STONE + WALL_BY_DISTANCE[here] + removed - left;
        }
        let landed = |cell: u64| {
            let distance = distance(cell, me);
            let wall = WALL_BY_DISTANCE[distance];
            let raised = TOWER_BY_DISTANCE[distance] - wall;
            STONE + if self.walls(me) & cell != 0 { raised } else { wall }
        };
        landed(next) + landed(Board::shift(next, direction)) - left
    }

    #[inline(always)]
    fn material(&self, side: Side) -> i32 {
        let (walls, towers) = (self.walls(side), self.towers(side));
        let mut score = STONE * (walls.count_ones() + 2 * towers.count_ones()) as i32;
        for distance in 1..7 {
            let row = match side {
                Side::White => Board::row(distance),
                Side::Black => Board::row(6 - distance),
            };
            score += TOWER_BY_DISTANCE[distance] * (towers & row).count_ones() as i32;
            score += WALL_BY_DISTANCE[distance] * (walls & row).count_ones() as i32;
        }
        score + MOVE * self.with_side(side).count_moves() as i32
    }
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

    #[test]
    fn a_move_gains_what_the_evaluation_says_but_for_mobility_and_threats() {
        let stones = |position: &Murus, side: Side| {
            position.material(side) - MOVE * position.with_side(side).count_moves() as i32
        };
        let balance = |position: &Murus, side| stones(position, side) - stones(position, !side);
        positions(50, |position| {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            let me = position.side();
            for &m in &moves {
                let mut after = *position;
                after.play(m);
                if after.won().is_none() {
                    let change = balance(&after, me) - balance(position, me);
                    assert_eq!(position.gain(m), change, "{position} {}", position.notation(m));
                }
            }
        });
    }
}
