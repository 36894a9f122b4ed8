//! Lines at the bottom of a terminal that are drawn anew in place, beneath the printed lines.
//!
//! The one idea: the cursor goes up to the first line of the panel, new lines are printed over it,
//! and the panel follows. All of it is one write, so nothing flickers, and lines printed before
//! stay where a terminal keeps what has scrolled away.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use parking_lot::Mutex;

/// How often a panel is drawn where no line is printed.
pub const REFRESH: Duration = Duration::from_millis(200);

/// What is shown beneath the printed lines.
pub trait Panel: Send {
    /// Appends the lines to be shown now, each with a line end and narrower than the terminal.
    fn draw(&mut self, text: &mut String);
}

/// Whether panels are held: then none is drawn any more.
static HELD: Mutex<bool> = Mutex::new(false);

/// Panels stay as they were drawn last: from now on anything printed stands below and is not
/// overwritten. Waits for a drawing that is under way.
pub fn hold() {
    *HELD.lock() = true;
}

/// Writes something that will be overwritten, unless panels are held.
///
/// # Errors
/// Those of writing.
pub fn unless_held(write: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let held = HELD.lock();
    if *held { Ok(()) } else { write() }
}

/// A panel with its place on the terminal.
pub(super) struct PlacedPanel {
    panel: Box<dyn Panel>,
    /// Lines that the panel took when it was last drawn.
    height: usize,
    /// The panel's lines, and all that is written at once.
    lines: String,
    text: String,
}

impl PlacedPanel {
    pub fn new(panel: Box<dyn Panel>) -> PlacedPanel {
        PlacedPanel { panel, height: 0, lines: String::new(), text: String::new() }
    }

    /// Prints lines, each with its end, above the panel.
    pub fn print(&mut self, printed: &[u8], output: &mut dyn Write) -> io::Result<()> {
        let held = HELD.lock();
        if *held {
            return output.write_all(printed);
        }
        self.lines.clear();
        self.panel.draw(&mut self.lines);
        self.text.clear();
        if self.height > 0 {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "\u{1b}[{}A", self.height);
        }
        let printed = String::from_utf8_lossy(printed);
        let mut lines = printed.lines().chain(self.lines.lines()).peekable();
        while let Some(line) = lines.next() {
            self.text += line;
            // Deletes what stood behind it, and at the end all that stood below.
            self.text += if lines.peek().is_some() { "\u{1b}[K\n" } else { "\u{1b}[J\n" };
        }
        self.height = self.lines.lines().count();
        output.write_all(self.text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting(usize);

    impl Panel for Counting {
        fn draw(&mut self, text: &mut String) {
            self.0 += 1;
            *text += &format!("drawn {}\n", self.0).repeat(self.0.min(2));
        }
    }

    #[test]
    fn lines_are_printed_over_the_panel_and_it_follows() {
        let mut panel = PlacedPanel::new(Box::new(Counting(0)));
        let mut next = |printed: &str| {
            let mut written = Vec::new();
            panel.print(printed.as_bytes(), &mut written).unwrap();
            String::from_utf8(written).unwrap()
        };
        assert_eq!(next("a\n"), "a\u{1b}[K\ndrawn 1\u{1b}[J\n");
        assert_eq!(next(""), "\u{1b}[1Adrawn 2\u{1b}[K\ndrawn 2\u{1b}[J\n");
        assert_eq!(next("b\n"), "\u{1b}[2Ab\u{1b}[K\ndrawn 3\u{1b}[K\ndrawn 3\u{1b}[J\n");
    }
}
