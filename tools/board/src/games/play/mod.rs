//! Games played on the page: their setup, and the actions of their players.
//!
//! The one idea: an action is checked and carried out under one lock, by the secret of its seat and
//! the ply and version that its page shows. So it applies to the position that was meant, or is
//! refused.

mod act;
mod engine;
mod requests;
mod seats;

use std::sync::Arc;

use axum::Router;
use axum::routing::post;

pub use self::act::local_players;

use super::game_table::GameTable;
use super::hall::Hall;
use crate::page::topic::Topic;

/// What can be done to games.
pub fn routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/api/games", post(requests::create))
        .route("/api/games/{id}/join", post(requests::join))
        .route("/api/games/{id}/move", post(requests::play))
        .route("/api/games/{id}/undo", post(requests::undo))
        .route("/api/games/{id}/resign", post(requests::resign))
        .route("/api/games/{id}/hint", post(requests::hint))
}

/// A person and the random engine, for tests elsewhere.
#[cfg(test)]
pub fn seats_for_tests() -> [crate::games::game_seat::GameSeat; 2] {
    use alesia::game::Side;
    let engine = seats::Wish::Engine { engine: "random".into(), ms: 10 };
    [
        seats::Wish::Me { name: None }.seat(Side::White).expect("it is possible"),
        engine.seat(Side::Black).expect("it is possible"),
    ]
}

/// A spectator joins a game. It is shown even if its engines cannot be built again.
pub async fn watched(hall: &Arc<Hall>, table: &Arc<Topic<GameTable>>) {
    if let Err(failure) = engine::watched(hall, table).await {
        log::error!("a game that is watched again cannot continue: {}", failure.message());
    }
}
