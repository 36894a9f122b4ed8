//! Lines of Action: the moves of all stones of a side at once.
//!
//! The one idea: the board is brought into four *lanes* in which the rows, the columns and the two
//! kinds of diagonals lie along bytes. Every cell of a line has the same stone count. So a step of
//! "as many cells as the count" is a barrel shifter: three shifts by 1, 2 and 4, each applied only
//! to the lines with that bit in their count. All stones of a side are tested in all eight
//! directions at once.
//!
//! The same operations run on the four lanes, in one loop, which the compiler turns into vector
//! instructions where the processor has them. It does so only in a function of its own: among the
//! code of a caller it unrolls the loop first. So [`sources`], [`count_moves`] and [`reach`] are
//! never inlined.

use crate::eval::processor::with_v3_instructions;

/// Rows and columns of the board.
pub(super) const SIZE: usize = 8;

/// Rows, columns, diagonals (down to the right), antidiagonals (down to the left).
pub(super) const LANES: usize = 4;

/// One word for each lane.
pub(super) type Lanes = [u64; LANES];

/// For each lane and cell: the cell's index in that lane, where its line lies along a byte.
/// A diagonal lane's byte holds two lines of the board, one behind the other.
const fn lane_index(lane: usize, cell: usize) -> usize {
    let (row, column) = (cell / SIZE, cell % SIZE);
    match lane {
        0 => cell,
        1 => column * SIZE + row,
        2 => (row + SIZE - column) % SIZE * SIZE + column,
        _ => (row + column) % SIZE * SIZE + column,
    }
}

/// For each lane, which line of its byte a cell belongs to: 0 or 1.
const fn second_line(lane: usize, cell: usize) -> bool {
    let (row, column) = (cell / SIZE, cell % SIZE);
    match lane {
        2 => column > row,
        3 => column + row >= SIZE,
        _ => false,
    }
}

/// Geometry of the lanes, computed once by the compiler.
pub(super) struct Tables {
    /// Lane index → cell of the board.
    pub(super) cell_of: [[u8; 64]; LANES],
    /// The cells of a lane that belong to the second line of their byte.
    second: Lanes,
    /// For distances 1, 2, 4 (index 0, 1, 2): the cells of each lane from which that many steps
    /// toward higher bits leave the line.
    off_up: [Lanes; 3],
    /// The same toward lower bits.
    off_down: [Lanes; 3],
    /// For each lane and cell of the board: the line through it, as a set of the board.
    pub(super) line: [[u64; 64]; LANES],
    /// For each lane, direction (0 toward higher bits, 1 toward lower) and cell of the board: the
    /// cells ahead on its line, and how many they are.
    pub(super) ray: [[[u64; 64]; 2]; LANES],
    pub(super) room: [[[u8; 64]; 2]; LANES],
}

pub(super) static TABLES: Tables = {
    let mut t = Tables {
        cell_of: [[0; 64]; LANES],
        second: [0; LANES],
        off_up: [[0; LANES]; 3],
        off_down: [[0; LANES]; 3],
        line: [[0; 64]; LANES],
        ray: [[[0; 64]; 2]; LANES],
        room: [[[0; 64]; 2]; LANES],
    };
    let mut lane = 0;
    while lane < LANES {
        let mut cell = 0;
        while cell < 64 {
            let index = lane_index(lane, cell);
            t.cell_of[lane][index] = cell as u8;
            if second_line(lane, cell) {
                t.second[lane] |= 1 << index;
            }
            let mut other = 0;
            while other < 64 {
                let there = lane_index(lane, other);
                let same_line = there / SIZE == index / SIZE
                    && second_line(lane, other) == second_line(lane, cell);
                if same_line {
                    t.line[lane][cell] |= 1 << other;
                    if there != index {
                        let down = (there < index) as usize;
                        t.ray[lane][down][cell] |= 1 << other;
                        t.room[lane][down][cell] += 1;
                    }
                }
                other += 1;
            }
            cell += 1;
        }
        lane += 1;
    }
    // A step leaves the line where the target is not on it; so the lines must be known first.
    let mut lane = 0;
    while lane < LANES {
        let mut index = 0;
        while index < 64 {
            let line = t.line[lane][t.cell_of[lane][index] as usize];
            let mut power = 0;
            while power < 3 {
                let distance = 1 << power;
                let up = index + distance;
                let down = index.wrapping_sub(distance);
                if up >= 64 || line >> t.cell_of[lane][up] & 1 == 0 {
                    t.off_up[power][lane] |= 1 << index;
                }
                if down >= 64 || line >> t.cell_of[lane][down] & 1 == 0 {
                    t.off_down[power][lane] |= 1 << index;
                }
                power += 1;
            }
            index += 1;
        }
        lane += 1;
    }
    t
};

/// How far one step toward higher lane bits moves on the board, for each lane.
pub(super) const STEP: [i32; LANES] = [1, 8, 9, -7];

/// Swaps rows and columns (three exchanges of ever larger blocks; Knuth, TAOCP 7.1.3).
#[inline(always)]
pub(super) fn transpose(x: u64) -> u64 {
    #[inline(always)]
    fn exchange(x: u64, mask: u64, distance: u32) -> u64 {
        let differ = (x ^ (x >> distance)) & mask;
        x ^ differ ^ (differ << distance)
    }
    let x = exchange(x, 0x00aa_00aa_00aa_00aa, 7);
    let x = exchange(x, 0x0000_cccc_0000_cccc, 14);
    exchange(x, 0x0000_0000_f0f0_f0f0, 28)
}

/// Moves column `c` down by `sign * c` rows around the board, so that diagonals become rows.
#[inline(always)]
fn shear<const DOWN: bool>(x: u64) -> u64 {
    #[inline(always)]
    fn rotate<const DOWN: bool>(x: u64, columns: u64, rows: u32) -> u64 {
        let bits = if DOWN { 8 * rows } else { 64 - 8 * rows };
        x ^ ((x ^ x.rotate_left(bits)) & columns)
    }
    let x = rotate::<DOWN>(x, 0xaaaa_aaaa_aaaa_aaaa, 1);
    let x = rotate::<DOWN>(x, 0xcccc_cccc_cccc_cccc, 2);
    rotate::<DOWN>(x, 0xf0f0_f0f0_f0f0_f0f0, 4)
}

/// Brings a set of the board into the four lanes.
#[inline(always)]
fn to_lanes(x: u64) -> Lanes {
    [x, transpose(x), shear::<false>(x), shear::<true>(x)]
}

/// Brings the four lanes back to one set of the board.
#[inline(always)]
fn from_lanes(lanes: Lanes) -> u64 {
    let [rows, columns, falling, rising] = lanes;
    rows | transpose(columns) | shear::<true>(falling) | shear::<false>(rising)
}

/// The number of stones in every byte, in that byte.
#[inline(always)]
fn byte_counts(x: u64) -> u64 {
    let x = x - ((x >> 1) & 0x5555_5555_5555_5555);
    let x = (x & 0x3333_3333_3333_3333) + ((x >> 2) & 0x3333_3333_3333_3333);
    (x + (x >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// Sets the whole byte where bit `bit` of the byte is set.
#[inline(always)]
fn spread(bytes: u64, bit: u32) -> u64 {
    let low = (bytes >> bit) & 0x0101_0101_0101_0101;
    (low << 8).wrapping_sub(low)
}

/// `yes` where the mask is set and `no` elsewhere.
#[inline(always)]
fn choose(mask: u64, yes: u64, no: u64) -> u64 {
    no ^ ((no ^ yes) & mask)
}

/// The cells of a lane by the number of stones on their line: for each of its three bits, those
/// with this bit set. (Eight stones on a line leave all three clear: there is no such move.)
#[inline(always)]
fn distances(lane: usize, all: u64) -> [u64; 3] {
    let second = TABLES.second[lane];
    let (first_counts, second_counts) = (byte_counts(all & !second), byte_counts(all & second));
    let with_bit = |bit| choose(second, spread(second_counts, bit), spread(first_counts, bit));
    [with_bit(0), with_bit(1), with_bit(2)]
}

/// The stones of a lane that have a legal move: toward higher bits, and toward lower ones.
///
/// `bad` holds the cells from which the path so far is blocked: the target is off the line or an
/// own stone, or an enemy stone is in between. It starts with the path of length 0, whose target is
/// the own stone itself, and grows by 1, 2 and 4 steps where the count has that bit. `enemy_2` and
/// `enemy_4` are the enemy stones within 2 and 4 cells from here on.
#[inline(always)]
fn movers(lane: usize, own: u64, enemy: u64, distances: [u64; 3]) -> [u64; 2] {
    let [one, two, four] = distances;
    let up = {
        let off = |power: usize| TABLES.off_up[power][lane];
        let enemy_2 = enemy | enemy >> 1;
        let enemy_4 = enemy_2 | enemy_2 >> 2;
        let bad = choose(one, enemy | own >> 1 | off(0), own);
        let bad = choose(two, enemy_2 | bad >> 2 | off(1), bad);
        choose(four, enemy_4 | bad >> 4 | off(2), bad)
    };
    let down = {
        let off = |power: usize| TABLES.off_down[power][lane];
        let enemy_2 = enemy | enemy << 1;
        let enemy_4 = enemy_2 | enemy_2 << 2;
        let bad = choose(one, enemy | own << 1 | off(0), own);
        let bad = choose(two, enemy_2 | bad << 2 | off(1), bad);
        choose(four, enemy_4 | bad << 4 | off(2), bad)
    };
    [own & !up, own & !down]
}

/// The cells of a lane that the moves reach: all stones of a line go equally far.
#[inline(always)]
fn targets(movers: [u64; 2], distances: [u64; 3]) -> u64 {
    let [mut up, mut down] = movers;
    for (power, goes) in distances.into_iter().enumerate() {
        up = choose(goes, (up & goes) << (1 << power), up);
        down = choose(goes, (down & goes) >> (1 << power), down);
    }
    up | down
}

/// The stones of `own` that have a legal move, in each lane: toward higher bits, and toward lower.
#[inline(never)]
pub(super) fn sources(own: u64, enemy: u64) -> [Lanes; 2] {
    with_v3_instructions(
        #[inline(always)]
        || find_sources(own, enemy),
    )
}

#[inline(always)]
fn find_sources(own: u64, enemy: u64) -> [Lanes; 2] {
    let (own, enemy) = (to_lanes(own), to_lanes(enemy));
    let [mut all_up, mut all_down] = [[0; LANES]; 2];
    for lane in 0..LANES {
        let distances = distances(lane, own[lane] | enemy[lane]);
        [all_up[lane], all_down[lane]] = movers(lane, own[lane], enemy[lane], distances);
    }
    [all_up, all_down]
}

/// How many moves `own` has.
#[inline(never)]
pub(super) fn count_moves(own: u64, enemy: u64) -> u32 {
    with_v3_instructions(
        #[inline(always)]
        || find_sources(own, enemy).as_flattened().iter().map(|set| set.count_ones()).sum(),
    )
}

/// The moves of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// How many there are.
    pub moves: u32,
    /// The cells they lead to.
    pub cells: u64,
}

/// The moves of the first of two sides, or of both, whose stones these are.
#[inline(never)]
pub(super) fn reach<const SIDES: usize>(stones: [u64; 2]) -> [Reach; SIDES] {
    with_v3_instructions(
        #[inline(always)]
        || find_reach(stones),
    )
}

#[inline(always)]
fn find_reach<const SIDES: usize>(stones: [u64; 2]) -> [Reach; SIDES] {
    let stones = [to_lanes(stones[0]), to_lanes(stones[1])];
    let mut moves = [0; SIDES];
    let mut reached = [[0; LANES]; SIDES];
    for lane in 0..LANES {
        let distances = distances(lane, stones[0][lane] | stones[1][lane]);
        for side in 0..SIDES {
            let (own, enemy) = (stones[side][lane], stones[1 - side][lane]);
            let movers = movers(lane, own, enemy, distances);
            moves[side] += movers[0].count_ones() + movers[1].count_ones();
            reached[side][lane] = targets(movers, distances);
        }
    }
    let mut reach = [Reach::default(); SIDES];
    for side in 0..SIDES {
        reach[side] = Reach { moves: moves[side], cells: from_lanes(reached[side]) };
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_compilations_find_the_same() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..10_000 {
            // About eight stones a side.
            let mut set = || rng.u64(..) & rng.u64(..) & rng.u64(..);
            let own = set();
            let enemy = set() & !own;
            let reach_of_both = reach::<2>([own, enemy]);
            assert_eq!(reach_of_both, find_reach([own, enemy]), "{own:x} {enemy:x}");
            let one_by_one = [[own, enemy], [enemy, own]].map(|stones| reach::<1>(stones)[0]);
            assert_eq!(reach_of_both, one_by_one, "{own:x} {enemy:x}");
            assert_eq!(sources(own, enemy), find_sources(own, enemy), "{own:x} {enemy:x}");
            assert_eq!(count_moves(own, enemy), reach_of_both[0].moves, "{own:x} {enemy:x}");
        }
    }

    #[test]
    fn lanes_hold_every_cell_where_the_tables_say() {
        for cell in 0..64 {
            let lanes = to_lanes(1 << cell);
            for (lane, word) in lanes.into_iter().enumerate() {
                assert_eq!(word, 1 << lane_index(lane, cell), "lane {lane}, cell {cell}");
            }
        }
    }
}
