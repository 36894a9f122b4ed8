//! A game of the page as its file has it.
//!
//! The one idea: the file has what people did, and the rules make the rest of it again. A field
//! that is new is optional, so that older files stay readable.

use alesia::game::Outcome;
use alesia::record::game_record::Date;
use alesia::record::game_record::GameLine;
use alesia_match::players::report_view::{Colour, ReportView};
use serde::{Deserialize, Serialize};

use super::definitions::Definitions;
use super::game_seat::{GameSeat, Sitter};
use super::game_table::{GameTable, Source};
use super::keys::Keys;
use super::local_players::LocalPlayers;
use crate::door::failure::Failure;
use crate::engines::levels::Strength;
use crate::page::variant_view::VariantView;

/// A move with what was measured and thought.
#[derive(Deserialize, Serialize)]
struct MoveInFile {
    #[serde(rename = "move")]
    text: String,
    ms: Option<f64>,
    report: Option<ReportView>,
}

#[derive(Deserialize, Serialize)]
struct SeatInFile {
    kind: Sitter,
    name: String,
    engine: Option<String>,
    ms: Option<u64>,
}

/// An end that the rules do not show: a player gave up, or the game was broken off.
#[derive(Deserialize, Serialize)]
struct EndInFile {
    winner: Option<Colour>,
    reason: String,
    decided: bool,
}

/// A game as its file has it.
#[derive(Deserialize, Serialize)]
pub struct GameFile {
    id: String,
    game: String,
    /// The text that defines the game, where people have written it.
    definition: Option<String>,
    board: Option<String>,
    /// The day on which it was set up; old files have none.
    date: Option<Date>,
    /// How many of the moves it was set up with.
    given: usize,
    moves: Vec<MoveInFile>,
    seats: [SeatInFile; 2],
    keys: [Option<String>; 2],
    end: Option<EndInFile>,
}

impl GameFile {
    /// A game that is played on the page; none for others.
    pub fn of(table: &GameTable) -> Option<GameFile> {
        let keys = table.local_players.as_ref()?.keys.all();
        let moves = table.moves().iter().map(|played| MoveInFile {
            text: played.shape.text.clone(),
            ms: played.ms,
            report: played.report.clone(),
        });
        let end = table.result().filter(|_| !table.ended_by_rule()).map(|result| EndInFile {
            winner: result.winner,
            reason: result.reason.clone(),
            decided: result.decided,
        });
        Some(GameFile {
            id: table.id.clone(),
            game: table.game.to_string(),
            definition: VariantView::of_game(table.game).and_then(|view| view.definition),
            board: table.line().board.clone(),
            date: table.date,
            given: table.given(),
            moves: moves.collect(),
            seats: table.seats.each_ref().map(|seat| SeatInFile {
                kind: seat.kind,
                name: seat.name.clone(),
                engine: seat.engine.map(str::to_owned),
                ms: seat.ms,
            }),
            keys,
            end,
        })
    }

    /// Its name in addresses.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The game again, with its clock running from now on.
    pub fn table(self, definitions: &Definitions) -> Result<GameTable, Failure> {
        let GameFile { id, game, definition, board, date, given, moves, seats, keys, end } = self;
        let [white, black] = seats.map(|SeatInFile { kind, name, engine, ms }| {
            let engine = engine.map(|name| name.parse::<Strength>()).transpose()?;
            let engine = engine.map(Strength::name);
            Ok::<_, Failure>(GameSeat { kind, name, engine, ms })
        });
        let seats = [white?, black?];
        let texts = moves.iter().map(|stored| stored.text.clone()).collect();
        let line = GameLine { board, moves: texts };
        let game = match definition {
            // It was named after its section.
            Some(text) => {
                definitions.keep(None, &text, game.rsplit(':').next().unwrap_or_default())?
            }
            None => game.parse()?,
        };
        let mut table = GameTable::new(id, game, Source::Board, String::new(), seats, line)?;
        table.date = date;
        table.restore(given, moves.into_iter().map(|stored| (stored.ms, stored.report)));
        table.local_players =
            Some(LocalPlayers { keys: Keys::restored(keys), ..LocalPlayers::default() });
        match end {
            Some(EndInFile { reason, decided: false, .. }) => {
                table.break_off(&reason);
            }
            Some(EndInFile { winner, reason, .. }) => {
                let outcome = winner.map_or(Outcome::Draw, |winner| Outcome::Win(winner.into()));
                table.end(outcome, &reason);
            }
            None if table.open().next().is_none() => {
                table.begin();
            }
            None => {}
        }
        Ok(table)
    }
}
