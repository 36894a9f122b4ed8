//! A second process that sends our move where this one is not woken in time.
//!
//! The one idea: Linux shares the processor out among sessions, and a thread that wakes waits
//! behind the share that the workers of its own session use. A process in a session of its own that
//! sleeps nearly all the time has a share to spare and is woken at once. It has the socket too, and
//! hears the best move so far; at the latest moment for an answer it sends that. Without it a move
//! would leave when we are woken. With a [high priority](super::urgency) nobody needs it.

use std::io::{self, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Instant;

use super::tournament::OutgoingLine;

/// The only word after our program's name where it is the second process.
pub const WORD: &str = "--stand-in";

/// Where our moves go.
pub trait Outgoing {
    /// Whether a move so far is of use.
    fn is_watched(&self) -> bool {
        false
    }

    /// Leaves a move so far, to be sent at `latest` if [`Outgoing::send`] has not come by then.
    fn so_far(&mut self, line: &OutgoingLine, latest: Instant) {
        let _ = (line, latest);
    }

    /// Sends a move, unless one so far was sent.
    ///
    /// # Errors
    /// The connection's.
    fn send(&mut self, line: &OutgoingLine) -> io::Result<Sent>;
}

/// What was sent in a turn.
pub struct Sent {
    /// The move so far that was sent instead.
    pub instead: Option<OutgoingLine>,
    /// When it left.
    pub left: Option<Instant>,
}

impl<W: Write> Outgoing for W {
    fn send(&mut self, line: &OutgoingLine) -> io::Result<Sent> {
        self.write_all(line)?;
        Ok(Sent { instead: None, left: None })
    }
}

/// A connection with a second process where that helps and can be had.
pub struct Connection<'a> {
    stream: &'a TcpStream,
    stand_in: Option<system::StandIn>,
}

impl<'a> Connection<'a> {
    /// The second process is started from this program, if one is named.
    pub fn new(stream: &'a TcpStream, program: Option<&Path>) -> Connection<'a> {
        let stand_in = program.and_then(|program| {
            system::StandIn::start(stream, program)
                .inspect_err(|error| log::info!("no second process that watches the time: {error}"))
                .ok()
        });
        Connection { stream, stand_in }
    }
}

impl Outgoing for Connection<'_> {
    fn is_watched(&self) -> bool {
        self.stand_in.is_some()
    }

    fn so_far(&mut self, line: &OutgoingLine, latest: Instant) {
        if let Some(stand_in) = &mut self.stand_in
            && let Err(error) = stand_in.so_far(line, latest)
        {
            self.give_up(&error);
        }
    }

    fn send(&mut self, line: &OutgoingLine) -> io::Result<Sent> {
        if let Some(stand_in) = &mut self.stand_in {
            match stand_in.send(line) {
                Ok(sent) => return sent,
                Err(error) => self.give_up(&error),
            }
        }
        self.stream.send(line)
    }
}

impl Connection<'_> {
    fn give_up(&mut self, error: &io::Error) {
        log::warn!("the process that watches the time has ended: {error}; continuing without it");
        self.stand_in = None;
    }
}

#[cfg(target_os = "linux")]
pub use system::serve;

#[cfg(target_os = "linux")]
mod system {
    use std::io::{self, ErrorKind, Read, Write};
    use std::net::TcpStream;
    use std::os::fd::{AsFd, AsRawFd, OwnedFd};
    use std::os::unix::net::UnixStream;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::{Outgoing, Sent, WORD};
    use crate::net::tournament::OutgoingLine;

    /// How long the second process may take for a word; its write may block for a second.
    const PATIENCE: Duration = Duration::from_secs(3);

    /// The slice of the processor that the second process asks for: a shorter one is served first.
    const SLICE_NS: u64 = 100_000;

    /// Bytes of a message, and where its parts begin: the kind, the length of the line, the error,
    /// the turn, the moment, the line.
    const MESSAGE: usize = 56;
    const MAX_LINE: usize = MESSAGE - 24;

    /// What one process says to the other.
    #[derive(Clone, Copy, Default)]
    struct Message {
        /// Whether the line is to be sent now; in an answer, whether it is another one.
        at_once: bool,
        /// The system's number of an error in sending, or 0.
        error: i32,
        turn: u64,
        /// The latest moment, and in an answer when the line left.
        at: u64,
        line: [u8; MAX_LINE],
        length: u8,
    }

    impl Message {
        fn new(turn: u64, at: u64, line: &[u8]) -> Option<Message> {
            let mut message = Message { turn, at, ..Message::default() };
            message.line.get_mut(..line.len())?.copy_from_slice(line);
            message.length = u8::try_from(line.len()).ok()?;
            Some(message)
        }

        fn line(&self) -> &[u8] {
            &self.line[..MAX_LINE.min(usize::from(self.length))]
        }

        fn write(&self, mut to: impl Write) -> io::Result<()> {
            let mut bytes = [0; MESSAGE];
            bytes[0] = u8::from(self.at_once);
            bytes[1] = self.length;
            bytes[4..8].copy_from_slice(&self.error.to_ne_bytes());
            bytes[8..16].copy_from_slice(&self.turn.to_ne_bytes());
            bytes[16..24].copy_from_slice(&self.at.to_ne_bytes());
            bytes[24..].copy_from_slice(&self.line);
            to.write_all(&bytes)
        }

        fn read(mut from: impl Read) -> io::Result<Message> {
            let mut bytes = [0; MESSAGE];
            from.read_exact(&mut bytes)?;
            let eight = |at: usize| bytes[at..at + 8].try_into().expect("eight bytes");
            let four = bytes[4..8].try_into().expect("four bytes");
            Ok(Message {
                at_once: bytes[0] != 0,
                length: bytes[1],
                error: i32::from_ne_bytes(four),
                turn: u64::from_ne_bytes(eight(8)),
                at: u64::from_ne_bytes(eight(16)),
                line: bytes[24..].try_into().expect("the rest"),
            })
        }
    }

    /// Nanoseconds of the clock that both processes see.
    fn clock() -> u64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: there is room for the answer; this clock is always there.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
        let parts = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).unwrap_or(0));
        parts[0] * 1_000_000_000 + parts[1]
    }

    fn nanoseconds(time: Duration) -> u64 {
        u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
    }

    /// Our end of the second process.
    pub struct StandIn {
        child: Child,
        /// Closed before its end is awaited.
        words: Option<UnixStream>,
        turn: u64,
    }

    impl StandIn {
        /// # Errors
        /// The system's.
        pub fn start(stream: &TcpStream, program: &Path) -> io::Result<StandIn> {
            let (ours, theirs) = UnixStream::pair()?;
            ours.set_read_timeout(Some(PATIENCE))?;
            let socket = stream.as_fd().try_clone_to_owned()?;
            let mut command = Command::new(program);
            command.arg(WORD).stdin(OwnedFd::from(theirs)).stdout(socket).stderr(Stdio::null());
            let child = command.spawn()?;
            let mut stand_in = StandIn { child, words: Some(ours), turn: 0 };
            // It is there when it has said so.
            Message::read(stand_in.words()?)?;
            Ok(stand_in)
        }

        fn words(&mut self) -> io::Result<&UnixStream> {
            self.words.as_ref().ok_or_else(|| ErrorKind::NotConnected.into())
        }

        pub fn so_far(&mut self, line: &OutgoingLine, latest: Instant) -> io::Result<()> {
            // In this order: a pause in between makes it earlier.
            let now = clock();
            let left = latest.saturating_duration_since(Instant::now());
            let message = Message::new(self.turn, now + nanoseconds(left), line);
            message.ok_or(ErrorKind::InvalidInput)?.write(self.words()?)
        }

        /// The outer error is the second process's, the inner one the connection's.
        pub fn send(&mut self, line: &OutgoingLine) -> io::Result<io::Result<Sent>> {
            let message = Message::new(self.turn, 0, line).ok_or(ErrorKind::InvalidInput)?;
            Message { at_once: true, ..message }.write(self.words()?)?;
            let answer = Message::read(self.words()?)?;
            if answer.turn != self.turn {
                return Err(ErrorKind::InvalidData.into());
            }
            self.turn += 1;
            if answer.error != 0 {
                return Ok(Err(io::Error::from_raw_os_error(answer.error)));
            }
            let instead = answer.at_once.then(|| answer.line().iter().copied().collect());
            let ago = Duration::from_nanos(clock().saturating_sub(answer.at));
            Ok(Ok(Sent { instead, left: Instant::now().checked_sub(ago) }))
        }
    }

    impl Drop for StandIn {
        fn drop(&mut self) {
            self.words = None;
            // It ends when its input does.
            let _ = self.child.wait();
        }
    }

    /// The second process: standard input is the other process, standard output the connection.
    ///
    /// # Errors
    /// The system's, where this is not so.
    pub fn serve() -> io::Result<()> {
        have_own_share();
        let words = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        let stream = TcpStream::from(io::stdout().as_fd().try_clone_to_owned()?);
        stand_in(&words, stream)
    }

    fn stand_in(words: &UnixStream, mut stream: impl Outgoing) -> io::Result<()> {
        let send = |stream: &mut _, message: &Message| {
            let line: OutgoingLine = message.line().iter().copied().collect();
            let sent = Outgoing::send(stream, &line);
            let error = sent.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO));
            Message { error, at: clock(), ..*message }
        };
        Message::default().write(words)?;
        // The latest move so far, and what was sent of it.
        let mut waiting: Option<Message> = None;
        let mut sent: Option<Message> = None;
        loop {
            if !has_words(words, waiting.map(|message| message.at))? {
                sent = waiting.take().map(|message| send(&mut stream, &message));
                continue;
            }
            let message = match Message::read(words) {
                Ok(message) => message,
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(error),
            };
            let earlier = sent.filter(|sent| sent.turn == message.turn);
            match (message.at_once, earlier) {
                (false, Some(_)) => {}
                (false, None) => waiting = Some(message),
                (true, Some(earlier)) => Message { at_once: true, ..earlier }.write(words)?,
                (true, None) => {
                    waiting = None;
                    Message { at_once: false, ..send(&mut stream, &message) }.write(words)?;
                }
            }
        }
    }

    /// Waits for words until a moment of [`clock`]; returns whether there are any, or their end.
    fn has_words(words: &UnixStream, until: Option<u64>) -> io::Result<bool> {
        loop {
            let left = until.map(|until| {
                let left = Duration::from_nanos(until.saturating_sub(clock()));
                libc::timespec {
                    tv_sec: libc::time_t::try_from(left.as_secs()).unwrap_or(libc::time_t::MAX),
                    tv_nsec: left.subsec_nanos().into(),
                }
            });
            let left = left.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
            let mut poll = libc::pollfd { fd: words.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one entry, and a time that outlives the call, or none.
            match unsafe { libc::ppoll(&raw mut poll, 1, left, std::ptr::null()) } {
                0 => return Ok(false),
                1.. => return Ok(true),
                _ => {
                    let error = io::Error::last_os_error();
                    if error.kind() != ErrorKind::Interrupted {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Takes this process into a session of its own, and asks for a short slice of the processor,
    /// which Linux 6.12 and later grant to everybody. Neither is needed for its work.
    fn have_own_share() {
        // As in the system's headers (sched_setattr(2)).
        #[repr(C)]
        struct Attributes {
            size: u32,
            policy: u32,
            flags: u64,
            nice: i32,
            priority: u32,
            runtime: u64,
            deadline: u64,
            period: u64,
        }
        let attributes = Attributes {
            size: size_of::<Attributes>() as u32,
            policy: libc::SCHED_OTHER.cast_unsigned(),
            flags: 0,
            nice: 0,
            priority: 0,
            runtime: SLICE_NS,
            deadline: 0,
            period: 0,
        };
        // SAFETY: no pointers.
        unsafe { libc::setsid() };
        // SAFETY: 0 means this thread, and the attributes outlive the call.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::convert::Infallible;
    use std::io;
    use std::net::TcpStream;
    use std::path::Path;
    use std::time::Instant;

    use super::Sent;
    use crate::net::tournament::OutgoingLine;

    /// There is none here.
    pub struct StandIn(Infallible);

    impl StandIn {
        pub fn start(_: &TcpStream, _: &Path) -> io::Result<StandIn> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub fn so_far(&mut self, _: &OutgoingLine, _: Instant) -> io::Result<()> {
            match self.0 {}
        }

        pub fn send(&mut self, _: &OutgoingLine) -> io::Result<io::Result<Sent>> {
            match self.0 {}
        }
    }
}
