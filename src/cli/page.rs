//! The page of `alesia referee -gui`: the lab's program, which reads the games' events from a pipe.
//!
//! The one idea: the page may be slow or end at any time without affecting a game. One thread
//! writes the events of all games, and the page's program outlives ours while it is open in a
//! browser.

use std::io::{BufRead, BufReader, ErrorKind, Write, stderr};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::thread;
use std::time::Duration;

use alesia::game::Side;
use alesia::games::AnyGame;
use alesia::net::feed::{FeedLine, GameEvent};
use alesia::net::referee::RefereeOptions;
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};

use alesia::words::command_error::CommandError;

use super::lab::{PROGRAM, program};

/// How long the program may take to print the address of its page.
const START_TIME: Duration = Duration::from_secs(10);

/// How long it may take to read the last events after the games.
const FLUSH_TIME: Duration = Duration::from_secs(1);

/// Seconds for which the page stays after the games while it is not open anywhere.
const LINGER: u64 = 60;

/// A page that shows the games of a referee.
pub struct RefereePage {
    /// The first event of each game.
    opened: GameEvent,
    /// Unbounded: games are short, and no sender may wait.
    lines: Sender<FeedLine>,
    written: Receiver<()>,
    program: Child,
}

impl RefereePage {
    /// Starts the program, and prints the address of its page on standard error.
    ///
    /// # Errors
    /// There is no such program, or it has no page.
    pub fn open(
        name: &str,
        start: &AnyGame,
        games: usize,
        options: &RefereeOptions,
    ) -> Result<RefereePage, CommandError> {
        let mut command = Command::new(program());
        command.args(["board", "--feed", "--linger", &LINGER.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut program = command.spawn().map_err(|error| {
            CommandError::Failed(match error.kind() {
                ErrorKind::NotFound => format!(
                    "-gui: found no {PROGRAM}, which serves the page, beside alesia or in PATH; \
                     build both with `cargo build --release --workspace`"
                ),
                _ => format!("-gui, {PROGRAM}: {error}"),
            })
        })?;
        let (Some(input), Some(errors)) = (program.stdin.take(), program.stderr.take()) else {
            unreachable!("both are pipes")
        };
        if let Err(reason) = await_address(errors) {
            // It may have ended by itself.
            let _ = program.kill();
            return Err(CommandError::Failed(format!("-gui: no page from {PROGRAM}: {reason}")));
        }
        let (lines, waiting) = unbounded();
        let (done, written) = bounded(1);
        let writer = thread::Builder::new().spawn(move || {
            write(input, &waiting);
            // There may be no receiver.
            let _ = done.try_send(());
        });
        if let Err(error) = writer {
            // It may have ended by itself.
            let _ = program.kill();
            return Err(CommandError::Failed(format!("-gui: no thread that writes: {error}")));
        }
        let (game, board) = (name.to_owned(), start.to_string());
        let opened = GameEvent::Opened { games, game, move_time: options.move_time, board };
        Ok(RefereePage { opened, lines, written, program })
    }

    /// Shows an event of a game; games are numbered from 0.
    pub fn show(&self, game: usize, event: GameEvent) {
        let number = game + 1;
        let first = matches!(event, GameEvent::Seated { side: Side::White, .. });
        let opened = first.then(|| self.opened.clone());
        for event in opened.into_iter().chain([event]) {
            // Fails if the page is gone.
            let _ = self.lines.send(FeedLine { number, event });
        }
    }

    /// All games are over: gives the page a moment to read the last events.
    pub fn finish(self) {
        let RefereePage { lines, written, mut program, .. } = self;
        drop(lines);
        let _ = written.recv_timeout(FLUSH_TIME);
        if let Ok(None) = program.try_wait() {
            let _ = writeln!(stderr(), "the page closes once it has not been open for {LINGER} s");
        }
    }
}

/// Waits for the line with the page's address; copies it and all further lines to our standard
/// error. (If the page inherited our standard error, a reader of ours would wait for the page.)
fn await_address(errors: ChildStderr) -> Result<(), String> {
    let (sender, first) = bounded(1);
    let reader = thread::Builder::new().spawn(move || {
        let lines = BufReader::new(errors).split(b'\n').map_while(Result::ok);
        let mut lines =
            lines.map(|line| String::from_utf8_lossy(line.trim_ascii_end()).into_owned());
        let _ = sender.send(lines.next());
        lines.for_each(|line| drop(writeln!(stderr(), "{line}")));
    });
    reader.map_err(|error| format!("no thread that reads: {error}"))?;
    match first.recv_timeout(START_TIME) {
        Ok(Some(line)) if line.starts_with("the page: ") => {
            let _ = writeln!(stderr(), "{line}");
            Ok(())
        }
        Ok(Some(line)) => Err(line),
        Ok(None) => Err("it ended at once".to_owned()),
        Err(_) => Err(format!("it printed no address within {} s", START_TIME.as_secs())),
    }
}

/// Writes lines until no more will come, or their reader is gone.
fn write(mut input: ChildStdin, lines: &Receiver<FeedLine>) {
    for line in lines {
        if let Err(error) = writeln!(input, "{line}") {
            log::warn!("the page is gone ({error}); the games continue without it");
            return;
        }
    }
}
