//! Voidrider Chess cell by cell.
//!
//! A cell of the 7 by 9 area is void, an empty square or a square with a piece. Each piece's moves
//! are written down from the rules, and a move is legal when a copy of the position on which it has
//! been played does not leave the mover's king attacked.

use super::{
    DIAGONALS, Direction, EIGHT_DIRECTIONS, ORTHOGONALS, Place, PlainGame, PlainResult, Side,
    letter, read_fields, step, write_rows,
};

const ROWS: usize = 9;
const COLUMNS: usize = 7;

/// Plies after which the game is a draw.
const LAST_PLY: u32 = 200;
/// The limit of a game by the text of its author alone.
const LAST_PLY_OF_ALL: u32 = 1000;

/// Plies after which the game is a draw without a capture or a pawn move.
const QUIET_PLIES: u32 = 100;

const START: &str =
    "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0";

const KNIGHT_LEAPS: [Direction; 8] =
    [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    King,
    Rook,
    Bishop,
    Knight,
    Pawn,
    Voidrider,
}

const KINDS: [Kind; 6] =
    [Kind::King, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn, Kind::Voidrider];

/// What a pawn may become.
const PROMOTIONS: [Kind; 4] = [Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Voidrider];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Void,
    Empty,
    Piece(Side, Kind),
}

/// Castling toward one end of the king's row, in columns. The two squares between king and rook are
/// the king's new square and the one that it crosses, the rook's new square.
struct Wing {
    rook: usize,
    king_to: usize,
    rook_to: usize,
    letters: [char; 2],
}

const KING_COLUMN: usize = 3;
const WINGS: [Wing; 2] = [
    Wing { rook: 0, king_to: 1, rook_to: 2, letters: ['D', 'd'] },
    Wing { rook: 6, king_to: 5, rook_to: 4, letters: ['U', 'u'] },
];

/// A move; castling is written as the king's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: Place,
    to: Place,
    promotion: Option<Kind>,
}

/// All that counts when positions are compared for repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    board: [[Cell; COLUMNS]; ROWS],
    side: Side,
    /// Whether white and black may still castle, each toward either of the `WINGS`.
    rights: [[bool; 2]; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voidrider {
    position: Position,
    ply: u32,
    quiet_plies: u32,
    /// Every position of the game so far, the present one last.
    history: Vec<Position>,
    /// Whether stalemate is the only draw, but for games broken off at the limit of all games.
    text_alone: bool,
}

fn next(from: Place, direction: Direction) -> Option<Place> {
    step(from, direction, ROWS, COLUMNS)
}

/// The direction in which the pawns of a side advance.
fn forward(side: Side) -> isize {
    match side {
        Side::White => -1,
        Side::Black => 1,
    }
}

/// The row on which the pawns of a side are promoted.
fn last_row(side: Side) -> usize {
    match side {
        Side::White => 0,
        Side::Black => ROWS - 1,
    }
}

/// The row of a side's king and rooks at the start.
fn home_row(side: Side) -> usize {
    match side {
        Side::White => ROWS - 2,
        Side::Black => 1,
    }
}

/// The letter of a kind of piece, upper case.
fn kind_letter(kind: Kind) -> char {
    match kind {
        Kind::King => 'K',
        Kind::Rook => 'R',
        Kind::Bishop => 'B',
        Kind::Knight => 'N',
        Kind::Pawn => 'P',
        Kind::Voidrider => 'V',
    }
}

fn cell_letter(cell: Cell) -> char {
    match cell {
        Cell::Void => '#',
        Cell::Empty => '.',
        Cell::Piece(Side::White, kind) => kind_letter(kind),
        Cell::Piece(Side::Black, kind) => kind_letter(kind).to_ascii_lowercase(),
    }
}

fn read_cell(character: char) -> Cell {
    let side = if character.is_ascii_uppercase() { Side::White } else { Side::Black };
    match character {
        '#' => Cell::Void,
        '.' => Cell::Empty,
        _ => {
            let capital = character.to_ascii_uppercase();
            let kind = KINDS.into_iter().find(|&kind| kind_letter(kind) == capital);
            Cell::Piece(side, kind.expect("the letter of a piece"))
        }
    }
}

impl Position {
    fn cell(&self, place: Place) -> Cell {
        self.board[place.0][place.1]
    }

    /// Whether this is an empty square or a square with an enemy of the side to move.
    fn can_enter(&self, place: Place) -> bool {
        match self.cell(place) {
            Cell::Void => false,
            Cell::Empty => true,
            Cell::Piece(side, _) => side != self.side,
        }
    }

    /// The first square in a direction, beyond any number of void cells.
    fn first_square(&self, from: Place, direction: Direction) -> Option<Place> {
        let mut place = next(from, direction)?;
        while self.cell(place) == Cell::Void {
            place = next(place, direction)?;
        }
        Some(place)
    }

    /// The first cell in a direction, beyond any number of empty squares.
    fn first_obstacle(&self, from: Place, direction: Direction) -> Option<Place> {
        let mut place = next(from, direction)?;
        while self.cell(place) == Cell::Empty {
            place = next(place, direction)?;
        }
        Some(place)
    }

    /// Adds the moves of the piece on this cell, if the side to move has one there, without
    /// asking whether they leave its king attacked.
    fn add_moves_from(&self, from: Place, moves: &mut Vec<Move>) {
        let Cell::Piece(side, kind) = self.cell(from) else {
            return;
        };
        if side != self.side {
            return;
        }
        match kind {
            Kind::King => {
                self.add_single_steps(from, &EIGHT_DIRECTIONS, moves);
                self.add_castling(moves);
            }
            Kind::Rook => self.add_slides(from, &ORTHOGONALS, moves),
            Kind::Bishop => self.add_slides(from, &DIAGONALS, moves),
            Kind::Knight => self.add_single_steps(from, &KNIGHT_LEAPS, moves),
            Kind::Pawn => self.add_pawn_moves(from, moves),
            Kind::Voidrider => self.add_voidrider_moves(from, moves),
        }
        self.add_space_moves(from, kind, moves);
    }

    /// Adds a move, or its four promotions when a pawn arrives on its last row.
    fn add_move(&self, from: Place, to: Place, moves: &mut Vec<Move>) {
        if self.cell(from) == Cell::Piece(self.side, Kind::Pawn) && to.0 == last_row(self.side) {
            moves.extend(PROMOTIONS.map(|kind| Move { from, to, promotion: Some(kind) }));
        } else {
            moves.push(Move { from, to, promotion: None });
        }
    }

    /// King and knight: to a square next to the piece, or a leap away.
    fn add_single_steps(&self, from: Place, directions: &[Direction], moves: &mut Vec<Move>) {
        for &direction in directions {
            if let Some(to) = next(from, direction)
                && self.can_enter(to)
            {
                self.add_move(from, to, moves);
            }
        }
    }

    /// Rook and bishop: over empty squares, up to void or to a piece, which may be captured.
    fn add_slides(&self, from: Place, directions: &[Direction], moves: &mut Vec<Move>) {
        for &direction in directions {
            let mut place = from;
            while let Some(to) = next(place, direction)
                && self.can_enter(to)
            {
                self.add_move(from, to, moves);
                if self.cell(to) != Cell::Empty {
                    break;
                }
                place = to;
            }
        }
    }

    /// Pawn: one step forward to an empty square, captures one step diagonally forward.
    fn add_pawn_moves(&self, from: Place, moves: &mut Vec<Move>) {
        let ahead = forward(self.side);
        for sideways in [-1, 0, 1] {
            if let Some(to) = next(from, (ahead, sideways))
                && self.can_enter(to)
                && (self.cell(to) == Cell::Empty) == (sideways == 0)
            {
                self.add_move(from, to, moves);
            }
        }
    }

    /// Voidrider: to the first square in any direction.
    fn add_voidrider_moves(&self, from: Place, moves: &mut Vec<Move>) {
        for direction in EIGHT_DIRECTIONS {
            if let Some(to) = self.first_square(from, direction)
                && self.can_enter(to)
            {
                self.add_move(from, to, moves);
            }
        }
    }

    /// Space moves: into the adjacent void cell, a voidrider also farther over void cells.
    fn add_space_moves(&self, from: Place, kind: Kind, moves: &mut Vec<Move>) {
        for direction in ORTHOGONALS {
            if kind == Kind::Pawn && direction.0 == -forward(self.side) {
                continue;
            }
            let mut place = from;
            while let Some(to) = next(place, direction)
                && self.cell(to) == Cell::Void
            {
                if self.touches_square(to, from) {
                    self.add_move(from, to, moves);
                }
                if kind != Kind::Voidrider {
                    break;
                }
                place = to;
            }
        }
    }

    /// Whether a void cell shares a side with a square other than the one to be vacated.
    fn touches_square(&self, place: Place, vacated: Place) -> bool {
        ORTHOGONALS.iter().any(|&direction| {
            next(place, direction)
                .is_some_and(|side| side != vacated && self.cell(side) != Cell::Void)
        })
    }

    /// Adds castling where the side has the right, the path is free and the king is safe on all of
    /// it.
    fn add_castling(&self, moves: &mut Vec<Move>) {
        let row = home_row(self.side);
        let enemy = self.side.other();
        for (number, wing) in WINGS.iter().enumerate() {
            if self.rights[self.side as usize][number]
                && self.board[row][wing.king_to] == Cell::Empty
                && self.board[row][wing.rook_to] == Cell::Empty
                && !self.is_attacked((row, KING_COLUMN), enemy)
                && !self.is_attacked((row, wing.rook_to), enemy)
                && !self.is_attacked((row, wing.king_to), enemy)
            {
                self.add_move((row, KING_COLUMN), (row, wing.king_to), moves);
            }
        }
    }

    /// Whether a piece of side `by` could capture on this square.
    fn is_attacked(&self, target: Place, by: Side) -> bool {
        let stands = |place: Option<Place>, kind: Kind| {
            place.is_some_and(|place| self.cell(place) == Cell::Piece(by, kind))
        };
        let back = -forward(by);
        EIGHT_DIRECTIONS.iter().any(|&direction| {
            stands(next(target, direction), Kind::King)
                || stands(self.first_square(target, direction), Kind::Voidrider)
        }) || ORTHOGONALS
            .iter()
            .any(|&direction| stands(self.first_obstacle(target, direction), Kind::Rook))
            || DIAGONALS
                .iter()
                .any(|&direction| stands(self.first_obstacle(target, direction), Kind::Bishop))
            || KNIGHT_LEAPS.iter().any(|&leap| stands(next(target, leap), Kind::Knight))
            || stands(next(target, (back, -1)), Kind::Pawn)
            || stands(next(target, (back, 1)), Kind::Pawn)
    }

    /// Whether the king of a side is attacked.
    fn in_check(&self, side: Side) -> bool {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                if self.board[row][column] == Cell::Piece(side, Kind::King) {
                    return self.is_attacked((row, column), side.other());
                }
            }
        }
        false
    }

    fn is_legal(&self, m: Move) -> bool {
        let mut after = *self;
        after.play(m);
        !after.in_check(self.side)
    }

    fn has_legal_move(&self) -> bool {
        let mut moves = Vec::new();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                moves.clear();
                self.add_moves_from((row, column), &mut moves);
                if moves.iter().any(|&m| self.is_legal(m)) {
                    return true;
                }
            }
        }
        false
    }

    fn play(&mut self, m: Move) {
        let piece = self.cell(m.from);
        let is_space_move = self.cell(m.to) == Cell::Void;
        self.board[m.from.0][m.from.1] = if is_space_move { Cell::Void } else { Cell::Empty };
        self.board[m.to.0][m.to.1] = match m.promotion {
            Some(kind) => Cell::Piece(self.side, kind),
            None => piece,
        };
        if piece == Cell::Piece(self.side, Kind::King) {
            self.rights[self.side as usize] = [false; 2];
            let row = m.to.0;
            for wing in WINGS {
                // Only castling moves a king two columns.
                if m.from.1.abs_diff(m.to.1) == 2 && m.to.1 == wing.king_to {
                    self.board[row][wing.rook] = Cell::Empty;
                    self.board[row][wing.rook_to] = Cell::Piece(self.side, Kind::Rook);
                }
            }
        }
        // The right is lost when the rook leaves its first square or is captured there.
        for side in [Side::White, Side::Black] {
            for (number, wing) in WINGS.iter().enumerate() {
                let corner = (home_row(side), wing.rook);
                if m.from == corner || m.to == corner {
                    self.rights[side as usize][number] = false;
                }
            }
        }
        self.side = self.side.other();
    }
}

impl Voidrider {
    /// The same by the text of the author alone.
    pub fn by_the_text_alone(self) -> Voidrider {
        Voidrider { text_alone: true, ..self }
    }

    /// The start position.
    pub fn start() -> Voidrider {
        Voidrider::from_text(START)
    }

    /// How often the present position has occurred since the last capture or pawn move.
    ///
    /// As in chess, such a move restarts the count. That matters here, since a pawn can make a
    /// space move sideways and come back; the games in `positions/` show it.
    fn occurrences(&self) -> usize {
        let counted = 1 + self.quiet_plies as usize;
        let same = |earlier: &&Position| **earlier == self.position;
        self.history.iter().rev().take(counted).filter(same).count()
    }
}

impl PlainGame for Voidrider {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                self.position.add_moves_from((row, column), &mut moves);
            }
        }
        moves.retain(|&m| self.position.is_legal(m));
        moves
    }

    fn play(&mut self, m: Move) {
        let is_capture = matches!(self.position.cell(m.to), Cell::Piece(..));
        let is_pawn_move = matches!(self.position.cell(m.from), Cell::Piece(_, Kind::Pawn));
        self.position.play(m);
        self.ply += 1;
        self.quiet_plies += 1;
        if is_capture || is_pawn_move {
            self.quiet_plies = 0;
        }
        self.history.push(self.position);
    }

    fn result(&self) -> Option<PlainResult> {
        let side = self.position.side;
        if !self.position.has_legal_move() {
            if self.position.in_check(side) {
                Some(side.other().wins())
            } else {
                Some(PlainResult::Draw)
            }
        } else if self.text_alone {
            (self.ply >= LAST_PLY_OF_ALL).then_some(PlainResult::Draw)
        } else if self.occurrences() >= 3 || self.quiet_plies >= QUIET_PLIES || self.ply >= LAST_PLY
        {
            Some(PlainResult::Draw)
        } else {
            None
        }
    }

    fn white_to_move(&self) -> bool {
        self.position.side == Side::White
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn notation(&self, m: Move) -> String {
        let name = |(row, column): Place| format!("{}{}", letter(b'a', column), ROWS - row);
        let promotion = match m.promotion {
            Some(kind) => format!("={}", kind_letter(kind)),
            None => String::new(),
        };
        format!("{}-{}{}", name(m.from), name(m.to), promotion)
    }

    fn rows(&self) -> String {
        let rows = self.position.board.iter();
        write_rows(rows.map(|row| &row[..]), cell_letter)
    }

    /// The full text board: rows, side to move, plies played, castling rights, quiet plies.
    fn text(&self) -> String {
        let mut rights = String::new();
        for (number, wing) in WINGS.iter().enumerate() {
            for side in [Side::White, Side::Black] {
                if self.position.rights[side as usize][number] {
                    rights.push(wing.letters[side as usize]);
                }
            }
        }
        if rights.is_empty() {
            rights.push('-');
        }
        let side = if self.white_to_move() { 'w' } else { 'b' };
        let rows = self.rows();
        format!("{rows} {side} {} {rights} {}", self.ply, self.quiet_plies)
    }

    fn from_text(text: &str) -> Voidrider {
        let (rows, side, ply) = read_fields(text);
        let mut fields = text.split_whitespace().skip(3);
        let letters = fields.next().expect("castling rights");
        let quiet_plies = fields.next().expect("quiet plies").parse();
        let mut position =
            Position { board: [[Cell::Void; COLUMNS]; ROWS], side, rights: [[false; 2]; 2] };
        for (row, line) in rows.iter().enumerate() {
            for (column, character) in line.chars().enumerate() {
                position.board[row][column] = read_cell(character);
            }
        }
        for (number, wing) in WINGS.iter().enumerate() {
            for side in [Side::White, Side::Black] {
                let held = letters.contains(wing.letters[side as usize]);
                position.rights[side as usize][number] = held;
            }
        }
        Voidrider {
            position,
            ply,
            quiet_plies: quiet_plies.expect("a number of plies"),
            history: vec![position],
            text_alone: false,
        }
    }
}
