//! `alesia-lab stress soak`: games over TCP for any length of time, all games, both engines, every
//! ply checked by the plain rules, and no resource may grow.
//!
//! The one idea: as on match day, engines are built once and play many games; if the process uses
//! more resources after a hundred games than after the first of each kind, something leaks.

mod page;
mod resources;
mod table;

use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use alesia::games::{self, BuiltIn};
use alesia::record::game_record;
use alesia::search::clock::MoveTime;
use alesia::search::size::Size;
use alesia::search::{EngineError, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia::words::time_span::some_milliseconds;
use alesia_match::run::seeds::seed_of;
use alesia_match::words::progress::Progress;
use alesia_plain as plain;
use alesia_report::run::SoakRow;
use clap::Args;

use alesia::words::json_file::JsonOption;

use self::page::SoakPage;
use self::resources::Resources;
use self::table::{Games, Played, SoakTable, Terms};

/// Games of each kind, one with each engine as White, before resources are first measured.
const WARMING_GAMES: u64 = 2;

/// The arguments of `alesia-lab stress soak`.
#[derive(Args)]
pub struct Soak {
    /// Approximate duration in minutes; at least 9 games are played.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = minutes,
          help_heading = "Time")]
    minutes: f64,
    /// Time per move in ms.
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = some_milliseconds,
          help_heading = "Time")]
    move_time: u64,
    /// Max iterations (alpha-beta: positions) per move: fewer give more games in the same time.
    #[arg(long, value_name = "N", help_heading = "Engine")]
    nodes: Option<u64>,
    /// Threads of each player [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024),
          help_heading = "Engine")]
    threads: Option<u16>,
    /// Memory of each player.
    #[arg(long, value_name = "SIZE", default_value = "64MiB", help_heading = "Engine")]
    memory: Size,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Engine")]
    seed: u64,
    /// File for a copy of the report.
    #[arg(long, value_name = "FILE", default_value = "soak.txt", help_heading = "Output")]
    out: PathBuf,
    #[command(flatten)]
    json: JsonOption,
}

/// A number of minutes.
fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse::<f64>().ok();
    let sensible = minutes.filter(|minutes| (0.0..=1e6).contains(minutes));
    sensible.ok_or_else(|| "expected a number of minutes, such as 60".to_owned())
}

impl Soak {
    pub fn run(&self) -> Result<(), CommandError> {
        let failed = |error: EngineError| CommandError::Failed(error.to_string());
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = self.threads.map_or(cores, usize::from);
        let options = EngineOptions { threads, memory: self.memory.bytes(), ..Default::default() };
        let move_time = Duration::from_millis(self.move_time);
        // The same share as the default margin of 150 ms in a second.
        let time = MoveTime::new(move_time, move_time.mul_f64(0.15));
        let terms = Terms { time, nodes: self.nodes };
        let mut json = self.json.begin(crate::PROGRAM, "stress soak")?;
        let mut tables: Vec<Box<dyn Games>> = Vec::new();
        macro_rules! set_tables {
            ([$($game:ident,)+]) => {
                $({
                    let table = SoakTable::<plain::$game>::new(
                        games::$game::standard_start().into(),
                        terms,
                        &options,
                    );
                    tables.push(Box::new(table.map_err(failed)?));
                })+
            };
        }
        alesia_plain::twins!(set_tables);
        let started = Instant::now();
        let total = Duration::from_secs_f64(60.0 * self.minutes);
        let mut page = SoakPage::new(self.move_time, threads, cores);
        let mut progress = Progress::new("minutes", (self.minutes.ceil() as u64).max(1));
        let warming_games = WARMING_GAMES * tables.len() as u64;
        let mut number = 0;
        // At least one game after the first measurement of resources.
        while number <= warming_games || started.elapsed() < total {
            let kind = number as usize % tables.len();
            let round = number / tables.len() as u64;
            let game = tables[kind].play(round, seed_of(self.seed, number))?;
            number += 1;
            let held = (number >= warming_games).then(Resources::at_rest);
            json.add(&row(tables[kind].name(), &game, started.elapsed(), held))?;
            page.add(tables[kind].name(), game);
            if let Some(held) = held {
                page.hold(held);
            }
            progress.show(started.elapsed().as_secs() / 60, || page.in_short());
        }
        progress.end();
        let text = page.text(started.elapsed());
        write!(stdout(), "{text}")?;
        std::fs::write(&self.out, text).map_err(|error| {
            CommandError::Failed(format!("--out {}: {error}", self.out.display()))
        })?;
        page.verdict().map_err(CommandError::Failed)
    }
}

/// A game as a row of measurements, with what the process holds after it.
fn row(name: &str, game: &Played, elapsed: Duration, held: Option<Resources>) -> SoakRow {
    SoakRow {
        game: name.to_owned(),
        seconds: elapsed.as_millis() as f64 / 1000.0,
        moves: game.moves as u64,
        median: game_record::milliseconds(game.median),
        slowest: game_record::milliseconds(game.slowest),
        late: game.late.clone(),
        winner: game.winner.map(|winner| winner.name().to_owned()),
        memory: held.and_then(|held| held.memory),
        descriptors: held.and_then(|held| held.descriptors).map(|count| count as u64),
        threads: held.and_then(|held| held.threads).map(|count| count as u64),
    }
}
