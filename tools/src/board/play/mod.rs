//! Games played on the page: they are set up here, and who sits at them acts.
//!
//! The one idea: an action is looked at and carried out under one lock, by the secret of its seat and
//! the ply and version that its page shows; so it happens to the position that was meant, or not at all.

mod engine;
mod requests;
mod seats;

use std::sync::Arc;

use alesia::game::Side;
use axum::Router;
use axum::routing::post;
use serde::Deserialize;

use super::failure::Failure;
use super::hall::Hall;
use super::table::Table;
use super::topic::{Subject, Topic};
use engine::Driver;
use seats::Keys;

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

/// What a game played on the page has beside its table.
#[derive(Default)]
pub struct Play {
    /// The secrets of its seats.
    keys: Keys,
    /// The thread of its engines, while there is one.
    driver: Option<Driver>,
    /// A hint is being thought of.
    hinting: bool,
}

impl Play {
    /// An engine that thinks must not play its move, and has to look at the game again.
    fn interrupt(&self) {
        if let Some(driver) = &self.driver {
            driver.interrupt();
        }
    }

    /// The engines look whether one of them is to move.
    fn wake(&self) {
        if let Some(driver) = &self.driver {
            driver.wake();
        }
    }
}

/// Somebody comes to watch a game. It is shown even where its engines cannot come back.
pub async fn watched(hall: &Arc<Hall>, table: &Arc<Topic<Table>>) {
    if let Err(failure) = engine::watched(hall, table).await {
        log::error!("a game that is watched again stands still: {}", failure.message());
    }
}

/// What a game has beside its table, if it is played on the page and has not been removed.
fn played(table: &mut Table) -> Result<&mut Play, Failure> {
    if table.ended() {
        return Err(Failure::unknown("this game has been removed"));
    }
    let elsewhere = "this game is played elsewhere; here it can only be watched";
    table.play.as_mut().ok_or_else(|| Failure::forbidden(elsewhere))
}

/// The seat of a token. Where one person has both, it is that of the side to move.
fn seat(table: &mut Table, token: &str) -> Result<Side, Failure> {
    let to_move = table.side();
    let held = played(table)?.keys.seat(token, to_move);
    held.ok_or_else(|| Failure::forbidden("this seat is not yours: its token is another"))
}

/// Something at a position.
#[derive(Deserialize)]
struct Act {
    token: String,
    /// The ply of the position that the page shows.
    ply: usize,
    /// The version that it shows; another with the same ply comes after moves were taken back.
    version: Option<u64>,
}

/// The seat of an act in a game that has begun and whose page is up to date.
fn current(table: &mut Table, act: &Act) -> Result<Side, Failure> {
    let side = seat(table, &act.token)?;
    if table.open().next().is_some() {
        return Err(Failure::stale("waiting for an opponent: the game has not begun"));
    }
    if act.ply != table.ply() {
        return Err(Failure::stale(format!(
            "the game has gone on: this was for move {}, it is move {} now",
            act.ply.saturating_add(1),
            table.ply() + 1
        )));
    }
    if act.version.is_some_and(|version| version != table.version()) {
        return Err(Failure::stale("the game has gone on: this was for another position"));
    }
    Ok(side)
}

/// As [`current`], and it is that side's turn.
fn to_move(table: &mut Table, act: &Act) -> Result<Side, Failure> {
    let side = seat(table, &act.token)?;
    not_over(table)?;
    current(table, act)?;
    if side != table.side() {
        return Err(Failure::forbidden(format!("it is not your turn: {} is to move", !side)));
    }
    Ok(side)
}

fn not_over(table: &Table) -> Result<(), Failure> {
    table
        .result()
        .map_or(Ok(()), |result| Err(Failure::stale(format!("the game is over: {}", result.text))))
}
