//! What a terminal can show, and text with colours for it.
//!
//! The one idea: where output is no terminal, or one without control sequences, there is no
//! [`Terminal`], and everything is printed as scripts rely on it.

pub mod board;
pub mod line;
pub mod phrases;
pub mod progress;
pub mod view;

use std::io::{IsTerminal, stdout};

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Style};

/// The width and height where the system does not say.
const USUAL_SIZE: (usize, usize) = (80, 24);

/// A terminal on standard output.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Columns.
    pub columns: usize,
    /// Lines.
    pub rows: usize,
    /// What it shows.
    pub paint: Paint,
}

/// Whether colours and symbols are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    /// Colours and bold text.
    pub colour: bool,
    /// Characters beyond ASCII.
    pub symbols: bool,
}

/// The palette: orange, blue and white differ in lightness too, so that they are told apart with
/// any kind of colour blindness (after Okabe and Ito 2008).
pub mod palette {
    use super::{Ansi256Color, Style};

    const fn colour(number: u8) -> Option<anstyle::Color> {
        Some(anstyle::Color::Ansi256(Ansi256Color(number)))
    }

    /// Headings.
    pub const HEADING: Style = Style::new().bold().underline();
    /// Moves, cells and commands in a text.
    pub const CODE: Style = Style::new().fg_color(colour(74));
    /// What is less important.
    pub const FAINT: Style = Style::new().dimmed();
    /// The cells of a board.
    pub const CELL: Style = Style::new().bg_color(colour(238)).fg_color(colour(246));
    /// The cells of the last move.
    pub const LAST: Style = Style::new().bg_color(colour(25)).fg_color(colour(252));
    /// White's pieces.
    pub const WHITE: Style = Style::new().bg_color(colour(238)).fg_color(colour(231)).bold();
    /// Black's pieces.
    pub const BLACK: Style = Style::new().bg_color(colour(238)).fg_color(colour(214)).bold();
}

impl Terminal {
    /// The terminal on standard output, if there is one that understands control sequences.
    pub fn of_output() -> Option<Terminal> {
        if !stdout().is_terminal() || !understands_sequences() {
            return None;
        }
        let size = terminal_size::terminal_size();
        let (columns, rows) = size.map_or(USUAL_SIZE, |(terminal_size::Width(columns), rows)| {
            (usize::from(columns), usize::from(rows.0))
        });
        let colour = AutoStream::choice(&stdout()) != ColorChoice::Never;
        let symbols = cfg!(windows) || has_utf8(|name| std::env::var(name).ok());
        Some(Terminal { columns, rows, paint: Paint { colour, symbols } })
    }
}

/// Whether standard output moves its cursor when asked to.
fn understands_sequences() -> bool {
    #[cfg(windows)]
    let enabled = anstyle_query::windows::enable_ansi_colors().unwrap_or(false);
    #[cfg(not(windows))]
    let enabled = anstyle_query::term_supports_ansi_color();
    enabled
}

/// The locale for a purpose such as `LC_CTYPE`, by the order of POSIX: the first variable that is
/// set and not empty.
pub fn locale(purpose: &str, variable: impl Fn(&str) -> Option<String>) -> String {
    let values = ["LC_ALL", purpose, "LANG"].into_iter().filter_map(variable);
    values.into_iter().find(|value| !value.is_empty()).unwrap_or_default()
}

/// Whether text is encoded in UTF-8.
fn has_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = locale("LC_CTYPE", variable).to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

impl Paint {
    /// Text in a style, or as it is.
    pub fn text(self, style: Style, text: &str) -> String {
        match self.colour && !text.is_empty() {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }

    /// The symbol, or what stands for it in ASCII.
    pub fn symbol(self, symbol: char, ascii: char) -> char {
        if self.symbols { symbol } else { ascii }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables<'a>(set: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
    }

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        let set = [("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "it_IT")];
        assert_eq!(locale("LC_CTYPE", variables(&set)), "C.UTF-8");
        assert_eq!(locale("LC_MESSAGES", variables(&set)), "it_IT");
        assert!(has_utf8(variables(&set)));
        assert!(!has_utf8(variables(&set[2..])));
        assert_eq!(locale("LC_MESSAGES", variables(&[])), "");
    }

    #[test]
    fn without_colours_text_stays_as_it_is() {
        let paint = Paint { colour: false, symbols: true };
        assert_eq!(paint.text(palette::HEADING, "x"), "x");
        let coloured = Paint { colour: true, ..paint }.text(palette::HEADING, "x");
        assert!(coloured.starts_with('\u{1b}') && coloured.ends_with("\u{1b}[0m"), "{coloured:?}");
    }
}
