//! What play by hand shows: lines, and beneath them the board.
//!
//! The one idea: on a terminal the rows written since the board are counted, so that the next board
//! is drawn over it; what was said in between is printed again above. Where the count is not known,
//! or the terminal is too small, the board is printed below.

use std::fmt::Display;
use std::io::{self, Write, stdout};

use alesia::player::panel::unless_held;
use anstream::adapter::strip_str;

use crate::cli::terminal::Terminal;

/// What has been shown since the last board.
#[derive(Default)]
struct Shown {
    /// Rows from the first of the board to the cursor.
    rows: usize,
    /// Columns of the terminal, by which the rows were counted.
    columns: usize,
    /// The lines that stay.
    said: String,
}

/// The output of a game by hand.
#[derive(Default)]
pub struct Sheet {
    /// None where no board is drawn over another.
    shown: Option<Shown>,
}

/// The rows that lines take, each with its end.
fn rows(text: &str, columns: usize) -> usize {
    let row = |line: &str| strip_str(line).to_string().chars().count().max(1).div_ceil(columns);
    text.lines().map(row).sum()
}

impl Sheet {
    /// Prints lines that stay.
    pub fn say(&mut self, lines: impl Display) -> io::Result<()> {
        let text = format!("{lines}\n");
        self.note(&text);
        stdout().write_all(text.as_bytes())
    }

    /// Notes lines that stay, with their ends.
    fn note(&mut self, text: &str) {
        if let Some(shown) = &mut self.shown {
            shown.rows += rows(text, shown.columns);
            shown.said += text;
        }
    }

    /// Whether a board may be drawn over the last.
    pub fn is_counted(&self) -> bool {
        self.shown.is_some()
    }

    /// Notes that a person has typed a line behind a prompt, and has seen no more than that.
    pub fn typed(&mut self, prompt: &str, line: &str) {
        if let Some(shown) = &mut self.shown {
            // Behind a full row the cursor stands in the next one.
            shown.rows += 1 + (prompt.chars().count() + 1 + line.chars().count()) / shown.columns;
        }
    }

    /// Forgets the board: something else was shown, and nobody knows in how many rows.
    pub fn lose_count(&mut self) {
        self.shown = None;
    }

    /// Shows a board and what belongs to it, lines with their ends.
    pub fn show(&mut self, board: &str) -> io::Result<()> {
        let text = self.over_the_last(board, Terminal::of_output());
        let begin = text.find(board).unwrap_or_default();
        let mut written = false;
        unless_held(|| {
            written = true;
            stdout().write_all(text.as_bytes())
        })?;
        // After Ctrl-C nothing is overwritten.
        if written { Ok(()) } else { stdout().write_all(&text.as_bytes()[begin..]) }
    }

    /// What is written to show a board.
    fn over_the_last(&mut self, board: &str, terminal: Option<Terminal>) -> String {
        let next = terminal.map(|Terminal { columns, .. }| {
            let columns = columns.max(1);
            Shown { rows: rows(board, columns), columns, said: String::new() }
        });
        let last = std::mem::replace(&mut self.shown, next);
        let reached = last.zip(terminal).filter(|(last, terminal)| {
            last.columns == terminal.columns && last.rows < terminal.rows
        });
        match reached {
            Some((Shown { rows, said, .. }, _)) => format!("\u{1b}[{rows}A\r\u{1b}[J{said}{board}"),
            None => board.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::Paint;

    const SIZE: Option<Terminal> =
        Some(Terminal { columns: 20, rows: 10, paint: Paint { colour: false, symbols: false } });

    #[test]
    fn a_board_is_drawn_over_the_last_with_the_lines_between_above() {
        let mut sheet = Sheet::default();
        assert_eq!(sheet.over_the_last("\nboard 1\n", SIZE), "\nboard 1\n");
        sheet.typed("[0.0 s] 1 White:", "A1");
        sheet.note("1 White A1 3 ms\n");
        let expected = "\u{1b}[4A\r\u{1b}[J1 White A1 3 ms\n\nboard 2\n";
        assert_eq!(sheet.over_the_last("\nboard 2\n", SIZE), expected);
        assert_eq!(sheet.over_the_last("\nboard 3\n", SIZE), "\u{1b}[2A\r\u{1b}[J\nboard 3\n");
    }

    #[test]
    fn a_long_line_takes_several_rows_and_colours_none() {
        assert_eq!(rows(&format!("{}\n{}\n\n", "a".repeat(20), "b".repeat(21)), 20), 4);
        assert_eq!(rows(&format!("\u{1b}[1m{}\u{1b}[0m\n", "a".repeat(20)), 20), 1);
        let mut sheet = Sheet::default();
        sheet.over_the_last("board\n", SIZE);
        // With the blank between them a full row.
        sheet.typed(&"p".repeat(10), &"m".repeat(9));
        assert!(sheet.over_the_last("board\n", SIZE).starts_with("\u{1b}[3A"));
    }

    #[test]
    fn a_board_that_cannot_be_reached_stays() {
        let wider = SIZE.map(|size| Terminal { columns: 30, ..size });
        let after = |change: fn(&mut Sheet), next| {
            let mut sheet = Sheet::default();
            sheet.over_the_last("board\n", SIZE);
            change(&mut sheet);
            sheet.over_the_last("board\n", next)
        };
        assert_eq!(after(|_| {}, SIZE), "\u{1b}[1A\r\u{1b}[Jboard\n");
        assert_eq!(after(|_| {}, wider), "board\n", "the lines may have been broken anew");
        assert_eq!(after(Sheet::lose_count, SIZE), "board\n");
        assert_eq!(after(|sheet| sheet.note(&"x\n".repeat(9)), SIZE), "board\n");
        assert_eq!(after(|_| {}, None), "board\n");
    }
}
