//! Files of measurements, `--json FILE` of the commands that measure: lines of JSON, which
//! `alesia-lab report` draws.
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
//! and leaves out what is not known. The fields of the other lines are in `docs/lab.md`.

use std::env;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

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

    /// Adds a line, an object of JSON without its line end.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, object: &str) -> io::Result<()> {
        // One write, so that a reader never finds half a line.
        self.0.write_all(format!("{object}\n").as_bytes())
    }
}

fn head(run: &str, program: &str, machine: &Machine) -> String {
    let Machine { host, processor, cores, kernel, memory, load } = machine;
    let words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into()).collect();
    let mut head = JsonObject::default()
        .text("run", run)
        .text("date", &date(SystemTime::now()))
        .text("program", program);
    let texts = [("commit", &commit()), ("host", host), ("processor", processor)];
    for (key, value) in texts.into_iter().chain([("kernel", kernel)]) {
        if let Some(value) = value {
            head = head.text(key, value);
        }
    }
    head = head.number("cores", *cores as f64);
    if let Some(memory) = memory {
        head = head.number("memory", *memory as f64);
    }
    if let Some(load) = load {
        head = head.numbers("load", load);
    }
    head.texts("command", &words).end()
}

/// A date and time of day in UTC, in the form of ISO 8601.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let [year, month, day] = calendar(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day that are `days` after 1 January 1970 (H. Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms": years begin in March, so that a leap day is their last).
fn calendar(days: u64) -> [u64; 3] {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let days = days + 719_468;
    let (era, of_era) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [400 * era + year + u64::from(month <= 2), month, day]
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

/// An object of JSON, written field by field.
#[derive(Clone, Debug, Default)]
pub struct JsonObject(String);

impl JsonObject {
    /// Adds a text.
    pub fn text(mut self, key: &str, value: &str) -> JsonObject {
        self.key(key);
        push_text(&mut self.0, value);
        self
    }

    /// Adds a number; nothing where it is infinite or no number, which JSON does not have.
    pub fn number(mut self, key: &str, value: f64) -> JsonObject {
        if value.is_finite() {
            self.key(key);
            // Writing to a string cannot fail.
            let _ = write!(self.0, "{value}");
        }
        self
    }

    fn numbers(mut self, key: &str, values: &[f64]) -> JsonObject {
        self.key(key);
        let values: Vec<String> = values.iter().map(f64::to_string).collect();
        let _ = write!(self.0, "[{}]", values.join(","));
        self
    }

    fn texts(mut self, key: &str, values: &[String]) -> JsonObject {
        self.key(key);
        for (index, value) in values.iter().enumerate() {
            self.0.push(if index == 0 { '[' } else { ',' });
            push_text(&mut self.0, value);
        }
        self.0.push_str(if values.is_empty() { "[]" } else { "]" });
        self
    }

    fn key(&mut self, key: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        push_text(&mut self.0, key);
        self.0.push(':');
    }

    /// The whole object.
    pub fn end(mut self) -> String {
        self.0.push_str(if self.0.is_empty() { "{}" } else { "}" });
        self.0
    }
}

/// Adds a text as JSON has it.
pub(crate) fn push_text(line: &mut String, text: &str) {
    line.push('"');
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
        assert!(head.starts_with(r#"{"run":"stress soak","date":"20"#), "{head}");
        for part in [
            r#","program":"alesia-lab 1.2.3","#,
            r#""host":"lab\"1\"","processor":"Some <CPU>","cores":2,"memory":8589934592,"#,
            r#""load":[0.5,1,0.25],"command":[""#,
        ] {
            assert!(head.contains(part), "{part} in {head}");
        }
        assert!(!head.contains("kernel") && head.ends_with("\"]}"), "{head}");
    }

    #[test]
    fn a_date_is_that_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_795_771_805, "2026-11-27T09:30:05Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        let object = JsonObject::default().number("a", f64::NAN).number("b", 0.25).end();
        assert_eq!(object, r#"{"b":0.25}"#);
        assert_eq!(JsonObject::default().number("a", f64::INFINITY).end(), "{}");
    }

    #[test]
    fn runs_follow_one_another_and_no_other_file_grows() {
        let folder = env::temp_dir().join(format!("alesia-measurements-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("runs.jsonl");
        for speed in [1.0, 2.0] {
            let mut file = Measurements::begin(&path, "scale", "alesia", "0.0.0").unwrap();
            file.add(&JsonObject::default().number("speed", speed).end()).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with(BEGINNING) && lines[2].starts_with(BEGINNING), "{text}");
        assert_eq!([lines[1], lines[3]], [r#"{"speed":1}"#, r#"{"speed":2}"#]);
        for other in ["buy milk\n", "{\"seed\":0}\n"] {
            std::fs::write(&path, other).unwrap();
            let error = Measurements::begin(&path, "scale", "alesia", "0.0.0").unwrap_err();
            assert!(error.to_string().starts_with("found something else in it"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
