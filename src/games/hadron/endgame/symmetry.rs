//! Keys of regions that are the same for all eight symmetric ones.
//!
//! The one idea: a region is measured within the rectangle around it, and each cell adds a key to
//! the eight sums of the turned and mirrored rectangles; the least sum is the key. Two halves of 64
//! bits make it as good as certain that different regions have different keys.

use super::region::Region;
use crate::games::hadron::{MAX_ROWS, STRIDE};
use crate::games::zobrist;

/// Balances of a live cell, from -2 to 2.
const BALANCES: usize = 5;

/// Keys of a cell with its balance, of the low and of the high half.
const KEYS: [[u64; MAX_ROWS * MAX_ROWS * BALANCES]; 2] =
    [zobrist::keys(0x4841_4452_4f03), zobrist::keys(0x4841_4452_4f04)];

/// The keys of a region that is not empty, and of its negative.
pub fn symmetric_keys(region: &Region) -> [u128; 2] {
    let shift = region.unbroken();
    let rows_and_columns = |cell: usize| ((cell + shift) / STRIDE, (cell + shift) % STRIDE);
    let [mut top, mut left, mut bottom, mut right] = [MAX_ROWS, MAX_ROWS, 0, 0];
    for (cell, _) in region.balances() {
        let (row, column) = rows_and_columns(cell);
        (top, bottom) = (top.min(row), bottom.max(row));
        (left, right) = (left.min(column), right.max(column));
    }
    let (mut keys, mut negative_keys) = ([0_u128; 8], [0_u128; 8]);
    for (cell, balance) in region.balances() {
        let (row, column) = rows_and_columns(cell);
        let (down, across) = ([row - top, bottom - row], [column - left, right - column]);
        for symmetry in 0..8 {
            let (row, column) = (down[symmetry & 1], across[symmetry >> 1 & 1]);
            let (row, column) = if symmetry & 4 == 0 { (row, column) } else { (column, row) };
            let place = (row * MAX_ROWS + column) * BALANCES;
            let key = |balance: usize| {
                u128::from(KEYS[1][place + balance]) << 64 | u128::from(KEYS[0][place + balance])
            };
            keys[symmetry] ^= key(balance);
            negative_keys[symmetry] ^= key(BALANCES - 1 - balance);
        }
    }
    [keys, negative_keys].map(|keys| keys.into_iter().fold(u128::MAX, u128::min))
}
