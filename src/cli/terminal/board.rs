//! A board with coloured symbols.
//!
//! The one idea: a cell takes two columns, as in the text, and marked cells stand in brackets, so
//! that boards of the terminal and of the documents have the same places with and without colours.

use alesia::game::{Game, Side};
use alesia::games::rulebook::{Diagram, MARK};
use alesia::games::{BuiltIn, Drawing};

use super::{Paint, palette};

/// A board to be drawn.
pub struct Board {
    /// The names of the rows, from top to bottom.
    row_names: Vec<String>,
    /// The names of the columns, from left to right.
    column_names: Vec<String>,
    /// The characters of the cells, row by row, each with whether it is marked.
    cells: Vec<Vec<(char, bool)>>,
}

impl Board {
    /// A position. The cells that differ from the position before are marked.
    pub fn of<G: Game>(position: &G, before: Option<&G>) -> Board {
        let (row_names, column_names) = position.labels();
        let rows = position.rows().to_string();
        let before = before.map(|before| before.rows().to_string());
        // Without a position before, nothing differs.
        let old = before.as_deref().unwrap_or(&rows);
        let row = |(new, old): (&str, &str)| {
            new.chars().zip(old.chars()).map(|(new, old)| (new, new != old)).collect()
        };
        let cells = rows.split('/').zip(old.split('/')).map(row).collect();
        Board { row_names, column_names, cells }
    }

    /// A diagram of the rules. The cells that differ from the diagram before are marked.
    pub fn of_diagram(diagram: &Diagram, before: Option<&Diagram>) -> Board {
        let old = |row: usize, column: usize| {
            before.and_then(|before| before.cells.get(row)?.get(column).copied())
        };
        // What is only marked as a legal cell has not changed.
        let empty = |cell: char| if cell == MARK { '.' } else { cell };
        let cell = |row: usize, column: usize, cell: char| {
            let changed = old(row, column).is_some_and(|old| empty(old) != empty(cell));
            (cell, changed)
        };
        let row = |(row, cells): (usize, &Vec<char>)| {
            cells.iter().enumerate().map(|(column, &c)| cell(row, column, c)).collect()
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

    /// The lines of the drawing, all of the same width, with the pieces of a game.
    pub fn lines<G: BuiltIn>(&self, paint: Paint) -> Vec<String> {
        let width = self.name_width();
        let line = |(name, cells): (&String, &Vec<(char, bool)>)| {
            let name = format!("{name:>width$}");
            format!("  {}{}", paint.text(palette::FAINT, &name), row::<G>(cells, paint))
        };
        let mut lines: Vec<String> = self.row_names.iter().zip(&self.cells).map(line).collect();
        let names = format!("  {:width$} {}", "", self.column_names.join(" "));
        lines.push(format!("{} ", paint.text(palette::FAINT, &names)));
        lines
    }
}

/// The cells of a row, with what stands between them.
fn row<G: BuiltIn>(cells: &[(char, bool)], paint: Paint) -> String {
    let mut text = String::new();
    // Outside the board there is nothing, as in the void.
    let mut left = (Drawing::Void, false);
    for &(character, marked) in cells {
        let here = (G::drawing(character), marked);
        text += &between(left, here, paint);
        text += &symbol(character, here, paint);
        left = here;
    }
    text + &between(left, (Drawing::Void, false), paint)
}

/// The column between two cells: brackets around marked ones.
fn between(left: (Drawing, bool), right: (Drawing, bool), paint: Paint) -> String {
    let style = match (left.1 || right.1, left.0 == Drawing::Void && right.0 == Drawing::Void) {
        (true, _) => palette::LAST,
        (false, true) => return " ".into(),
        (false, false) => palette::CELL,
    };
    let text = match (left.1, right.1) {
        (false, false) => " ",
        (false, true) => "[",
        (true, true) => "|",
        (true, false) => "]",
    };
    paint.text(style, text)
}

/// A cell.
fn symbol(character: char, (drawing, marked): (Drawing, bool), paint: Paint) -> String {
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
    use alesia::games::variant::load;
    use alesia::games::{Hadron, Murus, Variant, Voidrider};

    use super::*;

    const SYMBOLS: Paint = Paint { colour: false, symbols: true };

    fn drawn<G: BuiltIn>(board: &str, before: Option<&str>, paint: Paint) -> Vec<String> {
        let [board, before] = [Some(board), before]
            .map(|text| text.map(|text| G::standard_start().parse_board(text).unwrap()));
        Board::of(&board.unwrap(), before.as_ref()).lines::<G>(paint)
    }

    #[test]
    fn cells_that_have_changed_stand_in_brackets() {
        let start = Hadron::start(2, 3);
        let [before, after] =
            ["w../.b. w 2", "w../.bw b 3"].map(|text| start.parse_board(text).unwrap());
        let board = Board::of(&after, Some(&before));
        assert_eq!(board.lines::<Hadron>(SYMBOLS), ["  A ○ · · ", "  B · ●[○]", "    1 2 3 "]);
        assert_eq!(board.lines::<Hadron>(Paint::default())[1], "  B . b[w]");
        assert_eq!(board.width(), 10);
        let start = Board::of(&before, None);
        assert_eq!(start.lines::<Hadron>(SYMBOLS)[1], "  B · ● · ");
    }

    #[test]
    fn changed_cells_beside_each_other_share_a_mark() {
        let lines = drawn::<Murus>(
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
        let lines = drawn::<Voidrider>(board, None, SYMBOLS);
        assert_eq!(lines[0], "  9   ★       ★   ");
        assert_eq!(lines[1], "  8 ♜ ♞ ♝ ♚ ♝ ♞ ♜ ");
        assert_eq!(lines[7], "  2 ♖ ♘ ♗ ♔ ♗ ♘ ♖ ");
    }

    #[test]
    fn a_board_of_ten_ranks_is_drawn_straight() {
        let text = "[ranks]\nking = k\nmaxRank = 10\nmaxFile = 2\n\
                    startFen = k1/2/2/2/2/2/2/2/2/K1 w - - 0 1\n";
        let start = Variant::set_up(load("ranks.ini", text.to_owned()).unwrap()[0]);
        let board = Board::of(&start, None);
        let lines = board.lines::<Variant>(SYMBOLS);
        assert_eq!((&*lines[0], &*lines[10]), ("  10 ♚ · ", "     a b "));
        assert!(lines.iter().all(|line| line.chars().count() == board.width()), "{lines:?}");
    }

    #[test]
    fn all_lines_are_as_wide_as_the_board() {
        let lines = drawn::<Murus>(&Murus::start().to_string(), None, SYMBOLS);
        assert!(lines.iter().all(|line| line.chars().count() == 4 + 16), "{lines:?}");
    }
}
