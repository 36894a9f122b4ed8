//! A second process that sends our move where this one is not woken in time.
//!
//! The one idea: Linux shares the processor out among sessions, and a thread that wakes waits
//! behind the share that the workers of its own session use. A process in a session of its own that
//! sleeps nearly all the time has a share to spare and is woken at once. It has the socket too, and
//! hears the best move so far; at the latest moment for an answer it sends that. It also sees the
//! server's lines without reading them ([`onlooker`](super::onlooker)), so that it has a move of
//! its own where we are not even woken for our turn. Without it a move would leave when we are
//! woken. With a [high priority](super::urgency) nobody needs it.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::arrival::StampedStream;
use super::tournament::OutgoingLine;
use crate::games::AnyGame;

/// The word after our program's name where it is the second process.
pub const WORD: &str = "--stand-in";

/// What a second process needs.
pub struct Second<'a> {
    /// Our program.
    pub program: &'a Path,
    /// The word of the game.
    pub game: String,
    /// How long after a turn has come it sends a move of its own.
    pub within: Duration,
}

/// Where our moves go.
pub trait Outgoing {
    /// Whether a move so far is of use.
    fn is_watched(&self) -> bool {
        false
    }

    /// Our turn has come, in this position.
    fn our_turn(&mut self, position: &AnyGame, received: Instant) {
        let _ = (position, received);
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
    incoming: &'a StampedStream<'a>,
    stand_in: Option<system::StandIn>,
}

impl<'a> Connection<'a> {
    /// With a second process, if one is wanted.
    pub fn new(incoming: &'a StampedStream<'a>, second: Option<&Second>) -> Connection<'a> {
        let stand_in = second.and_then(|second| {
            system::StandIn::start(incoming, second)
                .inspect_err(|error| log::info!("no second process that watches the time: {error}"))
                .ok()
        });
        Connection { incoming, stand_in }
    }
}

impl Outgoing for Connection<'_> {
    fn is_watched(&self) -> bool {
        self.stand_in.is_some()
    }

    fn our_turn(&mut self, position: &AnyGame, received: Instant) {
        if let Some(stand_in) = &mut self.stand_in
            && let Err(error) = stand_in.our_turn(position, received)
        {
            self.give_up(&error);
        }
        // Seen or told; what comes now is of later turns.
        self.incoming.clear();
    }

    fn so_far(&mut self, line: &OutgoingLine, latest: Instant) {
        if let Some(stand_in) = &mut self.stand_in
            && let Err(error) = stand_in.so_far(line, latest)
        {
            self.give_up(&error);
        }
    }

    fn send(&mut self, line: &OutgoingLine) -> io::Result<Sent> {
        self.incoming.clear();
        if let Some(stand_in) = &mut self.stand_in {
            match stand_in.send(line) {
                Ok(sent) => return sent,
                Err(error) => self.give_up(&error),
            }
        }
        self.incoming.stream().send(line)
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
    use std::ffi::OsString;
    use std::fmt::Write as _;
    use std::fs::File;
    use std::io::{self, ErrorKind, Read, Write};
    use std::net::TcpStream;
    use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};
    use std::str;
    use std::time::{Duration, Instant};

    use arrayvec::ArrayString;

    use super::{Outgoing, Second, Sent, WORD};
    use crate::game::Game;
    use crate::games::{AnyGame, GameSpec};
    use crate::net::arrival::StampedStream;
    use crate::net::clock::Clock;
    use crate::net::line::MAX_LINE;
    use crate::net::onlooker::{Onlooker, best_at_a_glance};
    use crate::net::tournament::{OutgoingLine, move_line, move_text};

    /// How long the second process may take for a word; its write may block for a second.
    const PATIENCE: Duration = Duration::from_secs(3);

    /// The slice of the processor that the second process asks for: a shorter one is served first.
    const SLICE_NS: u64 = 100_000;

    /// Bytes of the server that are looked at: a turn has far fewer.
    const SEEN: usize = 4096;

    /// Bytes of a message before its text: the kind, the length of the text, the error, the turn,
    /// the moment.
    const HEAD: usize = 24;

    /// What a message is for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    enum Kind {
        /// Send this line at this moment, if no other has come by then; in an answer, it was sent.
        #[default]
        SoFar,
        /// Send this line now; in an answer, another one had been sent.
        Send,
        /// Our turn came at this moment, in this position.
        OurTurn,
    }

    /// What one process says to the other.
    #[derive(Clone, Default)]
    struct Message {
        kind: Kind,
        /// The system's number of an error in sending, or 0.
        error: i32,
        turn: u64,
        /// A moment of [`clock`], and in an answer when the line left.
        at: u64,
        text: OutgoingLine,
    }

    impl Message {
        fn write(&self, mut to: impl Write) -> io::Result<()> {
            let mut bytes = [0; HEAD + MAX_LINE + 1];
            bytes[0] = self.kind as u8;
            bytes[2..4].copy_from_slice(&(self.text.len() as u16).to_ne_bytes());
            bytes[4..8].copy_from_slice(&self.error.to_ne_bytes());
            bytes[8..16].copy_from_slice(&self.turn.to_ne_bytes());
            bytes[16..24].copy_from_slice(&self.at.to_ne_bytes());
            let end = HEAD + self.text.len();
            bytes[HEAD..end].copy_from_slice(&self.text);
            to.write_all(&bytes[..end])
        }

        fn read(mut from: impl Read) -> io::Result<Message> {
            let mut head = [0; HEAD];
            from.read_exact(&mut head)?;
            let eight = |at: usize| head[at..at + 8].try_into().expect("eight bytes");
            let kinds = [Kind::SoFar, Kind::Send, Kind::OurTurn];
            let kind = kinds.into_iter().find(|&kind| kind as u8 == head[0]);
            let mut text = OutgoingLine::new();
            let length = u16::from_ne_bytes(head[2..4].try_into().expect("two bytes"));
            for _ in 0..length {
                text.try_push(0).map_err(|_| ErrorKind::InvalidData)?;
            }
            from.read_exact(&mut text)?;
            Ok(Message {
                kind: kind.ok_or(ErrorKind::InvalidData)?,
                error: i32::from_ne_bytes(head[4..8].try_into().expect("four bytes")),
                turn: u64::from_ne_bytes(eight(8)),
                at: u64::from_ne_bytes(eight(16)),
                text,
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

    /// A moment by that clock; a pause meanwhile makes it earlier.
    fn by_clock(moment: Instant) -> u64 {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let (clock, now) = (clock(), Instant::now());
        match moment.checked_duration_since(now) {
            Some(left) => clock.saturating_add(ns(left)),
            None => clock.saturating_sub(ns(now.saturating_duration_since(moment))),
        }
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
        pub fn start(incoming: &StampedStream, second: &Second) -> io::Result<StandIn> {
            let (ours, theirs) = UnixStream::pair()?;
            ours.set_read_timeout(Some(PATIENCE))?;
            let socket = incoming.stream().as_fd().try_clone_to_owned()?;
            let mut command = Command::new(second.program);
            command.args([WORD, &second.game, &second.within.as_micros().to_string()]);
            command.stdin(OwnedFd::from(theirs)).stdout(socket).stderr(Stdio::null());
            let child = command.spawn()?;
            let mut stand_in = StandIn { child, words: Some(ours), turn: 0 };
            // It is there when it has said so.
            Message::read(stand_in.words()?)?;
            // Otherwise we might read our turn and then get no core to say so.
            incoming.show();
            Ok(stand_in)
        }

        fn words(&mut self) -> io::Result<&UnixStream> {
            self.words.as_ref().ok_or_else(|| ErrorKind::NotConnected.into())
        }

        fn say(&mut self, kind: Kind, at: u64, text: OutgoingLine) -> io::Result<()> {
            let message = Message { kind, turn: self.turn, at, text, error: 0 };
            message.write(self.words()?)
        }

        pub fn our_turn(&mut self, position: &AnyGame, received: Instant) -> io::Result<()> {
            let mut board = ArrayString::<MAX_LINE>::new();
            // A larger board is none, and then only moves so far are sent.
            if write!(board, "{position}").is_err() {
                board.clear();
            }
            let board = board.bytes().collect();
            self.say(Kind::OurTurn, by_clock(received), board)
        }

        pub fn so_far(&mut self, line: &OutgoingLine, latest: Instant) -> io::Result<()> {
            self.say(Kind::SoFar, by_clock(latest), line.clone())
        }

        /// The outer error is the second process's, the inner one the connection's.
        pub fn send(&mut self, line: &OutgoingLine) -> io::Result<io::Result<Sent>> {
            self.say(Kind::Send, 0, line.clone())?;
            let answer = Message::read(self.words()?)?;
            if answer.turn != self.turn {
                return Err(ErrorKind::InvalidData.into());
            }
            self.turn += 1;
            if answer.error != 0 {
                return Ok(Err(io::Error::from_raw_os_error(answer.error)));
            }
            let ago = Duration::from_nanos(clock().saturating_sub(answer.at));
            let instead = (answer.kind == Kind::Send).then_some(answer.text);
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
    /// The arguments are the game and the microseconds after which a turn is answered.
    ///
    /// # Errors
    /// The system's, where this is not so.
    pub fn serve(arguments: &[OsString]) -> io::Result<()> {
        have_own_share();
        let words = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        let connection = TcpStream::from(output.try_clone()?);
        // Where the game cannot be followed, moves so far are sent all the same.
        let game = Followed::new(&connection, arguments).ok();
        stand_in(&words, File::from(output), game)
    }

    /// A game that is seen from outside.
    struct Followed<'a> {
        stream: StampedStream<'a>,
        /// Readable where bytes have come since it was read.
        arrivals: OwnedFd,
        start: AnyGame,
        onlooker: Onlooker,
        within: u64,
    }

    impl<'a> Followed<'a> {
        fn new(connection: &'a TcpStream, arguments: &[OsString]) -> io::Result<Followed<'a>> {
            let word = |at: usize| arguments.get(at).and_then(|word| word.to_str());
            let start = word(0).and_then(|game| GameSpec::open(game).ok()).map(AnyGame::start);
            let start = start.ok_or(ErrorKind::InvalidInput)?;
            let within: Option<u64> = word(1).and_then(|micros| micros.parse().ok());
            let within = within.ok_or(ErrorKind::InvalidInput)?.saturating_mul(1000);
            // So that what it needs is in memory.
            best_at_a_glance(start);
            let (arrivals, onlooker) = (arrivals(connection)?, Onlooker::new(Some(start)));
            let stream = StampedStream::new(connection);
            Ok(Followed { stream, arrivals, start, onlooker, within })
        }

        /// A move for our turn, if the server's lines that have come say that it is ours.
        fn look(&mut self, turn: u64) -> Option<Message> {
            let mut room = [0; SEEN];
            let count = self.stream.peek(&mut room).ok()?;
            let position = self.onlooker.see(&room[..count])?;
            self.own_move(turn, position, by_clock(self.stream.now()))
        }

        /// A move for our turn, of which the player has said the position, where one is wanted.
        fn told(&mut self, message: &Message, is_wanted: bool) -> Option<Message> {
            let board = str::from_utf8(&message.text).ok();
            let position = board.and_then(|board| self.start.parse_board(board).ok());
            self.onlooker = Onlooker::new(position);
            let position = position.filter(|_| is_wanted)?;
            self.own_move(message.turn, position, message.at)
        }

        fn own_move(&self, turn: u64, position: AnyGame, arrived: u64) -> Option<Message> {
            let text = move_line(&move_text(&position, best_at_a_glance(position)?));
            let at = arrived.saturating_add(self.within);
            Some(Message { turn, at, text, ..Message::default() })
        }
    }

    fn stand_in(
        words: &UnixStream,
        mut output: impl Outgoing,
        mut game: Option<Followed>,
    ) -> io::Result<()> {
        let mut send = |game: &mut Option<Followed>, message: Message| {
            let sent = output.send(&message.text);
            let error = sent.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO));
            if let Some(game) = game {
                game.onlooker.we_sent(message.text.trim_ascii_end());
            }
            Message { kind: Kind::SoFar, error, at: clock(), ..message }
        };
        Message::default().write(words)?;
        // The latest move so far, and what was sent of it.
        let mut waiting: Option<Message> = None;
        let mut sent: Option<Message> = None;
        // The turn that has come, or will.
        let mut turn = 0;
        loop {
            let arrivals = game.as_ref().map(|game| &game.arrivals);
            match wait(words, arrivals, waiting.as_ref().map(|message| message.at))? {
                Woken::Moment => {
                    sent = waiting.take().map(|message| send(&mut game, message));
                }
                Woken::Arrival => {
                    let is_open = sent.as_ref().is_none_or(|sent| sent.turn != turn);
                    if let Some(game) = game.as_mut().filter(|_| is_open && waiting.is_none()) {
                        waiting = game.look(turn);
                    }
                }
                Woken::Words => {
                    let message = match Message::read(words) {
                        Ok(message) => message,
                        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
                        Err(error) => return Err(error),
                    };
                    turn = message.turn;
                    let earlier = sent.as_ref().filter(|sent| sent.turn == turn);
                    match (message.kind, earlier) {
                        (Kind::SoFar | Kind::OurTurn, Some(_)) => {}
                        (Kind::SoFar, None) => waiting = Some(message),
                        (Kind::OurTurn, None) => {
                            let is_wanted = waiting.is_none();
                            let told = |game: &mut Followed| game.told(&message, is_wanted);
                            waiting = waiting.or(game.as_mut().and_then(told));
                        }
                        (Kind::Send, earlier) => {
                            let answer = match earlier {
                                Some(earlier) => Message { kind: Kind::Send, ..earlier.clone() },
                                None => send(&mut game, message),
                            };
                            turn += 1;
                            // Before the player is woken by the answer, and reads what has come.
                            waiting = game.as_mut().and_then(|game| game.look(turn));
                            answer.write(words)?;
                        }
                    }
                }
            }
        }
    }

    /// Something that becomes readable whenever bytes come, though those before were not read.
    fn arrivals(connection: &TcpStream) -> io::Result<OwnedFd> {
        // SAFETY: no pointers.
        let arrivals = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        if arrivals < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: just opened, and nobody else's.
        let arrivals = unsafe { OwnedFd::from_raw_fd(arrivals) };
        let events = (libc::EPOLLIN | libc::EPOLLET).cast_unsigned();
        let mut event = libc::epoll_event { events, u64: 0 };
        let (to, of) = (arrivals.as_raw_fd(), connection.as_raw_fd());
        // SAFETY: both are open, and the event outlives the call.
        match unsafe { libc::epoll_ctl(to, libc::EPOLL_CTL_ADD, of, &raw mut event) } {
            0 => Ok(arrivals),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// What the second process was woken for.
    enum Woken {
        /// Words of the player, or their end.
        Words,
        /// Bytes of the server.
        Arrival,
        /// The moment that was waited for.
        Moment,
    }

    /// Waits for words, or for bytes of the server, until a moment of [`clock`].
    fn wait(
        words: &UnixStream,
        arrivals: Option<&OwnedFd>,
        until: Option<u64>,
    ) -> io::Result<Woken> {
        loop {
            let left = until.map(|until| {
                let left = Duration::from_nanos(until.saturating_sub(clock()));
                libc::timespec {
                    tv_sec: libc::time_t::try_from(left.as_secs()).unwrap_or(libc::time_t::MAX),
                    tv_nsec: left.subsec_nanos().cast_signed().into(),
                }
            });
            let left = left.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
            let entry = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
            // A number below 0 is passed over.
            let mut polled =
                [entry(words.as_raw_fd()), entry(arrivals.map_or(-1, AsRawFd::as_raw_fd))];
            // SAFETY: two entries, and a time that outlives the call, or none.
            match unsafe { libc::ppoll(polled.as_mut_ptr(), 2, left, std::ptr::null()) } {
                0 => return Ok(Woken::Moment),
                1.. if polled[0].revents != 0 => return Ok(Woken::Words),
                1.. => {
                    let mut event = libc::epoll_event { events: 0, u64: 0 };
                    // SAFETY: room for one event; the descriptor was polled.
                    unsafe { libc::epoll_wait(polled[1].fd, &raw mut event, 1, 0) };
                    return Ok(Woken::Arrival);
                }
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
    use std::time::Instant;

    use super::{Second, Sent};
    use crate::games::AnyGame;
    use crate::net::arrival::StampedStream;
    use crate::net::tournament::OutgoingLine;

    /// There is none here.
    pub struct StandIn(Infallible);

    impl StandIn {
        pub fn start(_: &StampedStream, _: &Second) -> io::Result<StandIn> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub fn our_turn(&mut self, _: &AnyGame, _: Instant) -> io::Result<()> {
            match self.0 {}
        }

        pub fn so_far(&mut self, _: &OutgoingLine, _: Instant) -> io::Result<()> {
            match self.0 {}
        }

        pub fn send(&mut self, _: &OutgoingLine) -> io::Result<io::Result<Sent>> {
            match self.0 {}
        }
    }
}
