//! The file of a run: its settings, then a line for each step, with its result.
//!
//! The one idea: what was random follows from the settings, so the results alone say where the
//! values stand. A step is in the file before the next begins, so an interruption costs one at
//! most.

use std::io;
use std::path::Path;

use alesia::game::{ParseError, quoted};
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::checked_line::{json_line, read_as};
use alesia::record::lock::Lock;
use alesia::record::system_file::{Medium, SystemFile};
use alesia::words::command_error::CommandError;
use serde::{Deserialize, Serialize};

use super::method::{TunedParameter, Tuner};

/// What a line of a file is, in errors.
const LINE: &str = "a line of `alesia-lab train spsa`";

/// All that the results of a run depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The game, as on the command line.
    pub spsa: String,
    /// What both players are set to, beside what is tuned.
    pub set: Vec<String>,
    pub nodes: u64,
    pub pairs: u32,
    pub steps: u32,
    pub gain: f64,
    pub seed: u64,
    /// Of each player, in bytes: a full tree grows no further.
    pub memory: usize,
    pub parameters: Vec<TunedParameter>,
}

impl Settings {
    /// A tuner that begins with these settings.
    pub fn tuner(&self) -> Tuner {
        Tuner::new(self.parameters.clone(), self.steps, self.gain, self.seed)
    }

    /// The first setting that differs: as it is here, and in the other.
    pub fn difference(&self, other: &Settings) -> Option<(String, String)> {
        let [own, other] = [self, other]
            .map(|settings| serde_json::to_value(settings).expect("plain data has a form in JSON"));
        let keys =
            ["spsa", "set", "nodes", "pairs", "steps", "gain", "seed", "memory", "parameters"];
        let said = |of: &serde_json::Value, key| format!("{key} {}", of[key]);
        let differing = keys.into_iter().find(|&key| own[key] != other[key]);
        differing.map(|key| (said(&own, key), said(&other, key)))
    }
}

/// A step that is done.
#[derive(Debug, Serialize, Deserialize)]
struct Step {
    step: u32,
    /// Of the first side.
    points: f64,
    /// For people: the values after it.
    #[serde(default)]
    values: Vec<String>,
}

/// A run as its file has it.
pub struct Kept {
    pub settings: Settings,
    pub tuner: Tuner,
    /// Bytes of whole lines.
    whole: u64,
}

impl Kept {
    /// Reads a run; none where the file has no whole line.
    ///
    /// # Errors
    /// A line that is not one of a run.
    fn of(text: &str, place: &str) -> Result<Option<Kept>, CommandError> {
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = (1..).zip(text[..whole].lines());
        let Some((_, head)) = lines.next() else { return Ok(None) };
        let settings: Settings = read_as(&format!("{place}, line 1"), head, LINE)?;
        let mut tuner = settings.tuner();
        for (number, line) in lines {
            let place = format!("{place}, line {number}");
            let step: Step = read_as(&place, line, LINE)?;
            let games = f64::from(2 * settings.pairs);
            if tuner.is_done() || step.step != tuner.done() + 1 {
                let expected = match tuner.is_done() {
                    true => "the end".to_owned(),
                    false => format!("step {}", tuner.done() + 1),
                };
                return Err(ParseError::new(place, format!("step {}", step.step), expected).into());
            }
            if !(0.0..=games).contains(&step.points) {
                let found = format!("{} points", step.points);
                return Err(ParseError::new(place, found, format!("0 to {games}")).into());
            }
            tuner.learn(2.0 * step.points / games - 1.0);
        }
        Ok(Some(Kept { settings, tuner, whole: whole as u64 }))
    }

    /// Reads a run that nobody continues.
    ///
    /// # Errors
    /// The system's, or the file is not one of a run.
    pub fn read(path: &Path) -> Result<Kept, CommandError> {
        let place = path.display().to_string();
        let text = alesia_match::files::disk::read_text(path)
            .map_err(|error| CommandError::Failed(format!("{place}: {error}")))?;
        let none =
            || ParseError::new(&*place, "no whole line", "a file of `alesia-lab train spsa`");
        Ok(Kept::of(&text, &place)?.ok_or_else(none)?)
    }
}

/// A file that a run is written to, by nobody else.
pub struct RunFile {
    place: String,
    file: AppendOnlyFile,
}

impl RunFile {
    /// Opens the file of a run, or makes it; where its values stand.
    ///
    /// # Errors
    /// The system's, or the file has a run with other settings.
    pub fn open(path: &Path, settings: &Settings) -> Result<(RunFile, Tuner), CommandError> {
        let place = path.display().to_string();
        let failed = |error: io::Error| CommandError::Failed(format!("{place}: {error}"));
        let mut medium = SystemFile::open(path, true).map_err(failed)?;
        if !medium.is_plain() {
            return Err(failed(io::Error::other("found a device or a pipe, expected a file")));
        }
        let lock = Lock::take(path).map_err(failed)?;
        let bytes = medium.read(0).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let own = json_line(settings);
        let kept = Kept::of(&text, &place)?;
        if let Some((found, expected)) =
            kept.as_ref().and_then(|kept| kept.settings.difference(settings))
        {
            let expected = format!("{expected}, or another file");
            return Err(ParseError::new(format!("{place}, line 1"), found, expected).into());
        }
        if kept.is_none() && !own.starts_with(&*text) {
            let expected = "a new file or one of `alesia-lab train spsa`";
            return Err(ParseError::new(place, quoted(&text), expected).into());
        }
        let whole = kept.as_ref().map_or(0, |kept| kept.whole);
        if whole < bytes.len() as u64 {
            medium.cut(whole).map_err(failed)?;
        }
        let mut file = AppendOnlyFile::new(medium, Some(lock)).map_err(failed)?;
        let tuner = match kept {
            Some(kept) => kept.tuner,
            None => {
                file.add(settings);
                file.commit().map_err(failed)?;
                settings.tuner()
            }
        };
        Ok((RunFile { place, file }, tuner))
    }

    /// Adds the step that the tuner has just learned from.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, tuner: &Tuner, points: f64) -> Result<(), CommandError> {
        self.file.add(&Step { step: tuner.done(), points, values: tuner.said(tuner.values()) });
        let failed = |error| CommandError::Failed(format!("{}: {error}", self.place));
        self.file.commit().map_err(failed)
    }
}
