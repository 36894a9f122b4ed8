//! A program started by a match, with lines over its standard input and output.
//!
//! The one idea: a thread stamps every line on arrival and forwards it, so that a wait for the next
//! line can end, and other work of the match costs a player no time. In all cases the program and
//! its children are ended when its [`Process`] is dropped: each is a separate process group. As a
//! terminal's Ctrl-C then no longer reaches it, [`end_all`] does. Where the match itself is killed,
//! Linux ends the program with the *thread* that has started it, so that thread must outlive the
//! [`Process`]; Windows ends it with the match ([`bind_to_us`]).

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use alesia::net::urgency::Urgency;
#[cfg(windows)]
use process_wrap::std::JobObject;
use process_wrap::std::{ChildWrapper, CommandWrap};
#[cfg(unix)]
use process_wrap::std::{ProcessGroup, ProcessSession};

use super::entrant::Program;

/// Lines that may wait; a program that says more waits itself.
const WAITING_LINES: usize = 1024;

/// The longest line that is taken whole, in bytes; what goes beyond comes as further lines.
const LONGEST_LINE: u64 = 1 << 16;

/// Max time of a program to end after `quit`, or after the end of its input.
const ENDING_TIME: Duration = Duration::from_millis(500);

/// Max time until the last lines of a program that has ended are read.
const LAST_LINES_TIME: Duration = Duration::from_millis(200);

/// The time between two looks at whether a program has ended.
const LOOK_TIME: Duration = Duration::from_millis(2);

/// The last lines of a program's standard error that are kept.
const LAST_LINES: usize = 3;

/// Max characters of each.
const LAST_LINE_LENGTH: usize = 160;

/// A program and its children.
type Group = Mutex<Box<dyn ChildWrapper>>;

/// All programs that may be running.
static RUNNING: Mutex<Vec<Weak<Group>>> = Mutex::new(Vec::new());

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
    child: Arc<Group>,
    /// The lines to send, written by a separate thread, as a program that does not read would block
    /// the writer; none for programs without input.
    words: Option<Sender<String>>,
    lines: Receiver<(String, Instant)>,
    /// What it said last on standard error.
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected when there is nothing more of that.
    errors_end: Receiver<()>,
}

impl Process {
    /// Starts a program. `name` is for the log, to which go its
    /// standard error and, where `spoken_to`, all that is said.
    ///
    /// # Errors
    /// The system's, such as that there is no such program.
    pub fn start(name: &str, program: &Program, spoken_to: bool) -> io::Result<Process> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments);
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        let input = if spoken_to { Stdio::piped() } else { Stdio::null() };
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        end_with_this_thread(&mut command);
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        if program.apart {
            command.wrap(ProcessSession);
        } else {
            command.wrap(ProcessGroup::leader());
        }
        #[cfg(windows)]
        command.wrap(JobObject);
        let mut child = command.spawn()?;
        let (input, output) = (child.stdin().take(), child.stdout().take());
        let errors = child.stderr().take();
        let (sender, lines) = sync_channel(WAITING_LINES);
        let (errors_sender, errors_end) = channel::<()>();
        // From here on its drop ends the program, whatever fails.
        let mut process = Process {
            name: name.to_owned(),
            child: Arc::new(Mutex::new(child)),
            words: None,
            lines,
            errors: Arc::default(),
            errors_end,
        };
        remember(&process.child);
        if let Some(input) = input {
            let (words, waiting) = channel();
            let name = name.to_owned();
            let speaking = move || {
                // The program's clock runs while it is not yet spoken to.
                let _urgency = Urgency::claim();
                speak(&name, input, &waiting);
            };
            thread::Builder::new().spawn(speaking)?;
            process.words = Some(words);
        }
        if let Some(output) = output {
            let name = name.to_owned();
            let forwarding = move || {
                // It stamps the lines that stop the program's clock.
                let _urgency = Urgency::claim();
                forward(&name, output, |line, at| !spoken_to || sender.send((line, at)).is_ok());
            };
            thread::Builder::new().spawn(forwarding)?;
        }
        if let Some(errors) = errors {
            let (name, kept) = (name.to_owned(), process.errors.clone());
            let keeping = move || {
                let _until_the_end = errors_sender;
                forward(&name, errors, |line, _| keep(&kept, &line));
            };
            thread::Builder::new().spawn(keeping)?;
        }
        Ok(process)
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

    /// How a program that has closed its output or its connection ended, and its last lines on
    /// standard error.
    pub fn last_words(&self) -> String {
        let status = match self.wait(ENDING_TIME) {
            Some(status) => status.to_string(),
            None => "still running".to_owned(),
        };
        // Nothing is ever sent: waits until all is read; its children may have it open still.
        let _ = self.errors_end.recv_timeout(LAST_LINES_TIME);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<&str> = errors.iter().map(String::as_str).collect();
        if lines.is_empty() { status } else { format!("{status}: {}", lines.join(" / ")) }
    }

    fn child(&self) -> MutexGuard<'_, Box<dyn ChildWrapper>> {
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

/// Adds a program to those that may be running.
fn remember(child: &Arc<Group>) {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.retain(|other| other.strong_count() > 0);
    running.push(Arc::downgrade(child));
}

/// Ends all programs.
pub fn end_all() {
    for child in &*RUNNING.lock().unwrap_or_else(PoisonError::into_inner) {
        if let Some(child) = child.upgrade() {
            // Fails only where it has ended anyway.
            let _ = child.lock().unwrap_or_else(PoisonError::into_inner).start_kill();
        }
    }
}

/// Has the system end the program with the thread that starts it, if it is still there then.
#[cfg(target_os = "linux")]
fn end_with_this_thread(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    let parent = std::process::id();
    let request = move || {
        // SAFETY: the call only sets an attribute of the calling process.
        if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it only reads a number.
        if unsafe { libc::getppid() }.cast_unsigned() != parent {
            // We have gone before the request.
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure makes two system calls, and allocates nothing.
    unsafe { command.pre_exec(request) };
}

#[cfg(not(target_os = "linux"))]
fn end_with_this_thread(_: &mut Command) {}

/// Has the system end all programs with this one, however that ends.
///
/// # Errors
/// The system's.
#[cfg(windows)]
pub fn bind_to_us() -> Result<(), String> {
    let bind = || {
        let mut limits = win32job::ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = win32job::Job::create_with_limit_info(&limits)?;
        job.assign_current_process()?;
        // Closed by the system when this process ends.
        job.into_handle();
        Ok(())
    };
    bind().map_err(|error: win32job::JobError| format!("a job for the programs: {error}"))
}

/// Elsewhere each program is bound when it is started, where the system knows that.
///
/// # Errors
/// None.
#[cfg(not(windows))]
pub fn bind_to_us() -> Result<(), String> {
    Ok(())
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

/// Keeps a line of standard error among the last ones.
fn keep(lines: &Mutex<VecDeque<String>>, line: &str) -> bool {
    let line: String = line.chars().filter(|c| !c.is_control()).take(LAST_LINE_LENGTH).collect();
    if !line.trim().is_empty() {
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LAST_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }
    true
}

/// Logs and hands on the lines of a stream, until it ends or nobody wants them.
fn forward(name: &str, stream: impl Read, mut line_to: impl FnMut(String, Instant) -> bool) {
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
        // Lines that nobody reads are still read here, so that the program is not blocked.
        if !line_to(line, at) {
            return;
        }
    }
}
