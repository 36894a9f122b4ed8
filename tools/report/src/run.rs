//! The lines of measurements (`--json FILE`), as they are written and as they are read.
//!
//! The one idea: a run is a head ([`alesia::record::measurements`]) and rows, one line each; which
//! rows follows from the head's `run`. Fields that a reader does not know are ignored, and new ones
//! are optional, so that old files stay readable. Times are in milliseconds unless named otherwise.

pub use alesia::record::measurements::TreesRow;
use serde::{Deserialize, Serialize};

/// The first line of a run.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Head {
    /// The command, such as `stress soak`.
    pub run: String,
    /// When it began, in UTC.
    #[serde(default)]
    pub date: String,
    /// Name and version.
    #[serde(default)]
    pub program: String,
    /// The commit of the program's sources.
    pub commit: Option<String>,
    /// The machine's name.
    pub host: Option<String>,
    /// The processor's name.
    pub processor: Option<String>,
    /// Logical cores.
    pub cores: Option<u32>,
    /// Name and release of the system.
    pub kernel: Option<String>,
    /// All memory, in bytes.
    pub memory: Option<u64>,
    /// Running or waiting processes over 1, 5 and 15 minutes, before the run.
    pub load: Option<[f64; 3]>,
    /// The words of the command line.
    #[serde(default)]
    pub command: Vec<String>,
}

/// `stress scale`: a number of threads on a number of trees.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ThreadsRow {
    /// The game.
    pub game: String,
    /// Search threads of all trees.
    pub threads: u32,
    /// Trees; files of versions that measured one tree alone do not say it.
    #[serde(default = "one")]
    pub trees: u32,
    /// Iterations per second.
    pub speed: f64,
    /// Blocks of nodes taken, per million iterations.
    pub blocks: f64,
    /// Expansions that another thread was doing already, per million iterations.
    pub lost_claims: f64,
    /// Nodes of the trees.
    pub nodes: u64,
    /// Part of the pools that the search used, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<f64>,
    /// Nodes that were kept after a move, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<u64>,
    /// Milliseconds for keeping them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_ms: Option<f64>,
    /// MiB of nodes kept a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_speed: Option<f64>,
}

fn one() -> u32 {
    1
}

/// `stress deadline`: a game, or the probe.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DeadlineRow {
    /// A game.
    Game(DeadlineGame),
    /// The probe, at the end of the run.
    Probe(Probe),
}

/// A game of `stress deadline`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeadlineGame {
    /// The game.
    pub game: String,
    /// Time for a move.
    pub limit: f64,
    /// Of each move in time, at the referee.
    pub answers: Vec<f64>,
    /// Of each move that used its time, how long after it the answer left the player.
    pub overshoots: Vec<f64>,
    /// From the start of each player until it was ready.
    pub ready: Vec<f64>,
    /// What became of a late move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<String>,
}

/// How late the probe's beats were.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Probe {
    /// The time between two beats.
    pub period: f64,
    /// Times, to two digits, and how many beats were so late.
    pub beats: Vec<(f64, u64)>,
}

/// `stress soak`: a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SoakRow {
    /// The game.
    pub game: String,
    /// Seconds since the run began, at the game's end.
    pub seconds: f64,
    /// Moves in time.
    pub moves: u64,
    /// Their median at the referee.
    pub median: f64,
    /// The slowest of them.
    pub slowest: f64,
    /// What became of a late move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<String>,
    /// The engine that won; none for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// Resident memory in bytes, once every kind of game was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Open files and sockets, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descriptors: Option<u64>,
    /// Threads, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
}

/// `stress trees`: a round of all games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchesRow {
    /// Seconds since the run began.
    pub seconds: f64,
    /// Searches so far, each with a legal move.
    pub searches: u64,
}

/// `tune`: what there is to learn from, or an epoch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TuneRow {
    /// After an epoch.
    Epoch(Epoch),
    /// Before the first.
    Begin(Begin),
}

/// What is known before learning begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begin {
    /// The game.
    pub game: String,
    /// Games, and samples that are learned from and held out.
    pub games: u64,
    /// Samples that are learned from.
    pub samples: u64,
    /// The loss of the evaluation that played, on the held-out samples.
    pub current: Losses,
}

/// The loss after an epoch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub epoch: u64,
    /// In its course, on the samples learned from.
    pub learned: Losses,
    /// After it, on the samples held out.
    pub held_out: Losses,
}

/// The three numbers of a loss.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Losses {
    /// Mean cross entropy of result and expectation, in nats.
    pub value: f64,
    /// Mean cross entropy of the moves' shares and priors, in nats.
    pub moves: f64,
    /// How often the best move had the largest prior, 0 to 1.
    pub first: f64,
}

/// The rows of a run, by its command.
#[derive(Clone, Debug)]
pub enum Rows {
    /// `scale`.
    Trees(Vec<TreesRow>),
    /// `stress scale`.
    Threads(Vec<ThreadsRow>),
    /// `stress deadline`.
    Deadline(Vec<DeadlineRow>),
    /// `stress soak`.
    Soak(Vec<SoakRow>),
    /// `stress trees`.
    Searches(Vec<SearchesRow>),
    /// `tune`.
    Tune(Vec<TuneRow>),
    /// A command that is not known, as of another version: the number of rows.
    Unknown(usize),
}

impl Rows {
    /// No rows yet of a command.
    pub fn of(run: &str) -> Rows {
        match run {
            "scale" => Rows::Trees(Vec::new()),
            "stress deadline" => Rows::Deadline(Vec::new()),
            "stress scale" => Rows::Threads(Vec::new()),
            "stress soak" => Rows::Soak(Vec::new()),
            "stress trees" => Rows::Searches(Vec::new()),
            "tune" => Rows::Tune(Vec::new()),
            _ => Rows::Unknown(0),
        }
    }

    /// Adds a line.
    ///
    /// # Errors
    /// It is no row of this command.
    pub fn add(&mut self, line: &str) -> Result<(), serde_json::Error> {
        fn push<T: for<'a> Deserialize<'a>>(
            rows: &mut Vec<T>,
            line: &str,
        ) -> Result<(), serde_json::Error> {
            rows.push(serde_json::from_str(line)?);
            Ok(())
        }
        match self {
            Rows::Trees(rows) => push(rows, line),
            Rows::Threads(rows) => push(rows, line),
            Rows::Deadline(rows) => push(rows, line),
            Rows::Soak(rows) => push(rows, line),
            Rows::Searches(rows) => push(rows, line),
            Rows::Tune(rows) => push(rows, line),
            Rows::Unknown(count) => {
                *count += 1;
                Ok(())
            }
        }
    }
}

/// A run: its head and its rows.
#[derive(Clone, Debug)]
pub struct Run {
    /// What ran, where and when.
    pub head: Head,
    /// What was measured.
    pub rows: Rows,
}
