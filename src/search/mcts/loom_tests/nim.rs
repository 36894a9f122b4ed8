//! A game that is small enough for models of whole searches.

use std::fmt;

use crate::eval::Evaluate;
use crate::eval::oracle::NoOracle;
use crate::game::{Ending, Game, Move, MoveList, ParseError, Rule, Side};

/// Nim with one heap: a move removes one or two; the side that removes the last has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nim {
    /// The size of the heap.
    pub heap: u16,
    /// Moves so far.
    pub ply: usize,
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.heap)
    }
}

impl Game for Nim {
    const TITLE: &'static str = "Nim";
    const MOVE_FORM: &'static str = "1 (number)";
    const PLY_LIMIT: usize = 100;

    fn side(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::White } else { Side::Black }
    }
    fn ply(&self) -> usize {
        self.ply
    }
    fn key(&self) -> u64 {
        2 * u64::from(self.heap) + self.side() as u64
    }
    fn count_moves(&self) -> usize {
        usize::from(self.heap.min(2))
    }
    fn moves(&self, list: &mut MoveList) {
        list.clear();
        list.extend((1..=self.heap.min(2)).map(Move::from_code));
    }
    fn random_move(&self, _: &mut fastrand::Rng) -> Option<Move> {
        unreachable!("nothing is random here")
    }
    fn play(&mut self, m: Move) {
        self.heap -= m.code();
        self.ply += 1;
    }
    fn won(&self) -> Option<Ending> {
        (self.heap == 0).then(|| Ending::win(!self.side(), Rule::NO_MOVE))
    }
    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", m.code())
    }
    fn read_notation(&self, _: &str) -> Result<Move, ParseError> {
        unreachable!("nothing is read here")
    }
    fn parse_board(&self, _: &str) -> Result<Nim, ParseError> {
        unreachable!("nothing is read here")
    }
    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.heap)
    }
    fn labels(&self) -> (Vec<String>, Vec<String>) {
        (Vec::new(), Vec::new())
    }
}

impl Evaluate for Nim {
    type Oracle = NoOracle;

    fn evaluate(&self) -> i32 {
        100
    }
    fn decided(&self) -> Option<(Side, usize)> {
        matches!(self.heap, 1 | 2).then_some((self.side(), 1))
    }
    /// Removing one has a slightly larger prior.
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        for (m, weight) in moves.iter().zip(weights) {
            *weight = 1.0 / f32::from(m.code() + 2);
        }
    }
}
