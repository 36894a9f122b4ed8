//! Sends an engine's analysis of its moves to the page of `alesia referee -gui`.
//!
//! The one idea: once a move is sent, its report goes to a thread that sends it to the page;
//! nothing here allocates or waits. If the page is slow or gone, reports are lost and the game
//! continues.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use arrayvec::ArrayString;
use crossbeam::channel::{Receiver, bounded};
use crossbeam::queue::ArrayQueue;
use serde::{Serialize, Serializer};

use crate::game::Game;
use crate::games::AnyGame;
use crate::net::feed::Tabbed;
use crate::search::memory::prepare_thread;
use crate::search::report::Report;

/// Reports that may wait to be sent.
const WAITING: usize = 64;

/// Max bytes of a report, and of its HTTP header.
const MAX_BYTES: usize = 4096;

/// Max time for each step of sending: connecting, writing, reading.
const STEP_TIME: Duration = Duration::from_millis(1500);

/// Max time for the reports that are left after the game.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// After this many failures in a row no more reports are sent.
const MAX_FAILURES: usize = 3;

/// A report on a move that has been played.
pub(super) struct Thought {
    /// Our address as the referee sees it.
    pub player: SocketAddr,
    /// The position before the move.
    pub position: AnyGame,
    pub report: Report,
}

/// A thread that sends reports to a page.
pub struct Thoughts {
    queue: Arc<ThoughtQueue>,
    thread: JoinHandle<()>,
    /// Broken when the thread ends.
    ended: Receiver<()>,
}

/// The reports between both threads.
struct ThoughtQueue {
    waiting: ArrayQueue<Thought>,
    /// Whether no more will come.
    finished: AtomicBool,
    /// The thread and the one that started it meet here.
    started: Barrier,
}

impl Thoughts {
    /// Starts the thread for the page at an address, and waits until it has its memory: on a busy
    /// machine it might otherwise allocate in the middle of a game.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn start(page: SocketAddr) -> io::Result<Thoughts> {
        let waiting = ArrayQueue::new(WAITING);
        let finished = AtomicBool::new(false);
        let queue = Arc::new(ThoughtQueue { waiting, finished, started: Barrier::new(2) });
        let of_thread = queue.clone();
        let (ending, ended) = bounded::<()>(0);
        let thread = thread::Builder::new().spawn(move || {
            of_thread.send(page);
            drop(ending);
        })?;
        queue.started.wait();
        Ok(Thoughts { queue, thread, ended })
    }

    /// Hands over a report; drops it if too many wait.
    pub(super) fn push(&self, thought: Thought) {
        let _ = self.queue.waiting.push(thought);
        self.thread.thread().unpark();
    }

    /// Waits a moment until everything is sent.
    pub fn finish(self) {
        // Release: all reports come before.
        self.queue.finished.store(true, Ordering::Release);
        self.thread.thread().unpark();
        let _ = self.ended.recv_timeout(FLUSH_TIME);
    }
}

impl ThoughtQueue {
    /// Sends reports to the page until no more will come.
    fn send(&self, page: SocketAddr) {
        prepare_thread();
        self.started.wait();
        let mut failures = 0;
        loop {
            // Acquire: before the last look.
            let last = self.finished.load(Ordering::Acquire);
            while let Some(thought) = self.waiting.pop() {
                if failures == MAX_FAILURES {
                    continue;
                }
                match post(page, &thought) {
                    Ok(()) => failures = 0,
                    Err(error) => {
                        failures += 1;
                        log::warn!("the analysis could not be sent to the page at {page}: {error}");
                    }
                }
            }
            if last {
                return;
            }
            thread::park();
        }
    }
}

/// The line of a feed for a thought, in which the game has no number; it needs no memory.
struct ThoughtLine<'a> {
    position: &'a AnyGame,
    report: &'a Report,
}

impl Display for ThoughtLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ThoughtLine { position, report } = self;
        write!(f, "thought 0 {} {} ", position.side(), position.ply())?;
        report.write_info(*position, &mut Tabbed(f))
    }
}

/// What is sent: our address, by which the page finds the game, and a line of its feed.
#[derive(Serialize)]
struct Sent<'a> {
    player: SocketAddr,
    #[serde(serialize_with = "collect_str")]
    line: ThoughtLine<'a>,
}

/// Into JSON, without memory of its own.
fn collect_str<S: Serializer>(line: &ThoughtLine, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(line)
}

/// Sends one report: `POST /api/thoughts`.
fn post(page: SocketAddr, thought: &Thought) -> io::Result<()> {
    let Thought { player, position, report } = thought;
    let mut body = [0; MAX_BYTES];
    let mut rest = &mut body[..];
    let sent = Sent { player: *player, line: ThoughtLine { position, report } };
    serde_json::to_writer(&mut rest, &sent)?;
    let length = MAX_BYTES - rest.len();
    let mut head = ArrayString::<MAX_BYTES>::new();
    let written = write!(
        head,
        "POST /api/thoughts HTTP/1.1\r\nHost: {page}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    written.map_err(|_| io::ErrorKind::FileTooLarge)?;
    let mut stream = TcpStream::connect_timeout(&page, STEP_TIME)?;
    stream.set_write_timeout(Some(STEP_TIME))?;
    stream.set_read_timeout(Some(STEP_TIME))?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body[..length])?;
    const ACCEPTED: &[u8] = b"HTTP/1.1 200";
    let mut status = [0; ACCEPTED.len()];
    stream.read_exact(&mut status)?;
    if status != ACCEPTED {
        let status = String::from_utf8_lossy(&status);
        return Err(io::Error::other(format!("it answered {status}")));
    }
    Ok(())
}
