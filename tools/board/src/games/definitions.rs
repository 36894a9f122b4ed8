//! Chess variants that people have defined on the page, as long as the program runs.
//!
//! The one idea: a variant is kept, until the program ends, only when somebody wants to play it or
//! to see a game of it.
//! Equal texts are kept once, and there is an end to their number, so that memory stays bounded.

use alesia::games::GameSpec;
use alesia_answers::definitions;

use crate::door::failure::Failure;
use crate::door::places::{Full, Place, Places, Visitor};

/// Max variants that are kept, and those of a visitor: one with its text takes about 0.3 MiB at
/// most.
const MAX_KEPT: usize = 400;
const MAX_KEPT_EACH: usize = 100;

/// The variants that are kept.
pub struct Definitions {
    places: Places,
}

impl Default for Definitions {
    fn default() -> Definitions {
        Definitions { places: Places::new(MAX_KEPT, MAX_KEPT_EACH) }
    }
}

impl Definitions {
    /// The game of a section of a text, which is kept from now on.
    ///
    /// # Errors
    /// The text is wrong or has no such section, or too many are kept.
    pub fn keep(
        &self,
        visitor: Option<Visitor>,
        text: &str,
        name: &str,
    ) -> Result<GameSpec, Failure> {
        if let Some(known) = definitions::loaded(text, name) {
            return Ok(known);
        }
        let (game, place) = definitions::load(text, name, || self.place(visitor))?;
        // For ever, as the variant is.
        std::mem::forget(place);
        Ok(game)
    }

    /// A place for one more, to be kept as long as it is.
    ///
    /// # Errors
    /// Too many are kept.
    pub fn place(&self, visitor: Option<Visitor>) -> Result<Place, Failure> {
        // People at this machine share it, and may have all.
        let visitor = visitor.filter(|visitor| !visitor.is_local());
        self.places.take(visitor).map_err(|full| match full {
            Full::ForYou => Failure::greedy(format!(
                "you have played {MAX_KEPT_EACH} definitions: more only after a restart of the server"
            )),
            Full::ForAll => Failure::busy(format!(
                "{MAX_KEPT} definitions have been played: more only after a restart of the server"
            )),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_kept_once_and_there_is_an_end_to_their_number() {
        let kept = Definitions { places: Places::new(3, 2) };
        let visitor = |number| Some(Visitor::at([10, 0, 0, number].into()));
        let text = |number: usize| format!("# Number {number}.\n[limits:gardner]\n");
        let one = kept.keep(visitor(1), &text(1), "limits").unwrap();
        assert_eq!(kept.keep(visitor(1), &text(1), "limits").unwrap(), one);
        assert_eq!(one.to_string().parse(), Ok(one));
        assert_eq!(one.title(), "Number 1");
        let missing = kept.keep(visitor(1), &text(2), "none").unwrap_err();
        assert!(missing.message().starts_with("name: found `none`"), "{missing:?}");
        let two = kept.keep(visitor(1), &text(2), "limits").unwrap();
        assert_ne!(one, two);
        let error = kept.keep(visitor(1), &text(3), "limits").unwrap_err();
        assert!(error.message().starts_with("you have played"), "{error:?}");
        kept.keep(visitor(2), &text(3), "limits").unwrap();
        let error = kept.keep(visitor(3), &text(4), "limits").unwrap_err();
        assert!(error.message().contains("definitions have been played"), "{error:?}");
        assert_eq!(kept.keep(visitor(3), &text(1), "limits").unwrap(), one);
    }
}
