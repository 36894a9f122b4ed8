//! A game of the page as its file has it.
//!
//! The one idea: the file has what people did, and the rules make the rest of it again. Its first
//! line is the game as it was set up or last written whole, each other line one thing that was done
//! since. A field that is new is optional, so that older files, which have one line, stay readable.

use alesia::game::{Outcome, Side};
use alesia::record::checked_line::{json_line, read_as};
use alesia::record::game_record::Date;
use alesia::record::game_record::GameLine;
use alesia_answers::report_view::{Colour, ReportView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::definitions::Definitions;
use super::game_seat::{GameSeat, Sitter};
use super::game_table::{GameTable, Source};
use super::keys::Keys;
use super::local_players::LocalPlayers;
use super::time_bank::TimeBank;
use crate::door::failure::Failure;
use alesia::search::levels::Strength;
use alesia_answers::position::{Played, Verdict};
use alesia_answers::variant_view::VariantView;

/// A move with what was measured and thought.
#[derive(Deserialize, Serialize)]
struct MoveInFile {
    #[serde(rename = "move")]
    text: String,
    ms: Option<f64>,
    report: Option<ReportView>,
}

impl From<&Played> for MoveInFile {
    fn from(played: &Played) -> MoveInFile {
        MoveInFile { text: played.shape.text.clone(), ms: played.ms, report: played.report.clone() }
    }
}

#[derive(Deserialize, Serialize)]
struct SeatInFile {
    kind: Sitter,
    name: String,
    engine: Option<String>,
    ms: Option<u64>,
}

impl From<&GameSeat> for SeatInFile {
    fn from(seat: &GameSeat) -> SeatInFile {
        let GameSeat { kind, name, engine, ms } = seat.clone();
        SeatInFile { kind, name, engine: engine.map(str::to_owned), ms }
    }
}

/// An end that the rules do not show: a player gave up, or the game was broken off.
#[derive(Deserialize, Serialize)]
struct EndInFile {
    winner: Option<Colour>,
    reason: String,
    decided: bool,
}

impl From<&Verdict> for EndInFile {
    fn from(verdict: &Verdict) -> EndInFile {
        let Verdict { winner, reason, decided, .. } = verdict.clone();
        EndInFile { winner, reason, decided }
    }
}

/// A seat that was taken.
#[derive(Deserialize, Serialize)]
struct JoinInFile {
    side: Colour,
    seat: SeatInFile,
    key: String,
}

/// One thing that was done to a game.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub struct GameStep {
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<MoveInFile>,
    /// How many moves were left when others were taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_back_to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joined: Option<JoinInFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<EndInFile>,
}

impl GameStep {
    pub fn played(played: &Played) -> GameStep {
        GameStep { played: Some(played.into()), ..GameStep::default() }
    }

    pub fn taken_back_to(length: usize) -> GameStep {
        GameStep { taken_back_to: Some(length), ..GameStep::default() }
    }

    pub fn joined(side: Colour, seat: &GameSeat, key: &str) -> GameStep {
        let joined = JoinInFile { side, seat: seat.into(), key: key.to_owned() };
        GameStep { joined: Some(joined), ..GameStep::default() }
    }

    pub fn ended(verdict: &Verdict) -> GameStep {
        GameStep { ended: Some(verdict.into()), ..GameStep::default() }
    }
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
    /// The clock of two people, where they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<TimeBank>,
}

impl GameFile {
    /// A game that is played on the page; none for others.
    pub fn of(table: &GameTable) -> Option<GameFile> {
        let keys = table.local_players.as_ref()?.keys.all();
        let end = table.result().filter(|_| !table.ended_by_rule());
        Some(GameFile {
            id: table.id.clone(),
            game: table.game.to_string(),
            definition: VariantView::of_game(table.game).and_then(|view| view.definition),
            board: table.line().board.clone(),
            date: table.date,
            given: table.given(),
            moves: table.moves().iter().map(MoveInFile::from).collect(),
            seats: table.seats.each_ref().map(SeatInFile::from),
            keys,
            end: end.map(EndInFile::from),
            clock: table.bank,
        })
    }

    /// The content of a file, and how many bytes of it count: a last line that is cut was never
    /// answered.
    ///
    /// # Errors
    /// The first line, or one before the last, is none of ours.
    pub fn read(content: &[u8]) -> Result<(GameFile, u64), String> {
        let (first, mut rest) = match content.iter().position(|&byte| byte == b'\n') {
            Some(end) => content.split_at(end),
            None => (content, &[][..]),
        };
        let mut game: GameFile = parse(1, first, "a game of the page")?;
        let (mut length, mut line) = (first.len(), 2);
        while let Some(after) = rest.strip_prefix(b"\n") {
            let end = after.iter().position(|&byte| byte == b'\n').unwrap_or(after.len());
            let (text, others) = after.split_at(end);
            match parse::<GameStep>(line, text, "what was done to the game") {
                Ok(step) => game.take(step),
                Err(_) if others.trim_ascii().is_empty() => break,
                Err(error) => return Err(error),
            }
            (length, line, rest) = (length + 1 + end, line + 1, others);
        }
        Ok((game, length as u64))
    }

    /// The first line of its file, without the line's end.
    pub fn bytes(&self) -> Vec<u8> {
        json_line(self).trim_end().into()
    }

    /// Does again what was done.
    fn take(&mut self, step: GameStep) {
        let GameStep { played, taken_back_to, joined, ended } = step;
        self.moves.extend(played);
        if let Some(length) = taken_back_to {
            self.moves.truncate(length);
            self.end = None;
        }
        if let Some(JoinInFile { side, seat, key }) = joined {
            let side = Side::from(side) as usize;
            (self.seats[side], self.keys[side]) = (seat, Some(key));
        }
        self.end = ended.or(self.end.take());
    }

    /// Its name in addresses.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The game again, with its clock running from now on.
    pub fn table(self, definitions: &Definitions) -> Result<GameTable, Failure> {
        let GameFile { id, game, definition, board, date, given, moves, seats, keys, end, clock } =
            self;
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
        (table.date, table.bank) = (date, clock);
        table.restore(given, moves.into_iter().map(|stored| (stored.ms, stored.report)));
        table.local_players =
            Some(LocalPlayers { keys: Keys::restored(keys), ..LocalPlayers::default() });
        match end {
            Some(EndInFile { reason, decided: false, .. }) => {
                table.break_off(&reason)?;
            }
            Some(EndInFile { winner, reason, .. }) => {
                let outcome = winner.map_or(Outcome::Draw, |winner| Outcome::Win(winner.into()));
                table.end(outcome, &reason)?;
            }
            None if table.open().next().is_none() => {
                table.begin();
            }
            None => {}
        }
        Ok(table)
    }
}

fn parse<T: DeserializeOwned>(line: usize, text: &[u8], what: &str) -> Result<T, String> {
    let text = std::str::from_utf8(text);
    let text = text.map_err(|_| format!("line {line}: found no UTF-8, expected {what}"))?;
    read_as(&format!("line {line}"), text, what).map_err(|error| error.to_string())
}
