//! Positions drawn for people: the board with the names of rows and columns.

use std::fmt::Write;

use crate::game::Game;

/// The board in several lines, each with a line end.
pub fn board<G: Game>(position: &G) -> String {
    let (row_names, column_names) = position.labels();
    let rows = position.rows().to_string();
    let mut lines = String::new();
    for (name, row) in row_names.iter().zip(rows.split('/')) {
        let _ = write!(lines, "  {name}");
        for cell in row.chars() {
            let _ = write!(lines, " {cell}");
        }
        lines.push('\n');
    }
    let _ = writeln!(lines, "    {}", column_names.join(" "));
    lines
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::games::Hadron;

    #[test]
    fn a_board_shows_names_and_stones() {
        let start = Hadron::start(2, 3).parse_board("w../.b. w 2").unwrap();
        assert_eq!(super::board(&start), "  A w . .\n  B . b .\n    1 2 3\n");
    }
}
