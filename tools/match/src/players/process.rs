//! A program started by a match, with lines over its standard input and output.
//!
//! The one idea: a thread stamps every line on arrival and forwards it, so that a wait for the next
//! line can end, and other work of the match costs a player no time. In all cases the program and
//! its children are ended when its [`Process`] is dropped: each is a separate process group. As a
//! terminal's Ctrl-C then no longer reaches it, [`end_with_us`] does.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use command_group::{CommandGroup, GroupChild};

use crate::entrant::Program;
use crate::error::CommandError;

/// Lines that may wait; a program that says more waits itself.
const WAITING_LINES: usize = 1024;

/// The longest line that is taken whole, in bytes; what goes beyond comes as further lines.
const LONGEST_LINE: u64 = 1 << 16;

/// Max time of a program to end after `quit`, or after the end of its input.
const ENDING_TIME: Duration = Duration::from_millis(500);

/// The time between two looks at whether a program has ended.
const LOOK_TIME: Duration = Duration::from_millis(2);

/// The status of a run that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// All programs that may be running.
static RUNNING: Mutex<Vec<Weak<Mutex<GroupChild>>>> = Mutex::new(Vec::new());

/// What comes from a program.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line and when it came.
    Line(String, Instant),
    /// Nothing before the time was over.
    Nothing,
    /// The end of its output; nothing comes after it.
    End,
}

/// A running program. Dropping it ends the program, by force if it does not end in time.
pub struct Process {
    name: String,
    child: Arc<Mutex<GroupChild>>,
    /// The lines to send, written by a separate thread, as a program that does not read would block
    /// the writer; none for programs without input.
    words: Option<Sender<String>>,
    lines: Receiver<(String, Instant)>,
}

impl Process {
    /// Starts a program. `name` is for the log, to which go its
    /// standard error and, where `spoken_to`, all that is said.
    ///
    /// # Errors
    /// The system's, such as that there is no such program.
    pub fn start(name: &str, program: &Program, spoken_to: bool) -> std::io::Result<Process> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments);
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        let input = if spoken_to { Stdio::piped() } else { Stdio::null() };
        let mut child =
            command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).group_spawn()?;
        let (sender, lines) = sync_channel(WAITING_LINES);
        let words = child.inner().stdin.take().map(|input| {
            let (words, waiting) = channel();
            let name = name.to_owned();
            thread::spawn(move || speak(&name, input, &waiting));
            words
        });
        if let Some(output) = child.inner().stdout.take() {
            let (name, sender) = (name.to_owned(), spoken_to.then_some(sender));
            thread::spawn(move || forward(&name, output, sender.as_ref()));
        }
        if let Some(errors) = child.inner().stderr.take() {
            let name = name.to_owned();
            thread::spawn(move || forward(&name, errors, None));
        }
        let child = Arc::new(Mutex::new(child));
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|other| other.strong_count() > 0);
        running.push(Arc::downgrade(&child));
        drop(running);
        Ok(Process { name: name.to_owned(), child, words, lines })
    }

    /// Its number in the system.
    pub fn id(&self) -> u32 {
        self.child().id()
    }

    /// Says a line. A program that is gone shows in the next [`Process::hear`].
    pub fn say(&self, line: &str) {
        log::debug!("{} < {line}", self.name);
        if let Some(words) = &self.words {
            // A program that is gone gets no more lines.
            let _ = words.send(format!("{line}\n"));
        }
    }

    /// The next line that came until `end`, waited for until then; or for ever.
    pub fn hear(&self, end: Option<Instant>) -> Heard {
        let heard = match end {
            Some(end) => self.lines.recv_timeout(end.saturating_duration_since(Instant::now())),
            None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match heard {
            // A program that sends lines without end must not prolong the wait.
            Ok((_, at)) if end.is_some_and(|end| at > end) => Heard::Nothing,
            Ok((line, at)) => Heard::Line(line, at),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    fn child(&self) -> MutexGuard<'_, GroupChild> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for `time` until the program has ended.
    pub fn wait(&self, time: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + time;
        loop {
            match self.child().try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => thread::sleep(LOOK_TIME),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input ends a program that has missed the word.
        self.say("quit");
        self.words = None;
        if self.wait(ENDING_TIME).is_none() {
            log::info!("{} did not end: killed", self.name);
        }
        // Its children may still run; fails only if there are none.
        let _ = self.child().kill();
        // Reaps it in any case.
        let _ = self.child().wait();
    }
}

/// Ends all programs and this one, with the status of an interrupted run, on a signal to end.
///
/// # Errors
/// The system's.
pub fn end_with_us() -> Result<(), CommandError> {
    let end = || {
        for child in &*RUNNING.lock().unwrap_or_else(PoisonError::into_inner) {
            if let Some(child) = child.upgrade() {
                // Fails only where it has ended anyway.
                let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
            }
        }
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(end)
        .map_err(|error| CommandError::Failed(format!("waiting for an interruption: {error}")))
}

/// Writes all lines until there are no more or the program is gone; then ends its input.
fn speak(name: &str, mut input: ChildStdin, words: &Receiver<String>) {
    for line in words {
        if let Err(error) = input.write_all(line.as_bytes()) {
            log::info!("{name}: sending `{}` failed: {error}", line.trim_end());
            return;
        }
    }
}

/// Forwards the lines of a stream, or only logs them, until it ends or the receiver is gone.
fn forward(name: &str, stream: impl Read, lines: Option<&SyncSender<(String, Instant)>>) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut stream).take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        log::debug!("{name} > {line}");
        // Without a receiver the rest is still read, so that the program is not blocked.
        if let Some(lines) = lines
            && lines.send((line, at)).is_err()
        {
            return;
        }
    }
}
