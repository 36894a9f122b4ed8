//! `alesia-lab batch`: one file says which match is played on which machines.
//!
//! The one idea: the pairs of a match are cut into parts that depend on nothing but their numbers;
//! GNU parallel or Slurm spreads the parts over the machines, and `sprt --stdin` counts the games.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write, stdout};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use alesia::game::{ParseError, quoted};
use alesia_match::disk;
use alesia_match::error::CommandError;
use alesia_match::grammar::groups;
use alesia_match::options::Options;
use clap::Args;
use serde::Deserialize;

use crate::toml_file;

const FILES: &str = "\
The file, for example:
  match = \"-game loa -engine name=new option.exploration=1.3 -engine name=old -each nodes=5000
           -srand 7 -rounds 500\"
  part = 10                     # pairs of games in each part [default: 10]
  hosts = [\"4/lab1\", \"4/lab2\"]  # four parts at once on each machine [default: this machine]
  ssh = \"ssh -F config\"         # how to reach them [default: ssh]
  program = \"alesia-lab\"        # the lab on each machine [default: alesia-lab]
  retries = 5                   # of a part that fails [default: 5]

The games go to a file beside it, named as it is but for the end .jsonl; what has been done is in
one that ends in .log, so the same command continues a batch that was interrupted. With a limit in
nodes and one thread for each player, the games are those of one match on one machine.";

/// The arguments of `alesia-lab batch`.
#[derive(Args)]
#[command(after_help = FILES)]
pub struct Batch {
    /// File that describes the batch.
    file: PathBuf,
    /// Starts it, instead of printing how.
    #[arg(long)]
    run: bool,
    /// Writes a job array for Slurm (sbatch) instead of a line for GNU parallel.
    #[arg(long)]
    slurm: bool,
    /// Prints the parts, as GNU parallel reads them.
    #[arg(long, conflicts_with_all = ["run", "slurm"])]
    parts: bool,
}

impl Batch {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let place = self.file.display().to_string();
        let text = disk::read_text(&self.file)
            .map_err(|error| CommandError::Usage(format!("{place}: {error}")))?;
        let plan = Plan::read(&text, &place)?;
        match (self.parts, self.slurm, self.run) {
            (true, ..) => Ok(stdout().write_all(plan.list_of_parts().as_bytes())?),
            (_, false, false) => Ok(writeln!(stdout(), "{}", plan.line(&self.file))?),
            (_, true, false) => Ok(stdout().write_all(plan.slurm_script(&self.file).as_bytes())?),
            (_, false, true) => plan.run_parallel(&self.file),
            (_, true, true) => run(
                &mut Command::new("sbatch"),
                plan.slurm_script(&self.file).as_bytes(),
                "Slurm's sbatch",
            ),
        }
    }
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "match")]
    words: String,
    #[serde(default = "default_part")]
    part: u32,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    ssh: Option<String>,
    #[serde(default = "default_program")]
    program: String,
    #[serde(default = "default_retries")]
    retries: u32,
}

fn default_part() -> u32 {
    10
}

fn default_program() -> String {
    "alesia-lab".to_owned()
}

fn default_retries() -> u32 {
    5
}

/// A batch whose match has been checked.
#[derive(Debug)]
struct Plan {
    file: File,
    words: Vec<String>,
    /// Pairs of games in all.
    pairs: u32,
}

/// What a part says itself, and what would be written on another machine.
const NOT_IN_A_BATCH: [&str; 7] =
    ["-pairs", "-jsonl", "-config", "-pgnout", "-jsonlout", "-log", "-board"];

impl Plan {
    fn read(text: &str, place: &str) -> Result<Plan, CommandError> {
        let file: File = toml_file::read(text, place, "a batch")?;
        let place = |key: &str| format!("{place}, {key}");
        let words = shlex::split(&file.words).ok_or_else(|| {
            ParseError::new(place("match"), quoted(&file.words), "words, with quotes closed")
        })?;
        let all = groups(&words).map_err(|error| error.within(place("match")))?;
        if let Some(group) = all.iter().find(|group| NOT_IN_A_BATCH.contains(&&*group.place)) {
            let expected = "a match without it, as each part has its own";
            return Err(ParseError::new(place("match"), group.place.clone(), expected).into());
        }
        let options = Options::read(&words).map_err(|error| match error {
            CommandError::Usage(text) => CommandError::Usage(format!("{}, {text}", place("match"))),
            other => other,
        })?;
        if file.part == 0 {
            return Err(ParseError::new(place("part"), "0", "a whole number from 1").into());
        }
        let pairs = options.terms.schedule.pairs();
        Ok(Plan { file, words, pairs })
    }

    fn parts(&self) -> impl Iterator<Item = Range<u32>> {
        let (part, pairs) = (self.file.part, self.pairs);
        (0..pairs.div_ceil(part))
            .map(move |number| number * part..(number + 1).saturating_mul(part).min(pairs))
    }

    fn list_of_parts(&self) -> String {
        self.parts().map(|Range { start, end }| format!("{start}..{end}\n")).collect()
    }

    /// The command of a part; `pairs` is as the shell sees it.
    fn part_command(&self, pairs: &str) -> String {
        let words = self.words.iter().map(String::as_str);
        let command = [self.file.program.as_str(), "match"].into_iter().chain(words);
        format!("{} -pairs {pairs} -jsonl", in_shell(command))
    }

    /// The arguments of GNU parallel.
    fn parallel(&self, file: &Path) -> Vec<String> {
        let File { hosts, ssh, retries, .. } = &self.file;
        let mut words = Vec::new();
        let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if let Some(ssh) = ssh {
            add("--ssh", ssh.clone());
        }
        if !hosts.is_empty() {
            add("--sshlogin", hosts.join(","));
        }
        add("--joblog", file.with_extension("log").display().to_string());
        words.push("--resume-failed".to_owned());
        words.extend(["--retries".to_owned(), retries.to_string(), self.part_command("{}")]);
        words
    }

    /// The line that does it all.
    fn line(&self, file: &Path) -> String {
        let parallel = self.parallel(file);
        format!(
            "{} | {} >> {}",
            in_shell(["alesia-lab", "batch", &file.display().to_string(), "--parts"]),
            in_shell(["parallel"].into_iter().chain(parallel.iter().map(String::as_str))),
            in_shell([&*file.with_extension("jsonl").display().to_string()]),
        )
    }

    fn run_parallel(&self, file: &Path) -> Result<(), CommandError> {
        let path = file.with_extension("jsonl");
        let games = OpenOptions::new().create(true).append(true).open(&path);
        let games =
            games.map_err(|error| CommandError::Failed(format!("{}: {error}", path.display())))?;
        let mut command = Command::new("parallel");
        command.args(self.parallel(file)).stdout(games);
        run(&mut command, self.list_of_parts().as_bytes(), "GNU parallel")
    }

    /// A job array: each of its tasks plays a part into a file of its own.
    fn slurm_script(&self, file: &Path) -> String {
        let File { part, .. } = self.file;
        let (last, pairs) = (self.parts().count() - 1, self.pairs);
        let stem = file.with_extension("").display().to_string();
        let games = in_shell([&*stem]);
        let name = file.file_stem().unwrap_or(OsStr::new("batch")).to_string_lossy();
        format!(
            "#!/bin/bash\n\
             #SBATCH --job-name={}\n\
             #SBATCH --array=0-{last}\n\
             #SBATCH --requeue\n\
             first=$((SLURM_ARRAY_TASK_ID * {part}))\n\
             end=$((first + {part} < {pairs} ? first + {part} : {pairs}))\n\
             # Whole or not at all, so that a part that was cut off is played again.\n\
             {} > {games}.$first.new &&\n    mv {games}.$first.new {games}.$first.jsonl\n",
            in_shell([&*name]),
            self.part_command("$first..$end"),
        )
    }
}

/// Words as a shell reads them; none has a zero byte, as they come from a text or the system.
fn in_shell<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    shlex::try_join(words).expect("no zero byte")
}

/// Runs a program with something to read, and waits for its end.
fn run(command: &mut Command, input: &[u8], what: &str) -> Result<(), CommandError> {
    let name = command.get_program().display().to_string();
    let failed = |text: String| CommandError::Failed(format!("{name}: {text}"));
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(|error| {
        failed(format!("found no program that starts ({error}), expected {what} in the PATH"))
    })?;
    let mut to_child = child.stdin.take().expect("it is piped");
    match to_child.write_all(input) {
        // It has ended, and its status says why.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(failed(error.to_string()));
        }
        _ => drop(to_child),
    }
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    match status.success() {
        true => Ok(()),
        false => Err(failed(format!("ended with {status}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
match = "-game hadron5 -engine name='a b' -engine name=c -each nodes=50 -srand 7 -rounds 25"
hosts = ["4/lab1", "2/lab2"]
"#;

    fn plan(text: &str) -> Result<Plan, String> {
        Plan::read(text, "b.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn the_parts_are_the_whole() {
        let plan = plan(TEXT).unwrap();
        assert_eq!(plan.list_of_parts(), "0..10\n10..20\n20..25\n");
    }

    #[test]
    fn a_line_for_parallel() {
        let expected = "alesia-lab batch some/b.toml --parts | parallel --sshlogin '4/lab1,2/lab2' \
                        --joblog some/b.log --resume-failed --retries 5 \
                        \"alesia-lab match -game hadron5 -engine 'name=a b' -engine 'name=c' \
                        -each 'nodes=50' -srand 7 -rounds 25 -pairs {} -jsonl\" >> some/b.jsonl";
        assert_eq!(plan(TEXT).unwrap().line(Path::new("some/b.toml")), expected);
    }

    #[test]
    fn a_job_array_for_slurm() {
        let script = plan(TEXT).unwrap().slurm_script(Path::new("b.toml"));
        assert!(script.contains("#SBATCH --array=0-2\n"), "{script}");
        assert!(script.contains("first=$((SLURM_ARRAY_TASK_ID * 10))\n"), "{script}");
        assert!(script.contains(" -pairs $first..$end -jsonl > b.$first.new &&\n"), "{script}");
    }

    #[test]
    fn what_is_wrong_in_a_file_has_its_place() {
        for (text, expected) in [
            ("match = 5", "b.toml, line 1: found `match = 5`, expected a batch ("),
            (
                "part = 5",
                "b.toml, line 1: found `part = 5`, expected a batch (missing field `match`",
            ),
            (
                "match = \"-game loa \\\"x\"",
                "b.toml, match: found `-game loa \\\"x`, expected words",
            ),
            ("match = \"-game loa -jsonl\"", "b.toml, match: found -jsonl, expected a match"),
            ("match = \"-game lao\"", "b.toml, match, game: found `lao`, expected murus"),
            (&format!("{TEXT}part = 0"), "b.toml, part: found 0, expected a whole number from 1"),
            (
                &format!("{TEXT}port = 0"),
                "b.toml, line 4: found `port = 0`, expected a batch (unkn",
            ),
        ] {
            let error = plan(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
