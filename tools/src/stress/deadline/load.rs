//! Load for the machine, in separate processes that end with this one.
//!
//! The one idea: each kind of work is another process of this program (`alesia-lab stress load
//! KIND`), which runs until its input ends; the system closes that input however we end. Each is in
//! a session of its own, as what others do on a machine is, and so is each player: Linux shares
//! the processor out among sessions (`sched_autogroup`), so that load in a player's session would
//! take from that player alone, and players in ours would keep us from looking at the clock.

use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom, Write, stdin};
use std::process::exit;
use std::thread;
use std::time::Duration;

use alesia::search::memory::available_memory;
use alesia::words::command_error::CommandError;
use alesia_match::players::entrant::Program;
use alesia_match::players::process::Process;
use clap::{Args, ValueEnum};

/// Bytes of the file, written and then read in each round.
const FILE: usize = 512 << 20;

/// Bytes allocated, written or read at a time.
const PIECE: usize = 8 << 20;

/// The memory load allocates this many quarters of the available memory, without the bytes that are
/// kept for the players.
const QUARTERS: usize = 3;
const KEPT: usize = 2 << 30;

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// No load.
    None,
    /// Computes all the time.
    Cpu,
    /// Repeatedly allocates and frees 3/4 of the memory available beyond 2 GiB.
    Memory,
    /// Repeatedly writes and reads a file of 512 MiB.
    Files,
}

/// The arguments of `alesia-lab stress load`.
#[derive(Args)]
pub struct Load {
    /// Kind of load.
    kind: Kind,
}

impl Load {
    /// Runs the command until standard input ends.
    pub fn run(&self) -> Result<(), CommandError> {
        let watching = || {
            // A read error ends it too.
            let _ = stdin().read_to_end(&mut Vec::new());
            exit(0);
        };
        let started = thread::Builder::new().spawn(watching);
        started.map_err(|error| CommandError::Failed(format!("no thread: {error}")))?;
        match self.kind {
            Kind::None => Ok(()),
            Kind::Cpu => compute(),
            Kind::Memory => take_memory(),
            Kind::Files => churn_files()
                .map_err(|error| CommandError::Failed(format!("temporary file: {error}"))),
        }
    }
}

/// Processes at work until this is dropped.
pub struct Loads {
    processes: Vec<(&'static str, Process)>,
}

impl Loads {
    /// Starts work of these kinds, with `busy` processes that compute.
    ///
    /// # Errors
    /// The system has no processes to give.
    pub fn start(kinds: &[Kind], busy: usize) -> Result<Loads, CommandError> {
        let failed = |error| CommandError::Failed(format!("starting the load: {error}"));
        let path = std::env::current_exe().map_err(failed)?;
        let mut processes = Vec::new();
        for kind in kinds {
            let (name, count) = match kind {
                Kind::None => continue,
                Kind::Cpu => ("cpu", busy),
                Kind::Memory => ("memory", 1),
                Kind::Files => ("files", 1),
            };
            for _ in 0..count {
                let arguments = ["stress", "load", name].map(String::from).to_vec();
                let (path, options) = (path.clone(), Vec::new());
                let program = Program { path, arguments, directory: None, options, apart: true };
                processes.push((name, Process::start(name, &program, true).map_err(failed)?));
            }
        }
        Ok(Loads { processes })
    }

    /// Checks that all are still at work.
    ///
    /// # Errors
    /// One has ended: what was measured was measured without it.
    pub fn check(&self) -> Result<(), CommandError> {
        let ended = |(_, process): &&(_, Process)| process.wait(Duration::ZERO).is_some();
        match self.processes.iter().find(ended) {
            None => Ok(()),
            Some((name, process)) => {
                let why = process.last_words();
                Err(CommandError::Failed(format!("the load `{name}` has ended: {why}")))
            }
        }
    }
}

fn compute() -> ! {
    let mut rng = fastrand::Rng::new();
    loop {
        black_box(rng.u64(..));
    }
}

fn take_memory() -> ! {
    loop {
        // A little where it is not known; never more than a program of 32 bits can have.
        let known = available_memory().map(|bytes| bytes.saturating_sub(KEPT) / 4 * QUARTERS);
        let most = known.unwrap_or(1 << 30).min(isize::MAX as usize / 2);
        let mut pieces = Vec::new();
        for _ in 0..most / PIECE {
            pieces.push(black_box(vec![1_u8; PIECE]));
        }
        drop(pieces);
    }
}

fn churn_files() -> std::io::Result<()> {
    let mut piece = vec![1; PIECE];
    loop {
        let mut file = tempfile::tempfile()?;
        for _ in 0..FILE / PIECE {
            file.write_all(&piece)?;
        }
        file.seek(SeekFrom::Start(0))?;
        for _ in 0..FILE / PIECE {
            file.read_exact(&mut piece)?;
        }
    }
}
