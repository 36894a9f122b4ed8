//! A line of styled text that is never wider than its room.

use anstyle::Style;

use super::Paint;

/// A line that is built from left to right; what does not fit is left out.
pub struct Line {
    paint: Paint,
    text: String,
    /// Columns that are left.
    room: usize,
}

impl Line {
    /// An empty line with room for that number of columns.
    pub fn new(room: usize, paint: Paint) -> Line {
        Line { paint, text: String::new(), room }
    }

    /// Adds text, of which each character takes one column.
    pub fn add(mut self, style: Style, text: &str) -> Line {
        let fits: String = text.chars().take(self.room).collect();
        self.room -= fits.chars().count();
        self.text += &self.paint.text(style, &fits);
        self
    }

    /// Adds text in the usual style.
    pub fn plain(self, text: &str) -> Line {
        self.add(Style::new(), text)
    }

    /// Moves what follows to the right so that `width` columns are left for it.
    pub fn leave(self, width: usize) -> Line {
        let blanks = " ".repeat(self.room.saturating_sub(width));
        self.plain(&blanks)
    }

    /// The line.
    pub fn end(self) -> String {
        self.text
    }
}

/// A bar of `cells` columns, filled in proportion to a share from 0 to 1.
pub fn bar(share: f32, cells: usize, paint: Paint) -> String {
    // Rounded; a value that is no number gives an empty bar.
    let filled = (share.clamp(0.0, 1.0) * cells as f32 + 0.5) as usize;
    let part =
        |cell| if cell < filled { paint.symbol('█', '#') } else { paint.symbol('░', '-') };
    (0..cells).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_out_words_that_do_not_fit() {
        let line = Line::new(8, Paint::default()).plain("White").leave(2).plain("12.5 s");
        assert_eq!(line.end(), "White 12");
        assert_eq!(Line::new(3, Paint::default()).plain("éèàù").end(), "éèà");
    }

    #[test]
    fn a_bar_is_filled_in_proportion() {
        let paint = Paint { colour: false, symbols: true };
        assert_eq!(bar(0.0, 4, paint), "░░░░");
        assert_eq!(bar(0.6, 4, paint), "██░░");
        assert_eq!(bar(1.0, 4, paint), "████");
        assert_eq!(bar(f32::NAN, 2, Paint::default()), "--");
        assert_eq!(bar(7.0, 2, Paint::default()), "##");
    }
}
