//! The page's questions about chess variants that people define on it.
//!
//! The one idea: a text is checked as often as one likes, and nothing of it is kept; a variant is
//! kept ([`definitions`](super::definitions)) only when somebody wants to play it.

use std::sync::Arc;

use alesia_answers::definitions::{Wanted, check};
use axum::extract::State;
use axum::{Extension, Json};
use serde_json::{Value, json};

use super::hall::Hall;
use crate::door::failure::{Body, Failure, aside};
use crate::door::places::Visitor;
use alesia_answers::position;

/// `POST /api/variants`.
pub async fn variants(
    State(hall): State<Arc<Hall>>,
    Extension(visitor): Extension<Visitor>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Value>, Failure> {
    wanted.check_size().map_err(|error| Failure::illegal(error.to_string()))?;
    aside(move || match wanted.name {
        None => Ok(Json(json!(check(&wanted.text)))),
        Some(name) => {
            let game = hall.definitions.keep(Some(visitor), &wanted.text, &name)?;
            Ok(Json(json!({ "game": position::rules(game) })))
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# One.\n[one:losalamos]\n\n# Two.\n[two:gardner]\n";

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
        let error = answer(&hall, &" ".repeat((32 << 10) + 1), None).unwrap_err();
        assert!(error.message().starts_with("definition: found 32769 bytes"), "{error:?}");
        let error = answer(&hall, "[a:chess]\nking = kk", Some("a")).unwrap_err();
        assert!(error.message().contains("king: found `kk`"), "{error:?}");
    }
}
