//! What differs from game to game while an evaluation is learned.
//!
//! The one idea: a network that is compiled in has a fixed size, and its file is only numbers. That
//! of a chess variant has the size that its definition leads to, corrects a computed score, and its
//! file says what it belongs to. Everything else is the same.

use std::path::Path;

use alesia::eval::network::NetworkGame;
use alesia::eval::weights_file::WeightsFile;
use alesia::eval::{Evaluate, expectation};
use alesia::games::variant::{HIDDEN, MAX_BASE, WHOLE_BASE, numbers_of, weights_file};
use alesia::games::{BuiltIn, Hadron, Loa, Murus, Variant, Voidrider};
use alesia::words::command_error::CommandError;

use super::data::Data;
use super::samples::situations;
use super::shape::Shape;
use super::symmetry::Symmetry;

/// The shares of the computed score that are tried, in 64ths.
const BASE_STEP: usize = 2;
const BASES: usize = MAX_BASE as usize / BASE_STEP + 1;

/// A game that learns.
pub trait Subject: BuiltIn + NetworkGame + Symmetry {
    /// How many inputs and rows of moves its network has.
    fn sizes(&self) -> (usize, usize) {
        (Self::INPUTS, Self::MOVE_ROWS)
    }

    /// Max inputs that are on at a time.
    fn max_active(&self) -> usize {
        Self::MAX_ACTIVE
    }

    /// The start as its network sees it that begins with the weights of a file.
    ///
    /// # Errors
    /// These are not its weights.
    fn beginning_with(self, from: &Path) -> Result<Self, CommandError> {
        let _ = from;
        Ok(self)
    }

    /// The start as its network sees it that begins with nothing.
    ///
    /// # Errors
    /// The games cannot be read.
    fn beginning(self, data: &Data<Self>, result_share: f32) -> Result<Self, CommandError> {
        let _ = (data, result_share);
        Ok(self)
    }

    /// The content of a file with these numbers.
    fn file_of(&self, numbers: Vec<u8>) -> Vec<u8> {
        numbers
    }

    /// The bytes of the numbers in a file.
    ///
    /// # Errors
    /// It cannot be read, or is the file of something else.
    fn numbers_of(&self, path: &Path) -> Result<Vec<u8>, CommandError> {
        let file = WeightsFile::open(path).map_err(|error| error.within("--from"))?;
        Ok(file.bytes().to_vec())
    }
}

impl Subject for Murus {}
impl Subject for Hadron {}
impl Subject for Loa {}
impl Subject for Voidrider {}

impl Subject for Variant {
    fn sizes(&self) -> (usize, usize) {
        let layout = self.rules().learned.as_ref().map(|learned| &learned.layout);
        layout.map_or((0, 0), |layout| (layout.inputs(), layout.move_rows()))
    }

    /// Pieces become fewer, each with its cell, its marks and its reach.
    fn max_active(&self) -> usize {
        let start = &self.rules().definition.start.value;
        let pieces = start.split(' ').next().unwrap_or_default();
        let pieces = pieces.chars().filter(char::is_ascii_alphabetic).count();
        let void =
            if self.rules().definition.void_moves { self.rules().area.cells_count() } else { 0 };
        let kinds = self.rules().definition.kinds.len();
        3 * pieces + void + 2 * kinds + 6
    }

    fn beginning_with(self, from: &Path) -> Result<Self, CommandError> {
        let file = WeightsFile::open(from).map_err(|error| error.within("--from"))?;
        Ok(self.with_weights(file).map_err(|error| error.within("--from"))?)
    }

    fn beginning(self, data: &Data<Self>, result_share: f32) -> Result<Self, CommandError> {
        let mut bases = BaseLosses::new();
        data.each(|_, record| {
            for situation in situations(self, record, result_share) {
                let Some(target) = situation.target else { continue };
                bases.add(situation.position.evaluate(), target);
            }
            Ok(())
        })?;
        blank(self, bases.best())
    }

    fn file_of(&self, numbers: Vec<u8>) -> Vec<u8> {
        let base = self.rules().learned.as_ref().map_or(WHOLE_BASE, |learned| learned.base);
        weights_file(self.rules(), base, &numbers)
    }

    fn numbers_of(&self, path: &Path) -> Result<Vec<u8>, CommandError> {
        let file = WeightsFile::open(path).map_err(|error| error.within("--from"))?;
        let numbers = numbers_of(self.rules(), file).map_err(|error| error.within("--from"))?;
        Ok(numbers.to_vec())
    }
}

/// A start with a network that corrects nothing yet.
fn blank(start: Variant, base: i32) -> Result<Variant, CommandError> {
    let layout = alesia::games::variant::Layout::of(start.rules());
    let shape = Shape::<HIDDEN> {
        inputs: layout.inputs(),
        rows: layout.move_rows(),
        value_one: Variant::VALUE_ONE,
    };
    let numbers = vec![0; 2 * shape.len()];
    let file = weights_file(start.rules(), base, &numbers);
    Ok(start.with_weights(WeightsFile::keep("no weights yet".to_owned(), file))?)
}

/// What each share of the computed scores that is tried has lost so far.
struct BaseLosses([f64; BASES]);

impl BaseLosses {
    fn new() -> BaseLosses {
        BaseLosses([0.0; BASES])
    }

    /// Adds a position of this computed score and result, 0 to 1.
    fn add(&mut self, score: i32, target: f32) {
        for (number, loss) in self.0.iter_mut().enumerate() {
            let base = (number * BASE_STEP) as i32;
            let expected = expectation(score * base / WHOLE_BASE);
            *loss -= f64::from(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln());
        }
    }

    /// The share, in 64ths, with which scores predict results best; the smallest of equals.
    fn best(&self) -> i32 {
        let losses = self.0.iter().enumerate();
        let found = losses.min_by(|a, b| a.1.total_cmp(b.1));
        found.map_or(WHOLE_BASE, |(number, _)| (number * BASE_STEP) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_the_computed_score_is_that_which_predicts_best() {
        let scores = [-900, -300, -100, -40, 0, 40, 100, 300, 900];
        for base in [8, 32, 64, 100] {
            let mut losses = BaseLosses::new();
            for score in scores {
                losses.add(score, expectation(score * base / WHOLE_BASE));
            }
            assert_eq!(losses.best(), base);
        }
    }
}
