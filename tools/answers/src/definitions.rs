//! Chess variants that people define on a page.
//!
//! The one idea: a text is checked as often as one likes, and nothing of it is kept; a variant is
//! loaded, for as long as the program runs, only when somebody wants to play it.

use std::fmt;

use alesia::game::{ParseError, quoted};
use alesia::games::GameSpec;
use alesia::games::variant::{self, Chosen};
use serde::{Deserialize, Serialize};

use crate::variant_view::VariantView;

/// Max bytes of a definition.
const MAX_BYTES: usize = 32 << 10;

/// Max variants in a text: each costs some time.
pub const MAX_VARIANTS: usize = 30;

/// What a text is called in errors.
const CHECKED: &str = "definition";

/// How the names of files begin that stand for pasted texts.
const PASTED: &str = "pasted-";

/// A text that is checked, or of which a variant is wanted.
#[derive(Deserialize)]
pub struct Wanted {
    pub text: String,
    /// The section to play.
    pub name: Option<String>,
}

/// A variant of a text that is right.
#[derive(Debug, Serialize)]
pub struct Found {
    title: String,
    /// The rows of its start, from top to bottom.
    rows: Vec<String>,
    variant: VariantView,
}

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq, Serialize)]
pub struct Problem {
    /// From 1.
    line: usize,
    key: String,
    found: String,
    expected: String,
}

/// The answer to a text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is right, and has these.
    Variants(Vec<Found>),
    /// It is wrong.
    Problem(Problem),
}

impl Problem {
    /// An error in a text, whose place begins with its line.
    fn of(error: ParseError) -> Problem {
        let place = error.place.strip_prefix(CHECKED).unwrap_or(&error.place);
        let mut parts = place.trim_start_matches(':').splitn(2, ':');
        let line = parts.next().and_then(|line| line.trim().parse().ok());
        let key = parts.next().map(|key| key.trim().to_owned());
        Problem {
            line: line.unwrap_or(1),
            key: key.unwrap_or_else(|| place.to_owned()),
            found: error.found,
            expected: error.expected,
        }
    }
}

impl Wanted {
    /// Refuses a text that is too long.
    ///
    /// # Errors
    /// It is.
    pub fn check_size(&self) -> Result<(), ParseError> {
        match self.text.len() {
            0..=MAX_BYTES => Ok(()),
            bytes => {
                let (found, expected) =
                    (format!("{bytes} bytes"), format!("at most {MAX_BYTES} bytes"));
                Err(ParseError::new(CHECKED, found, expected))
            }
        }
    }
}

/// Checks a whole text.
pub fn check(text: &str) -> Verdict {
    match read(text) {
        Ok(found) => Verdict::Variants(found),
        Err(error) => Verdict::Problem(Problem::of(error)),
    }
}

fn read(text: &str) -> Result<Vec<Found>, ParseError> {
    few_enough(text)?;
    let found = variant::sheets(CHECKED, text)?.into_iter().map(|mut sheet| Found {
        title: std::mem::take(&mut sheet.title),
        rows: std::mem::take(&mut sheet.rows),
        variant: VariantView::of(sheet, None),
    });
    Ok(found.collect())
}

/// Refuses a text with many variants before time is spent on them.
///
/// # Errors
/// It has more than [`MAX_VARIANTS`].
fn few_enough(text: &str) -> Result<(), ParseError> {
    let heads = (1..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with('['));
    match heads.take(MAX_VARIANTS + 1).nth(MAX_VARIANTS) {
        None => Ok(()),
        Some((line, _)) => Err(ParseError::new(
            format!("{CHECKED}:{line}: section"),
            "one more",
            format!("at most {MAX_VARIANTS} variants in a text"),
        )),
    }
}

/// The game of a section of a text, if it is loaded.
pub fn loaded(text: &str, name: &str) -> Option<GameSpec> {
    let known = Chosen::of_name(&format!("{}:{name}", Pasted::of(text)));
    known.filter(|known| known.text().as_deref() == Some(text)).map(GameSpec::Variant)
}

/// Loads a section of a text; `room` is asked first.
///
/// # Errors
/// The text is wrong or has no such section, or there is no room.
pub fn load<R, E: From<ParseError>>(
    text: &str,
    name: &str,
    room: impl FnOnce() -> Result<R, E>,
) -> Result<(GameSpec, R), E> {
    few_enough(text)?;
    let room = room()?;
    let chosen = variant::load_one(&Pasted::of(text).to_string(), text, name)?;
    let chosen = chosen.ok_or_else(|| {
        ParseError::new("name", quoted(name), "the name of a section of the definition")
    })?;
    Ok((GameSpec::Variant(chosen), room))
}

/// The file that a text stands for, named by what it says: a definition has the same name after a
/// restart, and for everybody.
struct Pasted(u64);

impl Pasted {
    /// FNV-1a in 64 bits (Fowler, Noll, Vo 1991).
    fn of(text: &str) -> Pasted {
        Pasted(text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }
}

impl fmt::Display for Pasted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{PASTED}{:016x}.ini", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# One.\n[one:losalamos]\n\n# Two.\n[two:gardner]\n";

    fn problem(text: &str) -> Problem {
        match check(text) {
            Verdict::Problem(problem) => problem,
            Verdict::Variants(found) => panic!("{found:?}"),
        }
    }

    #[test]
    fn a_text_that_is_right_names_its_variants_with_their_boards() {
        let Verdict::Variants(found) = check(TWO) else { panic!("it is right") };
        let titles: Vec<&str> = found.iter().map(|found| &*found.title).collect();
        assert_eq!(titles, ["One", "Two"]);
        assert_eq!(found[0].rows[0], "rnqknr");
        let names: Vec<&str> = found[0].variant.pieces.iter().map(|piece| &*piece.name).collect();
        assert_eq!(names, ["king", "knight", "pawn", "queen", "rook"]);
    }

    #[test]
    fn errors_have_their_line_and_key() {
        let expected = [
            ("", 1, "file", "no section"),
            ("[a]\nx = 1", 2, "x", "an unknown key"),
            ("[a:chess]\n\nbishop = --", 3, "bishop", "`--`"),
            ("[a:chess]\nmaxRank = 6", 2, "startFen", "8 rows"),
            ("[a:chess]\nmaxRank = 20", 2, "maxRank", "`20`"),
        ];
        for (text, line, key, found) in expected {
            let problem = problem(text);
            assert_eq!(problem.line, line, "{text}: {problem:?}");
            assert!(problem.key.starts_with(key), "{text}: {problem:?}");
            assert!(problem.found.starts_with(found), "{text}: {problem:?}");
        }
        let many = "[a]\n".repeat(MAX_VARIANTS + 1);
        assert_eq!((problem(&many).line, problem(&many).found.as_str()), (31, "one more"));
    }
}
