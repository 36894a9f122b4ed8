//! What the network of Hadron sees: each live cell with its neighbours, wherever it lies.
//!
//! The one idea: only the live cells and their balances decide the rest of a game, not stones nor
//! the edge nor the place. So a cell counts by its pattern: its own balance, and balance and live
//! neighbours of each cell beside it. Patterns that are turned or mirrored are one, and the same
//! weights serve boards of all sizes.
//!
//! The balance of a cell is the number of the mover's stones beside it less the opponent's.

use super::Hadron;
use super::rules::{MAX_SIZE, STRIDE, cells, count_neighbours};
use crate::eval::network::{Network, NetworkGame};
use crate::game::{Game, Move};

/// What a live cell may be: its live neighbours and its balance. The legal ones come first. A
/// balance is at most the number of stones beside the cell, and of live neighbours.
const KINDS: [(usize, i32); 13] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (1, -1),
    (1, 1),
    (2, -2),
    (2, -1),
    (2, 1),
    (2, 2),
    (3, -1),
    (3, 1),
];

/// States of a cell beside another: not live, or one of the kinds with a live neighbour.
const STATES: usize = KINDS.len();

/// The weights.
pub static NETWORK: Network<{ Hadron::HIDDEN }, { Hadron::INPUTS }, { Hadron::MOVE_ROWS }> =
    Network::from_bytes(include_bytes!("weights.bin"));

/// Plus-shaped neighbourhoods: the states of four cells, a digit each.
const PLUSES: usize = STATES * STATES * STATES * STATES;

/// The number of each plus-shaped neighbourhood among those with as many live cells, and how many
/// there are of these. Turned and mirrored ones have the same number.
static NUMBERS: [u16; PLUSES] = NUMBERED.0;
const COUNTS: [usize; 5] = NUMBERED.1;
const NUMBERED: ([u16; PLUSES], [usize; 5]) = number_pluses();

/// A quarter turn of the four cells: the last digit becomes the first.
const fn turned(plus: usize) -> usize {
    plus / STATES + plus % STATES * (PLUSES / STATES)
}

/// The first and the third of the four cells exchanged.
const fn mirrored(plus: usize) -> usize {
    let (first, third) = (plus / (PLUSES / STATES), plus / STATES % STATES);
    let rest = plus - first * (PLUSES / STATES) - third * STATES;
    rest + third * (PLUSES / STATES) + first * STATES
}

const fn number_pluses() -> ([u16; PLUSES], [usize; 5]) {
    let (mut numbers, mut counts) = ([u16::MAX; PLUSES], [0; 5]);
    let mut plus = 0;
    while plus < PLUSES {
        if numbers[plus] == u16::MAX {
            let (mut image, mut live, mut turn) = (plus, 0, 0);
            while turn < 4 {
                live += (image % STATES != 0) as usize;
                image = turned(image);
                turn += 1;
            }
            while turn < 8 {
                numbers[image] = counts[live] as u16;
                numbers[mirrored(image)] = counts[live] as u16;
                image = turned(image);
                turn += 1;
            }
            counts[live] += 1;
        }
        plus += 1;
    }
    (numbers, counts)
}

/// The first pattern of each kind of cell.
const FIRST_PATTERNS: [usize; KINDS.len()] = {
    let mut first = [0; KINDS.len()];
    let mut kind = 1;
    while kind < KINDS.len() {
        first[kind] = first[kind - 1] + COUNTS[KINDS[kind - 1].0];
        kind += 1;
    }
    first
};

/// Patterns of legal cells, and of all live ones.
const LEGAL_PATTERNS: usize = FIRST_PATTERNS[5];
const PATTERNS: usize = FIRST_PATTERNS[KINDS.len() - 1] + COUNTS[KINDS[KINDS.len() - 1].0];

/// Inputs for an odd number of live cells, of legal ones, of those without a live neighbour.
const ODD_INPUTS: usize = PATTERNS;
/// Inputs by the number of live cells, some to a bucket.
const LIVE_INPUTS: usize = ODD_INPUTS + 3;
const LIVE_BUCKET: usize = 4;
const LIVE_BUCKETS: usize = MAX_SIZE * MAX_SIZE / LIVE_BUCKET + 1;

/// The kind of a live cell by its balance (three bits) and its live neighbours (three bits above);
/// all bits are on where it is not live.
const KIND_OF_BITS: [u8; 64] = {
    let mut kinds = [0; 64];
    let mut kind = 0;
    while kind < KINDS.len() {
        let (live, balance) = KINDS[kind];
        kinds[live << 3 | (balance & 7) as usize] = kind as u8;
        kind += 1;
    }
    kinds
};

/// Room before the first cell, for its neighbours.
const BEFORE: usize = 16;

/// Groups of eight bits that have all cells.
const GROUPS: usize = (MAX_SIZE * STRIDE).div_ceil(8);

/// The live cells and the kind of each, the mover's point of view; 0 for one that is not live.
pub struct Look {
    live: u128,
    kinds: [u8; 128],
}

impl Look {
    #[inline(always)]
    fn at(position: &Hadron) -> Look {
        let live = position.live();
        let own = count_neighbours(position.stones(position.side()));
        let enemy = count_neighbours(position.stones(!position.side()));
        let beside = count_neighbours(live);
        // The balance: a difference of three bits, the highest of which is its sign.
        let borrow = !own[0] & enemy[0];
        let ones = own[0] ^ enemy[0];
        let twos = own[1] ^ enemy[1] ^ borrow;
        let borrow = !own[1] & (enemy[1] | borrow) | enemy[1] & borrow;
        let fours = own[2] ^ enemy[2] ^ borrow;
        let planes = [ones, twos, fours, beside[0], beside[1], beside[2]];
        let mut kinds = [0; 128];
        for (group, room) in kinds[BEFORE..].chunks_exact_mut(8).take(GROUPS).enumerate() {
            let mut bits = 0;
            for (number, plane) in planes.iter().enumerate() {
                bits |= spread(((plane | !live) >> (8 * group)) as u8) << number;
            }
            for (kind, bits) in room.iter_mut().zip(bits.to_le_bytes()) {
                *kind = KIND_OF_BITS[usize::from(bits) & 63];
            }
        }
        Look { live, kinds }
    }

    /// The pattern of a live cell.
    #[inline(always)]
    fn pattern(&self, cell: usize) -> usize {
        let kind = |at: usize| usize::from(self.kinds[at & 127]);
        let at = cell + BEFORE;
        let plus = (kind(at + STRIDE) * STATES + kind(at + 1)) * STATES + kind(at - STRIDE);
        let plus = plus * STATES + kind(at - 1);
        FIRST_PATTERNS[kind(at)] + usize::from(NUMBERS[plus])
    }
}

/// Eight bits, one in each byte.
#[inline(always)]
fn spread(bits: u8) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const DIAGONAL: u64 = 0x8040_2010_0804_0201;
    let apart = (u64::from(bits) * EACH) & DIAGONAL;
    ((apart + 0x7f * EACH) >> 7) & EACH
}

impl NetworkGame for Hadron {
    const HIDDEN: usize = 64;
    const INPUTS: usize = LIVE_INPUTS + LIVE_BUCKETS;
    const MOVE_ROWS: usize = LEGAL_PATTERNS;

    #[inline(always)]
    fn for_each_input(&self, mut see: impl FnMut(usize)) {
        let look = Look::at(self);
        for cell in cells(look.live) {
            see(look.pattern(cell));
        }
        let live = look.live;
        let sets = [live, self.legal(), live & !Hadron::touching(live)];
        for (number, set) in sets.into_iter().enumerate() {
            if set.count_ones() % 2 == 1 {
                see(ODD_INPUTS + number);
            }
        }
        see(LIVE_INPUTS + live.count_ones() as usize / LIVE_BUCKET);
    }

    type MoveContext = Look;

    #[inline(always)]
    fn move_context(&self) -> Look {
        Look::at(self)
    }

    #[inline(always)]
    fn for_each_move_row(&self, look: &Look, m: Move, mut see: impl FnMut(usize)) {
        see(look.pattern(Hadron::cell(m)));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::eval::Evaluate;

    use crate::game::chance::Chance;

    /// The kinds of all live cells by row and column, cell by cell.
    fn kinds(position: &Hadron) -> HashMap<(usize, usize), (usize, i32)> {
        let (rows, columns) = position.size();
        let bit = |set: u128, (row, column): (usize, usize)| set >> (row * STRIDE + column) & 1;
        let own = position.stones(position.side());
        let (enemy, live) = (position.stones(!position.side()), position.live());
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let all = all.filter(|&cell| bit(live, cell) != 0);
        let kind = |cell| {
            let beside = || beside(cell).into_iter().filter(|&(r, c)| r < rows && c < columns);
            let count = |set| beside().filter(|&cell| bit(set, cell) != 0).count();
            (cell, (count(live), count(own) as i32 - count(enemy) as i32))
        };
        all.map(kind).collect()
    }

    /// The four cells beside another, all around; some may lie beyond the board.
    fn beside((row, column): (usize, usize)) -> [(usize, usize); 4] {
        let (above, left) = (row.wrapping_sub(1), column.wrapping_sub(1));
        [(above, column), (row, column + 1), (row + 1, column), (row, left)]
    }

    #[test]
    fn cells_have_one_pattern_if_they_and_their_neighbours_are_alike() {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut patterns, mut found) = (HashMap::new(), HashMap::new());
        for _ in 0..300 {
            let mut position = Hadron::start(rng.index(1..=9), rng.index(1..=9));
            while let Some(m) = position.random_move(&mut rng) {
                let (look, kinds) = (Look::at(&position), kinds(&position));
                assert_eq!(cells(look.live).count(), kinds.len());
                for (&cell, &kind) in &kinds {
                    let around = beside(cell).map(|cell| kinds.get(&cell).copied());
                    let images = (0..4).flat_map(|turn| {
                        let mut image = around;
                        image.rotate_left(turn);
                        let mut mirrored = image;
                        mirrored.reverse();
                        [image, mirrored]
                    });
                    let plain = (kind, images.min());
                    let pattern = look.pattern(cell.0 * STRIDE + cell.1);
                    assert!(pattern < PATTERNS);
                    assert!(kind.1 != 0 || pattern < LEGAL_PATTERNS);
                    let known = *patterns.entry(plain).or_insert(pattern);
                    assert_eq!(known, pattern, "{plain:?} in {position}");
                    assert_eq!(*found.entry(pattern).or_insert(plain), plain, "{position}");
                }
                position.play(m);
            }
        }
        assert!(patterns.len() > 1000, "{}", patterns.len());
    }

    /// Score and sorted weights of the moves.
    fn look(position: &Hadron) -> (i32, Vec<f32>) {
        let moves = position.legal_moves();
        let mut weights = vec![0.0; moves.len()];
        position.weigh(&moves, &mut weights);
        weights.sort_by(f32::total_cmp);
        (position.evaluate(), weights)
    }

    #[test]
    fn a_board_turned_or_mirrored_is_evaluated_alike() {
        let mut rng = fastrand::Rng::with_seed(2);
        let mut scores = Vec::new();
        for _ in 0..20 {
            let (rows, columns) = (rng.index(5..=9), rng.index(5..=9));
            let mut position = Hadron::start(rows, columns);
            let mut others = [Hadron::start(rows, columns), Hadron::start(columns, rows)];
            while let Some(m) = position.random_move(&mut rng) {
                let (row, column) = (Hadron::cell(m) / STRIDE, Hadron::cell(m) % STRIDE);
                let images = [(rows - 1 - row, column), (column, row)];
                for (other, (row, column)) in others.iter_mut().zip(images) {
                    other.play(Move::from_code((row * STRIDE + column) as u16));
                }
                position.play(m);
                let seen = look(&position);
                for other in &others {
                    let of_other = look(other);
                    assert_eq!(of_other.0, seen.0, "{position}");
                    // The moves come in another order, and so their weights are added up.
                    let mut pairs = seen.1.iter().zip(&of_other.1);
                    assert!(pairs.all(|(a, b)| (a / b - 1.0).abs() < 1e-4), "{position}");
                }
                scores.push(seen.0);
            }
        }
        scores.sort_unstable();
        scores.dedup();
        assert!(scores.len() > 200, "evaluations differ: {}", scores.len());
    }
}
