//! The command line: one file per subcommand, joined here.
//!
//! Results go to standard output, logs to standard error. Exit status 0: done; 1: the run failed,
//! one line on standard error says why; 2: unusable arguments; 130: a game interrupted by Ctrl-C.

mod bench;
mod by_hand;
mod check;
mod demo;
#[cfg(test)]
mod documents;
mod lab;
mod loa;
mod log_lines;
mod manual;
mod moves_so_far;
mod options;
mod page;
mod perft;
mod play;
mod record_option;
mod recovery;
mod referee;
mod rules;
mod scale;
mod search;
mod terminal;
mod ugi;
mod variants;

use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::log_lines::Log;
use self::options::parameters_help;
use alesia::eval::processor::has_v3_instructions;
use alesia::games::GameSpec;
#[cfg(target_os = "linux")]
use alesia::net::stand_in;
use alesia::ugi::Dialect;
use alesia::words::arguments::explain;
use alesia::words::command_error::{CommandError, on_standard_error};
use alesia::words::command_pages::{Completions, Man};
use alesia::words::dashes::two_dashes;
use alesia::words::interruption::outlive_file_size_limits;

/// What `alesia -h` begins with.
fn about() -> &'static str {
    static ABOUT: LazyLock<String> = LazyLock::new(|| {
        let games = GameSpec::titles();
        format!("Plays {games} by Monte Carlo tree search; all memory is allocated at the start")
    });
    &ABOUT
}

/// What `alesia --help` begins with.
fn long_about() -> &'static str {
    static ABOUT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{}.\n\nWithout a command, plays a demonstration game of Murus Gallicus over TCP: \
             Monte Carlo tree search against alpha-beta, 1 s per move.\n\nGAME is {}. POSITION is \
             a text board: rows from top to bottom joined by `/`, side to move (w or b), plies \
             played; in a chess variant the Forsyth-Edwards notation. SIZE has a unit, such as \
             512MiB or 1G. MS is a time in milliseconds, or has a unit, such as 850ms or 1.5s. Options may have one dash or two.",
            about(),
            GameSpec::names()
        )
    });
    &ABOUT
}

#[derive(Parser)]
#[command(name = "alesia", version, about = about(), long_about = long_about())]
struct Arguments {
    /// Logs more to standard error (-vv: everything); RUST_LOG, if set, overrides this.
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Output")]
    verbose: u8,
    /// Logs errors only.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    quiet: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Joins a tournament server, or the relay of Lines of Action, and plays one game to its end.
    Play(play::Play),
    /// Acts as a tournament server: prints a line per move, and the result.
    Referee(referee::Referee),
    /// Plays White in Lines of Action over the relay protocol: waits for the relay.
    #[command(hide = true)]
    LoaWhite(loa::White),
    /// Plays Black in Lines of Action over the relay protocol: connects to the relay.
    #[command(hide = true)]
    LoaBlack(loa::Black),
    /// Relays a game of Lines of Action between its two players, and keeps the time.
    #[command(hide = true)]
    Relay(loa::Relay),
    /// Plays against a person at the keyboard, or continues a network game by hand.
    Manual(by_hand::ByHand),
    /// Explains the rules of a game, with boards; without a game, lists the games.
    Rules(rules::Rules),
    /// Searches one position: prints `info` lines, then `bestmove M`.
    Search(search::Search),
    /// Counts move sequences: prints a line `DEPTH COUNT` for each depth from 1.
    Perft(perft::Perft),
    /// Replays a file of positions and compares boards, legal moves and results.
    Check(check::Check),
    /// Runs a fixed benchmark on one thread: `nodes N`, `signature HEX`, `N nodes M nps`.
    Bench(bench::Bench),
    /// Measures speed and playing strength for each number of trees, and recommends a number.
    Scale(scale::Scale),
    /// Speaks UGI with match programs or UCI with chess programs, whichever word comes first.
    Ugi(ugi::Ugi),
    /// Speaks UCI with chess programs or UGI with match programs, whichever word comes first.
    #[command(hide = true)]
    Uci(ugi::Ugi),
    /// Lists the built-in chess variants, or those of a file, which it checks.
    Variants(variants::Variants),
    /// Prints what a shell needs to complete the words of this program.
    Completions(Completions),
    /// Prints the manual page of this program or of one of its commands.
    Man(Man),
}

/// The words as the parser wants them: options may have one dash or two.
fn with_two_dashes(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let command = Arguments::command();
    let commands = [&command].into_iter().chain(command.get_subcommands());
    let arguments = commands.flat_map(clap::Command::get_arguments);
    let mut long: Vec<String> =
        arguments.filter_map(|argument| argument.get_long().map(str::to_owned)).collect();
    long.extend(["help", "version"].map(str::to_owned));
    words.map(move |word| match word.to_str() {
        // As the courses' servers have it.
        Some("--p") => "-p".into(),
        _ => two_dashes(word, |name| long.iter().any(|long| long == name)),
    })
}

/// The commands that the first help begins with: those of players and organisers.
const FIRST: [&str; 8] =
    ["play", "referee", "manual", "rules", "search", "board", "match", "tournament"];

/// The parser, whose help has the first commands, the lab's among them, and then all others.
fn parser() -> clap::Command {
    let lab = lab::COMMANDS.map(|(name, about)| clap::Command::new(name).about(about));
    let commands = Arguments::command().subcommands(lab);
    let all: Vec<clap::Command> = commands.get_subcommands().cloned().collect();
    let is_first = |command: &clap::Command| FIRST.contains(&command.get_name());
    let others = all.iter().filter(|command| !is_first(command)).cloned();
    let others = clap::Command::new("others")
        .disable_help_subcommand(true)
        .help_template("{subcommands}")
        .subcommands(others)
        .render_help();
    let hidden = |command: clap::Command| match is_first(&command) {
        true => command,
        false => command.hide(true),
    };
    let after = format!("For developers:\n{}\n\n{}", others.to_string().trim_end(), lab::HELP);
    commands.mut_subcommands(hidden).after_help(after)
}

/// Whether `--help set` asks for the parameters of the search.
fn asks_for_parameters(words: &[OsString]) -> bool {
    words.windows(2).any(|pair| pair[0] == "--help" && pair[1] == "set")
}

/// Listens on an address, whose port an option has chosen.
fn listen_on(address: SocketAddr, option: &str) -> Result<TcpListener, CommandError> {
    TcpListener::bind(address).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::AddrInUse => format!("; {option} chooses another port"),
            _ => String::new(),
        };
        CommandError::Failed(format!("{address}: {error}{hint}"))
    })
}

/// Runs the command that the arguments name, and returns the exit status.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    outlive_file_size_limits();
    let words: Vec<OsString> = arguments.collect();
    #[cfg(target_os = "linux")]
    if words.get(1).is_some_and(|word| word == stand_in::WORD) {
        return status(
            stand_in::serve(&words[2..]).map_err(|error| CommandError::Failed(error.to_string())),
        );
    }
    if let Some(status) = lab::run(&words) {
        return status;
    }
    let words: Vec<OsString> = with_two_dashes(words.into_iter()).collect();
    if ugi::bare::is_bare(&words) {
        log_lines::start("warn");
        return status(ugi::bare::run());
    }
    if asks_for_parameters(&words) {
        return status(writeln!(io::stdout(), "{}", parameters_help()).map_err(Into::into));
    }
    let matches = parser().try_get_matches_from(&words);
    let arguments = match matches.and_then(|found| Arguments::from_arg_matches(&found)) {
        Ok(arguments) => arguments,
        // Help and version come this way too, with status 0.
        Err(error) => {
            let words: Vec<String> =
                words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            let Some(reason) = explain(&error, &words, &Arguments::command()) else { error.exit() };
            on_standard_error(format_args!("alesia: {reason}"));
            return ExitCode::from(2);
        }
    };
    let log = start_log(&arguments);
    let result = match arguments.command {
        None => demo::run(),
        Some(Command::Play(play)) => play.run(),
        Some(Command::Referee(referee)) => referee.run(),
        Some(Command::LoaWhite(white)) => white.run(),
        Some(Command::LoaBlack(black)) => black.run(),
        Some(Command::Relay(relay)) => relay.run(),
        Some(Command::Manual(manual)) => manual.run(),
        Some(Command::Rules(rules)) => rules.run(),
        Some(Command::Search(search)) => search.run(),
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Check(check)) => check.run(),
        Some(Command::Bench(bench)) => bench.run(),
        Some(Command::Scale(scale)) => scale.run(),
        Some(Command::Ugi(ugi)) => ugi.run(Dialect::Ugi),
        Some(Command::Uci(ugi)) => ugi.run(Dialect::Uci),
        Some(Command::Variants(variants)) => variants.run(),
        Some(Command::Completions(shell)) => shell.run(Arguments::command()).map_err(Into::into),
        Some(Command::Man(man)) => man.run(Arguments::command()).map_err(Into::into),
    };
    log.end();
    status(result)
}

/// The exit status; says on standard error what has failed.
fn status(result: Result<(), CommandError>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(CommandError::Definition(error)) => {
            on_standard_error(error);
            ExitCode::from(2)
        }
        Err(error) => {
            on_standard_error(format_args!("alesia: {error}"));
            ExitCode::from(if matches!(error, CommandError::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn start_log(arguments: &Arguments) -> Log {
    let level = match (arguments.quiet, arguments.verbose) {
        (true, _) => "error",
        (_, 0) => "warn",
        (_, 1) => "info",
        _ => "trace",
    };
    let log = log_lines::start(level);
    if !cfg!(target_feature = "avx2") && has_v3_instructions() {
        log::info!("this processor can run a faster build: cargo build-v3 makes it");
    }
    log
}
