//! The page's questions about chess variants that people define on it.
//!
//! The one idea: a text is checked as often as one likes, and nothing of it is kept; a variant is
//! kept ([`definitions`](super::definitions)) only when somebody wants to play it.

use std::sync::Arc;

use alesia::game::ParseError;
use alesia::games::variant;
use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::definitions::{CHECKED, few_enough};
use super::hall::Hall;
use crate::door::failure::{Body, Failure, aside};
use crate::door::places::Visitor;
use crate::page::position;
use crate::page::variant_view::VariantView;

/// Max bytes of a definition.
pub const MAX_BYTES: usize = 32 << 10;

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
            let game = hall.definitions.keep(Some(visitor), &wanted.text, &name)?;
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
    let found = variant::sheets(CHECKED, text)?.into_iter().map(|mut sheet| Found {
        title: std::mem::take(&mut sheet.title),
        rows: std::mem::take(&mut sheet.rows),
        variant: VariantView::of(sheet, None),
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use super::super::definitions::MAX_VARIANTS;
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
}
