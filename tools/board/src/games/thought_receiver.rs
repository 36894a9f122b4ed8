//! The analysis of our engine's moves in a referee's game, sent by the player.
//!
//! The one idea: the player sends a line of a feed after its move. The sender is not
//! authenticated: a client that knows a player's address at the referee can send in its name. So
//! the analysis changes no game; it is shown with the move, without illegal moves.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use alesia::game::{ParseError, Side, quoted};
use alesia::net::feed::{FeedLine, GameEvent};
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::game_table::{GameTable, Source};
use super::hall::Hall;
use super::remote_events::hear;
use crate::door::failure::{Body, Failure};

pub fn routes() -> Router<Arc<Hall>> {
    Router::new().route("/api/thoughts", post(thoughts))
}

#[derive(Deserialize)]
struct Thoughts {
    /// The player's address at the referee.
    player: String,
    /// A `thought` as in a feed; its number and side say nothing here.
    line: String,
}

async fn thoughts(
    State(hall): State<Arc<Hall>>,
    Body(thoughts): Body<Thoughts>,
) -> Result<Json<Value>, Failure> {
    let Thoughts { player, line } = thoughts;
    let GameEvent::Thought { ply, info, .. } = line.parse::<FeedLine>()?.event else {
        return Err(ParseError::new("line", quoted(&line), "a thought").into());
    };
    let seat_of = |table: &GameTable| {
        let own = |side: &Side| is_same(&table.seats[*side as usize].name, &player);
        let sides = [Side::White, Side::Black].into_iter();
        (table.source == Source::Referee).then(|| sides.into_iter().find(own)).flatten()
    };
    let found = hall.search(|table| seat_of(table).is_some());
    let table =
        found.ok_or_else(|| Failure::forbidden("no player at this page has that address"))?;
    let side = seat_of(&table.state()).expect("the search has found it");
    hear(&hall, &table, &GameEvent::Thought { side, ply, info })?;
    Ok(Json(json!({})))
}

/// Whether two addresses are the same. A server on all addresses of both kinds has those of version
/// 4 in words of version 6.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| -> Option<(IpAddr, u16)> {
        let address: SocketAddr = text.parse().ok()?;
        Some((address.ip().to_canonical(), address.port()))
    };
    one == other || plain(one).is_some_and(|one| Some(one) == plain(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_same_in_words_of_either_version() {
        assert!(is_same("127.0.0.1:4711", "[::ffff:127.0.0.1]:4711"));
        assert!(is_same("[::1]:4711", "[0:0::1]:4711") && is_same("a:1", "a:1"));
        for other in ["127.0.0.1:4712", "127.0.0.2:4711", "[::1]:4711", "a", ""] {
            assert!(!is_same("127.0.0.1:4711", other), "{other}");
        }
        assert!(!is_same("a:1", "b:1"));
    }
}
