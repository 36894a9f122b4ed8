//! A board with coloured symbols.
//!
//! The one idea: a cell takes two columns, as in the text, and marked cells stand in brackets. So
//! boards of the terminal and of the documents have the same places with and without colours.

use alesia::game::{Game, Side};
use alesia::games::rulebook::{Diagram, MARK};
use alesia::games::{AnyGame, Drawing};

use super::{Paint, palette};

/// A board to be drawn.
pub struct Board {
    /// The names of the rows, from top to bottom.
    row_names: Vec<String>,
    /// The names of the columns, from left to right.
    column_names: Vec<String>,
    cells: Vec<Vec<Cell>>,
}

/// A cell of a board.
#[derive(Clone, Copy)]
struct Cell {
    /// As in the text board.
    character: char,
    drawing: Drawing,
    marked: bool,
}

/// What there is beside a board.
const OUTSIDE: Cell = Cell { character: ' ', drawing: Drawing::Void, marked: false };

impl Board {
    /// A position. The cells that differ from the position before are marked.
    pub fn of(position: &AnyGame, before: Option<&AnyGame>) -> Board {
        let (row_names, column_names) = position.labels();
        let rows = position.rows().to_string();
        let before = before.map(|before| before.rows().to_string());
        // Without a position before, nothing differs.
        let old = before.as_deref().unwrap_or(&rows);
        let row = |(new, old): (&str, &str)| {
            new.chars().zip(old.chars()).map(|(new, old)| cell(position, new, new != old)).collect()
        };
        let cells = rows.split('/').zip(old.split('/')).map(row).collect();
        Board { row_names, column_names, cells }
    }

    /// A diagram of the rules of a game. The cells that differ from the diagram before are marked.
    pub fn of_diagram(game: &AnyGame, diagram: &Diagram, before: Option<&Diagram>) -> Board {
        let old = |row: usize, column: usize| {
            before.and_then(|before| before.cells.get(row)?.get(column).copied())
        };
        // What is only marked as a legal cell has not changed.
        let empty = |cell: char| if cell == MARK { '.' } else { cell };
        let row = |(row, cells): (usize, &Vec<char>)| {
            let cell = |(column, &c): (usize, &char)| {
                cell(game, c, old(row, column).is_some_and(|old| empty(old) != empty(c)))
            };
            cells.iter().enumerate().map(cell).collect()
        };
        Board {
            row_names: diagram.row_names.clone(),
            column_names: diagram.column_names.clone(),
            cells: diagram.cells.iter().enumerate().map(row).collect(),
        }
    }

    /// The columns that a drawing takes.
    pub fn width(&self) -> usize {
        // Two blanks, the row's name, and a blank at the end.
        3 + self.name_width() + 2 * self.column_names.len()
    }

    /// The columns of the rows' names.
    fn name_width(&self) -> usize {
        self.row_names.iter().map(String::len).max().unwrap_or(1)
    }

    /// The lines of the drawing, all of the same width.
    pub fn lines(&self, paint: Paint) -> Vec<String> {
        let width = self.name_width();
        let line = |(name, cells): (&String, &Vec<Cell>)| {
            let name = format!("{name:>width$}");
            format!("  {}{}", paint.text(palette::FAINT, &name), row(cells, paint))
        };
        let mut lines: Vec<String> = self.row_names.iter().zip(&self.cells).map(line).collect();
        let names = format!("  {:width$} {}", "", self.column_names.join(" "));
        lines.push(format!("{} ", paint.text(palette::FAINT, &names)));
        lines
    }
}

fn cell(game: &AnyGame, character: char, marked: bool) -> Cell {
    Cell { character, drawing: game.drawing(character), marked }
}

/// The cells of a row, with what stands between them.
fn row(cells: &[Cell], paint: Paint) -> String {
    let mut text = String::new();
    let mut left = OUTSIDE;
    for &cell in cells {
        text += &between(left, cell, paint);
        text += &symbol(cell, paint);
        left = cell;
    }
    text + &between(left, OUTSIDE, paint)
}

/// The column between two cells: brackets around marked ones.
fn between(left: Cell, right: Cell, paint: Paint) -> String {
    let is_void = [left, right].iter().all(|cell| cell.drawing == Drawing::Void);
    let style = match (left.marked || right.marked, is_void) {
        (true, _) => palette::LAST,
        (false, true) => return " ".into(),
        (false, false) => palette::CELL,
    };
    let text = match (left.marked, right.marked) {
        (false, false) => " ",
        (false, true) => "[",
        (true, true) => "|",
        (true, false) => "]",
    };
    paint.text(style, text)
}

/// A cell.
fn symbol(Cell { character, drawing, marked }: Cell, paint: Paint) -> String {
    let style = match drawing {
        Drawing::Piece(Side::White, _) => palette::WHITE,
        Drawing::Piece(Side::Black, _) => palette::BLACK,
        Drawing::Void if !marked => return " ".into(),
        Drawing::Void | Drawing::Empty => palette::CELL,
    };
    let style = if marked { style.bg_color(palette::LAST.get_bg_color()) } else { style };
    let shown = match drawing {
        Drawing::Piece(_, symbol) => paint.symbol(symbol, character),
        Drawing::Void => ' ',
        Drawing::Empty if character == MARK => MARK,
        Drawing::Empty => paint.symbol('·', '.'),
    };
    paint.text(style, &shown.to_string())
}

#[cfg(test)]
mod tests {
    use alesia::games::{GameSpec, Hadron, Murus};

    use super::*;

    const SYMBOLS: Paint = Paint { colour: false, symbols: true };

    fn drawn(game: &str, board: &str, before: Option<&str>, paint: Paint) -> Vec<String> {
        let start = AnyGame::start(game.parse().unwrap());
        let [board, before] =
            [Some(board), before].map(|text| text.map(|text| start.parse_board(text).unwrap()));
        Board::of(&board.unwrap(), before.as_ref()).lines(paint)
    }

    #[test]
    fn cells_that_have_changed_stand_in_brackets() {
        let start = AnyGame::from(Hadron::start(2, 3));
        let [before, after] =
            ["w../.b. w 2", "w../.bw b 3"].map(|text| start.parse_board(text).unwrap());
        let board = Board::of(&after, Some(&before));
        assert_eq!(board.lines(SYMBOLS), ["  A ○ · · ", "  B · ●[○]", "    1 2 3 "]);
        assert_eq!(board.lines(Paint::default())[1], "  B . b[w]");
        assert_eq!(board.width(), 10);
        let start = Board::of(&before, None);
        assert_eq!(start.lines(SYMBOLS)[1], "  B · ● · ");
    }

    #[test]
    fn changed_cells_beside_each_other_share_a_mark() {
        let lines = drawn(
            "murus",
            "B......./......../......../W......./......../......../.ww..... b 3",
            Some("B......./......../......../W......./......../......../W....... w 2"),
            SYMBOLS,
        );
        assert_eq!(lines[6], "  G[·|○|○]· · · · · ");
        assert_eq!(lines[3], "  D ◎ · · · · · · · ");
    }

    #[test]
    fn void_is_no_cell() {
        let board =
            "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0";
        let lines = drawn("voidrider", board, None, SYMBOLS);
        assert_eq!(lines[0], "  9   ★       ★   ");
        assert_eq!(lines[1], "  8 ♜ ♞ ♝ ♚ ♝ ♞ ♜ ");
        assert_eq!(lines[7], "  2 ♖ ♘ ♗ ♔ ♗ ♘ ♖ ");
    }

    #[test]
    fn a_board_of_ten_ranks_is_drawn_straight() {
        let text = "[ranks]\nking = k\nmaxRank = 10\nmaxFile = 2\n\
                    startFen = k1/2/2/2/2/2/2/2/2/K1 w - - 0 1\n";
        let start = AnyGame::start(GameSpec::of_text("ranks.ini", text).unwrap()[0]);
        let board = Board::of(&start, None);
        let lines = board.lines(SYMBOLS);
        assert_eq!((&*lines[0], &*lines[10]), ("  10 ♚ · ", "     a b "));
        assert!(lines.iter().all(|line| line.chars().count() == board.width()), "{lines:?}");
    }

    #[test]
    fn all_lines_are_as_wide_as_the_board() {
        let lines = drawn("murus", &AnyGame::from(Murus::start()).to_string(), None, SYMBOLS);
        assert!(lines.iter().all(|line| line.chars().count() == 4 + 16), "{lines:?}");
    }
}
