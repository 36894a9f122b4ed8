//! `alesia-lab stress deadline`: thousands of moves of the player over TCP, on a machine that has
//! other things to do, measured at the referee.
//!
//! The one idea: everything is the real thing, the player's program, the referee of match day and
//! sockets; and beside it a [probe] that does nothing but look at the clock, since whoever is late
//! on a shared machine may have been kept waiting by the machine.

mod load;
mod probe;
mod report;
mod table;

use std::env::consts::EXE_SUFFIX;
use std::io::{Write, stdout};
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use alesia::games::GameSpec;
use alesia::with_game;
use alesia_match::error::CommandError;
use alesia_match::progress::Progress;
use alesia_match::seeds::seed_of;
use clap::Args;

pub use self::load::Load;
use self::load::{Kind, Loads};
use self::probe::Probe;
use self::report::Report;
use self::table::DeadlineTable;

/// The arguments of `alesia-lab stress deadline`.
#[derive(Args)]
pub struct Deadline {
    /// Moves to be played, of both players together.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    moves: u64,
    /// Milliseconds for a move.
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    move_time: u64,
    /// What the player keeps back of it, as `alesia play` has it.
    #[arg(long, value_name = "MS|safe", default_value = "150")]
    margin: String,
    /// The games, in turn [default: all].
    #[arg(long = "game", value_name = "GAME", value_delimiter = ',')]
    games: Vec<GameSpec>,
    /// What else the machine is to do: none, or some of cpu, memory and files.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "cpu,memory,files")]
    load: Vec<Kind>,
    /// Busy processes for the load `cpu` [default: as many as cores].
    #[arg(long, value_name = "N")]
    busy: Option<usize>,
    /// The address that the referee listens on.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The player's program [default: `alesia` beside this one].
    #[arg(long, value_name = "FILE")]
    player: Option<PathBuf>,
    /// What starts the player, such as "ip netns exec lab2".
    #[arg(long, value_name = "WORDS", default_value = "")]
    launch: String,
    /// Seed of all random choices.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Further options of `alesia play` for both players.
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

impl Deadline {
    pub fn run(&self) -> Result<(), CommandError> {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let words = shlex::split(&self.launch).ok_or_else(|| {
            CommandError::Usage(format!("--launch: found `{}`, expected words", self.launch))
        })?;
        let table = DeadlineTable {
            bind: self.bind,
            launch: words,
            player: self.player()?,
            move_time: Duration::from_millis(self.move_time),
            margin: self.margin.clone(),
            options: self.options.clone(),
        };
        let games = if self.games.is_empty() { &GameSpec::ALL[..] } else { &self.games };
        alesia_match::players::process::end_with_us()?;
        let loads = Loads::start(&self.load, self.busy.unwrap_or(cores))?;
        let probe = Probe::start();
        let mut report = Report::new(table.move_time);
        let mut progress = Progress::new("moves", self.moves);
        for (number, &spec) in games.iter().cycle().enumerate() {
            let (number, seed) = (number as u64, seed_of(self.seed, number as u64));
            let game = with_game!(spec, start => table.play(start, spec, number, seed))?;
            report.add(game);
            progress.show(report.moves().min(self.moves), || report.in_short());
            if report.moves() >= self.moves {
                break;
            }
        }
        progress.end();
        let beats = probe.stop();
        drop(loads);
        write!(stdout(), "{}", report.text(&beats))?;
        match report.late() {
            0 => Ok(()),
            late => Err(CommandError::Failed(format!("{late} of {} moves late", report.moves()))),
        }
    }

    /// The player's program.
    fn player(&self) -> Result<PathBuf, CommandError> {
        let beside = || {
            let path = std::env::current_exe().ok()?.with_file_name(format!("alesia{EXE_SUFFIX}"));
            path.exists().then_some(path)
        };
        self.player.clone().or_else(beside).ok_or_else(|| {
            CommandError::Failed(
                "no program `alesia` beside this one: build it (cargo build --release), or name \
                 it by --player"
                    .into(),
            )
        })
    }
}
