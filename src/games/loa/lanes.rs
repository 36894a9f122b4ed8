//! Lines of Action: the moves of all stones of a side at once.
//!
//! The one idea: the board is brought into four *lanes* in which the rows, the columns and the two
//! kinds of diagonals lie along bytes. Every cell of a line has the same stone count, so a step of
//! "as many cells as the count" is a barrel shifter: three shifts by 1, 2 and 4, each applied only
//! to the lines with that bit in their count. All stones of a side are tested in all eight
//! directions at once, and the same few operations run on the four lanes in parallel (the compiler
//! turns them into vector instructions where the processor has them).

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

/// Applies an operation to each lane. A loop, as `array::from_fn` and `array::map` are not always
/// inlined, and are then compiled without the instructions of their caller.
#[inline(always)]
fn each(f: impl Fn(usize) -> u64) -> Lanes {
    let mut lanes = [0; LANES];
    for (lane, bits) in lanes.iter_mut().enumerate() {
        *bits = f(lane);
    }
    lanes
}

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

/// The stones that may move, in lane coordinates: toward higher and toward lower bits.
pub(super) struct Sources {
    pub(super) up: Lanes,
    pub(super) down: Lanes,
    /// The distances of their moves as three bits: for each, the cells with this bit set in the
    /// number of stones of their line.
    distance: [Lanes; 3],
}

impl Sources {
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        (0..LANES).map(|lane| self.up[lane].count_ones() + self.down[lane].count_ones()).sum()
    }

    /// The cells of the board that the moves reach: all stones of a line go equally far.
    #[inline(always)]
    pub(super) fn targets(&self) -> u64 {
        let far = |stones: Lanes, go: fn(u64, u32) -> u64| {
            (0..3).fold(stones, |stones, bit: usize| {
                let goes = self.distance[bit];
                each(|l| choose(goes[l], go(stones[l] & goes[l], 1 << bit), stones[l]))
            })
        };
        let (up, down) = (far(self.up, |x, by| x << by), far(self.down, |x, by| x >> by));
        from_lanes(each(|l| up[l] | down[l]))
    }
}

/// The stones of `own` that have a legal move, by lane and direction.
#[inline(always)]
pub(super) fn sources(own: u64, enemy: u64) -> Sources {
    let t = &TABLES;
    let own = to_lanes(own);
    let enemy = to_lanes(enemy);
    let all = each(|l| own[l] | enemy[l]);
    let first_counts = each(|l| byte_counts(all[l] & !t.second[l]));
    let second_counts = each(|l| byte_counts(all[l] & t.second[l]));
    // count[p][l]: the cells with bit p set in the number of stones of their line. (Eight
    // stones on a line leave all three bits clear: there is no such move.)
    let with_bit = |p: u32| {
        each(|l| {
            let (first, second) = (spread(first_counts[l], p), spread(second_counts[l], p));
            choose(t.second[l], second, first)
        })
    };
    let count = [with_bit(0), with_bit(1), with_bit(2)];
    // `bad` holds the cells from which the path so far is blocked: the target is off the line
    // or an own stone, or an enemy stone is in between. It starts with the path of length 0,
    // whose target is the own stone itself, and grows by 1, 2 and 4 steps where the count has
    // that bit; `enemy_2` and `enemy_4` are the enemy stones within 2 and 4 cells from here on.
    let up = {
        let enemy_2 = each(|l| enemy[l] | enemy[l] >> 1);
        let enemy_4 = each(|l| enemy_2[l] | enemy_2[l] >> 2);
        let bad = each(|l| choose(count[0][l], enemy[l] | own[l] >> 1 | t.off_up[0][l], own[l]));
        let bad = each(|l| choose(count[1][l], enemy_2[l] | bad[l] >> 2 | t.off_up[1][l], bad[l]));
        let bad = each(|l| choose(count[2][l], enemy_4[l] | bad[l] >> 4 | t.off_up[2][l], bad[l]));
        each(|l| own[l] & !bad[l])
    };
    let down = {
        let enemy_2 = each(|l| enemy[l] | enemy[l] << 1);
        let enemy_4 = each(|l| enemy_2[l] | enemy_2[l] << 2);
        let bad = each(|l| choose(count[0][l], enemy[l] | own[l] << 1 | t.off_down[0][l], own[l]));
        let bad =
            each(|l| choose(count[1][l], enemy_2[l] | bad[l] << 2 | t.off_down[1][l], bad[l]));
        let bad =
            each(|l| choose(count[2][l], enemy_4[l] | bad[l] << 4 | t.off_down[2][l], bad[l]));
        each(|l| own[l] & !bad[l])
    };
    Sources { up, down, distance: count }
}

#[cfg(test)]
mod tests {
    use super::*;

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
