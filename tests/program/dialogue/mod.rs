//! One end of a connection that follows a script: says lines, and insists on what it hears.

pub mod client;
pub mod process;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::Game;
use alesia::games::AnyState;
use alesia::net::client::{Answer, Player};

/// After so long a silence a test fails; far more than a loaded machine needs.
const PATIENCE: Duration = Duration::from_secs(20);

/// The pause between the packets of a sliced text.
const SLICE_PAUSE: Duration = Duration::from_micros(200);

/// A party with a script.
pub struct Peer(TcpStream);

impl Peer {
    /// Speaks on a connected socket.
    pub fn new(stream: TcpStream) -> Peer {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Peer(stream)
    }

    /// Connects and speaks.
    pub fn connect(address: SocketAddr) -> Peer {
        Peer::new(TcpStream::connect(address).unwrap())
    }

    /// Sends exactly this in one packet.
    pub fn sends(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).unwrap();
    }

    /// Sends lines, each with its `\n`, in one packet.
    pub fn says<const N: usize>(&mut self, lines: [&str; N]) {
        self.sends(joined(&lines));
    }

    /// Sends this one byte a packet.
    pub fn slices(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            self.sends([byte]);
            thread::sleep(SLICE_PAUSE);
        }
    }

    /// Expects exactly these lines next, byte for byte.
    #[track_caller]
    pub fn hears<const N: usize>(&mut self, lines: [&str; N]) {
        let expected = joined(&lines);
        let mut heard = Vec::new();
        // One byte at a time, so that a failure can show what did come.
        while heard.len() < expected.len() {
            let mut byte = [0];
            match self.0.read(&mut byte) {
                Ok(1) if byte[0] == expected.as_bytes()[heard.len()] => heard.push(byte[0]),
                failure => {
                    heard.extend(byte);
                    let heard = String::from_utf8_lossy(&heard);
                    panic!("heard {heard:?}, then {failure:?}; expected {expected:?}");
                }
            }
        }
    }

    /// Expects a whole line, and returns it without its end.
    #[track_caller]
    pub fn hears_a_line(&mut self) -> String {
        let mut heard = Vec::new();
        while heard.last() != Some(&b'\n') {
            let mut byte = [0];
            let read = self.0.read(&mut byte);
            assert!(matches!(read, Ok(1)), "heard {heard:?}, then {read:?}");
            heard.extend(byte);
        }
        String::from_utf8(heard).unwrap().trim_end().to_owned()
    }

    /// All lines until the other side closes, which it may do roughly.
    pub fn hears_all(mut self) -> Vec<String> {
        let mut heard = Vec::new();
        // What came before a reset is there all the same.
        let _ = self.0.read_to_end(&mut heard);
        String::from_utf8(heard).unwrap().lines().map(str::to_owned).collect()
    }

    /// Expects that the other side closes without another word.
    #[track_caller]
    pub fn hears_the_end(mut self) {
        let mut rest = Vec::new();
        let end = self.0.read_to_end(&mut rest);
        assert!(end.is_ok(), "{end:?} instead of the end");
        assert_eq!(String::from_utf8_lossy(&rest), "", "instead of the end");
    }

    /// Closes without a word.
    pub fn leaves(self) {}
}

/// Work on a detached thread, so that a failed test ends.
pub struct Background<T>(mpsc::Receiver<T>);

impl<T: Send + 'static> Background<T> {
    /// Begins the work.
    pub fn new(work: impl FnOnce() -> T + Send + 'static) -> Background<T> {
        Background::begin(Box::new(work))
    }

    /// Compiled once for all work with the same kind of result.
    fn begin(work: Box<dyn FnOnce() -> T + Send>) -> Background<T> {
        let (sender, receiver) = mpsc::channel();
        // There is no receiver any more if the test has failed.
        thread::spawn(move || drop(sender.send(work())));
        Background(receiver)
    }

    /// Waits for what came of it.
    #[track_caller]
    pub fn wait(self) -> T {
        self.0.recv_timeout(3 * PATIENCE).expect("the work has failed or does not end")
    }
}

/// Waits until something is so.
#[track_caller]
pub fn wait_until(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain");
        thread::sleep(Duration::from_millis(5));
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A port that nobody else takes: below those that the system gives to others.
pub fn free_port() -> u16 {
    static NEXT: std::sync::atomic::AtomicU16 = std::sync::atomic::AtomicU16::new(0);
    loop {
        let step = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let port = 20_000 + (std::process::id() as u16).wrapping_add(step) % 10_000;
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A listener on a free loopback port, with its address.
pub fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// A player that plays prepared moves.
pub struct Script<'a>(VecDeque<&'a str>);

impl<'a> Script<'a> {
    /// Plays these moves, separated by blanks, in this order.
    pub fn new(moves: &'a str) -> Script<'a> {
        Script(moves.split_whitespace().collect())
    }
}

impl Player for Script<'_> {
    fn choose(&mut self, state: &AnyState, _: Instant) -> Answer {
        let text = self.0.pop_front().expect("the script has no more moves");
        state.position.read_notation(text).unwrap().into()
    }
}

/// A player that plays at random.
pub struct Random(pub fastrand::Rng);

impl Player for Random {
    fn choose(&mut self, state: &AnyState, _: Instant) -> Answer {
        state.position.random_move(&mut self.0).expect("it is our turn").into()
    }
}

/// The moves of one side, 0 or 1, of a game written as both sides' moves.
pub fn moves_of(side: usize, game: &str) -> String {
    let moves: Vec<&str> = game.split_whitespace().skip(side).step_by(2).collect();
    moves.join(" ")
}

/// Whole games from the start position.
pub mod games {
    /// Murus Gallicus: white reaches black's home row.
    pub const MURUS_WHITE: &str = "G4,N A5,S G3,NE A1,S G8,N A4,SW F4,NE A6,SE E5,NE A3,SE D6,NE \
        C5,NW C7,NW";
    /// Murus Gallicus: black reaches white's home row.
    pub const MURUS_BLACK: &str =
        "G2,N A2,SE G3,NW A4,SW G4,N B3,SE F2,E C4,SE F4,W D5,SE G8,NW E6,SW";
    /// Murus Gallicus: white has no move left.
    pub const MURUS_NO_MOVE: &str = "G6,N A4,SW G1,N A8,SW G4,N A1,S G5,N A7,S G3,E A5,SE G2,N \
        A6,W G7,N A3,SE G8,N A2,SE";
    /// Hadron on 3 × 3: black has no move left.
    pub const HADRON_3X3_WHITE: &str = "B1 A3 C2";
    /// Hadron on 2 × 2: the board is full, and white to move.
    pub const HADRON_2X2_BLACK: &str = "A2 B1 A1 B2";
    /// Lines of Action: white's stones form one group.
    pub const LOA_WHITE: &str = "D8-F6 A3-C1 D1-F3 A4-C4 E1-C3 A5-B6 B8-D6 C4-A4 G1-D4 A4-C6 \
        G8-G7 A6-C8 F1-F5 H2-F4 F3-D5 A7-A5 B1-E4";
    /// Voidrider Chess: black mates.
    pub const VOIDRIDER_BLACK: &str = "b1-d1 f8-e6 f1-e1 g8-f8 c3-c4 b7-a7 b3-a3 a8-a9 e1-f1 \
        f9-g8 d1-a1 b9-d9 e3-e4 d9-c9 f1-g1 b8-b7 b2-b3 e6-f4 d2-c3 b7-d6 g1-c1 g8-g4 c1-d2 \
        d6-b5 c3-b4 a9-b9 f2-g4 f4-d3 b4-b5 b9-b8";
}
