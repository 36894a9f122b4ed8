//! Analysis: a search in one position, a review of a whole game, and games read from text.
//!
//! The one idea: a search and a review are the same to their listeners, a [`search::Search`] that
//! runs while it has listeners and publishes its complete result each time.

mod search;

use std::sync::Arc;
use std::time::Duration;

use alesia::game::ParseError;
use alesia::search::EngineKind;
use alesia_answers::formats::plain_text::with_line_ends;
use alesia_answers::loaded_games;
use alesia_answers::review::Review;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::door::failure::{Body, Failure, Name, aside};
use crate::door::places::Visitor;
use crate::games::hall::Hall;
use alesia_answers::game_text::GameText;
use alesia_answers::position;
use search::Searches;

/// Minimum milliseconds for a search.
const MIN_MS: u64 = 10;

/// Maximum for one position, and for each position of a review.
const MAX_MS: u64 = 600_000;
const MAX_REVIEW_MS: u64 = 10_000;

/// Where analyses are asked for and followed.
pub fn routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/api/analyses", post(analyse))
        .route("/api/analyses/{id}/events", get(events))
        .route("/api/analyses/{id}/stop", post(stop))
        .route("/api/reviews", post(review))
        .route("/api/reviews/{id}/events", get(events))
        .route("/api/reviews/{id}/stop", post(stop))
        .route("/api/records", post(read_records))
        .layer(Extension(Arc::new(Searches::default())))
}

/// A game up to some move, and how to search it.
#[derive(Deserialize)]
struct Wanted {
    #[serde(flatten)]
    game: GameText,
    engine: String,
    /// None: until stopped.
    ms: Option<u64>,
    /// Of a review: the moves at the beginning that no player chose.
    #[serde(default)]
    opening: usize,
}

/// The engine of a name, where it thinks at all.
fn thinker(name: &str) -> Result<EngineKind, Failure> {
    match name.parse() {
        Ok(kind) if kind != EngineKind::Random => Ok(kind),
        _ => {
            let found = alesia::game::quoted(name);
            Err(Failure::unreadable(format!("engine: found {found}, expected mcts or alphabeta")))
        }
    }
}

/// Time in milliseconds, where it is within its limits.
fn time(ms: u64, most: u64) -> Result<Duration, Failure> {
    if (MIN_MS..=most).contains(&ms) {
        return Ok(Duration::from_millis(ms));
    }
    let expected = format!("a whole number from {MIN_MS} to {most}");
    Err(Failure::unreadable(format!("ms: found {ms}, expected {expected}")))
}

async fn analyse(
    State(hall): State<Arc<Hall>>,
    Extension(searches): Extension<Arc<Searches>>,
    Extension(visitor): Extension<Visitor>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Value>, Failure> {
    let kind = thinker(&wanted.engine)?;
    let time = wanted.ms.map(|ms| time(ms, MAX_MS)).transpose()?;
    let (game, line) = wanted.game.read()?;
    if let Some(result) = position::show(game, &line)?.result {
        return Err(Failure::stale(format!("the game is over: {}", result.text)));
    }
    let question = search::Question::new(game, line)?;
    let engines = hall.clone();
    let (mind, question, first) = aside(move || {
        let mut mind = engines.minds.build_large(Some(visitor), game, kind)?;
        let first = question.first_look(&mut mind)?;
        Ok((mind, question, first))
    })
    .await?;
    let crowded = move || hall.minds.are_crowded();
    let id = searches.begin(first, time, crowded, move |search| question.answer(mind, search))?;
    Ok(Json(json!({ "id": id })))
}

async fn review(
    State(hall): State<Arc<Hall>>,
    Extension(searches): Extension<Arc<Searches>>,
    Extension(visitor): Extension<Visitor>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Value>, Failure> {
    let kind = thinker(&wanted.engine)?;
    let ms = wanted.ms.ok_or_else(|| {
        Failure::unreadable(format!("ms: found nothing, expected {MIN_MS} to {MAX_REVIEW_MS}"))
    })?;
    let time = time(ms, MAX_REVIEW_MS)?;
    let (game, line) = wanted.game.read()?;
    let engines = hall.clone();
    let (review, mind) = aside(move || {
        let review = Review::new(game, line, wanted.opening, time)?;
        Ok((review, engines.minds.build(Some(visitor), game, kind.into(), 0)?))
    })
    .await?;
    let (first, crowded) = (search::review_news(&review, false), move || hall.minds.are_crowded());
    let run = move |search: &search::Search| search::run_review(review, mind, search);
    let id = searches.begin(first, None, crowded, run)?;
    Ok(Json(json!({ "id": id })))
}

async fn events(
    Extension(searches): Extension<Arc<Searches>>,
    Name(id): Name,
) -> Result<impl IntoResponse, Failure> {
    Ok(searches.find(&id)?.topic().listen())
}

async fn stop(
    Extension(searches): Extension<Arc<Searches>>,
    Name(id): Name,
) -> Result<Json<Value>, Failure> {
    searches.find(&id)?.cut();
    Ok(Json(json!({})))
}

/// Text with games in it.
#[derive(Deserialize)]
struct Text {
    /// The game, if the text does not name it.
    game: Option<String>,
    text: String,
}

async fn read_records(
    State(hall): State<Arc<Hall>>,
    Extension(visitor): Extension<Visitor>,
    Body(text): Body<Text>,
) -> Result<Json<loaded_games::Loaded>, Failure> {
    let game = text.game.map(|name| name.parse()).transpose()?;
    // Thousands of games need some time.
    let loaded = aside(move || {
        let room = || {
            let full = ("no room for one more", "a restart of the server");
            let place = hall.definitions.place(Some(visitor));
            place.map_err(|_| ParseError::new("definition", full.0, full.1))
        };
        Ok(loaded_games::read(game, &with_line_ends(text.text), room)?)
    });
    Ok(Json(loaded.await?))
}
