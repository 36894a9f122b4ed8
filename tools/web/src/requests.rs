//! The requests of a page that its server answers without a game or a search
//! (`tools/board/src/interface.md`).

use alesia::game::{ParseError, quoted};
use alesia_answers::formats::plain_text::with_line_ends;
use alesia_answers::game_text::GameText;
use alesia_answers::guide::{self, NO_GUIDE};
use alesia_answers::known_games::known_games;
use alesia_answers::{definitions, loaded_games, position, record};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Why a request is refused, with the status of the server.
struct Refusal(u16, String);

impl From<ParseError> for Refusal {
    fn from(error: ParseError) -> Refusal {
        Refusal(400, error.to_string())
    }
}

/// Text with games in it.
#[derive(Deserialize)]
struct Text {
    game: Option<String>,
    text: String,
}

/// The answer to a request, or its `error` and `status`.
pub fn answer(path: &str, body: Value) -> Value {
    match answer_to(path, body) {
        Ok(answer) => json!({ "answer": answer }),
        Err(Refusal(status, error)) => json!({ "refused": error, "status": status }),
    }
}

fn answer_to(path: &str, body: Value) -> Result<Value, Refusal> {
    match path.strip_prefix("/api/").unwrap_or(path) {
        "rules" => Ok(json!(known_games())),
        "positions" => {
            let (game, line) = read::<GameText>(body)?.read()?;
            Ok(json!(position::answer(game, &line)?))
        }
        "variants" => variants(&read(body)?),
        "records" => {
            let Text { game, text } = read(body)?;
            let game = game.map(|name| name.parse()).transpose()?;
            Ok(json!(loaded_games::read(game, &with_line_ends(text), || Ok(()))?))
        }
        "record" => Ok(json!(record::text(read(body)?)?)),
        path => match path.split_once('/') {
            Some(("rules", id)) => Ok(json!(position::rules(id.parse()?))),
            Some(("guide", id)) => guide::guide(id, read(body)?)?
                .map(|guide| json!(guide))
                .ok_or_else(|| Refusal(404, NO_GUIDE.to_owned())),
            _ => {
                let expected = "an address of the page";
                let error = ParseError::new("address", quoted(path), expected);
                Err(Refusal(404, error.to_string()))
            }
        },
    }
}

fn read<T: DeserializeOwned>(body: Value) -> Result<T, Refusal> {
    serde_json::from_value(body).map_err(|error| Refusal(400, format!("body: {error}")))
}

fn variants(wanted: &definitions::Wanted) -> Result<Value, Refusal> {
    wanted.check_size().map_err(|error| Refusal(422, error.to_string()))?;
    let Some(name) = &wanted.name else { return Ok(json!(definitions::check(&wanted.text))) };
    let game = match definitions::loaded(&wanted.text, name) {
        Some(game) => game,
        None => definitions::load(&wanted.text, name, || Ok::<_, Refusal>(()))?.0,
    };
    Ok(json!({ "game": position::rules(game) }))
}
