//! Whether an action may be carried out: by the secret of its seat, and the position that its page
//! shows.

use alesia::game::Side;
use serde::Deserialize;

use crate::door::failure::Failure;
use crate::games::game_table::GameTable;
use crate::games::local_players::LocalPlayers;
use crate::page::topic::Subject;

/// The keys and engines of a game that is played on the page and has not been removed.
pub fn local_players(table: &mut GameTable) -> Result<&mut LocalPlayers, Failure> {
    if table.ended() {
        return Err(Failure::unknown("this game has been removed"));
    }
    let elsewhere = "this game is played elsewhere; here it can only be watched";
    table.local_players.as_mut().ok_or_else(|| Failure::forbidden(elsewhere))
}

/// The seat of a token. Where one person has both, it is that of the side to move.
pub fn seat(table: &mut GameTable, token: &str) -> Result<Side, Failure> {
    let to_move = table.side();
    let held = local_players(table)?.keys.seat(token, to_move);
    held.ok_or_else(|| Failure::forbidden("this seat is not yours: wrong token"))
}

/// A request about a position.
#[derive(Deserialize)]
pub struct Act {
    pub token: String,
    /// The ply of the position that the page shows.
    ply: usize,
    /// The version that it shows; another with the same ply comes after moves were taken back.
    version: Option<u64>,
}

/// The seat of an act, if the game has begun and its page is up to date.
pub fn current(table: &mut GameTable, act: &Act) -> Result<Side, Failure> {
    let side = seat(table, &act.token)?;
    if table.open().next().is_some() {
        return Err(Failure::stale("waiting for an opponent: the game has not begun"));
    }
    if act.ply != table.ply() {
        return Err(Failure::stale(format!(
            "the game has continued: this was for move {}, it is move {} now",
            act.ply.saturating_add(1),
            table.ply() + 1
        )));
    }
    if act.version.is_some_and(|version| version != table.version()) {
        return Err(Failure::stale("the game has continued: this was for another position"));
    }
    Ok(side)
}

/// As [`current`], and it is that side's turn.
pub fn to_move(table: &mut GameTable, act: &Act) -> Result<Side, Failure> {
    let side = seat(table, &act.token)?;
    not_over(table)?;
    current(table, act)?;
    if side != table.side() {
        return Err(Failure::forbidden(format!("it is not your turn: {} is to move", !side)));
    }
    Ok(side)
}

pub fn not_over(table: &GameTable) -> Result<(), Failure> {
    table
        .result()
        .map_or(Ok(()), |result| Err(Failure::stale(format!("the game is over: {}", result.text))))
}
