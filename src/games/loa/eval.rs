//! Lines of Action: a network that sees every stone and whether it may be taken, and what stands on
//! each square of four cells. It also sees how far apart the stones are, in how many groups, and
//! how mobile.
//!
//! The network is given features of Winands ("Analysis and Implementation of Lines of Action",
//! 2000, and MIA). These are concentration, connectedness by Euler numbers, mobility, and quads and
//! walls, as what both sides have on four cells. Centralisation and uniformity it can make of the
//! stones themselves. The side to move is in its point of view.

use crate::eval::network::{Network, NetworkGame};
use crate::eval::oracle::NoOracle;
use crate::eval::parameters::Parameters;
use crate::eval::{Evaluate, LateMoves};
use crate::game::bitboard::{Direction, Grid, cells};
use crate::game::{Game, Move, Side};
use crate::games::Loa;

type Board = Grid<8, 8>;

/// Inputs for stones that may be taken, one for each cell with an own stone, or an enemy's; before
/// them, one for each with any stone.
const HANGING_INPUTS: usize = 2 * 64;
/// Inputs by the spread of each side, two steps to a bucket.
const SPREAD_INPUTS: usize = HANGING_INPUTS + 2 * 64;
const SPREAD_BUCKETS: usize = 16;
/// Inputs by the Euler number of each side.
const EULER_INPUTS: usize = SPREAD_INPUTS + 2 * SPREAD_BUCKETS;
const EULER_BUCKETS: usize = 10;
/// Inputs by the moves of each side, four to a bucket.
const MOBILITY_INPUTS: usize = EULER_INPUTS + 2 * EULER_BUCKETS;
const MOBILITY_BUCKETS: usize = 16;
/// Inputs by the stones of both sides on four cells that touch one another, where there are two or
/// more.
const SQUARE_INPUTS: usize = MOBILITY_INPUTS + 2 * MOBILITY_BUCKETS;
/// Squares of four cells in a row of them, and such rows.
const SQUARES_IN_ROW: usize = 7;
/// What may stand on four cells: nothing, an own stone or an enemy's on each.
const SQUARE_PATTERNS: usize = 3 * 3 * 3 * 3;
/// Rows of moves by the cell reached; before them, by the cell left.
const TO_ROWS: usize = 64;
/// Rows by the steps won toward the centre of mass, -7 to 7, without and with a capture.
const CLOSER_ROWS: usize = 2 * 64;
const CLOSER_STEPS: usize = 15;
/// Rows by the own stones beside the cell left and beside the cell reached.
const CONTACT_ROWS: usize = CLOSER_ROWS + 2 * CLOSER_STEPS;
const CONTACTS: usize = 9;
/// Rows by the enemy stones beside the cell reached, without and with a capture.
const ENEMY_CONTACT_ROWS: usize = CONTACT_ROWS + CONTACTS * CONTACTS;
/// Rows by the Euler number of the stones after the move, and of the enemy's after a capture.
const EULER_ROWS: usize = ENEMY_CONTACT_ROWS + 2 * CONTACTS;
/// Rows by whether the enemy reaches the cell left, and the cell reached.
const DANGER_ROWS: usize = EULER_ROWS + 2 * EULER_BUCKETS;

static NETWORK: Network<{ Loa::HIDDEN }, { Loa::INPUTS }, { Loa::MOVE_ROWS }> =
    Network::from_bytes(include_bytes!("weights.bin"));

/// For each cell, the bit planes of the distances (in steps of a king, 0 to 7) of all cells.
static DISTANCE_PLANES: [[u64; 3]; 64] = {
    let mut planes = [[0; 3]; 64];
    let mut from = 0;
    while from < 64 {
        let mut ball = 1u64 << from;
        let mut distance = 1;
        while distance < 8 {
            let next = Board::dilate(ball);
            let mut bit = 0;
            while bit < 3 {
                if distance >> bit & 1 != 0 {
                    planes[from][bit] |= next & !ball;
                }
                bit += 1;
            }
            ball = next;
            distance += 1;
        }
        from += 1;
    }
    planes
};

/// The least sum of distances that a number of stones can have: eight fit around the first, the
/// rest stand two steps away.
const LEAST_DISTANCE: [i32; 13] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14];

/// Bit planes of the column and row numbers 0 to 7.
const COLUMN_PLANES: [u64; 3] =
    [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
const ROW_PLANES: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];

/// 1/n in 16-bit fixed point, for the mean of up to 12 stones.
const RECIPROCAL: [u32; 13] = {
    let mut table = [0; 13];
    let mut n = 1;
    while n < 13 {
        table[n] = 65_536 / n as u32 + 1;
        n += 1;
    }
    table
};

/// The sum over all stones of numbers given as bit planes.
#[inline(always)]
fn sum_of(planes: &[u64; 3], stones: u64) -> u32 {
    (0..3).map(|bit| (stones & planes[bit]).count_ones() << bit).sum()
}

/// The cell nearest to the centre of mass.
#[inline(always)]
fn centre(stones: u64) -> usize {
    let count = stones.count_ones();
    let mean = |planes: &[u64; 3]| {
        let sum = sum_of(planes, stones);
        // Rounded to the nearest whole number.
        ((2 * sum + count) * RECIPROCAL[count as usize]) >> 17
    };
    (mean(&ROW_PLANES) * 8 + mean(&COLUMN_PLANES)) as usize & 63
}

/// The sum of the stones' distances from their centre of mass, minus the least possible sum.
#[inline(always)]
fn spread(stones: u64) -> i32 {
    let sum = sum_of(&DISTANCE_PLANES[centre(stones)], stones);
    sum as i32 - LEAST_DISTANCE[stones.count_ones() as usize]
}

#[inline(always)]
fn contacts(stones: u64) -> i32 {
    const HALF: [Direction; 4] =
        [Direction::NorthEast, Direction::East, Direction::SouthEast, Direction::South];
    HALF.iter().map(|&d| (stones & Board::shift(stones, d)).count_ones() as i32).sum()
}

impl Evaluate for Loa {
    type Oracle = NoOracle;

    const TUNING: Parameters = Parameters { exploration: 1.4, ..Parameters::DEFAULT };

    const LATE_MOVES: LateMoves = LateMoves { reduction_quarters: 4, tried: &[4, 7, 12, 19] };

    fn touch_weights() {
        NETWORK.touch();
    }

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        NETWORK.score(self, &NETWORK.hidden(self))
    }

    #[inline(always)]
    fn decided(&self) -> Option<(Side, usize)> {
        (self.may_win_next() && self.can_connect()).then_some((self.side(), 1))
    }

    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        NETWORK.weigh(self, &NETWORK.hidden(self), moves, weights);
    }
}

/// The number of groups less that of holes: of stones, pairs, triples and fours that all touch one
/// another, those of odd size less those of even (Euler's formula).
#[inline(always)]
fn euler_number(stones: u64) -> i32 {
    let east = Board::shift(stones, Direction::West);
    let south = Board::shift(stones, Direction::North);
    let south_east = Board::shift(south, Direction::West);
    let (upper, lower) = (stones & east, south & south_east);
    let fours = (upper & lower).count_ones() as i32;
    let threes = (upper & (south ^ south_east) | lower & (stones ^ east)).count_ones() as i32;
    // A square of four holds four triples.
    stones.count_ones() as i32 - contacts(stones) + threes + 3 * fours
}

/// The bucket of an Euler number, which holes may make negative.
#[inline(always)]
fn bucket_of_euler(number: i32) -> usize {
    (number.max(0) as usize).min(EULER_BUCKETS - 1)
}

/// The stones on the eight cells around a cell.
struct Around {
    /// How many they are.
    count: usize,
    /// By how much a stone on the cell raises the Euler number of the others.
    euler: i32,
}

impl Around {
    /// What is around a cell; a stone on the cell itself does not count.
    #[inline(always)]
    fn at(stones: u64, cell: usize) -> Around {
        const CELLS: [u64; 64] = {
            let mut around = [0; 64];
            let mut cell = 0;
            while cell < 64 {
                around[cell] = Board::dilate(1 << cell) & !(1 << cell);
                cell += 1;
            }
            around
        };
        let near = stones & CELLS[cell];
        // The first of the nine cells becomes the lowest bit; then their rows are put together.
        let nine = near.rotate_right(cell as u32 + 64 - 9);
        let pattern = nine & 0o7 | nine >> 5 & 0o70 | nine >> 10 & 0o700;
        Around {
            count: near.count_ones() as usize,
            euler: i32::from(EULER_OF_STONE[pattern as usize]),
        }
    }
}

/// By how much a stone raises the Euler number, by the stones on nine cells of which its own, in
/// the middle, does not count. It is one stone more, and touches each of them; in a square of four
/// cells with two others it makes a triple, with three others three triples and a four.
const EULER_OF_STONE: [i8; 512] = {
    let mut table = [0; 512];
    let mut pattern = 0usize;
    while pattern < 512 {
        let mut change = 1 - (pattern & 0o757).count_ones() as i8;
        let squares = [0o033, 0o066, 0o330, 0o660];
        let mut square = 0;
        while square < 4 {
            let others = (pattern & 0o757 & squares[square]).count_ones() as i8;
            change += if others == 3 { 2 } else { others / 2 };
            square += 1;
        }
        table[pattern] = change;
        pattern += 1;
    }
    table
};

/// The first cells of the squares of four cells with two stones or more, by the lowest column and
/// row.
#[inline(always)]
fn crowded_squares(stones: u64) -> u64 {
    let east = Board::shift(stones, Direction::West);
    let south = Board::shift(stones, Direction::North);
    let south_east = Board::shift(south, Direction::West);
    let two = stones & east | south & south_east | (stones | east) & (south | south_east);
    two & FIRST_CELLS
}

/// The cells with one beside and one below them.
const FIRST_CELLS: u64 = 0x007f_7f7f_7f7f_7f7f;

/// What stands on a square of four cells, a digit of base three for each.
#[inline(always)]
fn square_pattern(own: u64, enemy: u64, first: usize) -> usize {
    const THREES: [u8; 16] = {
        let mut threes = [0; 16];
        let mut set = 0;
        while set < 16 {
            let bits = set as u8;
            threes[set] = (bits & 1) + 3 * (bits >> 1 & 1) + 9 * (bits >> 2 & 1) + 27 * (bits >> 3);
            set += 1;
        }
        threes
    };
    let set = |stones: u64| {
        let here = stones >> first;
        (here & 3 | here >> 6 & 12) as usize
    };
    usize::from(THREES[set(own)]) + 2 * usize::from(THREES[set(enemy)])
}

impl NetworkGame for Loa {
    const HIDDEN: usize = 128;
    const INPUTS: usize = SQUARE_INPUTS + SQUARES_IN_ROW * SQUARES_IN_ROW * SQUARE_PATTERNS;
    const MOVE_ROWS: usize = DANGER_ROWS + 4;

    #[inline(always)]
    fn for_each_input(&self, mut see: impl FnMut(usize)) {
        let me = self.side();
        let reach = self.reach_of_both();
        for (index, side) in [me, !me].into_iter().enumerate() {
            let stones = self.stones(side);
            for cell in cells(stones) {
                see(index * 64 + cell);
            }
            for cell in cells(stones & reach[1 - index].cells) {
                see(HANGING_INPUTS + index * 64 + cell);
            }
            let steps = (spread(stones) as usize / 2).min(SPREAD_BUCKETS - 1);
            see(SPREAD_INPUTS + index * SPREAD_BUCKETS + steps);
            see(EULER_INPUTS + index * EULER_BUCKETS + bucket_of_euler(euler_number(stones)));
            let moves = (reach[index].moves as usize / 4).min(MOBILITY_BUCKETS - 1);
            see(MOBILITY_INPUTS + index * MOBILITY_BUCKETS + moves);
        }
        let (own, enemy) = (self.stones(me), self.stones(!me));
        for cell in cells(crowded_squares(own | enemy)) {
            let square = cell - cell / 8;
            see(SQUARE_INPUTS + square * SQUARE_PATTERNS + square_pattern(own, enemy, cell));
        }
    }

    type MoveContext = MoveContext;

    #[inline(always)]
    fn move_context(&self) -> MoveContext {
        let side = self.side();
        let (own, enemy) = (self.stones(side), self.stones(!side));
        MoveContext {
            centre: centre(own),
            enemy_reach: self.reach(!side).cells,
            euler_numbers: [euler_number(own), euler_number(enemy)],
        }
    }

    #[inline(always)]
    fn for_each_move_row(&self, context: &MoveContext, m: Move, mut see: impl FnMut(usize)) {
        let me = self.side();
        let (own, enemy) = (self.stones(me), self.stones(!me));
        let centre = context.centre;
        let (from, to) = Loa::from_and_to(m);
        let distance =
            |cell: usize| (cell / 8).abs_diff(centre / 8).max((cell % 8).abs_diff(centre % 8));
        let closer = CLOSER_STEPS / 2 + distance(from) - distance(to);
        let captures = (enemy >> to & 1) as usize;
        see(from);
        see(TO_ROWS + to);
        see(CLOSER_ROWS + captures * CLOSER_STEPS + closer);
        let staying = own & !(1 << from);
        let [left, reached] = [Around::at(own, from), Around::at(staying, to)];
        see(CONTACT_ROWS + left.count * CONTACTS + reached.count);
        let among_enemies = Around::at(enemy, to);
        see(ENEMY_CONTACT_ROWS + captures * CONTACTS + among_enemies.count);
        let [own_number, enemy_number] = context.euler_numbers;
        see(EULER_ROWS + bucket_of_euler(own_number - left.euler + reached.euler));
        if captures != 0 {
            let bucket = bucket_of_euler(enemy_number - among_enemies.euler);
            see(EULER_ROWS + EULER_BUCKETS + bucket);
        }
        let reached = |cell: usize| (context.enemy_reach >> cell & 1) as usize;
        see(DANGER_ROWS + 2 * reached(from) + reached(to));
    }
}

/// What the moves of a position are looked at with.
pub struct MoveContext {
    /// The centre of mass.
    centre: usize,
    /// The cells that the enemy could move to.
    enemy_reach: u64,
    /// Of the mover's stones and of the enemy's.
    euler_numbers: [i32; 2],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chance::Chance;

    #[test]
    fn the_centre_is_the_rounded_mean() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..10_000 {
            let count = rng.index(1..=12);
            let mut stones = 0u64;
            while (stones.count_ones() as usize) < count {
                stones |= 1 << rng.u32(..64);
            }
            let mean = |of: fn(usize) -> usize| {
                let sum: usize = crate::game::bitboard::cells(stones).map(of).sum();
                (2 * sum + count) / (2 * count)
            };
            assert_eq!(centre(stones), mean(|c| c / 8) * 8 + mean(|c| c % 8));
        }
    }

    /// Groups and holes, by floods: holes of cells that touch by a side, the edge's surroundings
    /// left out.
    fn groups_less_holes(stones: u64) -> i32 {
        let on_board = |row: i32, column: i32| (0..8).contains(&row) && (0..8).contains(&column);
        let filled =
            |row: i32, column: i32| on_board(row, column) && stones >> (row * 8 + column) & 1 != 0;
        let mut seen = std::collections::HashSet::new();
        let (mut groups, mut gaps) = (0, 0);
        for start in (-1..9).flat_map(|row| (-1..9).map(move |column| (row, column))) {
            if !seen.insert(start) {
                continue;
            }
            let kind = filled(start.0, start.1);
            *(if kind { &mut groups } else { &mut gaps }) += 1;
            let mut waiting = vec![start];
            while let Some((row, column)) = waiting.pop() {
                for (down, right) in (-1..=1).flat_map(|d| (-1..=1).map(move |r| (d, r))) {
                    let next = (row + down, column + right);
                    let inside = (-1..9).contains(&next.0) && (-1..9).contains(&next.1);
                    let touches = kind || down == 0 || right == 0;
                    if inside && touches && filled(next.0, next.1) == kind && seen.insert(next) {
                        waiting.push(next);
                    }
                }
            }
        }
        // All around the stones is no hole.
        groups - (gaps - 1)
    }

    #[test]
    fn the_euler_number_is_groups_less_holes() {
        let mut rng = fastrand::Rng::with_seed(6);
        for _ in 0..10_000 {
            let stones = rng.u64(..) & if rng.bool() { rng.u64(..) } else { u64::MAX };
            assert_eq!(euler_number(stones), groups_less_holes(stones), "{stones:#x}");
        }
    }

    #[test]
    fn a_stone_changes_the_euler_number_by_what_stands_around_it() {
        let mut rng = fastrand::Rng::with_seed(8);
        for _ in 0..10_000 {
            let cell = rng.index(..64);
            let others = rng.u64(..) & !(1 << cell);
            let around = Around::at(others | (1 << cell & rng.u64(..)), cell);
            let change = euler_number(others | 1 << cell) - euler_number(others);
            assert_eq!(around.euler, change, "{others:#x} {cell}");
            let steps =
                |other: usize| (other / 8).abs_diff(cell / 8).max((other % 8).abs_diff(cell % 8));
            assert_eq!(around.count, cells(others).filter(|&other| steps(other) == 1).count());
        }
    }

    #[test]
    fn squares_with_two_stones_differ_by_their_content() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..10_000 {
            let (own, rest) = (rng.u64(..) & rng.u64(..), rng.u64(..) & rng.u64(..));
            let enemy = rest & !own;
            let mut seen = Vec::new();
            for cell in cells(crowded_squares(own | enemy)) {
                seen.push((cell, square_pattern(own, enemy, cell)));
            }
            let mut expected = Vec::new();
            for first in (0..7).flat_map(|row| (0..7).map(move |column| row * 8 + column)) {
                let stone = |cell: usize| match (own >> cell & 1, enemy >> cell & 1) {
                    (1, _) => 1,
                    (_, 1) => 2,
                    _ => 0,
                };
                let four = [0, 1, 8, 9].map(|step| stone(first + step));
                if four.iter().filter(|&&stone| stone != 0).count() >= 2 {
                    expected.push((first, four[0] + 3 * four[1] + 9 * four[2] + 27 * four[3]));
                }
            }
            assert_eq!(seen, expected, "{own:#x} {enemy:#x}");
        }
    }

    #[test]
    fn distances_count_the_steps_of_a_king() {
        for (from, planes) in DISTANCE_PLANES.iter().enumerate() {
            for to in 0..64usize {
                let steps = (from / 8).abs_diff(to / 8).max((from % 8).abs_diff(to % 8));
                assert_eq!(sum_of(planes, 1 << to) as usize, steps);
            }
        }
    }
}
