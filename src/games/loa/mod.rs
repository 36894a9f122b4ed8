//! Lines of Action: rules and evaluation.

mod connect;
mod eval;
mod lanes;
mod rules;

pub use lanes::Reach;
pub use rules::{Layout, Loa};

use super::{BuiltIn, Setup, Symmetry};

impl BuiltIn for Loa {
    const NAME: &'static str = "loa";
    type Setup = Layout;
    const BOOK: &'static str = include_str!("book.txt");
    const RULES: [&'static str; 2] = [
        include_str!("../../../docs/games/lines-of-action.md"),
        include_str!("../../../docs/games/lines-of-action.it.md"),
    ];
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::square::<4>(8);

    fn set_up(layout: Layout) -> Loa {
        Loa::start(layout)
    }
}

/// `loa` has the stones of White on the rows 1 and 8, and may be written `loa:rows`; `loa:files`
/// has them on the files A and H. `loa:standard` is the game as the world plays it.
impl Setup for Layout {
    const LISTED: &'static [Layout] = &Layout::ALL;

    fn suffix(self) -> String {
        if self == Layout::STANDARD { String::new() } else { format!(":{self}") }
    }

    fn from_suffix(suffix: &str) -> Option<Layout> {
        match suffix {
            "" => Some(Layout::STANDARD),
            _ => suffix.strip_prefix(':')?.parse().ok(),
        }
    }
}
