//! `--record FILE`: each game goes to a file when it is over.
//!
//! The one idea: a command notes names and moves in a [`NotedGame`], which allocates nothing
//! during the game, and adds it to the file after the end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use alesia::game::{Ending, Game, Outcome, Side};
use alesia::games::{AnyGame, GameSpec};
use alesia::net::client::ClientEvent;
use alesia::player::latest::Latest;
use alesia::record::end::End;
use alesia::record::noted_game::NotedGame;
use alesia::record::record_file::RecordFile;
use alesia::record::thought::Thought;
use clap::Args;
use parking_lot::Mutex;

use alesia::words::command_error::CommandError;

/// The option for records.
#[derive(Clone, Default, Args)]
pub struct RecordOption {
    /// Appends each finished game to FILE, for `alesia-lab games show` and the page.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,
}

impl RecordOption {
    /// Opens the file, before any game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(&self) -> Result<Option<Recording>, CommandError> {
        let open = |path: &PathBuf| {
            let shown = path.display().to_string();
            match RecordFile::open(path) {
                Ok(file) => Ok(Recording { file, shown }),
                Err(error) => Err(CommandError::Failed(format!("--record {shown}: {error}"))),
            }
        };
        self.record.as_ref().map(open).transpose()
    }
}

/// A file of games.
pub struct Recording {
    file: RecordFile,
    shown: String,
}

impl Recording {
    /// Adds a game that is over.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, record: &NotedGame, end: &End) -> Result<(), CommandError> {
        let added = self.file.add(&record.finished(end));
        added.map_err(|error| CommandError::Failed(format!("--record {}: {error}", self.shown)))
    }
}

/// A game and the file to which it goes once, whichever way the program ends.
pub struct Kept(Mutex<Option<(NotedGame, Recording)>>);

impl Kept {
    /// A game; without a file nothing is kept.
    pub fn new(record: NotedGame, file: Option<Recording>) -> Kept {
        Kept(Mutex::new(file.map(|file| (record, file))))
    }

    /// Changes the record, if it is not in the file yet.
    pub fn note(&self, change: impl FnOnce(&mut NotedGame)) {
        if let Some((record, _)) = &mut *self.0.lock() {
            change(record);
        }
    }

    /// Adds the game to the file, the first time that this is called.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, end: &End) -> Result<(), CommandError> {
        match &mut self.0.lock().take() {
            Some((record, file)) => file.add(record, end),
            None => Ok(()),
        }
    }
}

/// The record of a game that begins at a position, which the name of the game may not say.
pub fn begin(game: GameSpec, start: &AnyGame, first: &AnyGame, names: [String; 2]) -> NotedGame {
    let name = game.to_string();
    let is_said = first == start && name.parse() == Ok(game);
    let board = (!is_said).then(|| first.to_string());
    NotedGame::new(name, names, board).with_definition(game.fingerprint())
}

/// Notes the game of a client.
pub struct ClientRecorder {
    recording: Recording,
    record: NotedGame,
    opponent: String,
    /// The ply at which the game began, and that of the record's first move: a later one if a
    /// position followed by a move that our rules do not know.
    began: usize,
    first: usize,
    /// What our engine thought last.
    latest: Arc<Latest>,
    /// The end of the last move; before the first one, a warm-up may have taken any time.
    since: Option<Instant>,
    /// The end by the rules, if the last move has brought it.
    ending: Option<Ending>,
}

impl ClientRecorder {
    /// A game against an opponent of that name, our side not known yet; `latest` is where our
    /// engine's reports are.
    pub fn new(
        recording: Recording,
        game: GameSpec,
        start: &AnyGame,
        opponent: String,
        latest: &Arc<Latest>,
    ) -> ClientRecorder {
        let names = [Side::White, Side::Black].map(|side| side.to_string());
        let record = begin(game, start, start, names);
        let latest = latest.clone();
        let began = start.ply();
        let (first, since, ending) = (began, None, None);
        ClientRecorder { recording, record, opponent, began, first, latest, since, ending }
    }

    /// Names the sides.
    pub fn we_are(&mut self, side: Side) {
        self.record.name(side, "Alesia".into());
        self.record.name(!side, self.opponent.clone());
        self.since = None;
    }

    /// Notes an event. Allocates nothing during the game.
    pub fn hear(&mut self, event: &ClientEvent<'_>) {
        match event {
            ClientEvent::Welcome { side, .. } => self.we_are(*side),
            ClientEvent::Moved { text, thinking, state, .. } => {
                let now = Instant::now();
                self.ending = state.ending();
                let ours = thinking.and_then(|_| self.latest.of_move(&state.position, Thought::of));
                let elapsed = thinking.or(self.since.map(|since| now - since));
                self.note(&state.position, |record| record.moved(*text, elapsed, ours.flatten()));
                self.since = Some(now);
            }
            ClientEvent::Connected(_) | ClientEvent::Message(_) | ClientEvent::Ended(_) => {}
        }
    }

    /// Notes a move that has led to a position. Moves that it has replaced are gone.
    fn note(&mut self, position: &AnyGame, noted: impl FnOnce(&mut NotedGame)) {
        match (position.ply() - 1).checked_sub(self.first) {
            Some(before) if before <= self.record.length() => {
                self.record.truncate(before);
                noted(&mut self.record);
            }
            _ => {
                self.record.restart(position.to_string());
                self.first = position.ply();
            }
        }
    }

    /// Adds the game to the file, cut after `plies`, with its end by the rules or else by the
    /// word of the server.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(
        mut self,
        plies: usize,
        outcome: Outcome,
        reason: &str,
    ) -> Result<(), CommandError> {
        // A last move of ours may have been refused.
        self.record.truncate((self.began + plies).saturating_sub(self.first));
        let end = End::as_said(outcome, reason.to_owned(), self.ending);
        self.recording.add(&self.record, &end)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use alesia::game::GameState;
    use alesia::games::Hadron;
    use alesia::net::tournament::MoveText;

    use super::*;

    /// The record of a game on 3 × 3 whose moves led to these positions, each with how it is said
    /// to have been reached, by its moves or as a board.
    fn recorded(name: &str, moved: &[(&str, &str)]) -> String {
        let path = std::env::temp_dir().join(format!("alesia-{name}-{}", std::process::id()));
        let option = RecordOption { record: Some(path.clone()) };
        let (game, start) = ("hadron3".parse().unwrap(), AnyGame::from(Hadron::start(3, 3)));
        let recording = option.open().unwrap().unwrap();
        let latest = Arc::default();
        let mut recorder = ClientRecorder::new(recording, game, &start, "Other".into(), &latest);
        let mut plies = 0;
        for &(text, reached) in moved {
            let mut state = GameState::new(start);
            match start.parse_board(reached) {
                Ok(position) => state = GameState::new(position),
                Err(_) => state.play_text(reached).unwrap(),
            }
            plies = state.position.ply();
            recorder.hear(&ClientEvent::Moved {
                side: !state.position.side(),
                text: MoveText::from(text).unwrap(),
                thinking: None,
                overshoot: Duration::ZERO,
                state: &state,
            });
        }
        recorder.finish(plies, Outcome::Draw, "a draw is agreed").unwrap();
        let line = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let moves = line.split("\"move\":\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        let board = line.split("\"board\":\"").nth(1).map(|rest| rest.split('"').next().unwrap());
        format!("{} {}", board.unwrap_or("start"), moves.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_record_has_the_game_as_it_went_on() {
        let plain = recorded("plain", &[("B1", "B1"), ("A3", "B1 A3"), ("C2", "B1 A3 C2")]);
        assert_eq!(plain, "start B1 A3 C2");
        // Our first move was refused, and another one sent.
        let refused = recorded("refused", &[("B1", "B1"), ("A1", "A1"), ("C3", "A1 C3")]);
        assert_eq!(refused, "start A1 C3");
        let replaced = recorded("replaced", &[("B1", "B1"), ("A3", "B1 A3"), ("C2", "B1 C2")]);
        assert_eq!(replaced, "start B1 C2");
        // The opponent's second move is one that our rules do not know.
        let unknown = recorded("unknown", &[("B1", "B1"), ("C3", ".b./w../..w b 3")]);
        assert_eq!(unknown, ".b./w../..w b 3 ");
    }
}
