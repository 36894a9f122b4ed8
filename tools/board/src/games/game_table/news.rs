//! What pages are told of a game: the whole of it, what has changed, its line in the lobby.
//!
//! The one idea: a page that has the whole and every change since has the same game.

use std::time::Instant;

use alesia::game::Side;
use alesia::record::game_record::milliseconds;
use alesia_answers::report_view::{Colour, ReportView};
use serde_json::json;

use super::GameTable;
use crate::games::game_seat::GameSeat;
use crate::page::topic::{News, Subject};

impl GameTable {
    /// What has changed, the moves from a number on.
    pub fn news(&mut self, from: usize) -> News {
        self.touched = Instant::now();
        let GameTable { seats, moves, now, result, undo_asked, listeners, unkept, .. } = &*self;
        let content = json!({
            "from": from,
            "version": self.version,
            "phase": self.phase(),
            "moves": &moves[from..],
            "now": now,
            "result": result,
            "clock": self.clock(),
            "seats": of_sides(seats),
            "undo_asked": undo_asked.map(Colour::from),
            "listeners": listeners,
            "unkept": unkept,
        });
        News::new("change", &content)
    }

    /// What an engine thinks at the moment.
    pub fn thinking(&self, side: Side, report: &ReportView) -> News {
        News::new("thinking", &json!({ "side": Colour::from(side), "report": report }))
    }

    pub(super) fn clock(&self) -> serde_json::Value {
        let used = |colour| -> f64 {
            let own = self.moves.iter().filter(|played| played.side == colour);
            own.filter_map(|played| played.ms).sum()
        };
        json!({
            "limit": self.limit.map(|limit| limit.as_millis() as u64),
            "running": self.running.map(|_| self.now.board.side),
            "elapsed": self.running.map_or(0.0, |began| milliseconds(began.elapsed())),
            "used": { "white": used(Colour::White), "black": used(Colour::Black) },
            "bank": self.bank,
            "left": self.bank.map(|_| {
                json!({ "white": self.left(Colour::White), "black": self.left(Colour::Black) })
            }),
        })
    }

    /// The game in a line of the lobby.
    pub fn listed(&self, listeners: usize) -> serde_json::Value {
        let [white, black] = &self.seats;
        let open: Vec<Colour> = self.open().map(Colour::from).collect();
        json!({
            "id": self.id,
            "game": self.game.to_string(),
            "source": self.source,
            "title": self.title,
            "white": white.name,
            "black": black.name,
            "open": open,
            "plies": self.moves.len(),
            "side": self.now.board.side,
            "rows": self.now.board.rows,
            "phase": self.phase(),
            "result": self.result.as_ref().map(|result| &result.text),
            "listeners": listeners,
        })
    }
}

fn of_sides(seats: &[GameSeat; 2]) -> serde_json::Value {
    let [white, black] = seats;
    json!({ "white": white, "black": black })
}

impl Subject for GameTable {
    fn whole(&self, listeners: usize) -> News {
        let GameTable { id, source, title, start, seats, moves, now, result, .. } = self;
        let content = json!({
            "id": id,
            "game": self.game.to_string(),
            "source": source,
            "title": title,
            "start": start,
            "version": self.version,
            "phase": self.phase(),
            "seats": of_sides(seats),
            "moves": moves,
            "now": now,
            "result": result,
            "clock": self.clock(),
            "undo_asked": self.undo_asked.map(Colour::from),
            "listeners": listeners,
            "unkept": self.unkept,
        });
        News::new("game", &content)
    }

    fn ended(&self) -> bool {
        self.gone
    }
}
