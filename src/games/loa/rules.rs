//! Lines of Action on 8 × 8: a stone moves as far as its line holds stones.
//!
//! The one idea: a position is the stones of each side as a set of cells. Which of them may move is
//! found for all at once, in [lanes](super::lanes), and a random move by trial.
//!
//! Rules: the course's document of 2011/12 as settled in the project's specification; the game is
//! Claude Soucie's.

use std::fmt;

use super::lanes::{self, Reach, SIZE, STEP, TABLES, transpose};
use crate::game::bitboard::{Grid, cells, nth_cell};
use crate::game::chance::Chance;
use crate::game::named::named;
use crate::game::{
    Ending, Game, History, MAX_PLIES, Move, MoveList, ParseError, Rule, Side, quoted,
};
use crate::games::text::{self, BoardText};
use crate::games::zobrist;

pub(super) type Board = Grid<SIZE, SIZE>;

const STONE_KEYS: [u64; 2 * 64] = zobrist::keys(0x4c4f_4101);
const BLACK_KEY: u64 = zobrist::keys::<1>(0x4c4f_4102)[0];

named! {
    /// Which player's stones start on the top and bottom rows, and how the game ends.
    #[derive(Default)]
    pub enum Layout ("layout", name) {
        /// White, the first mover, on rows 1 and 8.
        #[default]
        Rows = "rows",
        /// White on the files A and H.
        Files = "files",
        /// As the world plays it: Black, who moves first, on rows 1 and 8, and the ends of
        /// OpenSpiel.
        Standard = "standard",
    }
}

impl Layout {
    /// Its description for people.
    pub fn description(self) -> &'static str {
        match self {
            Layout::Rows => "White on rows 1 and 8",
            Layout::Files => "White on the files A and H",
            Layout::Standard => "Black, who moves first, on rows 1 and 8, as the world plays it",
        }
    }
}

/// A position of Lines of Action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loa {
    stones: [u64; 2],
    key: u64,
    side: Side,
    /// Whether the game ends as in OpenSpiel (`loa:standard`).
    is_standard: bool,
    ply: u16,
}

const _: () = assert!(size_of::<Loa>() <= 32);

/// Max plies of a game of the tournament.
const TOURNAMENT_PLIES: usize = 200;

/// Trials for a random move before the moves are counted out.
const RANDOM_TRIALS: u32 = 16;

impl Loa {
    /// All stones of the winner form one group.
    pub const CONNECTED: Rule = Rule::new(&"all stones connected");
    /// The same stones as once before, whoever is to move: a draw in `loa:standard` alone.
    pub const REPEATED: Rule = Rule::new(&"repetition of the board");

    /// The position every game starts from.
    pub fn start(layout: Layout) -> Loa {
        let rows = 0x7e | 0x7e << 56;
        let files = transpose(rows);
        let stones = match layout {
            Layout::Rows => [rows, files],
            Layout::Files | Layout::Standard => [files, rows],
        };
        match layout {
            Layout::Rows | Layout::Files => Loa::new(stones, Side::White, 0),
            Layout::Standard => Loa { is_standard: true, ..Loa::new(stones, Side::Black, 0) },
        }
    }

    pub(super) fn new(stones: [u64; 2], side: Side, ply: u16) -> Loa {
        let mut key = if side == Side::Black { BLACK_KEY } else { 0 };
        for owner in 0..2 {
            key = cells(stones[owner]).fold(key, |key, cell| key ^ STONE_KEYS[owner * 64 + cell]);
        }
        Loa { stones, key, side, is_standard: false, ply }
    }

    /// Whether the game is drawn by its length whatever the last move has done, as in OpenSpiel.
    #[inline(always)]
    fn is_cut_off(&self) -> bool {
        self.is_standard && self.ply() >= MAX_PLIES
    }

    /// Whether a win by the next move would count.
    #[inline(always)]
    pub(super) fn may_win_next(&self) -> bool {
        !self.is_standard || self.ply() + 1 < MAX_PLIES
    }

    /// The stones of a side; bit 0 is A8, bit 7 H8, bit 56 A1.
    #[inline(always)]
    pub fn stones(&self, side: Side) -> u64 {
        self.stones[side as usize]
    }

    /// The moves that `side` would have if it were its turn: how many, and where to.
    #[inline(always)]
    pub fn reach(&self, side: Side) -> Reach {
        let [reach] = lanes::reach([self.stones(side), self.stones(!side)]);
        reach
    }

    /// The same for the side to move, and for the other.
    #[inline(always)]
    pub fn reach_of_both(&self) -> [Reach; 2] {
        lanes::reach([self.stones(self.side), self.stones(!self.side)])
    }

    /// The cells a move leaves and reaches.
    #[inline(always)]
    pub fn from_and_to(m: Move) -> (usize, usize) {
        decode(m)
    }

    /// The move of the stone at `index` of a lane; `step` is the board distance of one cell.
    #[inline(always)]
    fn move_from(&self, lane: usize, index: usize, step: i32) -> Move {
        let from = TABLES.cell_of[lane][index & 63] as usize;
        let line = TABLES.line[lane][from];
        let distance = ((self.stones[0] | self.stones[1]) & line).count_ones() as i32;
        let to = (from as i32 + step * distance) as usize;
        encode(from, to & 63)
    }
}

#[inline(always)]
fn encode(from: usize, to: usize) -> Move {
    Move::from_code((from << 6 | to) as u16)
}

#[inline(always)]
fn decode(m: Move) -> (usize, usize) {
    let code = m.code() as usize;
    ((code >> 6) & 63, code & 63)
}

impl Game for Loa {
    const TITLE: &'static str = "Lines of Action";
    const MOVE_FORM: &'static str = "B1-B3 (from, to)";
    const PLY_LIMIT: usize = MAX_PLIES;
    const REPETITION: bool = true;

    #[inline(always)]
    fn ply_limit(&self) -> usize {
        if self.is_standard { MAX_PLIES } else { TOURNAMENT_PLIES }
    }

    #[inline(always)]
    fn has_repetition(&self) -> bool {
        self.is_standard
    }

    fn codes(&self) -> usize {
        (SIZE * SIZE) << 6
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn ply(&self) -> usize {
        self.ply as usize
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        lanes::count_moves(self.stones(self.side), self.stones(!self.side)) as usize
    }

    #[inline(always)]
    fn moves(&self, list: &mut MoveList) {
        list.clear();
        let [up, down] = lanes::sources(self.stones(self.side), self.stones(!self.side));
        for (lane, &step) in STEP.iter().enumerate() {
            // Loops: `extend` is not inlined here, and then has not the instructions of its caller.
            for (from, step) in [(up[lane], step), (down[lane], -step)] {
                for index in cells(from) {
                    list.push(self.move_from(lane, index, step));
                }
            }
        }
    }

    /// By trial: any stone and any direction, until they make a legal move. That is uniform among
    /// the legal moves, and needs about three trials.
    #[inline(always)]
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let (own, enemy) = (self.stones[self.side as usize], self.stones[!self.side as usize]);
        let count = own.count_ones();
        if count == 0 {
            return None;
        }
        for _ in 0..RANDOM_TRIALS {
            let choice = rng.u32(..8 * count);
            let from = nth_cell(own, choice >> 3) as usize & 63;
            let (lane, down) = (choice as usize >> 1 & 3, choice as usize & 1);
            let distance = ((own | enemy) & TABLES.line[lane][from]).count_ones();
            if distance > u32::from(TABLES.room[lane][down][from]) {
                continue;
            }
            let step = if down == 1 { -STEP[lane] } else { STEP[lane] };
            let to = (from as i32 + step * distance as i32) as usize & 63;
            let between = TABLES.ray[lane][down][from] & TABLES.ray[lane][1 - down][to];
            if own >> to & 1 | enemy & between == 0 {
                return Some(encode(from, to));
            }
        }
        let moves = self.legal_moves();
        rng.pick(&moves).copied()
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        let (from, to) = decode(m);
        let (me, enemy) = (self.side as usize, !self.side as usize);
        let captured = self.stones[enemy] >> to & 1;
        self.key ^= STONE_KEYS[me * 64 + from]
            ^ STONE_KEYS[me * 64 + to]
            ^ (STONE_KEYS[enemy * 64 + to] & captured.wrapping_neg())
            ^ BLACK_KEY;
        self.play_unkeyed(m);
    }

    #[inline(always)]
    fn play_unkeyed(&mut self, m: Move) {
        let (from, to) = decode(m);
        let (me, enemy) = (self.side as usize, !self.side as usize);
        self.stones[me] ^= 1 << from | 1 << to;
        self.stones[enemy] &= !(1 << to);
        self.side = !self.side;
        self.ply += 1;
    }

    /// The side that has just moved is checked first, so it wins when both are connected.
    #[inline(always)]
    fn won(&self) -> Option<Ending> {
        let mover = !self.side;
        if self.is_cut_off() {
            None
        } else if Board::connected(self.stones[mover as usize]) {
            Some(Ending::win(mover, Loa::CONNECTED))
        } else if Board::connected(self.stones[self.side as usize]) {
            Some(Ending::win(self.side, Loa::CONNECTED))
        } else {
            None
        }
    }

    fn without_moves(&self) -> Ending {
        if self.is_cut_off() {
            Ending::draw(Rule::PLY_LIMIT)
        } else {
            Ending::win(!self.side, Rule::NO_MOVE)
        }
    }

    #[inline(always)]
    fn drawn(&self, history: &History) -> Option<Ending> {
        if self.ply() >= self.ply_limit() {
            Some(Ending::draw(Rule::PLY_LIMIT))
        } else if self.is_standard && self.came_before(history, history.len()) {
            Some(Ending::draw(Loa::REPEATED))
        } else {
            None
        }
    }

    /// A board is the same whoever is to move.
    #[inline(always)]
    fn came_before(&self, history: &History, reach: usize) -> bool {
        history.latest(reach).iter().any(|&key| key == self.key || key == self.key ^ BLACK_KEY)
    }

    /// In OpenSpiel a repetition is a draw for a side without a move too.
    #[inline(always)]
    fn ending_with(&self, history: &History, count: impl FnOnce() -> usize) -> Option<Ending> {
        let drawn = || self.drawn(history);
        let without_moves = || (count() == 0).then(|| self.without_moves());
        match self.is_standard {
            true => self.won().or_else(drawn).or_else(without_moves),
            false => self.won().or_else(without_moves).or_else(drawn),
        }
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        let (from, to) = decode(m);
        let column = |cell: usize| char::from(b'A' + (cell % SIZE) as u8);
        let row = |cell: usize| SIZE - cell / SIZE;
        write!(f, "{}{}-{}{}", column(from), row(from), column(to), row(to))
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        let expected = "a move such as `B1-B3`: column A to H and row 1 to 8, twice";
        let error = || ParseError::new("move", quoted(text), expected);
        let &[from_column, from_row, b'-', to_column, to_row] = text.as_bytes() else {
            return Err(error());
        };
        let cell = |column, row| {
            let column = text::index_of(column, b'A', SIZE)?;
            let row = text::index_of(row, b'1', SIZE)?;
            Some((SIZE - 1 - row) * SIZE + column)
        };
        let from = cell(from_column, from_row).ok_or_else(error)?;
        let to = cell(to_column, to_row).ok_or_else(error)?;
        Ok(encode(from, to))
    }

    fn parse_board(&self, text: &str) -> Result<Loa, ParseError> {
        let board = BoardText::split(text, (SIZE, SIZE), 0, self.ply_limit())?;
        let mut stones = [0u64; 2];
        board.each_cell("`.` `w` `b`", |row, column, character| {
            let cell = 1 << (row * SIZE + column);
            match character {
                'w' => stones[0] |= cell,
                'b' => stones[1] |= cell,
                _ => return character == '.',
            }
            true
        })?;
        for side in [Side::White, Side::Black] {
            let count = stones[side as usize].count_ones();
            if !(1..=12).contains(&count) {
                let place = format!("stones of {side}");
                return Err(ParseError::new(place, count.to_string(), "1 to 12"));
            }
        }
        let board = Loa::new(stones, board.side, board.ply as u16);
        Ok(Loa { is_standard: self.is_standard, ..board })
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        text::write_rows(f, (SIZE, SIZE), |row, column| {
            let cell = 1 << (row * SIZE + column);
            match (self.stones[0] & cell != 0, self.stones[1] & cell != 0) {
                (true, _) => 'w',
                (_, true) => 'b',
                _ => '.',
            }
        })
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        let mut rows = text::names(b'1', SIZE);
        rows.reverse();
        (rows, text::names(b'A', SIZE))
    }
}

impl fmt::Display for Loa {
    /// The full text board.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {}", self.rows(), text::side_letter(self.side), self.ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;

    #[test]
    fn reached_cells_are_targets_of_moves() {
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Loa::start(Layout::default()));
            while state.ending().is_none() {
                let position = state.position;
                let moves = position.legal_moves();
                let targets = moves.iter().map(|&m| 1 << Loa::from_and_to(m).1);
                let expected = targets.fold(0, |all, target: u64| all | target);
                assert_eq!(position.reach(position.side()).cells, expected, "{position}");
                state.play(*rng.pick(&moves).expect("the game is not over"));
            }
        }
    }
}
