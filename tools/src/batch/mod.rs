//! `alesia-lab match batch`: one file says which match or which self-play runs on which machines.
//!
//! The one idea: the games are cut into parts that depend on nothing but their numbers; GNU
//! parallel or Slurm spreads the parts over the machines. `sprt --stdin` counts the games of a
//! match, `tune` fits to those of self-play.

mod work;

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use alesia::game::{ParseError, quoted};
use alesia::words::command_error::CommandError;
use alesia_match::files::disk;
use clap::Args;
use serde::Deserialize;

use crate::shell::in_shell;
use crate::toml_file;
use work::Work;

const FILES: &str = "\
The file, for example:
  match = \"-game loa -engine name=new option.exploration=1.3 -engine name=old -each nodes=5000
           -srand 7 -rounds 500\"
  part = 10                     # pairs of games in each part [default: 10]
  hosts = [\"4/lab1\", \"4/lab2\"]  # four parts at once on each machine [default: this machine]
  ssh = \"ssh -F config\"         # how to reach them [default: ssh]
  program = \"alesia-lab\"        # the lab on each machine [default: alesia-lab]
  retries = 5                   # tries of a part [default: 5]

The games go to a file beside it, named as it is but for the end .jsonl; what has been done is in
one that ends in .log, so the same command continues a batch that was interrupted. With a limit in
nodes and one thread for each player, the games are those of one match on one machine.

Self-play has, in place of match and part:
  tune = \"loa --games 40000\"   # words of `alesia-lab train tune`; one thread, if not said otherwise
  shards = 10                   # how many parts [default: 10]

Each shard goes to a file beside the batch that ends in .IofN.games, also on the machine that plays
it, where a path without / at its front is seen from the folder of the login; rsync brings it back. A
shard that was interrupted continues if its machine plays it again. The last line that is printed is
the command that fits to all of them.";

/// The arguments of `alesia-lab match batch`.
#[derive(Args)]
#[command(after_help = FILES)]
pub struct Batch {
    /// File that describes the batch: a match, or self-play.
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
            .map_err(|error| CommandError::Failed(format!("{place}: {error}")))?;
        let plan = Plan::read(&text, &place)?;
        if !self.parts && !self.slurm {
            plan.check_log(&self.file)?;
        }
        match (self.parts, self.slurm, self.run) {
            (true, ..) => Ok(stdout().write_all(plan.work.list_of_parts().as_bytes())?),
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
    words: Option<String>,
    tune: Option<String>,
    part: Option<u32>,
    shards: Option<u32>,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    ssh: Option<String>,
    #[serde(default = "default_program")]
    program: String,
    #[serde(default = "default_retries")]
    retries: u32,
}

fn default_program() -> String {
    "alesia-lab".to_owned()
}

fn default_retries() -> u32 {
    5
}

/// A batch whose work has been checked.
#[derive(Debug)]
struct Plan {
    file: File,
    work: Work,
}

impl Plan {
    fn read(text: &str, place: &str) -> Result<Plan, CommandError> {
        let file: File = toml_file::read(text, place, "a batch")?;
        if file.retries == 0 {
            let place = format!("{place}, retries");
            return Err(ParseError::new(place, "0", "a whole number of tries from 1").into());
        }
        let work = Work::read(&file, place)?;
        Ok(Plan { file, work })
    }

    /// The arguments of GNU parallel.
    fn parallel(&self, file: &Path) -> Vec<String> {
        let File { hosts, ssh, retries, program, .. } = &self.file;
        let mut words = Vec::new();
        let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if let Some(ssh) = ssh {
            add("--ssh", ssh.clone());
        }
        if !hosts.is_empty() {
            add("--sshlogin", hosts.join(","));
        }
        let command = match &self.work {
            Work::Match(of) => of.part_command(program, "{}"),
            Work::SelfPlay(of) => {
                let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.map(|folder| in_shell([&*folder.display().to_string()]));
                if !hosts.is_empty() {
                    add("--return", of.file_of_part(file, "{}"));
                }
                let there = folder.filter(|_| !hosts.is_empty());
                let there = there.map_or(String::new(), |folder| format!("mkdir -p {folder} && "));
                there + &of.part_command(program, file, "{}")
            }
        };
        add("--joblog", file.with_extension("log").display().to_string());
        words.push("--resume-failed".to_owned());
        words.extend(["--retries".to_owned(), retries.to_string(), command]);
        words
    }

    /// Checks that the log of earlier runs is of these parts: it is continued by their numbers.
    fn check_log(&self, file: &Path) -> Result<(), CommandError> {
        let path = file.with_extension("log");
        let text = match disk::read_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                return Err(CommandError::Failed(format!("{}: {error}", path.display())));
            }
        };
        let command = self.parallel(file).pop().unwrap_or_default();
        let parts = self.work.list_of_parts();
        let parts: Vec<&str> = parts.lines().collect();
        // The last line may have been cut short.
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        for (number, line) in (1..).zip(whole).skip(1) {
            let mut fields = line.split('\t');
            let part = fields.next().and_then(|field| field.parse::<usize>().ok());
            let part = part.and_then(|part| parts.get(part.checked_sub(1)?));
            let done = fields.next_back().unwrap_or_default();
            if part.is_none_or(|part| command.replace("{}", part) != done) {
                let place = format!("{}, line {number}", path.display());
                let expected = format!("a part of {}, or another file", file.display());
                return Err(ParseError::new(place, quoted(done), expected).into());
            }
        }
        Ok(())
    }

    /// The lines that do it all.
    fn line(&self, file: &Path) -> String {
        let parallel = self.parallel(file);
        let line = format!(
            "{} | {}",
            in_shell(["alesia-lab", "match", "batch", &file.display().to_string(), "--parts"]),
            in_shell(["parallel"].into_iter().chain(parallel.iter().map(String::as_str))),
        );
        match &self.work {
            Work::Match(_) => {
                let games = in_shell([&*file.with_extension("jsonl").display().to_string()]);
                format!("{line} >> {games}")
            }
            Work::SelfPlay(of) => format!("{line}\n{}", of.fit_command(file)),
        }
    }

    fn run_parallel(&self, file: &Path) -> Result<(), CommandError> {
        let mut command = Command::new("parallel");
        command.args(self.parallel(file));
        if let Work::Match(_) = self.work {
            let path = file.with_extension("jsonl");
            let games = OpenOptions::new().create(true).append(true).open(&path);
            command.stdout(
                games.map_err(|error| {
                    CommandError::Failed(format!("{}: {error}", path.display()))
                })?,
            );
        }
        run(&mut command, self.work.list_of_parts().as_bytes(), "GNU parallel")?;
        if let Work::SelfPlay(of) = &self.work {
            writeln!(stdout(), "all shards are played; to fit: {}", of.fit_command(file))?;
        }
        Ok(())
    }

    /// A job array: each of its tasks plays a part into a file of its own.
    fn slurm_script(&self, file: &Path) -> String {
        let File { program, .. } = &self.file;
        let (last, task) = match &self.work {
            Work::Match(of) => of.slurm_task(program, file),
            Work::SelfPlay(of) => of.slurm_task(program, file),
        };
        let name = file.file_stem().unwrap_or(OsStr::new("batch")).to_string_lossy();
        format!(
            "#!/bin/bash\n\
             #SBATCH --job-name={}\n\
             #SBATCH --array=0-{last}\n\
             #SBATCH --requeue\n\
             {task}",
            in_shell([&*name]),
        )
    }
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
        assert_eq!(plan.work.list_of_parts(), "0..10\n10..20\n20..25\n");
    }

    #[test]
    fn a_line_for_parallel() {
        let expected = "alesia-lab match batch some/b.toml --parts | parallel --sshlogin '4/lab1,2/lab2' \
                        --joblog some/b.log --resume-failed --retries 5 \
                        \"alesia-lab match -game hadron5 -engine 'name=a b' -engine 'name=c' \
                        -each 'nodes=50' -srand 7 -rounds 25 -pairs {} -jsonl\" >> some/b.jsonl";
        assert_eq!(plan(TEXT).unwrap().line(Path::new("some/b.toml")), expected);
    }

    #[test]
    fn braces_in_a_name_are_no_marks_of_parallel() {
        for name in ["a{}b", "{}", "{.}", "{#}", "{1}", "it's {}", "{{}"] {
            // In TOML a quote and a backslash need a backslash.
            let quoted = shlex::try_quote(name).unwrap().replace('\\', "\\\\").replace('"', "\\\"");
            let text = TEXT.replace("'a b'", &quoted);
            let plan = plan(&text).unwrap();
            let command = plan.parallel(Path::new("b.toml")).pop().unwrap();
            assert_eq!(command.matches("{}").count(), 1, "{command}");
            for mark in ["{.}", "{#}", "{1}"] {
                assert!(!command.contains(mark), "{command}");
            }
            let words = shlex::split(&command.replace("{}", "0..10")).unwrap();
            assert!(words.contains(&format!("name={name}")), "{words:?}");
        }
    }

    #[test]
    fn a_job_array_for_slurm() {
        let script = plan(TEXT).unwrap().slurm_script(Path::new("b.toml"));
        assert!(script.contains("#SBATCH --array=0-2\n"), "{script}");
        assert!(script.contains("first=$((SLURM_ARRAY_TASK_ID * 10))\n"), "{script}");
        assert!(script.contains(" -pairs $first..$end -jsonl > b.$first.new &&\n"), "{script}");
    }

    #[test]
    fn self_play_falls_into_shards() {
        let text = "tune = \"murus --nodes 9 --games 50\"\nshards = 3\nhosts = ['1/lab1']";
        let plan = plan(text).unwrap();
        assert_eq!(plan.work.list_of_parts(), "0\n1\n2\n");
        let expected = "alesia-lab match batch some/b.toml --parts | parallel --sshlogin 1/lab1 \
                        --return 'some/b.{}of3.games' --joblog some/b.log --resume-failed \
                        --retries 5 'mkdir -p some && alesia-lab train tune murus --nodes 9 \
                        --games 50 --threads 1 --shard {}/3 --data some/b.{}of3.games'\n\
                        alesia-lab train tune murus --nodes 9 --games 50 --data some/b.*of3.games";
        assert_eq!(plan.line(Path::new("some/b.toml")), expected);
        let script = plan.slurm_script(Path::new("b.toml"));
        let end = "#SBATCH --array=0-2\n#SBATCH --requeue\nalesia-lab train tune murus --nodes 9 \
                   --games 50 --threads 1 --shard ${SLURM_ARRAY_TASK_ID}/3 \
                   --data b.${SLURM_ARRAY_TASK_ID}of3.games\n# When all have ended: alesia-lab \
                   train tune murus --nodes 9 --games 50 --data b.*of3.games\n";
        assert!(script.ends_with(end), "{script}");
    }

    #[test]
    fn self_play_here_needs_no_transfer() {
        let plan = plan("tune = 'loa --threads 2'").unwrap();
        let expected = "alesia-lab match batch some/b.toml --parts | parallel --joblog some/b.log \
                        --resume-failed --retries 5 'alesia-lab train tune loa --threads 2 \
                        --shard {}/10 --data some/b.{}of10.games'\n\
                        alesia-lab train tune loa --threads 2 --data some/b.*of10.games";
        assert_eq!(plan.line(Path::new("some/b.toml")), expected);
    }

    #[test]
    fn a_file_that_is_not_there_is_no_fault_of_the_words() {
        let file = PathBuf::from("no/batch.toml");
        let batch = Batch { file, run: false, slurm: false, parts: false };
        let error = batch.run().unwrap_err();
        assert!(matches!(error, CommandError::Failed(_)), "{error:?}");
        assert!(error.to_string().starts_with("no/batch.toml: "), "{error}");
    }

    #[test]
    fn a_log_of_other_parts_is_refused() {
        let file = std::env::temp_dir().join(format!("alesia-batch-{}.toml", std::process::id()));
        let log = file.with_extension("log");
        let before = plan(TEXT).unwrap();
        assert!(before.check_log(&file).is_ok(), "there is none");
        let command = before.parallel(&file).pop().unwrap();
        let row = |number, part| {
            let command = command.replace("{}", part);
            format!("{number}\t:\t1795836894.218\t0.003\t0\t28\t0\t0\t{command}\n")
        };
        let head = "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n";
        let text = format!("{head}{}{}3\tcut", row(2, "10..20"), row(1, "0..10"));
        std::fs::write(&log, text).unwrap();
        assert!(before.check_log(&file).is_ok());
        for (from, to) in [("nodes=50", "nodes=60"), ("-rounds 25", "-rounds 26 -recover")] {
            let after = plan(&TEXT.replace(from, to)).unwrap();
            let error = after.check_log(&file).unwrap_err().to_string();
            let place = format!("{}, line 2: found `alesia-lab match", log.display());
            assert!(error.starts_with(&place), "{error}");
            assert!(error.ends_with("or another file"), "{error}");
        }
        let other_parts = plan(&format!("{TEXT}part = 20")).unwrap();
        assert!(other_parts.check_log(&file).is_err());
        std::fs::remove_file(log).unwrap();
    }

    #[test]
    fn errors_in_a_file_have_their_place() {
        for (text, expected) in [
            ("match = 5", "b.toml, line 1: found `match = 5`, expected a batch ("),
            (
                &format!("{TEXT}retries = 0"),
                "b.toml, retries: found 0, expected a whole number of tries from 1",
            ),
            ("part = 5", "b.toml: found neither, expected one of match and tune"),
            (&format!("{TEXT}tune = 'loa'"), "b.toml: found both, expected one of match and tune"),
            (
                &format!("{TEXT}shards = 3"),
                "b.toml, shards: found shards, expected only tune to ha",
            ),
            ("tune = 'loa'\npart = 3", "b.toml, part: found part, expected only match to have it"),
            ("tune = 'loa'\nshards = 0", "b.toml, shards: found 0, expected a whole number from 1"),
            ("tune = 'lao'", "b.toml, tune, "),
            ("tune = 'loa --games 1'", "b.toml, tune, --games: found `1`, expected a whole number"),
            ("tune = 'loa --gmaes 1'", "b.toml, tune, unexpected argument '--gmaes' found"),
            ("tune = 'loa --shard 0/2'", "b.toml, tune: found --shard, expected self-play without"),
            ("tune = 'loa --epochs 2'", "b.toml, tune: found --epochs, expected self-play without"),
            ("tune = 'loa --data x'", "b.toml, tune: found --data, expected self-play without it,"),
            (
                "match = \"-game loa \\\"x\"",
                "b.toml, match: found `-game loa \\\"x`, expected words",
            ),
            ("match = \"-game loa -jsonl\"", "b.toml, match: found -jsonl, expected a match"),
            (
                &TEXT.replace("-rounds", "-sprt elo0=0 elo1=9 -rounds"),
                "b.toml, match: found -sprt, expected a match without it, and `alesia-lab match sprt --s",
            ),
            (&TEXT.replace("-rounds", "-games 1 -rounds"), "b.toml, match, "),
            (&TEXT.replace("-rounds", "-ratinginterval 5 -rounds"), "b.toml, match, "),
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
