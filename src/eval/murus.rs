//! Murus Gallicus: stones, advanced towers, mobility, and who reaches home first.

use super::Evaluate;
use crate::bitboard::{Direction, Grid};
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

impl Evaluate for Murus {
    const PLAYOUT_PLIES: u32 = 0;
    const EXPLORATION: f32 = 0.35;
    const REDUCTION: usize = 4;
    const ENOUGH_MOVES: &'static [usize] = &[4, 6, 8, 10];

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        let me = self.side();
        let threatened = if self.with_side(!me).can_reach_home() { THREATENED } else { 0 };
        self.material(me) - self.material(!me) - threatened
    }

    #[inline(always)]
    fn decided(&self) -> Option<(Side, usize)> {
        self.can_reach_home().then_some((self.side(), 1))
    }

    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        let forward = match self.side() {
            Side::White => [Direction::North, Direction::NorthEast, Direction::NorthWest],
            Side::Black => [Direction::South, Direction::SouthEast, Direction::SouthWest],
        };
        for (&m, weight) in moves.iter().zip(weights) {
            let (_, direction) = self.source_and_direction(m);
            *weight = if self.is_sacrifice(m) {
                2.0
            } else if forward.contains(&direction) {
                1.5
            } else {
                1.0
            };
        }
    }
}

impl Murus {
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
