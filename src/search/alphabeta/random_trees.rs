//! Random game trees for tests of the search: a game in which nothing can be known but by
//! searching.
//!
//! The one idea: a position is a place in a layered graph, and all about it, its moves, its value,
//! its end, is a hash of that place. Layers are narrow, so that many lines of play meet in the same
//! position; values are few, so that many are equal. A search that prunes or remembers anything
//! wrongly finds another value than plain negamax sooner or later.

use std::fmt;

use crate::eval::oracle::NoOracle;
use crate::eval::{Evaluate, Exchange};
use crate::game::chance::Chance;
use crate::game::{Ending, Game, Move, MoveList, ParseError, Rule, Side};

/// Positions in a layer.
const WIDTH: u64 = 40;

/// Max moves of a position.
const MAX_BRANCHES: u64 = 6;

/// A place in the graph of a seed; as noisy a game as `NOISY` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomTree<const NOISY: bool> {
    seed: u32,
    ply: u8,
    place: u8,
}

impl<const NOISY: bool> RandomTree<NOISY> {
    /// The root of a seed's graph.
    pub fn start(seed: u32) -> RandomTree<NOISY> {
        RandomTree { seed, ply: 0, place: 0 }
    }

    /// A pseudo-random number of the position, for the purpose `what` (Steele, Lea and Flood 2014).
    fn hash(&self, what: u64) -> u64 {
        let place = u64::from(self.seed) << 32 | u64::from(self.ply) << 16 | u64::from(self.place);
        let mut x = (place ^ what << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}

impl<const NOISY: bool> fmt::Display for RandomTree<NOISY> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "place {} of layer {} of tree {}", self.place, self.ply, self.seed)
    }
}

impl<const NOISY: bool> Game for RandomTree<NOISY> {
    const TITLE: &'static str = "random tree";
    const MOVE_FORM: &'static str = "0 (number)";
    const PLY_LIMIT: usize = 14;

    fn side(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::White } else { Side::Black }
    }

    fn ply(&self) -> usize {
        self.ply.into()
    }

    fn key(&self) -> u64 {
        self.hash(1)
    }

    fn count_moves(&self) -> usize {
        // None at times, but not at the root: the side to move has lost.
        let count = (self.hash(2) % (4 * MAX_BRANCHES)).div_ceil(4) as usize;
        if self.ply == 0 { count.max(1) } else { count }
    }

    fn moves(&self, list: &mut MoveList) {
        list.clear();
        list.extend((0..self.count_moves()).map(|number| Move::from_code(number as u16)));
    }

    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let count = self.count_moves();
        (count > 0).then(|| Move::from_code(rng.index(..count) as u16))
    }

    fn play(&mut self, m: Move) {
        let place = self.hash(16 + u64::from(m.code())) % WIDTH;
        *self = RandomTree { place: place as u8, ply: self.ply + 1, ..*self };
    }

    fn won(&self) -> Option<Ending> {
        // Never at the root.
        match self.hash(3) % 24 {
            0 if self.ply > 0 => Some(Ending::win(!self.side(), Rule::NO_MOVE)),
            1 if self.ply > 0 => Some(Ending::win(self.side(), Rule::NO_MOVE)),
            _ => None,
        }
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", m.code())
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        let number = text.parse().map_err(|_| ParseError::new("move", text, "a number"))?;
        Ok(Move::from_code(number))
    }

    fn parse_board(&self, text: &str) -> Result<Self, ParseError> {
        Err(ParseError::new("text board", text, "none"))
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        (Vec::new(), Vec::new())
    }
}

impl<const NOISY: bool> Evaluate for RandomTree<NOISY> {
    type Oracle = NoOracle;

    const NOISY: bool = NOISY;

    fn evaluate(&self) -> i32 {
        // Wide apart in one tree, mostly equal in the next.
        let scale = [1, 30, 900][self.seed as usize % 3];
        (self.hash(4) % 9) as i32 * scale - 4 * scale
    }

    fn is_noisy(&self, m: Move) -> bool {
        NOISY && self.hash(64 + u64::from(m.code())).is_multiple_of(3)
    }

    fn exchange(&self, m: Move) -> Exchange {
        let hash = self.hash(128 + u64::from(m.code()));
        Exchange { gain: (hash % 1000) as u16, risk: (hash >> 32) as u16 }
    }
}
