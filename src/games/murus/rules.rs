//! Murus Gallicus on 7 rows × 8 columns: walls, towers, and one sowing move per direction.
//!
//! The one idea: (cell, direction) names at most one move, so the legal moves are eight sets of
//! towers, one for each direction, each found with a handful of whole-board operations.
//!
//! Rules: the course's document of 2020/21 as settled in the project's specification; the game is
//! Phil Leduc's (2009).

use std::fmt;

use super::shape;
use crate::game::bitboard::{Direction, Grid, cells, nth_cell};
use crate::game::shape::MoveShape;
use crate::game::{Ending, Game, Move, MoveList, ParseError, Rule, Side, quoted};
use crate::games::text::{self, BoardText};
use crate::games::zobrist;

const ROWS: usize = 7;
const COLUMNS: usize = 8;
type Board = Grid<ROWS, COLUMNS>;

/// The row each side starts from, and must keep the enemy off.
const HOME: [u64; 2] = [Board::row(ROWS - 1), Board::row(0)];

const DIRECTION_NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// Keys of side × (wall, tower) × cell, and one for black to move.
const STONE_KEYS: [u64; 4 * 64] = zobrist::keys(0x4d55_5255_5301);
const BLACK_KEY: u64 = zobrist::keys::<1>(0x4d55_5255_5302)[0];

#[inline(always)]
fn wall_key(side: Side, cell: usize) -> u64 {
    STONE_KEYS[side as usize * 128 + (cell & 63)]
}

#[inline(always)]
fn tower_key(side: Side, cell: usize) -> u64 {
    STONE_KEYS[side as usize * 128 + 64 + (cell & 63)]
}

/// A position of Murus Gallicus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Murus {
    /// Cells with a wall or tower of each side.
    stones: [u64; 2],
    /// Cells with a tower of either side, a subset of the stones.
    towers: u64,
    key: u64,
    side: Side,
    ply: u8,
}

const _: () = assert!(size_of::<Murus>() <= 40);

/// The towers that may move in each direction, in the order of [`Direction::ALL`].
type Sources = [u64; 8];

impl Murus {
    /// A stone on the opponent's home row.
    pub const HOME_ROW: Rule = Rule::new(&"home row reached");

    /// The position every game starts from.
    pub fn start() -> Murus {
        Murus::new(HOME, HOME[0] | HOME[1], Side::White, 0)
    }

    fn new(stones: [u64; 2], towers: u64, side: Side, ply: u8) -> Murus {
        let mut key = if side == Side::Black { BLACK_KEY } else { 0 };
        for owner in [Side::White, Side::Black] {
            let own = stones[owner as usize];
            key = cells(own & !towers).fold(key, |key, cell| key ^ wall_key(owner, cell));
            key = cells(own & towers).fold(key, |key, cell| key ^ tower_key(owner, cell));
        }
        Murus { stones, towers, key, side, ply }
    }

    /// Cells with a single stone of `side`.
    #[inline(always)]
    pub fn walls(&self, side: Side) -> u64 {
        self.stones[side as usize] & !self.towers
    }

    /// Cells with two stones of `side`.
    #[inline(always)]
    pub fn towers(&self, side: Side) -> u64 {
        self.stones[side as usize] & self.towers
    }

    /// The row on which an enemy stone beats `side`.
    #[inline(always)]
    pub const fn home(side: Side) -> u64 {
        HOME[side as usize]
    }

    /// Cells that may get a stone of `side`: empty, or with a wall of its own.
    #[inline(always)]
    pub fn open_to(&self, side: Side) -> u64 {
        Board::BOARD & !(self.stones[!side as usize] | self.towers(side))
    }

    /// The same stones with `side` to move, to ask what it could do.
    #[inline(always)]
    pub fn with_side(&self, side: Side) -> Murus {
        let key = if side == self.side { self.key } else { self.key ^ BLACK_KEY };
        Murus { side, key, ..*self }
    }

    /// The cell and direction of a move.
    #[inline(always)]
    pub fn source_and_direction(&self, m: Move) -> (usize, Direction) {
        decode(m)
    }

    /// Whether a legal move removes an enemy wall.
    #[inline(always)]
    pub fn is_sacrifice(&self, m: Move) -> bool {
        let (from, direction) = decode(m);
        Board::shift(1 << from, direction) & self.stones[!self.side as usize] != 0
    }

    #[inline(always)]
    fn play_with_or_without_key<const KEYED: bool>(&mut self, m: Move) {
        let (from, direction) = decode(m);
        let (me, enemy) = (self.side, !self.side);
        let source = 1u64 << from;
        let next = Board::shift(source, direction);
        let mut change = tower_key(me, from) ^ BLACK_KEY;
        self.towers &= !source;
        if self.stones[enemy as usize] & next != 0 {
            // A sacrifice: the tower becomes a wall, the enemy wall goes.
            self.stones[enemy as usize] &= !next;
            change ^= wall_key(me, from) ^ wall_key(enemy, next.trailing_zeros() as usize);
        } else {
            let landings = next | Board::shift(next, direction);
            let raised = landings & self.stones[me as usize];
            self.stones[me as usize] = (self.stones[me as usize] & !source) | landings;
            self.towers |= raised;
            if KEYED {
                for landing in cells(landings) {
                    let wall = wall_key(me, landing);
                    let stacked = wall ^ tower_key(me, landing);
                    change ^= if raised >> landing & 1 == 0 { wall } else { stacked };
                }
            }
        }
        if KEYED {
            self.key ^= change;
        }
        self.side = enemy;
        self.ply += 1;
    }

    #[inline(always)]
    fn sources(&self) -> Sources {
        let towers = self.towers(self.side);
        let enemy_walls = self.walls(!self.side);
        let open = self.open_to(self.side);
        // A loop, as `map` is not compiled for the caller's processor.
        let mut sources = [0; 8];
        for (from, direction) in sources.iter_mut().zip(Direction::ALL) {
            let back = direction.opposite();
            let next_is_open = Board::shift(open, back);
            let both_are_open = next_is_open & Board::shift(next_is_open, back);
            *from = towers & (both_are_open | Board::shift(enemy_walls, back));
        }
        sources
    }

    /// For each direction toward the enemy's home the towers of the side to move that can put a
    /// stone there now.
    #[inline(always)]
    fn reaching_home(&self) -> [(Direction, u64); 3] {
        let goal = Murus::home(!self.side) & self.open_to(self.side);
        let open = self.open_to(self.side);
        let towers = self.towers(self.side);
        let toward = match self.side {
            Side::White => [Direction::NorthWest, Direction::North, Direction::NorthEast],
            Side::Black => [Direction::SouthWest, Direction::South, Direction::SouthEast],
        };
        toward.map(|direction| {
            let back = direction.opposite();
            // Two rows away the second stone lands there.
            (direction, towers & Board::shift(Board::shift(goal, back) & open, back))
        })
    }

    /// The stones of the side to move two rows away from the enemy's home, from where a tower
    /// reaches it.
    #[inline(always)]
    fn near_home(&self) -> u64 {
        self.stones[self.side as usize]
            & Board::row(if self.side == Side::White { 2 } else { ROWS - 3 })
    }

    /// Whether the side to move can put a stone on the enemy's home row now.
    #[inline(always)]
    pub fn can_reach_home(&self) -> bool {
        // Only a tower two rows away can, and mostly there is none.
        self.near_home() & self.towers != 0
            && self.reaching_home().iter().any(|&(_, towers)| towers != 0)
    }

    /// Whether the side to move may have a move that threatens to reach the enemy's home row next:
    /// it has a tower two rows away, or a wall there, which may become one.
    #[inline(always)]
    pub fn may_threaten_home(&self) -> bool {
        self.near_home() != 0
    }

    /// Lists the moves that may threaten to reach the enemy's home row next, where the side to move
    /// cannot reach it now. They are those that make a tower of a wall two rows away. If it has a
    /// tower there, they are also those that may open its way: a tower leaves the row between, or a
    /// wall there is removed.
    #[inline(always)]
    pub fn threatening_moves(&self, list: &mut MoveList) {
        let before_home = Board::row(if self.side == Side::White { 1 } else { ROWS - 2 });
        let walls = self.near_home() & !self.towers;
        let (mut leaving, mut removed) = (0, 0);
        if self.near_home() & self.towers != 0 {
            leaving = before_home;
            // From there alone can a wall on the home row itself be removed.
            removed = self.walls(!self.side) & before_home;
        }
        list.clear();
        for ((index, from), direction) in self.sources().into_iter().enumerate().zip(Direction::ALL)
        {
            let back = direction.opposite();
            let raising = Board::shift(Board::shift(walls, back), back);
            let from = from & (leaving | Board::shift(walls | removed, back) | raising);
            list.extend(cells(from).map(|cell| encode(cell, index)));
        }
    }

    /// Whether the other side, if it were to move, could put a stone on the home row of the side to
    /// move, and no move prevents it. A move prevents it by a stone on one of the two cells of each
    /// path there: towers cannot be removed, and the path stays open where a wall is removed.
    #[inline(always)]
    pub fn cannot_hold_home(&self) -> bool {
        let threats = self.with_side(!self.side).reaching_home();
        if threats.iter().all(|&(_, towers)| towers == 0) {
            return false;
        }
        let open = self.open_to(self.side);
        let towers = self.towers(self.side);
        let mut holding = Direction::ALL.map(|direction| {
            let back = direction.opposite();
            let next_is_open = Board::shift(open, back);
            towers & next_is_open & Board::shift(next_is_open, back)
        });
        for (toward, towers) in threats {
            for tower in cells(towers) {
                let next = Board::shift(1 << tower, toward);
                let way = next | Board::shift(next, toward);
                for (direction, holding) in Direction::ALL.into_iter().zip(&mut holding) {
                    let back = direction.opposite();
                    let one_away = Board::shift(way, back);
                    *holding &= one_away | Board::shift(one_away, back);
                }
            }
        }
        holding.iter().all(|&towers| towers == 0)
    }
}

#[inline(always)]
fn encode(cell: usize, direction: usize) -> Move {
    Move::from_code((cell << 3 | direction) as u16)
}

#[inline(always)]
fn decode(m: Move) -> (usize, Direction) {
    let code = m.code() as usize;
    ((code >> 3) & 63, Direction::ALL[code & 7])
}

impl Game for Murus {
    const TITLE: &'static str = "Murus Gallicus";
    const MOVE_FORM: &'static str = "G4,NE (cell, direction)";
    const PLY_LIMIT: usize = 120;

    fn codes(&self) -> usize {
        (ROWS * COLUMNS) << 3
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
        self.sources().iter().map(|from| from.count_ones() as usize).sum()
    }

    #[inline(always)]
    fn moves(&self, list: &mut MoveList) {
        list.clear();
        for (direction, from) in self.sources().into_iter().enumerate() {
            list.extend(cells(from).map(|cell| encode(cell, direction)));
        }
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let sources = self.sources();
        let mut ends = [0; 8];
        let mut total = 0;
        for (end, from) in ends.iter_mut().zip(sources) {
            total += from.count_ones();
            *end = total;
        }
        if total == 0 {
            return None;
        }
        let choice = rng.u32(..total);
        let direction: usize = ends.iter().map(|&end| usize::from(choice >= end)).sum();
        let from = sources[direction];
        let cell = nth_cell(from, choice + from.count_ones() - ends[direction]);
        Some(encode(cell as usize, direction))
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        self.play_with_or_without_key::<true>(m);
    }

    #[inline(always)]
    fn play_unkeyed(&mut self, m: Move) {
        self.play_with_or_without_key::<false>(m);
    }

    #[inline(always)]
    fn won(&self) -> Option<Ending> {
        if self.stones[0] & HOME[1] != 0 {
            Some(Ending::win(Side::White, Murus::HOME_ROW))
        } else if self.stones[1] & HOME[0] != 0 {
            Some(Ending::win(Side::Black, Murus::HOME_ROW))
        } else {
            None
        }
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        let (from, direction) = decode(m);
        let row = char::from(b'A' + (from / COLUMNS) as u8);
        write!(f, "{row}{},{}", from % COLUMNS + 1, DIRECTION_NAMES[direction as usize])
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        let expected = "a move such as `G4,NE`: row A to G, column 1 to 8, a compass direction";
        let error = || ParseError::new("move", quoted(text), expected);
        let (cell, direction) = text.split_once(',').ok_or_else(error)?;
        let &[row, column] = cell.as_bytes() else { return Err(error()) };
        let row = text::index_of(row, b'A', ROWS).ok_or_else(error)?;
        let column = text::index_of(column, b'1', COLUMNS).ok_or_else(error)?;
        let direction = DIRECTION_NAMES
            .iter()
            .position(|name| name.eq_ignore_ascii_case(direction))
            .ok_or_else(error)?;
        Ok(encode(row * COLUMNS + column, direction))
    }

    fn parse_board(&self, text: &str) -> Result<Murus, ParseError> {
        let board = BoardText::split(text, (ROWS, COLUMNS), 0, Self::PLY_LIMIT)?;
        let mut stones = [0u64; 2];
        let mut towers = 0u64;
        board.each_cell("`.` `w` `W` `b` `B`", |row, column, character| {
            let cell = 1 << (row * COLUMNS + column);
            match character {
                'w' | 'W' => stones[0] |= cell,
                'b' | 'B' => stones[1] |= cell,
                '.' => {}
                _ => return false,
            }
            if character.is_ascii_uppercase() {
                towers |= cell;
            }
            true
        })?;
        for side in [Side::White, Side::Black] {
            let own = stones[side as usize];
            let count = own.count_ones() + (own & towers).count_ones();
            if count > 16 {
                let place = format!("stones of {side}");
                return Err(ParseError::new(place, count.to_string(), "at most 16"));
            }
        }
        if stones[0] & HOME[1] != 0 && stones[1] & HOME[0] != 0 {
            return Err(ParseError::new("home rows", "an enemy stone on both", "on one at most"));
        }
        Ok(Murus::new(stones, towers, board.side, board.ply as u8))
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        text::write_rows(f, (ROWS, COLUMNS), |row, column| {
            let cell = 1 << (row * COLUMNS + column);
            let tower = self.towers & cell != 0;
            match (self.stones[0] & cell != 0, self.stones[1] & cell != 0) {
                (true, _) => {
                    if tower {
                        'W'
                    } else {
                        'w'
                    }
                }
                (_, true) => {
                    if tower {
                        'B'
                    } else {
                        'b'
                    }
                }
                _ => '.',
            }
        })
    }

    fn shape(&self, m: Move) -> MoveShape {
        shape::shape(self, m)
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        (text::names(b'A', ROWS), text::names(b'1', COLUMNS))
    }
}

impl fmt::Display for Murus {
    /// The full text board.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {}", self.rows(), text::side_letter(self.side), self.ply)
    }
}
