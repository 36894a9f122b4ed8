//! The size of a board of Hadron, and how it is written behind the name of the game.

use super::MAX_SIZE;
use crate::games::Setup;

/// The rows and columns of a board, each from 1 to [`MAX_SIZE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

impl Size {
    /// As many rows as columns.
    pub const fn square(size: usize) -> Size {
        Size { rows: size, columns: size }
    }
}

/// `hadron` is played on the largest board, `hadron5` on 5 × 5, `hadron4x5` on 4 rows of 5.
impl Setup for Size {
    const LISTED: &'static [Size] = &[Size::square(MAX_SIZE), Size::square(5), Size::square(7)];
    const UNLISTED: &'static [&'static str] = &["hadronRxC (such as hadron4x5)"];

    fn from_suffix(suffix: &str) -> Option<Size> {
        if suffix.is_empty() {
            return Some(Size::STANDARD);
        }
        let (rows, columns) = suffix.split_once('x').unwrap_or((suffix, suffix));
        // One digit, so neither a sign nor a leading zero.
        let number = |text: &str| text.parse().ok().filter(|_| text.len() == 1);
        Size::of_size(number(rows)?, number(columns)?)
    }

    fn suffix(self) -> String {
        match self {
            Size::STANDARD => String::new(),
            Size { rows, columns } if rows == columns => rows.to_string(),
            Size { rows, columns } => format!("{rows}x{columns}"),
        }
    }

    fn of_size(rows: usize, columns: usize) -> Option<Size> {
        let sizes = 1..=MAX_SIZE;
        (sizes.contains(&rows) && sizes.contains(&columns)).then_some(Size { rows, columns })
    }
}
