//! Lines of Action on 8 × 8: a stone moves as far as its line holds stones.
//!
//! The one idea: the board is brought into four *lanes* in which the rows, the columns and the two
//! kinds of diagonals lie along bytes. Every cell of a line has the same stone count, so a step of
//! "as many cells as the count" is a barrel shifter: three shifts by 1, 2 and 4, each applied only
//! to the lines with that bit in their count. All stones of a side are tested in all eight
//! directions at once, and the same few operations run on the four lanes in parallel (the compiler
//! turns them into vector instructions where the processor has them).
//!
//! Rules: the course's document of 2011/12 as settled in the project's specification; the game is
//! Claude Soucie's.

use std::fmt;
use std::str::FromStr;

use crate::bitboard::{Grid, cells, nth_cell};
use crate::chance::Chance;
use crate::game::{Ending, Game, Move, MoveList, ParseError, Rule, Side, quoted};
use crate::games::text::{self, BoardText};
use crate::games::zobrist;

const SIZE: usize = 8;
type Board = Grid<SIZE, SIZE>;

const STONE_KEYS: [u64; 2 * 64] = zobrist::keys(0x4c4f_4101);
const BLACK_KEY: u64 = zobrist::keys::<1>(0x4c4f_4102)[0];

/// Which player's stones start on the top and bottom rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Layout {
    /// White, the first mover, on rows 1 and 8.
    #[default]
    Rows,
    /// White on the files A and H.
    Files,
}

impl Layout {
    /// Both of them.
    pub const ALL: [Layout; 2] = [Layout::Rows, Layout::Files];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Rows => "rows",
            Layout::Files => "files",
        }
    }

    /// Its description for people.
    pub fn description(self) -> &'static str {
        match self {
            Layout::Rows => "White on rows 1 and 8",
            Layout::Files => "White on the files A and H",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Layout {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Layout, ParseError> {
        let found = Layout::ALL.into_iter().find(|layout| layout.name() == name);
        found.ok_or_else(|| ParseError::new("layout", quoted(name), "rows or files"))
    }
}

/// A position of Lines of Action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loa {
    stones: [u64; 2],
    key: u64,
    side: Side,
    ply: u8,
}

const _: () = assert!(size_of::<Loa>() <= 32);

/// Rows, columns, diagonals (down to the right), antidiagonals (down to the left).
const LANES: usize = 4;

/// One word for each lane.
type Lanes = [u64; LANES];

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
struct Tables {
    /// Lane index → cell of the board.
    cell_of: [[u8; 64]; LANES],
    /// The cells of a lane that belong to the second line of their byte.
    second: Lanes,
    /// For distances 1, 2, 4 (index 0, 1, 2): the cells of each lane from which that many steps
    /// toward higher bits leave the line.
    off_up: [Lanes; 3],
    /// The same toward lower bits.
    off_down: [Lanes; 3],
    /// For each lane and cell of the board: the line through it, as a set of the board.
    line: [[u64; 64]; LANES],
    /// For each lane, direction (0 toward higher bits, 1 toward lower) and cell of the board: the
    /// cells ahead on its line, and how many they are.
    ray: [[[u64; 64]; 2]; LANES],
    room: [[[u8; 64]; 2]; LANES],
}

static TABLES: Tables = {
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

/// Trials for a random move before the moves are counted out.
const RANDOM_TRIALS: u32 = 16;

/// How far one step toward higher lane bits moves on the board, for each lane.
const STEP: [i32; LANES] = [1, 8, 9, -7];

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
fn transpose(x: u64) -> u64 {
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
struct Sources {
    up: Lanes,
    down: Lanes,
    /// The distances of their moves as three bits: for each, the cells with this bit set in the
    /// number of stones of their line.
    distance: [Lanes; 3],
}

impl Sources {
    #[inline(always)]
    fn count(&self) -> u32 {
        (0..LANES).map(|lane| self.up[lane].count_ones() + self.down[lane].count_ones()).sum()
    }

    /// The cells of the board that the moves reach: all stones of a line go equally far.
    #[inline(always)]
    fn targets(&self) -> u64 {
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
fn sources(own: u64, enemy: u64) -> Sources {
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

/// The cells that touch all groups of the stones, or all but one, which may be a single stone that
/// moves there: no move elsewhere connects them.
#[inline(always)]
fn joining_cells(stones: u64) -> u64 {
    let (mut touch_all, mut touch_all_but_one) = (!0, !0);
    let mut left = stones;
    while left != 0 && touch_all_but_one & !stones != 0 {
        let group = Board::first_group(left);
        let touched = Board::dilate(group);
        touch_all_but_one = touch_all_but_one & touched | touch_all;
        touch_all &= touched;
        left &= !group;
    }
    touch_all_but_one & !stones
}

/// The moves of a side.
#[derive(Clone, Copy)]
pub struct Reach {
    /// How many there are.
    pub moves: u32,
    /// The cells they lead to.
    pub cells: u64,
}

impl Loa {
    /// All stones of the winner form one group.
    pub const CONNECTED: Rule = Rule::new(&"all stones connected");

    /// The position every game starts from.
    pub fn start(layout: Layout) -> Loa {
        let rows = 0x7e | 0x7e << 56;
        let files = transpose(rows);
        let stones = match layout {
            Layout::Rows => [rows, files],
            Layout::Files => [files, rows],
        };
        Loa::new(stones, Side::White, 0)
    }

    fn new(stones: [u64; 2], side: Side, ply: u8) -> Loa {
        let mut key = if side == Side::Black { BLACK_KEY } else { 0 };
        for owner in 0..2 {
            key = cells(stones[owner]).fold(key, |key, cell| key ^ STONE_KEYS[owner * 64 + cell]);
        }
        Loa { stones, key, side, ply }
    }

    /// The stones of a side; bit 0 is A8, bit 7 H8, bit 56 A1.
    #[inline(always)]
    pub fn stones(&self, side: Side) -> u64 {
        self.stones[side as usize]
    }

    /// The moves that `side` would have if it were its turn: how many, and where to.
    #[inline(always)]
    pub fn reach(&self, side: Side) -> Reach {
        let sources = sources(self.stones[side as usize], self.stones[!side as usize]);
        Reach { moves: sources.count(), cells: sources.targets() }
    }

    /// Whether the side to move can connect all its stones by one move.
    #[inline(always)]
    pub fn can_connect(&self) -> bool {
        let own = self.stones[self.side as usize];
        let joining = joining_cells(own);
        if joining == 0 || joining & self.reach(self.side).cells == 0 {
            return false;
        }
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves.iter().any(|&m| {
            let (from, to) = decode(m);
            joining >> to & 1 != 0 && Board::connected(own & !(1 << from) | 1 << to)
        })
    }

    /// The cells a move leaves and reaches.
    #[inline(always)]
    pub fn from_and_to(m: Move) -> (usize, usize) {
        decode(m)
    }

    #[inline(always)]
    fn sources(&self) -> Sources {
        sources(self.stones[self.side as usize], self.stones[!self.side as usize])
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
    const PLY_LIMIT: usize = 200;

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
        self.sources().count() as usize
    }

    #[inline(always)]
    fn moves(&self, list: &mut MoveList) {
        list.clear();
        let sources = self.sources();
        for (lane, &step) in STEP.iter().enumerate() {
            // Loops: `extend` is not inlined here, and then has not the instructions of its caller.
            for (from, step) in [(sources.up[lane], step), (sources.down[lane], -step)] {
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
        let mut moves = MoveList::new();
        self.moves(&mut moves);
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
        if Board::connected(self.stones[mover as usize]) {
            Some(Ending::win(mover, Loa::CONNECTED))
        } else if Board::connected(self.stones[self.side as usize]) {
            Some(Ending::win(self.side, Loa::CONNECTED))
        } else {
            None
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
        let board = BoardText::split(text, (SIZE, SIZE), 0, Self::PLY_LIMIT)?;
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
        Ok(Loa::new(stones, board.side, board.ply as u8))
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
    fn what_a_side_reaches_is_where_its_moves_go() {
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Loa::start(Layout::default()));
            while state.ending().is_none() {
                let position = state.position;
                let mut moves = MoveList::new();
                position.moves(&mut moves);
                let targets = moves.iter().map(|&m| 1 << Loa::from_and_to(m).1);
                let expected = targets.fold(0, |all, target: u64| all | target);
                assert_eq!(position.reach(position.side()).cells, expected, "{position}");
                state.play(*rng.pick(&moves).expect("the game is not over"));
            }
        }
    }

    #[test]
    fn a_side_can_connect_where_one_of_its_moves_does() {
        let mut rng = fastrand::Rng::with_seed(9);
        let mut found = [0; 2];
        for _ in 0..20_000 {
            let (count, enemies) = (rng.index(2..=8), rng.index(1..=8));
            let mut stones = [0u64; 2];
            // Own stones near one another, so that some positions are close to the end.
            let corner = 8 * rng.u32(0..4) + rng.u32(0..4);
            while (stones[0].count_ones() as usize) < count {
                stones[0] |= 1 << (corner + 8 * rng.u32(0..5) + rng.u32(0..5));
            }
            for _ in 0..enemies {
                stones[1] |= 1 << rng.u32(0..64) & !stones[0];
            }
            let position = Loa::new(stones, Side::White, 10);
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            let connects = |m: &Move| {
                let mut after = position;
                after.play(*m);
                Board::connected(after.stones(Side::White))
            };
            let expected = moves.iter().any(connects);
            if !Board::connected(stones[0]) {
                assert_eq!(position.can_connect(), expected, "{position}");
                found[usize::from(expected)] += 1;
            }
        }
        assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
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
