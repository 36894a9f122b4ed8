//! `alesia-lab stress deadline`: thousands of moves of the player on a loaded machine, over TCP or
//! in UGI, measured at the other end.
//!
//! The one idea: player, referee and sockets are those of match day; in UGI, those of
//! `alesia-lab match`. Beside them a [probe] only reads the clock: on a shared machine a late move
//! may be the fault of the machine.

mod load;
mod over_ugi;
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

use alesia::games::{AnyGame, GameSpec};
use alesia::words::command_error::CommandError;
use alesia::words::time_span::some_milliseconds;
use alesia_match::run::seeds::seed_of;
use alesia_match::words::progress::Progress;
use alesia_report::run::DeadlineRow;
use clap::Args;

use alesia::words::json_file::JsonOption;

pub use self::load::Load;
use self::load::{Kind, Loads};
use self::probe::Probe;
use self::report::Report;
use self::table::DeadlineTable;

/// The arguments of `alesia-lab stress deadline`.
#[derive(Args)]
pub struct Deadline {
    /// At least this many moves, of both players together: the last game is played to its end.
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Game",
          value_parser = clap::value_parser!(u64).range(1..))]
    moves: u64,
    /// Time per move in ms.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = some_milliseconds,
          help_heading = "Time")]
    move_time: u64,
    /// Safety margin of the players, as in `alesia play`; with --ugi their `--move-overhead`.
    #[arg(long, value_name = "MS|safe", default_value = "150", help_heading = "Time")]
    margin: String,
    /// Games, one after the other [default: all].
    #[arg(long = "game", value_name = "GAME", value_delimiter = ',', help_heading = "Game",
          value_parser = GameSpec::open)]
    games: Vec<GameSpec>,
    /// Load of the machine: none, or one or more of cpu, memory and files.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "cpu,memory,files",
        help_heading = "Load"
    )]
    load: Vec<Kind>,
    /// Busy processes of the load `cpu` [default: one per core].
    #[arg(long, value_name = "N", help_heading = "Load")]
    busy: Option<usize>,
    /// Address on which the referee listens.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
          help_heading = "Network")]
    bind: IpAddr,
    /// Have the players speak UGI over pipes instead of the tournament protocol.
    #[arg(long, conflicts_with = "bind", help_heading = "Network")]
    ugi: bool,
    /// Program of the player [default: alesia beside this program].
    #[arg(long, value_name = "FILE", help_heading = "Player")]
    player: Option<PathBuf>,
    /// Command that starts the player, such as "ip netns exec lab2".
    #[arg(long, value_name = "WORDS", default_value = "", help_heading = "Player")]
    launch: String,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Game")]
    seed: u64,
    #[command(flatten)]
    json: JsonOption,
    /// Further options of `alesia play` or `alesia ugi` for both players.
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

impl Deadline {
    pub fn run(&self) -> Result<(), CommandError> {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let words = shlex::split(&self.launch).ok_or_else(|| {
            let found = &self.launch;
            CommandError::Usage(format!("--launch: found `{found}`, expected closed quotes"))
        })?;
        let table = DeadlineTable {
            bind: self.bind,
            launch: words,
            player: self.player()?,
            move_time: Duration::from_millis(self.move_time),
            margin: self.margin.clone(),
            options: self.options.clone(),
        };
        if self.ugi {
            table.overhead()?;
        }
        let games = if self.games.is_empty() { GameSpec::all() } else { self.games.clone() };
        alesia_match::run::stop_requests::end_with_us()?;
        // Before the load, so that the head has the load of others alone.
        let mut json = self.json.begin(crate::PROGRAM, "stress deadline")?;
        let loads = Loads::start(&self.load, self.busy.unwrap_or(cores))?;
        let probe = Probe::start()?;
        let mut report = Report::new(table.move_time, self.ugi);
        let mut progress = Progress::new("moves", self.moves);
        for (number, &spec) in games.iter().cycle().enumerate() {
            let (number, seed) = (number as u64, seed_of(self.seed, number as u64));
            let game = match self.ugi {
                true => table.play_ugi(AnyGame::start(spec), spec, number, seed)?,
                false => table.play(AnyGame::start(spec), spec, number, seed)?,
            };
            json.add(&DeadlineRow::Game(game.row(spec, table.move_time)))?;
            report.add(game);
            progress.show(report.moves().min(self.moves), || report.in_short());
            if report.moves() >= self.moves {
                break;
            }
        }
        progress.end();
        let beats = probe.stop();
        loads.check()?;
        drop(loads);
        json.add(&DeadlineRow::Probe(report::row_of(&beats)))?;
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
                "found no alesia beside this program: build it (cargo build --release), or give \
                 --player FILE"
                    .into(),
            )
        })
    }
}
