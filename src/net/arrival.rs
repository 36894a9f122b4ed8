//! When bytes arrived, by the system's own stamp where there is one.
//!
//! The one idea: our process may be paused (a signal, a busy machine, a virtual machine that is
//! moved) while bytes come in. Linux stamps packets on arrival, so a pause of a referee or relay
//! costs no player its time, and a player knows how much of its time a pause has cost. On other
//! systems the stamp is the time at which the bytes were read.

use std::cell::Cell;
use std::io::{self, Read};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crossbeam::channel::{Receiver, RecvTimeoutError, TryRecvError};

use super::clock::Clock;
use super::socket::{acknowledge_at_once, read_error};

/// Max delay of a line from its stamp to the thread that judges it, after a player's time.
pub const HANDOVER_TIME: Duration = Duration::from_millis(50);

/// A thread that wakes later than this was paused, or the machine is busy.
const LATE: Duration = Duration::from_millis(10);

/// How often a late wake is followed by another wait.
const MAX_WAITS: usize = 100;

/// Both clocks may drift apart by this, and by a thousandth of the time, without a step.
const MAX_DRIFT: Duration = Duration::from_millis(20);

/// Max age of a stamp that a player believes: its moves have hardly more time.
const MAX_AGE: Duration = Duration::from_secs(1);

/// The reading end of a socket, which also is the clock of its bytes: it shows when the last bytes
/// that were read had arrived. Each read enables immediate acknowledgement before. Beyond the
/// socket's time limit it fails with [`WouldBlock`](io::ErrorKind::WouldBlock) on every system,
/// and with [`TimedOut`](io::ErrorKind::TimedOut) where the other machine is gone.
pub struct StampedStream<'a> {
    stream: &'a TcpStream,
    arrived: Cell<Instant>,
    /// Both clocks after the last read, to notice when the system's is set.
    clocks: Cell<(Instant, SystemTime)>,
    /// Bytes that were read and still stay in the socket, where another process looks at them.
    #[cfg(target_os = "linux")]
    shown: Cell<Option<usize>>,
}

impl<'a> StampedStream<'a> {
    /// Asks the system to stamp what arrives from now on.
    pub fn new(stream: &'a TcpStream) -> StampedStream<'a> {
        ask_for_stamps(stream);
        let now = Instant::now();
        let clocks = Cell::new((now, SystemTime::now()));
        StampedStream {
            stream,
            arrived: Cell::new(now),
            clocks,
            #[cfg(target_os = "linux")]
            shown: Cell::new(None),
        }
    }

    /// The socket.
    pub fn stream(&self) -> &TcpStream {
        self.stream
    }

    /// The arrival of bytes with this stamp of the system's clock.
    fn arrival(&self, stamp: Option<SystemTime>) -> Instant {
        // In this order: a pause in between makes an arrival earlier, which costs no player.
        let (now, wall) = (Instant::now(), SystemTime::now());
        let (then, wall_then) = self.clocks.replace((now, wall));
        let passed = now.saturating_duration_since(then);
        let drift = wall.duration_since(wall_then).map(|by_wall| by_wall.abs_diff(passed));
        // Not in the future, and the system's clock was not set meanwhile.
        match (stamp.map(|stamp| wall.duration_since(stamp)), drift) {
            (Some(Ok(age)), Ok(drift)) if drift <= MAX_DRIFT + passed / 1000 => {
                now.checked_sub(age).unwrap_or(now)
            }
            _ => now,
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl StampedStream<'_> {
    fn receive(&self, room: &mut [u8]) -> io::Result<(usize, Option<SystemTime>)> {
        system::receive(self.stream, room)
    }

    /// Nothing stays in the socket here.
    pub fn clear(&self) {}
}

#[cfg(target_os = "linux")]
impl StampedStream<'_> {
    /// From now on what is read stays in the socket until it is cleared or more is read, so that
    /// another process can look at it.
    pub fn show(&self) {
        self.shown.set(Some(0));
    }

    fn receive(&self, room: &mut [u8]) -> io::Result<(usize, Option<SystemTime>)> {
        if self.shown.get().is_none() {
            return system::receive(self.stream, room);
        }
        let received = system::show(self.stream, room)?;
        self.shown.set(Some(received.0));
        Ok(received)
    }

    /// Takes what was read out of the socket.
    pub fn clear(&self) {
        let Some(mut left) = self.shown.get() else { return };
        let mut room = [0; 1024];
        while left > 0 {
            let piece = left.min(room.len());
            match system::receive(self.stream, &mut room[..piece]) {
                Ok((count @ 1.., _)) => left -= count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The connection is gone, as the next read says.
                _ => break,
            }
        }
        self.shown.set(Some(0));
    }

    /// Looks at bytes that have come and were not read, without waiting for any.
    ///
    /// # Errors
    /// The connection's, or there are none.
    pub fn peek(&self, room: &mut [u8]) -> io::Result<usize> {
        let (count, stamp) = system::peek(self.stream, room)?;
        self.arrived.set(self.arrival(stamp));
        Ok(count)
    }
}

impl Read for &StampedStream<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.clear();
        acknowledge_at_once(self.stream);
        let (count, stamp) = loop {
            let begin = Instant::now();
            match self.receive(room) {
                Ok(received) => break received,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(read_error(self.stream, begin, error)),
            }
        };
        self.arrived.set(self.arrival(stamp));
        Ok(count)
    }
}

impl Drop for StampedStream<'_> {
    /// A connection that is closed with bytes in it is reset.
    fn drop(&mut self) {
        self.clear();
    }
}

impl Clock for StampedStream<'_> {
    fn now(&self) -> Instant {
        self.arrived.get()
    }
}

/// The clock of a player whose own time runs since an arrival: never later than the read, and not
/// by a stamp that is too old to be of use.
#[derive(Clone, Copy)]
pub struct OwnTurn<'s>(pub &'s StampedStream<'s>);

impl Clock for OwnTurn<'_> {
    fn now(&self) -> Instant {
        let (read, _) = self.0.clocks.get();
        let arrived = self.0.arrived.get();
        if read.saturating_duration_since(arrived) <= MAX_AGE { arrived } else { read }
    }
}

/// Waits for an arrival until `end`, or for ever. If this thread wakes too late, so may the threads
/// that read: then it waits a little longer for what they have stamped.
pub fn next_until<T>(arrivals: &Receiver<T>, end: Option<Instant>) -> Result<T, RecvTimeoutError> {
    let Some(mut end) = end else {
        return arrivals.recv().map_err(|_| RecvTimeoutError::Disconnected);
    };
    if Instant::now() < end {
        match arrivals.recv_deadline(end) {
            Err(RecvTimeoutError::Timeout) => {}
            received => return received,
        }
    }
    for _ in 0..MAX_WAITS {
        let now = Instant::now();
        match arrivals.try_recv() {
            Ok(arrival) => return Ok(arrival),
            Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) if now.saturating_duration_since(end) <= LATE => break,
            Err(TryRecvError::Empty) => {}
        }
        // The channel's own wait offers the processor to others before it looks at the time, so
        // that on a busy machine every wake would count as late.
        end = now + HANDOVER_TIME;
        thread::sleep(HANDOVER_TIME);
    }
    Err(RecvTimeoutError::Timeout)
}

/// Asks the system to stamp what arrives on a socket, or on those that a listener accepts. A
/// refusal is logged: then the time of reading is the stamp.
pub fn ask_for_stamps(socket: &impl system::Socket) {
    if let Err(error) = system::enable(socket) {
        log::info!("the system does not stamp what arrives: {error}");
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::*;
    use std::mem;
    use std::os::fd::AsRawFd;
    use std::ptr;

    pub use std::os::fd::AsRawFd as Socket;

    /// The kernel's form of a stamp, seconds and nanoseconds since 1970.
    type Stamp = [libc::c_long; 2];

    pub fn enable(socket: &impl Socket) -> io::Result<()> {
        let on: libc::c_int = 1;
        let length = mem::size_of_val(&on) as libc::socklen_t;
        let (level, option) = (libc::SOL_SOCKET, libc::SO_TIMESTAMPNS);
        // SAFETY: the value outlives the call and has the given length; the socket is open.
        let result = unsafe {
            libc::setsockopt(socket.as_raw_fd(), level, option, (&raw const on).cast(), length)
        };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Reads bytes, and the stamp of the last of them.
    pub fn receive(stream: &TcpStream, room: &mut [u8]) -> io::Result<(usize, Option<SystemTime>)> {
        receive_as(stream, room, 0)
    }

    /// Waits for bytes, which stay there.
    pub fn show(stream: &TcpStream, room: &mut [u8]) -> io::Result<(usize, Option<SystemTime>)> {
        receive_as(stream, room, libc::MSG_PEEK)
    }

    /// The same for bytes that are there.
    pub fn peek(stream: &TcpStream, room: &mut [u8]) -> io::Result<(usize, Option<SystemTime>)> {
        receive_as(stream, room, libc::MSG_PEEK | libc::MSG_DONTWAIT)
    }

    fn receive_as(
        stream: &TcpStream,
        room: &mut [u8],
        flags: libc::c_int,
    ) -> io::Result<(usize, Option<SystemTime>)> {
        let mut piece = libc::iovec { iov_base: room.as_mut_ptr().cast(), iov_len: room.len() };
        // Numbers instead of bytes, as a header must be aligned.
        let mut control = [0_u64; 8];
        // SAFETY: null pointers and zero lengths are a valid value.
        let mut message: libc::msghdr = unsafe { mem::zeroed() };
        message.msg_iov = &raw mut piece;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = mem::size_of_val(&control) as _;
        // SAFETY: the message names two live buffers with their lengths; the socket is open.
        let count = unsafe { libc::recvmsg(stream.as_raw_fd(), &raw mut message, flags) };
        let count = usize::try_from(count).map_err(|_| io::Error::last_os_error())?;
        Ok((count, stamp(&message)))
    }

    fn stamp(message: &libc::msghdr) -> Option<SystemTime> {
        // SAFETY: the kernel has filled in the message, whose buffers are alive.
        let mut next = unsafe { libc::CMSG_FIRSTHDR(message) };
        // SAFETY: null, or a header within the buffer, aligned with it.
        while let Some(header) = unsafe { next.as_ref() } {
            if header.cmsg_level == libc::SOL_SOCKET && header.cmsg_type == libc::SCM_TIMESTAMPNS {
                // SAFETY: a header of this type is followed by a stamp, perhaps not aligned.
                let [seconds, nanoseconds] =
                    unsafe { ptr::read_unaligned(libc::CMSG_DATA(next).cast::<Stamp>()) };
                let since_1970 =
                    Duration::new(seconds.try_into().ok()?, nanoseconds.try_into().ok()?);
                return SystemTime::UNIX_EPOCH.checked_add(since_1970);
            }
            // SAFETY: as above.
            next = unsafe { libc::CMSG_NXTHDR(message, next) };
        }
        None
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    /// Any socket.
    pub trait Socket {}

    impl<T> Socket for T {}

    pub fn enable(_: &impl Socket) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn receive(
        mut stream: &TcpStream,
        room: &mut [u8],
    ) -> io::Result<(usize, Option<SystemTime>)> {
        Ok((stream.read(room)?, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn bytes_are_stamped_when_they_arrive_or_are_read() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let stamped = StampedStream::new(&stream);
        let mut room = [0; 8];
        // The system begins to stamp some time after it was asked to.
        let mut stamps = 0;
        for _ in 0..20 {
            let before = Instant::now();
            sender.write_all(b"MOVE").unwrap();
            let sent = Instant::now();
            thread::sleep(Duration::from_millis(300));
            let reading = Instant::now();
            assert_eq!((&stamped).read(&mut room).unwrap(), 4);
            let arrived = stamped.now();
            // Another clock is converted, so to the millisecond.
            assert!(arrived + Duration::from_millis(1) >= before);
            let is_stamped = arrived <= sent + Duration::from_millis(100);
            assert!(is_stamped || arrived >= reading, "{:?}", arrived - sent);
            stamps += u32::from(is_stamped);
            if stamps == 3 {
                break;
            }
        }
        assert!(stamps == 3 || !cfg!(target_os = "linux"), "{stamps} stamps");
        drop(sender);
        assert_eq!((&stamped).read(&mut room).unwrap(), 0);
        assert!(stamped.now() + Duration::from_secs(10) > Instant::now());
    }

    #[test]
    fn a_stamp_by_a_clock_that_was_set_is_not_believed() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stamped = StampedStream::new(&stream);
        let second = Duration::from_secs(1);
        let age = |of_stamp: Duration| {
            let arrival = stamped.arrival(SystemTime::now().checked_sub(of_stamp));
            Instant::now().saturating_duration_since(arrival)
        };
        assert!(age(second) >= second);
        // As if the clock had been set an hour forward.
        let (now, wall) = stamped.clocks.get();
        stamped.clocks.set((now, wall - Duration::from_secs(3600)));
        assert!(age(second) < second);
        assert!(age(second) >= second, "the next one is believed again");
    }

    #[test]
    fn a_players_own_time_is_not_later_than_the_read_nor_much_earlier() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stamped = StampedStream::new(&stream);
        let ms = Duration::from_millis;
        let ago = |age| SystemTime::now().checked_sub(age);
        for (stamp, expected) in [
            (None, ms(0)),
            (ago(ms(0)), ms(0)),
            (ago(ms(300)), ms(300)),
            (ago(ms(1100)), ms(0)),
            (ago(ms(3_600_000)), ms(0)),
            (SystemTime::now().checked_add(ms(300)), ms(0)),
        ] {
            stamped.arrived.set(stamped.arrival(stamp));
            let (read, _) = stamped.clocks.get();
            let age = read.checked_duration_since(OwnTurn(&stamped).now()).unwrap();
            assert!(expected <= age && age < expected + ms(200), "{age:?} of {expected:?}");
        }
    }

    #[test]
    fn a_busy_machine_does_not_make_every_wake_late() {
        let (_sender, receiver) = crossbeam::channel::bounded::<u8>(1);
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..4 * thread::available_parallelism().unwrap().get() {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let begin = Instant::now();
            for _ in 0..5 {
                assert!(next_until(&receiver, Some(Instant::now())).is_err());
            }
            let waited = begin.elapsed();
            done.store(true, Ordering::Relaxed);
            // Each wait for the readers that is followed by all others takes 6 s and more.
            assert!(waited < Duration::from_secs(4), "{waited:?}");
        });
    }

    #[test]
    fn a_wake_that_is_late_is_followed_by_another_wait() {
        let (sender, receiver) = crossbeam::channel::bounded(1);
        thread::scope(|scope| {
            // The end has passed long ago, as after a pause; the reader still has something.
            let end = Instant::now().checked_sub(Duration::from_secs(1));
            let waiting = scope.spawn(move || next_until(&receiver, end));
            thread::sleep(HANDOVER_TIME / 5);
            sender.send(7).unwrap();
            assert_eq!(waiting.join().unwrap(), Ok(7));
        });
    }
}
