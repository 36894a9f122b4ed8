//! `alesia-lab`, the lab around Alesia: measures the player and shows it.
//!
//! One file per subcommand, joined here. Results go to standard output. Exit status 0: done; 1: the
//! run failed (one line on standard error); 2: unusable arguments (one line too).

#![cfg_attr(fuzzing, no_main)]

mod batch;
#[cfg(test)]
mod documents;
mod export;
mod files;
mod import;
mod levels;
mod odds;
mod openings;
mod out;
#[cfg(any(test, fuzzing))]
mod properties;
mod replay;
mod report;
mod shell;
mod solve;
mod sprt;
mod spsa;
mod stepping;
mod stress;
mod toml_file;
mod tournament;
mod tune;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use alesia::words::arguments::explain;
use alesia::words::command_error::CommandError;
use alesia::words::command_pages::{Completions, Man};
use alesia::words::dashes::two_dashes;
use alesia::words::interruption::outlive_file_size_limits;
use alesia::words::stack::with_enough_stack;
use alesia_board::Board;
use alesia_match::command::Match;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

/// The name of this program.
const PROGRAM: &str = "alesia-lab";

/// The names under which this program is a match runner begin so: OpenBench's client calls
/// `fastchess-ob`.
const RUNNER: &str = "fastchess";

/// Measures Alesia and shows its games.
#[derive(Parser)]
#[command(name = PROGRAM, version, arg_required_else_help = false)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Opens a page in the browser to watch, play and analyse games.
    Board(Board),
    /// Plays a match between engines or external programs, with Elo and a sequential test (SPRT).
    Match(WholeMatch),
    /// Plays a tournament defined in a file: groups, double round robin, standings.
    Tournament(tournament::Tournament),
    /// Checks and shows game records, converts them, draws charts of them.
    #[command(subcommand)]
    Games(Games),
    /// Trains networks, tunes parameters, builds books, measures levels and odds, solves boards.
    #[command(subcommand)]
    Train(Train),
    /// Stress tests: deadlines under load, oversubscription, endurance.
    Stress(stress::Stress),
    /// Prints what a shell needs to complete the words of this program.
    Completions(Completions),
    /// Prints the manual page of this program or of one of its commands.
    Man(Man),
}

/// A match, or what is computed of one.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
struct WholeMatch {
    #[command(flatten)]
    command: Match,
    #[command(subcommand)]
    part: Option<PartOfMatch>,
}

#[derive(Subcommand)]
enum PartOfMatch {
    /// Computes Elo and the sequential probability ratio test (SPRT) from counts of game pairs.
    Sprt(sprt::Sprt),
    /// Spreads a match or self-play over machines, with GNU parallel or Slurm.
    Batch(batch::Batch),
}

impl WholeMatch {
    fn run(self) -> Result<(), CommandError> {
        match self.part {
            None => self.command.run(alesia_board::server::beside_a_match::of_match),
            Some(PartOfMatch::Sprt(command)) => command.run(),
            Some(PartOfMatch::Batch(command)) => command.run(),
        }
    }
}

#[derive(Subcommand)]
enum Games {
    /// Plays recorded games again by the rules, and names those whose moves or result are wrong.
    Check(replay::Check),
    /// Writes game records as PGN, SGF, CSV or move lists.
    Export(export::Export),
    /// Reads games from PGN, SGF, move lists or printed lines, and writes game records.
    Import(import::Import),
    /// Writes a page with charts, of games or of measurements.
    Report(report::Report),
    /// Shows recorded games, with their moves or boards, and checks them.
    Show(replay::Replay),
}

impl Games {
    fn run(self) -> Result<(), CommandError> {
        match self {
            Games::Check(command) => command.run(),
            Games::Export(command) => command.run(),
            Games::Import(command) => command.run(),
            Games::Report(command) => command.run(),
            Games::Show(command) => command.run(),
        }
    }
}

#[derive(Subcommand)]
enum Train {
    /// Trains the evaluation of a game by self-play.
    Tune(tune::Tune),
    /// Tunes parameters of the tree search by games against itself.
    Spsa(spsa::Spsa),
    /// Builds an opening book.
    Book(openings::Book),
    /// Measures the levels of the page against each other.
    Levels(levels::Levels),
    /// Solves a board of Hadron: who wins, and by which first moves.
    Solve(solve::Solve),
    /// Measures by which factor of time the tree search is even with a plain alpha-beta.
    Odds(odds::Odds),
}

impl Train {
    fn run(self) -> Result<(), CommandError> {
        match self {
            Train::Tune(command) => command.run(),
            Train::Spsa(command) => command.run(),
            Train::Book(command) => command.run(),
            Train::Levels(command) => command.run(),
            Train::Solve(command) => command.run(),
            Train::Odds(command) => command.run(),
        }
    }
}

/// The names that commands had when each was a word of its own, which scripts use.
const OLD_NAMES: [(&str, [&str; 2]); 12] = [
    ("replay", ["games", "show"]),
    ("export", ["games", "export"]),
    ("import", ["games", "import"]),
    ("report", ["games", "report"]),
    ("sprt", ["match", "sprt"]),
    ("batch", ["match", "batch"]),
    ("tune", ["train", "tune"]),
    ("spsa", ["train", "spsa"]),
    ("book", ["train", "book"]),
    ("levels", ["train", "levels"]),
    ("solve", ["train", "solve"]),
    ("odds", ["train", "odds"]),
];

/// The same words with the name that the command has now.
fn with_new_name(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_about = words.get(1).is_some_and(|word| word == "man" || word == "help");
    let at = if is_about { 2 } else { 1 };
    let old = OLD_NAMES.iter().find(|(old, _)| words.get(at).is_some_and(|word| word == old));
    if let Some((_, new)) = old {
        words.splice(at..=at, new.map(OsString::from));
    }
    words
}

fn main() -> ExitCode {
    with_enough_stack(run)
}

fn run() -> ExitCode {
    outlive_file_size_limits();
    let result = match arguments() {
        Ok(Arguments { command }) => run_command(command),
        Err(error)
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
        {
            error.print().map_err(CommandError::Output)
        }
        Err(error) => Err(refusal(&error, with_two_dashes(words().into_iter()))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            // If standard error is gone, the status is enough.
            let _ = writeln!(io::stderr(), "alesia-lab: {error}");
            ExitCode::from(if matches!(error, CommandError::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn run_command(command: Command) -> Result<(), CommandError> {
    match command {
        Command::Board(command) => command.run(),
        Command::Match(command) => command.run(),
        Command::Tournament(command) => command.run(),
        Command::Games(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Stress(command) => command.run(),
        Command::Completions(command) => command.run(Arguments::command()).map_err(Into::into),
        Command::Man(command) => command.run(Arguments::command()).map_err(Into::into),
    }
}

/// The arguments, or the parser's error; a request for help is one.
fn arguments() -> Result<Arguments, clap::Error> {
    let arguments = Arguments::try_parse_from(with_two_dashes(words().into_iter()))?;
    match &arguments.command {
        // The parser does not read the options among its words.
        Command::Match(whole) if whole.part.is_none() && whole.command.asks_for_help() => {
            Arguments::try_parse_from(["alesia-lab", "match", "--help"])
        }
        _ => Ok(arguments),
    }
}

/// The words of the command line.
fn words() -> Vec<OsString> {
    with_new_name(as_runner(std::env::args_os().collect()))
}

/// The same where the program is called by the name of a runner: they are then those of a match,
/// unless the version is asked for.
fn as_runner(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.first().and_then(|program| Path::new(program).file_stem());
    let name = name.map(|name| name.to_string_lossy().to_ascii_lowercase());
    let is_runner = name.is_some_and(|name| name.starts_with(RUNNER));
    let version = |word: &OsString| word == "--version" || word == "-version";
    if is_runner && !words.iter().skip(1).any(version) {
        words.insert(1, "match".into());
    }
    words
}

/// The command of words that stand in a file.
///
/// # Errors
/// They are none.
fn read(words: impl Iterator<Item = String> + Clone) -> Result<Command, CommandError> {
    let words =
        || with_two_dashes(with_new_name(words.clone().map(OsString::from).collect()).into_iter());
    let arguments = Arguments::try_parse_from(words()).map_err(|error| refusal(&error, words()))?;
    Ok(arguments.command)
}

/// Why the words of a command line are refused.
fn refusal(error: &clap::Error, words: impl Iterator<Item = OsString>) -> CommandError {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let explained = explain(error, &words, &Arguments::command());
    explained.map_or_else(|| CommandError::Usage(one_line(error)), Into::into)
}

/// The words as the parser wants them: options may have one dash or two. Those of a match have a
/// grammar of their own, and are kept as they were typed.
fn with_two_dashes(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    fn add(command: &clap::Command, long: &mut Vec<String>) {
        long.extend(command.get_arguments().filter_map(|own| own.get_long().map(str::to_owned)));
        command.get_subcommands().for_each(|part| add(part, long));
    }
    let mut long = ["help", "version"].map(str::to_owned).to_vec();
    add(&Arguments::command(), &mut long);
    let mut is_match = false;
    words.enumerate().map(move |(number, word)| {
        let is_part = number == 2 && (word == "sprt" || word == "batch");
        is_match = if number == 1 { word == "match" } else { is_match && !is_part };
        match is_match {
            true => word,
            false => two_dashes(word, |name| long.iter().any(|long| long == name)),
        }
    })
}

/// The parser's error on one line: its first paragraph, and its tip where it has one.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut parts =
        text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let reason = parts.next().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ");
    match parts.next().filter(|part| part.starts_with("tip: ")) {
        Some(tip) => format!("{reason}; {tip}"),
        None => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_may_use_the_names_that_commands_had() {
        let is_help = |words: &str| {
            let words = with_new_name(words.split(' ').map(OsString::from).collect());
            let error = Arguments::try_parse_from(with_two_dashes(words.into_iter())).err();
            error.is_some_and(|error| error.kind() == ErrorKind::DisplayHelp)
        };
        for (old, new) in OLD_NAMES {
            assert!(is_help(&format!("alesia-lab {old} --help")), "{old}");
            assert!(is_help(&format!("alesia-lab {} -help", new.join(" "))), "{old}");
            assert!(is_help(&format!("alesia-lab help {old}")), "{old}");
            let words = ["alesia-lab", "man", old].map(OsString::from).to_vec();
            assert_eq!(with_new_name(words)[2..], new.map(OsString::from));
        }
        assert!(!is_help("alesia-lab strain --help"));
    }

    #[test]
    fn the_first_help_has_the_six_words() {
        let command = Arguments::command();
        let shown = command.get_subcommands().map(clap::Command::get_name);
        let expected = "board match tournament games train stress completions man";
        assert_eq!(shown.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn a_runner_s_name_is_the_command_for_a_match() {
        let read = |text: &str| -> Vec<String> {
            let words = as_runner(text.split_whitespace().map(OsString::from).collect());
            words.into_iter().map(|word| word.into_string().unwrap()).collect()
        };
        let is_match = |text: &str| read(text).get(1).is_some_and(|word| word == "match");
        assert!(is_match("./fastchess-ob -rounds 1") && is_match("/opt/FastChess.exe -help"));
        assert!(is_match("fastchess"));
        assert!(!is_match("fastchess-ob --version") && !is_match("fastchess -version"));
        assert!(!is_match("alesia-lab -rounds 1") && !is_match("alesia-lab"));
    }
}
