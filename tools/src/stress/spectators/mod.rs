//! `alesia-lab stress spectators`: how much an engine loses when many watch its game on the page.
//!
//! The one idea: each position is searched twice, watched and not, one right after the other and in
//! changing order, so that other load of the machine affects both. The server of the page is a
//! process of its own, as a person starts it; the spectators are in this one.

mod crowd;
mod heard;
mod page;
mod report;

use std::io::{Write, stdout};
use std::thread::sleep;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState, MoveList};
use alesia::games::{AnyGame, GameSpec};
use alesia::search::clock::Budget;
use alesia::search::{EngineError, EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia::words::time_span::milliseconds_in;
use alesia_match::run::interrupt;
use alesia_match::words::progress::Progress;
use alesia_report::run::SpectatorsRow;
use clap::Args;
use serde_json::{Value, json};

use crate::json_file::JsonOption;

use self::crowd::Crowd;
use self::page::PageServer;
use self::report::{Moved, Pair, Report};

/// Positions of one game that the pairs use in turn.
const POSITIONS: usize = 8;

/// Iterations for each move of that game.
const NODES: u64 = 500;

/// Longer than any delay of an engine's move on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The usual delay of a move after its time, and the time between two more looks.
const LOOK_TIME: Duration = Duration::from_millis(50);

/// The arguments of `alesia-lab stress spectators`.
#[derive(Args)]
pub struct Spectators {
    /// Number of spectators.
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Load",
          value_parser = clap::value_parser!(u16).range(1..=500))]
    spectators: u16,
    /// Pairs of moves: one with spectators, one without.
    #[arg(long, value_name = "N", default_value_t = 24, help_heading = "Game",
          value_parser = clap::value_parser!(u16).range(1..=400))]
    pairs: u16,
    /// Time per move in ms.
    #[arg(long, value_name = "MS", default_value_t = 1000, help_heading = "Time",
          value_parser = |text: &str| milliseconds_in(text, 10..=60_000))]
    move_time: u64,
    /// Game.
    #[arg(long, value_name = "GAME", default_value = "murus", help_heading = "Game",
          value_parser = GameSpec::open)]
    game: GameSpec,
    #[command(flatten)]
    json: JsonOption,
}

impl Spectators {
    pub fn run(&self) -> Result<(), CommandError> {
        interrupt::end_with_us()?;
        let mut json = self.json.begin("stress spectators")?;
        let line = RepeatedGame::of(AnyGame::start(self.game))?;
        let page = PageServer::start()?;
        let mut report = Report::new(&self.game.to_string(), self.spectators, self.move_time);
        let mut progress = Progress::new("pairs", self.pairs.into());
        for number in 0..usize::from(self.pairs) {
            let length = line.lengths[number % line.lengths.len()];
            let moves = &line.moves[..length];
            // Each position in both orders, if there are enough pairs.
            let watched_first = (number + number / line.lengths.len()).is_multiple_of(2);
            let first = self.play(&page, moves, watched_first)?;
            let second = self.play(&page, moves, !watched_first)?;
            let (watched, alone) = if watched_first { (first, second) } else { (second, first) };
            json.add(&SpectatorsRow {
                ply: length as u64,
                alone: alone.speed,
                watched: watched.speed,
                events: watched.heard.events as u64,
            })?;
            report.add(Pair { ply: length, alone, watched });
            progress.show(number as u64 + 1, || report.in_short());
        }
        progress.end();
        write!(stdout(), "{}", report.text())?;
        report.verdict().map_err(CommandError::Failed)
    }

    /// Lets the engine search one move after these: its opponent joins when all spectators are
    /// connected, and resigns instead of answering.
    fn play(
        &self,
        page: &PageServer,
        moves: &[String],
        watched: bool,
    ) -> Result<Moved, CommandError> {
        let engine = json!({ "kind": "engine", "engine": "mcts", "ms": self.move_time });
        let open = json!({ "kind": "open" });
        let [white, black] =
            if moves.len().is_multiple_of(2) { [engine, open] } else { [open, engine] };
        let game = self.game.to_string();
        let wanted = json!({ "game": game, "moves": moves, "white": white, "black": black });
        let made = page.post("/api/games", &wanted)?;
        let path = format!("/api/games/{}", made["id"].as_str().unwrap_or_default());
        let events = format!("{path}/events");
        let count = if watched { self.spectators.into() } else { 0 };
        let crowd = Crowd::seat(page.address(), &events, count)?;

        let before = (page.processor_time(), crowd.processor_time());
        let began = Instant::now();
        let joined = page.post(&format!("{path}/join"), &json!({}))?;
        sleep(Duration::from_millis(self.move_time) + LOOK_TIME);
        let after = (page.processor_time(), crowd.processor_time());
        let took = began.elapsed();
        let (speed, over) = loop {
            let whole = page.first_event(&events)?;
            if let Some(played) = whole["moves"].get(moves.len()) {
                break (speed(played)?, whole["result"].is_object());
            }
            if began.elapsed() > took + PATIENCE {
                return Err(CommandError::Failed(format!("{path}: the engine played no move")));
            }
            sleep(LOOK_TIME);
        };
        if !over {
            page.post(&format!("{path}/resign"), &json!({ "token": joined["token"] }))?;
        }
        // The game has begun, the engine has moved, and its opponent has resigned.
        let changes = if over { 2 } else { 3 };
        let heard = crowd.leave(changes).map_err(CommandError::Failed)?;
        let spent = |after: Option<Duration>, before| after?.checked_sub(before?);
        Ok(Moved {
            speed,
            took,
            server: spent(after.0, before.0),
            crowd: spent(after.1, before.1),
            heard,
        })
    }
}

/// Iterations per second of a move, from its data on the page.
fn speed(played: &Value) -> Result<f64, CommandError> {
    let speed = played["report"]["per_second"].as_f64().filter(|&speed| speed > 0.0);
    speed.ok_or_else(|| {
        CommandError::Failed(format!(
            "the engine's move {}: found no iterations, expected a search that uses its time",
            played["move"]
        ))
    })
}

/// A game that is the same in every run, and how many of its moves lead to the positions.
struct RepeatedGame {
    moves: Vec<String>,
    lengths: Vec<usize>,
}

impl RepeatedGame {
    /// Our engine against itself with one thread, where there is something to choose from.
    fn of(start: AnyGame) -> Result<RepeatedGame, CommandError> {
        let options = EngineOptions { threads: 1, memory: 4 << 20, ..EngineOptions::default() };
        let built = EngineKind::MonteCarlo.build(start, &options);
        let mut engine =
            built.map_err(|error: EngineError| CommandError::Failed(error.to_string()))?;
        let mut state = GameState::new(start);
        let mut line = RepeatedGame { moves: Vec::new(), lengths: Vec::new() };
        while state.ending().is_none() && line.lengths.len() < POSITIONS {
            let mut legal = MoveList::new();
            state.position.moves(&mut legal);
            if legal.len() > 1 {
                line.lengths.push(line.moves.len());
            }
            let best = engine.think(&state, &Budget::nodes(NODES), &mut |_| {}).best;
            line.moves.push(state.position.notation(best).to_string());
            state.play(best);
        }
        match line.lengths.is_empty() {
            true => Err(CommandError::Usage("--game: found no position with a choice".into())),
            false => Ok(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use alesia::games::{Hadron, Murus};

    use super::*;

    #[test]
    fn the_positions_are_the_same_every_time_and_none_is_over() {
        let [first, second] = [(); 2].map(|()| RepeatedGame::of(Murus::start().into()).unwrap());
        assert_eq!((&first.moves, &first.lengths), (&second.moves, &second.lengths));
        assert_eq!(first.lengths, (0..POSITIONS).collect::<Vec<_>>());
        let short = RepeatedGame::of(Hadron::start(3, 3).into()).unwrap();
        assert!(!short.lengths.is_empty() && short.lengths.len() < POSITIONS);
        assert!(short.lengths.iter().all(|&length| length < short.moves.len()));
    }
}
