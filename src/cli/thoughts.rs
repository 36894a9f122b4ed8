//! What an engine thinks of its moves, for the page of `alesia referee -gui`.
//!
//! The one idea: once a move has left, its report is handed to a thread that tells the page, and
//! nothing here takes memory or waits. Where the page is slow or gone, reports are lost, and the game
//! goes on.

use std::fmt::{self, Write as _};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use alesia::eval::Evaluate;
use alesia::game::{Game, GameState, Move, Side};
use alesia::net::client::Player;
use alesia::player::EnginePlayer;
use alesia::search::memory::touch_stack;
use alesia::search::report::Report;
use arrayvec::ArrayString;
use crossbeam::queue::ArrayQueue;

/// Reports that may wait to be told.
const WAITING: usize = 64;

/// The most bytes of a report, and of all that is sent with one.
const LONGEST: usize = 4096;

/// The most time for each step of telling: longer than the page waits for its referee.
const STEP_TIME: Duration = Duration::from_millis(1500);

/// The most time for what is left to be told after the game.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// After so many failures in a row there is no page.
const MOST_FAILURES: usize = 3;

/// A report on a move that has been played.
struct Thought<G> {
    /// Our address as the referee has it.
    player: SocketAddr,
    /// The position before the move.
    position: G,
    report: Report,
}

/// A thread that tells a page.
pub struct Thoughts<G> {
    shared: Arc<Shared<G>>,
    thread: JoinHandle<()>,
}

struct Shared<G> {
    waiting: ArrayQueue<Thought<G>>,
    /// Whether no more will come.
    finished: AtomicBool,
    /// Where the thread and whoever started it meet.
    started: Barrier,
}

impl<G: Game> Thoughts<G> {
    /// Starts the thread for the page at an address, and waits until it has its memory: on a busy
    /// machine it might take it in the middle of a game.
    pub fn start(page: SocketAddr) -> Thoughts<G> {
        let waiting = ArrayQueue::new(WAITING);
        let finished = AtomicBool::new(false);
        let shared = Arc::new(Shared { waiting, finished, started: Barrier::new(2) });
        let of_thread = shared.clone();
        let thread = thread::spawn(move || of_thread.tell(page));
        shared.started.wait();
        Thoughts { shared, thread }
    }

    /// Hands over a report; drops it if too many wait.
    fn push(&self, thought: Thought<G>) {
        let _ = self.shared.waiting.push(thought);
        self.thread.thread().unpark();
    }

    /// Waits a moment until everything is told.
    pub fn finish(self) {
        // Release: all reports come before.
        self.shared.finished.store(true, Ordering::Release);
        self.thread.thread().unpark();
        let began = Instant::now();
        while !self.thread.is_finished() && began.elapsed() < FLUSH_TIME {
            thread::sleep(FLUSH_TIME / 100);
        }
    }
}

impl<G: Game> Shared<G> {
    /// Tells the page until no more will come.
    fn tell(&self, page: SocketAddr) {
        touch_stack();
        self.started.wait();
        let mut failures = 0;
        loop {
            // Acquire: before the last look.
            let last = self.finished.load(Ordering::Acquire);
            while let Some(thought) = self.waiting.pop() {
                if failures == MOST_FAILURES {
                    continue;
                }
                match post(page, &thought) {
                    Ok(()) => failures = 0,
                    Err(error) => {
                        failures += 1;
                        log::warn!("the page at {page} was not told what we think: {error}");
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

/// Sends one report as the page's interface has it: `POST /api/thoughts`.
fn post<G: Game>(page: SocketAddr, thought: &Thought<G>) -> io::Result<()> {
    let Thought { player, position, report } = thought;
    let mut body = ArrayString::<LONGEST>::new();
    let ply = position.ply();
    let mut written = write!(body, "{{\"player\":\"{player}\",\"ply\":{ply},\"report\":\"").is_ok();
    written &= report.write_info(position, &mut Escaped(&mut body)).is_ok();
    written &= body.write_str("\"}").is_ok();
    let mut head = ArrayString::<LONGEST>::new();
    let length = body.len();
    written &= write!(
        head,
        "POST /api/thoughts HTTP/1.1\r\nHost: {page}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n"
    )
    .is_ok();
    if !written {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut stream = TcpStream::connect_timeout(&page, STEP_TIME)?;
    stream.set_write_timeout(Some(STEP_TIME))?;
    stream.set_read_timeout(Some(STEP_TIME))?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    const ACCEPTED: &[u8] = b"HTTP/1.1 200";
    let mut status = [0; ACCEPTED.len()];
    stream.read_exact(&mut status)?;
    if status != ACCEPTED {
        let status = String::from_utf8_lossy(&status);
        return Err(io::Error::other(format!("it answers {status}")));
    }
    Ok(())
}

/// Writes text as a part of a string of JSON.
struct Escaped<'a>(&'a mut ArrayString<LONGEST>);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|character| match character {
            '"' | '\\' => write!(self.0, "\\{character}"),
            '\n' => self.0.write_str("\\n"),
            other => self.0.write_char(other),
        })
    }
}

/// An engine that tells a page what it thought, where there is one.
pub struct Thoughtful<G> {
    player: EnginePlayer<G>,
    page: Option<Arc<Thoughts<G>>>,
    /// Our address as the referee has it.
    address: Option<SocketAddr>,
    /// What is told once the move has left.
    thought: Option<(G, Report)>,
}

impl<G: Evaluate> Thoughtful<G> {
    /// A player whose thoughts go to that page.
    pub fn new(player: EnginePlayer<G>, page: Option<&Arc<Thoughts<G>>>) -> Thoughtful<G> {
        Thoughtful { player, page: page.cloned(), address: None, thought: None }
    }
}

impl<G: Evaluate> Player<G> for Thoughtful<G> {
    fn connected(&mut self, local: SocketAddr) {
        self.address = Some(local);
    }

    fn choose(&mut self, state: &GameState<G>, received: Instant) -> Move {
        let report = self.player.think(state, received);
        let best = report.best;
        if self.page.is_some() {
            self.thought = Some((state.position, report));
        }
        best
    }

    fn instead(&mut self, state: &GameState<G>, moves: &[Move]) -> Move {
        self.thought = None;
        self.player.instead(state, moves)
    }

    fn sent(&mut self, at: Instant) -> Duration {
        if let (Some(page), Some(player)) = (&self.page, self.address)
            && let Some((position, report)) = self.thought.take()
        {
            page.push(Thought { player, position, report });
        }
        self.player.sent(at)
    }

    fn opponent_to_move(&mut self, state: &GameState<G>) {
        self.player.opponent_to_move(state);
    }

    fn welcome(&mut self, state: &GameState<G>, side: Side) {
        self.player.welcome(state, side);
    }
}
