//! All addresses of the server: the page itself, and what it asks and listens to.

use std::sync::Arc;

use alesia::game::quoted;
use alesia_answers::known_games::{KnownGames, known_games};
use alesia_answers::position;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde::Serialize;

use crate::analysis;
use crate::door::failure::{Body, Failure, Name};
use crate::door::guard::Guard;
use crate::games::hall::Hall;
use crate::games::{definition_requests, download, play, thought_receiver};
use crate::page::files::{file, index_file};
use crate::page::{guide, qr};
use alesia_answers::game_text::GameText;
use alesia_answers::record::{self, Finished};

/// Everything that can be asked; the state is the hall.
pub fn routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/api/lobby/events", get(lobby_events))
        .route("/api/games/{id}/events", get(game_events))
        .route("/api/games/{id}/record", get(download::record))
        .route("/api/rules", get(all_rules))
        .route("/api/rules/{id}", get(rules))
        .route("/api/variants", post(definition_requests::variants))
        .route("/api/positions", post(positions))
        .route("/api/record", post(record_of))
        .route("/api/guide/{id}", get(guide::guide))
        .route("/api/qr", get(qr::code))
        .merge(play::routes())
        .merge(analysis::routes())
        .route("/api/standings/events", get(standings_events))
        .merge(thought_receiver::routes())
        .merge(page_routes())
        .method_not_allowed_fallback(unsuited)
}

async fn lobby_events(State(hall): State<Arc<Hall>>) -> impl IntoResponse {
    hall.lobby().listen()
}

async fn standings_events(State(hall): State<Arc<Hall>>) -> Result<impl IntoResponse, Failure> {
    match hall.standings().state().are_known() {
        true => Ok(hall.standings().listen()),
        false => Err(Failure::unknown("this server has no tournament")),
    }
}

async fn game_events(
    State(hall): State<Arc<Hall>>,
    Name(id): Name,
) -> Result<impl IntoResponse, Failure> {
    let table = hall.find(&id)?;
    play::watched(&hall, &table).await;
    Ok(table.listen())
}

/// What the page asks once.
#[derive(Serialize)]
struct Known {
    #[serde(flatten)]
    games: KnownGames,
    cores: usize,
    /// For links that others can follow.
    token: Option<String>,
    /// The begin of such a link; none where the page listens on loopback.
    reachable: Option<String>,
    /// The address of this machine's page, if it listened to others too.
    elsewhere: Option<String>,
}

async fn all_rules(Extension(guard): Extension<Arc<Guard>>) -> Json<Known> {
    Json(Known {
        games: known_games(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        token: guard.token().map(str::to_owned),
        reachable: guard.reachable(),
        elsewhere: guard.elsewhere(),
    })
}

async fn rules(Name(id): Name) -> Result<Json<position::Rules>, Failure> {
    Ok(Json(position::rules(id.parse()?)))
}

/// A game of an analysis in a form that other programs read.
async fn record_of(Body(finished): Body<Finished>) -> Result<String, Failure> {
    Ok(record::text(finished)?)
}

async fn positions(Body(text): Body<GameText>) -> Result<Json<position::Asked>, Failure> {
    let (game, line) = text.read()?;
    Ok(Json(position::answer(game, &line)?))
}

/// Where the page itself and its parts are.
fn page_routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/", get(index))
        .route("/game/{id}", get(index))
        .route("/analyse", get(index))
        .route("/standings", get(index))
        .route("/show", get(index))
        .route("/learn/{game}", get(index))
        .route("/favicon.ico", get(|| file(Name("icon.svg".into()))))
        .route("/page/{name}", get(file))
        .fallback(nothing)
}

/// There is no such address: the page itself shows that to a person.
async fn nothing(Extension(guard): Extension<Arc<Guard>>, uri: Uri) -> Response {
    let path = uri.path();
    if path.starts_with("/api/") {
        let found = quoted(path);
        return Failure::unknown(format!(
            "address: found {found}, expected an address of the page"
        ))
        .into_response();
    }
    (StatusCode::NOT_FOUND, index_file(guard.base())).into_response()
}

/// The address is not asked like this.
async fn unsuited(method: Method) -> Failure {
    Failure::unsuited(format!("method: found {method}, expected another method at this address"))
}

/// One page for all addresses; its script looks at the address.
async fn index(State(hall): State<Arc<Hall>>, Extension(guard): Extension<Arc<Guard>>) -> Response {
    hall.note_loading();
    index_file(guard.base())
}
