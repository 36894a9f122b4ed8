//! The search: does White win a sum if White is to move?
//!
//! The one idea: the answer is yes or no. So the first winning move ends a search, and many sums
//! need no search: two values are compared, and for more values the signs and the atomic weights
//! are usually enough. All moves are made and checked before one is searched, the worst for the
//! opponent first; results are stored in a table, independent of the order of the sum's parts.
//!
//! Proof-number search (df-pn: Nagai 2002) needs as many steps, each more expensive.

use std::sync::atomic::Ordering;

use super::Solver;
use super::sum::Sum;
use super::value::TooMuch;
use crate::eval::stop::Stop;

/// Steps that a sum counts as: a comparison of two values counts as one.
const STEPS_OF_SUM: u64 = 4;

impl<const BOARDS: bool> Solver<BOARDS> {
    /// The result without search: whether White, to move, wins.
    pub fn seen(&mut self, sum: &Sum) -> Option<bool> {
        if !sum.large.is_empty() {
            return None;
        }
        let values = &mut self.values;
        match sum.values[..] {
            [] => return Some(false),
            [one] => return Some(!values.is_at_most_zero(one)),
            [one, other] => {
                let minus_other = values.negative(other);
                return values.compare(one, minus_other).map(|at_most| !at_most);
            }
            _ => {}
        }
        let (mut least_weight, mut most_weight) = (0, 0);
        let (mut positive, mut negative, mut fuzzy) = (0, 0, 0);
        for &value in &sum.values {
            let (least, most) = values.weights(value);
            least_weight += least;
            most_weight += most;
            match (values.is_at_least_zero(value), values.is_at_most_zero(value)) {
                (true, _) => positive += 1,
                (_, true) => negative += 1,
                _ => fuzzy += 1,
            }
        }
        // With one fuzzy part White makes it zero at least, and Black is to move.
        if least_weight >= 1 || (negative == 0 && fuzzy <= 1) {
            return Some(true);
        }
        let lost = most_weight <= -2 || (positive == 0 && fuzzy == 0);
        lost.then_some(false)
    }

    fn look_up(&self, key: u128) -> Option<bool> {
        let known = self.results[self.place(key)];
        (known & !1 == key as u64).then_some(known & 1 == 1)
    }

    /// Where a result is stored: of whole boards by the half of the key that is not stored.
    #[inline(always)]
    fn place(&self, key: u128) -> usize {
        if BOARDS {
            (((key >> 64) * self.results.len() as u128) >> 64) as usize
        } else {
            (key as u64 >> 24) as usize % super::RESULTS
        }
    }

    /// Whether White, to move, wins.
    pub fn wins(&mut self, sum: &Sum, stop: Stop<'_>) -> Result<bool, TooMuch> {
        if let Some(wins) = self.seen(sum).or_else(|| self.look_up(sum.key)) {
            return Ok(wins);
        }
        if !self.values.spend(STEPS_OF_SUM) || stop.raised() {
            return Err(TooMuch);
        }
        if BOARDS {
            // Relaxed: a number to be shown.
            self.nodes.fetch_add(1, Ordering::Relaxed);
        }
        let first = self.waiting.len();
        let wins = self.has_winning_move(sum, first, stop);
        self.waiting.truncate(first);
        let wins = wins?;
        let place = self.place(sum.key);
        self.results[place] = sum.key as u64 | u64::from(wins);
        Ok(wins)
    }

    fn has_winning_move(
        &mut self,
        sum: &Sum,
        first: usize,
        stop: Stop<'_>,
    ) -> Result<bool, TooMuch> {
        for (at, &value) in sum.values.iter().enumerate() {
            if sum.values[..at].contains(&value) {
                continue;
            }
            let mut rest = sum.clone();
            rest.values.swap_remove(at);
            for option in 0..self.values.moves_of_white(value).len() {
                let mut after = rest.clone();
                after.add(self.values.moves_of_white(value)[option], &self.values)?;
                if self.is_lost(after)? {
                    return Ok(true);
                }
            }
        }
        for (at, large) in sum.large.iter().enumerate() {
            let mut rest = sum.clone();
            rest.large.swap_remove(at);
            for cell in large.region.legal_cells() {
                let mut after = rest.clone();
                self.put(&mut after, large.region.after_white(cell))?;
                if self.is_lost(after)? {
                    return Ok(true);
                }
            }
        }
        loop {
            let all = first..self.waiting.len();
            let Some(next) = all.min_by_key(|&at| self.waiting[at].hope) else { return Ok(false) };
            let next = self.waiting.swap_remove(next);
            if !self.wins(&next, stop)? {
                return Ok(true);
            }
        }
    }

    /// Whether Black, now to move, loses without search. If neither this nor the opposite is known,
    /// the sum must be searched.
    fn is_lost(&mut self, mut after: Sum) -> Result<bool, TooMuch> {
        after.negate(&self.values);
        after.set_key::<BOARDS>();
        if let Some(wins) = self.seen(&after).or_else(|| self.look_up(after.key)) {
            return Ok(!wins);
        }
        if self.waiting.len() == self.waiting.capacity() {
            return Err(TooMuch);
        }
        after.hope = self.hope(&after);
        self.waiting.push(after);
        Ok(false)
    }

    /// A score for White, to move: moves, atomic weights, and open cells. The number of moves alone
    /// solves fewer positions within the limit of steps.
    pub fn hope(&self, sum: &Sum) -> i32 {
        let mut hope = 0;
        for &value in &sum.values {
            let moves = self.values.moves_of_white(value).len() as i32;
            let replies = self.values.moves_of_black(value).len() as i32;
            let (least, most) = self.values.weights(value);
            hope += moves - replies + 2 * (least + most);
        }
        for large in &sum.large {
            let legal = large.region.legal().count_ones() as i32;
            hope += large.region.size() as i32 + 6 * legal;
            if BOARDS {
                // The nearer to its own negative, the less there is to win.
                hope += large.region.unbalanced() as i32;
            }
        }
        hope
    }
}
