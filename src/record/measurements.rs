//! Files of measurements, `--json FILE` of the commands that measure: lines of JSON, which
//! `alesia-lab games report` draws.
//!
//! The one idea: the first line of a run, its head, says which command ran, on which machine, at
//! which commit and when; each line after it is one measurement. A run is written as it goes, so
//! that one that is interrupted leaves what it has measured. Runs may follow one another in a file.
//!
//! The head has the fields
//!
//! | field | what it is |
//! |---|---|
//! | `run` | the command: `scale`, `stress deadline`, `stress soak`, `tune`, … |
//! | `date` | when it began, in UTC, as `2026-11-27T09:30:00Z` |
//! | `program`, `commit` | name and version of the program; the commit of its sources |
//! | `command` | the words of the command line |
//! | `host`, `processor`, `cores`, `kernel`, `memory`, `load` | [`Machine`], memory in bytes |
//!
//! and leaves out what is not known. The other lines have, times in ms unless named otherwise:
//!
//! | rows of | fields |
//! |---|---|
//! | `scale` | `game`, `threads`, `trees`, `speed` (per s), `games`, `score` (0 to 1), `error` |
//! | `stress scale` | `game`, `threads`, `trees`, `speed`; per million iterations `blocks`, |
//! | | `lost_claims`; `nodes`, `fill` (used part of the memory for nodes, 0 to 1), `kept` (nodes |
//! | | kept after the best move), `keep_ms`, `keep_speed` (MiB of nodes kept/s) |
//! | `stress deadline` | a game: `game`, `limit`, `answers`, `overshoots`, `ready`, `late`; last |
//! | | the probe: `period`, `beats` as pairs of lateness, to two digits, and count |
//! | `stress soak` | a game: `game`, `seconds` since the start, `moves`, `median`, `slowest`, |
//! | | `late`, `winner`; what the process then held: `memory`, `descriptors`, `threads` |
//! | `stress trees` | `seconds`, `searches` |
//! | `tune` | first `game`, `games`, `samples`, `current`; then `epoch`, `learned`, `held_out`. |
//! | | A loss is `value`, `moves`, `first`. |

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::record::machine::Machine;

/// What every head begins with.
pub const BEGINNING: &str = "{\"run\":";

/// A file that measurements are appended to.
#[derive(Debug)]
pub struct Measurements(File);

impl Measurements {
    /// Opens a file, or makes it, and writes the head of a run of the command `run`, such as
    /// `stress soak`. `version` is that of the program.
    ///
    /// # Errors
    /// The system's, or that the file holds something other than measurements.
    pub fn begin(path: &Path, run: &str, program: &str, version: &str) -> io::Result<Measurements> {
        if path.is_file() {
            let mut beginning = Vec::new();
            File::open(path)?.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
            if !beginning.is_empty() && beginning != BEGINNING.as_bytes() {
                let text = "found something else in it, expected a new file or one of --json";
                return Err(io::Error::other(text));
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut measurements = Measurements(file);
        let program = format!("{program} {version}");
        measurements.add(&head(run, &program, &Machine::now()))?;
        Ok(measurements)
    }

    /// Adds a row as a line.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, row: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(row).expect("plain data has a form in JSON");
        // One write, so that a reader never finds half a line.
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}

/// `alesia scale`: a number of trees.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TreesRow {
    /// The game.
    pub game: String,
    /// Search threads.
    pub threads: u32,
    /// Trees that they share.
    pub trees: u32,
    /// Iterations per second.
    pub speed: f64,
    /// Games against one tree, if any were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// Share of their points, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// The first line of a run.
#[derive(Serialize)]
struct Head<'a> {
    run: &'a str,
    date: String,
    program: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    #[serde(flatten)]
    machine: &'a Machine,
    command: Vec<String>,
}

fn head<'a>(run: &'a str, program: &'a str, machine: &'a Machine) -> Head<'a> {
    let command = env::args_os().map(|word| word.to_string_lossy().into()).collect();
    // To the second.
    let date = format!("{:.0}", Timestamp::now());
    Head { run, date, program, commit: commit(), machine, command }
}

/// The commit of this program's sources: that of its release, else that of the checkout that the
/// program was built in, with `-dirty` if files were changed.
fn commit() -> Option<String> {
    if let Some(commit) = option_env!("ALESIA_COMMIT") {
        return Some(commit.to_owned());
    }
    let program = env::current_exe().ok()?;
    let is_ours = |folder: &&Path| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml"));
        folder.join(".git").exists()
            && manifest.is_ok_and(|text| text.contains("name = \"alesia\""))
    };
    let root = program.ancestors().find(is_ours)?;
    let mut git = Command::new("git");
    git.arg("-C").arg(root).args(["describe", "--always", "--dirty", "--exclude=*"]);
    let output = git.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_what_ran_where() {
        let machine = Machine {
            host: Some("lab\"1\"".into()),
            processor: Some("Some <CPU>".into()),
            cores: 2,
            kernel: None,
            memory: Some(8 << 30),
            load: Some([0.5, 1.0, 0.25]),
        };
        let head = head("stress soak", "alesia-lab 1.2.3", &machine);
        let head = serde_json::to_string(&head).unwrap();
        assert!(head.starts_with(r#"{"run":"stress soak","date":"20"#), "{head}");
        for part in [
            r#","program":"alesia-lab 1.2.3","#,
            r#""host":"lab\"1\"","processor":"Some <CPU>","cores":2,"memory":8589934592,"#,
            r#""load":[0.5,1.0,0.25],"command":[""#,
        ] {
            assert!(head.contains(part), "{part} in {head}");
        }
        assert!(!head.contains("kernel") && head.ends_with("\"]}"), "{head}");
    }

    #[test]
    fn runs_follow_one_another_and_no_other_file_grows() {
        let folder = env::temp_dir().join(format!("alesia-measurements-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("runs.jsonl");
        for speed in [1.0, 2.0] {
            let mut file = Measurements::begin(&path, "scale", "alesia", "0.0.0").unwrap();
            file.add(&serde_json::json!({ "speed": speed })).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with(BEGINNING) && lines[2].starts_with(BEGINNING), "{text}");
        assert_eq!([lines[1], lines[3]], [r#"{"speed":1.0}"#, r#"{"speed":2.0}"#]);
        for other in ["buy milk\n", "{\"seed\":0}\n"] {
            std::fs::write(&path, other).unwrap();
            let error = Measurements::begin(&path, "scale", "alesia", "0.0.0").unwrap_err();
            assert!(error.to_string().starts_with("found something else in it"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
