//! Chess variants that people define on the page.
//!
//! The one idea: a text is checked as often as one likes, and nothing of it is kept; a variant is
//! kept, until the program ends, only when somebody wants to play it. Equal texts are kept once, and
//! there is an end to their number, so that memory stays bounded.

use std::fmt;
use std::sync::Arc;

use alesia::game::{ParseError, Side};
use alesia::games::GameSpec;
use alesia::games::variant::definition::Definition;
use alesia::games::variant::{self, Chosen};
use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::failure::{Body, Failure, aside};
use super::hall::Hall;
use super::places::{Full, Place, Places, Visitor};
use super::position;

/// Max bytes of a definition.
pub const MAX_BYTES: usize = 32 << 10;

/// Max variants in a text: each costs some time.
const MAX_VARIANTS: usize = 30;

/// Max variants that are kept, and those of a visitor: one with its text takes about 0.3 MiB at most.
const MAX_KEPT: usize = 400;
const MAX_KEPT_EACH: usize = 100;

/// What a text is called in errors.
const CHECKED: &str = "definition";

/// How the names of files begin that stand for pasted texts.
const PASTED: &str = "pasted-";

/// A piece of a variant.
#[derive(Clone, Debug, Serialize)]
pub struct PieceView {
    /// In lower case.
    letter: char,
    /// A name of the grammar, or `customPiece1`.
    name: String,
    /// Whether it is promoted.
    promotes: bool,
}

/// What the page must know of a variant to draw it.
#[derive(Clone, Debug, Serialize)]
pub struct VariantView {
    /// The name of its section.
    name: String,
    pieces: Vec<PieceView>,
    /// The cells where a side wins with a certain piece, White's first.
    flags: [Vec<String>; 2],
    /// The text that defines it, where that is not the program's own.
    pub definition: Option<String>,
}

impl VariantView {
    fn of(definition: &Definition, text: Option<String>) -> VariantView {
        let pieces = definition.kinds.iter().zip(0..).map(|(kind, index)| PieceView {
            letter: kind.letter,
            name: kind.name.clone(),
            promotes: definition.promoting >> index & 1 != 0,
        });
        let cells = |side: Side| {
            let region = definition.flag_region[side as usize];
            let region = if definition.flags == 0 { 0 } else { region };
            alesia::bitboard::cells(region).map(|cell| definition.cell_name(cell)).collect()
        };
        VariantView {
            name: definition.name.clone(),
            pieces: pieces.collect(),
            flags: [cells(Side::White), cells(Side::Black)],
            definition: text,
        }
    }

    /// That of a game; none of those that are no variants.
    pub fn of_game(game: GameSpec) -> Option<VariantView> {
        match game {
            GameSpec::Variant(chosen) => {
                Some(VariantView::of(&chosen.rules().definition, chosen.text()))
            }
            _ => None,
        }
    }
}

/// A text that is checked, or of which a variant is wanted.
#[derive(Deserialize)]
pub struct Wanted {
    text: String,
    /// The section to play.
    name: Option<String>,
}

/// A variant of a text that is right.
#[derive(Debug, Serialize)]
struct Found {
    title: String,
    /// The rows of its start, from top to bottom.
    rows: Vec<String>,
    variant: VariantView,
}

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq, Serialize)]
struct Problem {
    /// From 1.
    line: usize,
    key: String,
    found: String,
    expected: String,
}

/// The answer to a text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
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

/// `POST /api/variants`.
pub async fn variants(
    State(hall): State<Arc<Hall>>,
    Extension(visitor): Extension<Visitor>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Value>, Failure> {
    if wanted.text.len() > MAX_BYTES {
        let found = wanted.text.len();
        return Err(Failure::illegal(format!(
            "definition: found {found} bytes, expected at most {MAX_BYTES} bytes"
        )));
    }
    aside(move || match wanted.name {
        None => Ok(Json(json!(check(&wanted.text)))),
        Some(name) => {
            let game = hall.variants.keep(Some(visitor), &wanted.text, &name)?;
            Ok(Json(json!({ "game": position::rules(game) })))
        }
    })
    .await
}

/// Checks a whole text.
fn check(text: &str) -> Verdict {
    match read(text) {
        Ok(found) => Verdict::Variants(found),
        Err(error) => Verdict::Problem(Problem::of(error)),
    }
}

fn read(text: &str) -> Result<Vec<Found>, ParseError> {
    few_enough(text)?;
    let found = variant::read(CHECKED, text)?.into_iter().map(|rules| {
        let start = rules.position(&rules.definition.start.value).expect("it has been checked");
        Found {
            title: rules.title().to_owned(),
            rows: start.drawn_rows(),
            variant: VariantView::of(&rules.definition, None),
        }
    });
    Ok(found.collect())
}

/// Refuses a text with many variants before time is spent on them.
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

/// The variants that are kept.
pub struct Kept {
    places: Places,
}

impl Default for Kept {
    fn default() -> Kept {
        Kept { places: Places::new(MAX_KEPT, MAX_KEPT_EACH) }
    }
}

impl Kept {
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
        let file = Pasted::of(text).to_string();
        let known = Chosen::of_name(&format!("{file}:{name}"));
        if let Some(known) = known.filter(|known| known.text().as_deref() == Some(text)) {
            return Ok(GameSpec::Variant(known));
        }
        few_enough(text)?;
        let place = self.place(visitor)?;
        let chosen = variant::load_one(&file, text, name)?.ok_or_else(|| {
            let expected = "the name of a section of the definition";
            ParseError::new("name", alesia::game::quoted(name), expected)
        })?;
        // For ever, as the variant is.
        std::mem::forget(place);
        Ok(GameSpec::Variant(chosen))
    }

    fn place(&self, visitor: Option<Visitor>) -> Result<Place, Failure> {
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
    fn what_is_wrong_has_its_line_and_key() {
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

    /// What the server answers to a text, as JSON.
    fn answer(hall: &Arc<Hall>, text: &str, name: Option<&str>) -> Result<Value, Failure> {
        let wanted = Wanted { text: text.to_owned(), name: name.map(str::to_owned) };
        let visitor = Visitor::at([127, 0, 0, 1].into());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = variants(State(hall.clone()), Extension(visitor), Body(wanted));
        runtime.block_on(answer).map(|Json(answer)| answer)
    }

    #[test]
    fn the_page_gets_variants_or_the_problem_and_rules_only_of_what_is_played() {
        let hall = Arc::default();
        let checked = answer(&hall, TWO, None).unwrap();
        assert_eq!(checked["variants"][1]["title"], "Two");
        let wrong = answer(&hall, "[a:chess]\nking = kk", None).unwrap();
        let problem = json!({
            "line": 2, "key": "king", "found": "`kk`", "expected": "a lower-case letter, letter:BETZA or -",
        });
        assert_eq!(wrong, json!({ "problem": problem }));
        let flag = "# Flags.\n[flags:gardner]\nflagPiece = k\nflagRegionWhite = *5\n";
        let game = answer(&hall, flag, Some("flags")).unwrap()["game"].take();
        let id = game["id"].as_str().unwrap();
        assert!(id.starts_with("pasted-") && id.ends_with(".ini:flags"), "{id}");
        assert_eq!((&game["title"], &game["columns"][4]), (&json!("Flags"), &json!("e")));
        assert_eq!(game["starts"][0]["rows"][0], "rnbqk");
        let variant = &game["variant"];
        assert_eq!(variant["flags"], json!([["a5", "b5", "c5", "d5", "e5"], []]));
        assert_eq!(variant["definition"], flag);
        assert_eq!(serde_json::to_value(position::rules(id.parse().unwrap())).unwrap(), game);
        let error = answer(&hall, &" ".repeat(MAX_BYTES + 1), None).unwrap_err();
        assert!(error.message().starts_with("definition: found 32769 bytes"), "{error:?}");
        let error = answer(&hall, "[a:chess]\nking = kk", Some("a")).unwrap_err();
        assert!(error.message().contains("king: found `kk`"), "{error:?}");
    }

    #[test]
    fn equal_texts_are_kept_once_and_there_is_an_end_to_their_number() {
        let kept = Kept { places: Places::new(3, 2) };
        let visitor = |number| Some(Visitor::at([10, 0, 0, number].into()));
        let text = |number: usize| format!("# Number {number}.\n[limits:gardner]\n");
        let one = kept.keep(visitor(1), &text(1), "limits").unwrap();
        assert_eq!(kept.keep(visitor(1), &text(1), "limits").unwrap(), one);
        assert_eq!(one.to_string().parse(), Ok(one));
        assert_eq!(position::title(one), "Number 1");
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
