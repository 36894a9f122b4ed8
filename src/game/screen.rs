//! Positions drawn for people: the board with the names of rows and columns.

use std::fmt::Write;

use crate::game::Game;

/// The board in several lines, each with a line end.
pub fn board<G: Game>(position: &G) -> String {
    let (row_names, column_names) = position.labels();
    let rows = position.rows().to_string();
    let mut lines = String::new();
    let width = row_names.iter().map(String::len).max().unwrap_or(1);
    for (name, row) in row_names.iter().zip(rows.split('/')) {
        let _ = write!(lines, "  {name:>width$}");
        for cell in row.chars() {
            let _ = write!(lines, " {cell}");
        }
        lines.push('\n');
    }
    let _ = writeln!(lines, "  {:width$} {}", "", column_names.join(" "));
    lines
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::games::{AnyGame, GameSpec, Hadron};

    #[test]
    fn a_board_shows_names_and_stones() {
        let start = Hadron::start(2, 3).parse_board("w../.b. w 2").unwrap();
        assert_eq!(super::board(&start), "  A w . .\n  B . b .\n    1 2 3\n");
    }

    #[test]
    fn a_board_of_ten_ranks_is_drawn_straight() {
        let text = "[tall]\nking = k\nmaxRank = 10\nmaxFile = 2\n\
                    startFen = k1/2/2/2/2/2/2/2/2/K1 w - - 0 1\n";
        let tall = GameSpec::of_text("tall.ini", text).unwrap()[0];
        let drawn = super::board(&AnyGame::start(tall));
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!((lines[0], lines[1], lines[10]), ("  10 k .", "   9 . .", "     a b"));
    }
}
