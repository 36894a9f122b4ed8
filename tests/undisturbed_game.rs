//! Between the first `YOUR_TURN` and the end of a game on a server, no thread of the player
//! allocates or frees, and the system provides no more memory. The game is played with what `alesia
//! play` plays with, against a referee and an opponent in processes of their own. Meanwhile a page
//! is sent what the engine thinks.
#![cfg(target_os = "linux")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, Side};
use alesia::games::{AnyGame, AnyState, Hadron, Loa, Murus, Voidrider};
use alesia::net::client::{Answer, ClientEvent, Player, connect, play_game};
use alesia::player::EnginePlayer;
use alesia::player::commentary::{self, Terms};
use alesia::player::latest::Latest;
use alesia::player::printer::Printer;
use alesia::player::thought_sender::Thoughts;
use alesia::search::clock::MoveTime;
use alesia::search::memory::prepare_thread;
use alesia::search::{EngineKind, EngineOptions};
use memmap2::{Advice, MmapMut};

/// Memory of the engine under test, in bytes.
const MEMORY: usize = 64 << 20;

/// Page faults that a game may have outside the arena: the kernel sometimes moves pages, and code
/// may be mapped when it first runs.
const TOLERATED_FAULTS: u64 = 8;

/// The system's allocator, which counts calls while it is armed.
struct Counting;

static ARMED: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);

impl Counting {
    fn count(&self) {
        if ARMED.load(Ordering::SeqCst) {
            CALLS.fetch_add(1, Ordering::SeqCst);
        }
    }
}

// SAFETY: hands every call on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.count();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Page faults of this process so far without a read from a disk. Allocates nothing.
fn faults() -> u64 {
    let mut text = [0; 1024];
    let length = File::open("/proc/self/stat").unwrap().read(&mut text).unwrap();
    let text = std::str::from_utf8(&text[..length]).unwrap();
    let after_name = text.rsplit_once(')').unwrap().1;
    // The tenth field of the line (proc_pid_stat(5)); the third is the first here.
    after_name.split_whitespace().nth(7).unwrap().parse().unwrap()
}

/// Set for the process that plays, to what it does wrong in every move.
const MISBEHAVIOUR: &str = "ALESIA_TEST_MISBEHAVES";

/// Memory that is unused, except by a test of misbehaviour: in many pages of the usual size.
fn unused() -> MmapMut {
    let memory = MmapMut::map_anon(1 << 20).unwrap();
    // Where the system has no larger pages it knows no such advice.
    let _ = memory.advise(Advice::NoHugePage);
    memory
}

/// A player that notes when its first turn comes.
struct Watched {
    player: EnginePlayer,
    faults_before: Option<u64>,
    misbehaviour: String,
    unused: MmapMut,
}

impl Player for Watched {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        if self.faults_before.is_none() {
            self.faults_before = Some(faults());
            ARMED.store(true, Ordering::SeqCst);
        }
        match &*self.misbehaviour {
            "allocates" => drop(std::hint::black_box(Box::new(1))),
            "takes pages" => {
                self.unused.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            }
            _ => {}
        }
        self.player.choose(state, received)
    }

    fn event(&mut self, event: &ClientEvent<'_>) {
        self.player.event(event);
    }
}

fn alesia(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn start_referee(game: &str) -> (Child, BufReader<ChildStdout>, u16) {
    let terms = ["-p", "0", "-tt", "60000", "-wt", "0", "--bind", "127.0.0.1"];
    let mut referee = alesia(&["referee", "--game", game]).args(terms).spawn().unwrap();
    let mut output = BufReader::new(referee.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let port = line.trim_end().rsplit(':').next().unwrap().parse().unwrap();
    (referee, output, port)
}

/// Reports that a page has received.
static TOLD: AtomicU64 = AtomicU64::new(0);

/// A page that accepts reports, and allocates nothing.
fn start_page() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let started = Arc::new(Barrier::new(2));
    let of_thread = started.clone();
    thread::spawn(move || {
        prepare_thread();
        of_thread.wait();
        let mut room = [0; 8192];
        while let Ok((mut stream, _)) = listener.accept() {
            let mut length = 0;
            // The end of the report's text and of its JSON.
            while !room[..length].ends_with(b"\"}") {
                let read = stream.read(&mut room[length..]).unwrap();
                assert!(read > 0, "the report is cut off");
                length += read;
            }
            // Before the answer, after which the player may be done.
            TOLD.fetch_add(1, Ordering::SeqCst);
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        }
    });
    started.wait();
    address
}

/// What a game took.
#[derive(Debug)]
struct Taken {
    moves: usize,
    calls: u64,
    faults: u64,
}

/// Plays a game as White on two threads, pondering.
fn play(game: &str, start: AnyGame, kind: EngineKind) -> Taken {
    let (mut referee, mut output, port) = start_referee(game);
    let options = EngineOptions { threads: 2, memory: MEMORY, ..Default::default() };
    let engine = kind.build(start, &options).unwrap();
    let time = MoveTime::new(Duration::from_millis(16), Duration::from_millis(3));
    let thoughts = Arc::new(Thoughts::start(start_page()).unwrap());
    let told_before = TOLD.load(Ordering::SeqCst);
    let latest = Arc::new(Latest::default());
    let player = EnginePlayer::new(engine, time, None, true)
        .with_thoughts(Some(&thoughts))
        .with_latest(Some(&latest));
    let misbehaviour = std::env::var(MISBEHAVIOUR).unwrap();
    let mut player = Watched { player, faults_before: None, misbehaviour, unused: unused() };
    let stream = connect("127.0.0.1", port, Duration::from_secs(60)).unwrap();
    let opponent = ["--move-time", "5", "--threads", "1", "--memory", "1MiB"];
    let mut opponent = alesia(&["play", "127.0.0.1", &port.to_string(), "--game", game])
        .args(opponent)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let printer = Printer::start().unwrap();
    let values = Some(&*latest);
    let terms = Terms { title: &start.title(), server: "127.0.0.1", time, threads: 2, values };
    // Until the last move: after the result the player may allocate.
    let (mut calls, mut faults_after) = (0, 0);
    let report = play_game(stream, start, &mut player, &mut |event| {
        if matches!(event, ClientEvent::Ended(_)) {
            ARMED.store(false, Ordering::SeqCst);
        } else {
            (calls, faults_after) = (CALLS.load(Ordering::SeqCst), faults());
        }
        commentary::print(&printer, &terms, event);
    })
    .unwrap();
    CALLS.store(0, Ordering::SeqCst);
    printer.finish(String::new()).unwrap();
    assert!(report.announced && report.side == Side::White, "{report}");
    let faults = faults_after - player.faults_before.unwrap();
    drop(player);
    Arc::into_inner(thoughts).unwrap().finish();
    let told = TOLD.load(Ordering::SeqCst) - told_before;
    assert_eq!(told, report.plies.div_ceil(2) as u64, "reports of White's moves");
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(referee.wait().unwrap().success() && opponent.wait().unwrap().success());
    Taken { moves: report.plies, calls, faults }
}

/// This test once more, alone in a process.
fn alone(misbehaviour: &str) -> (bool, String) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    // With one thread for tests the harness does not wake after a minute, and allocate, to say that
    // this one still runs.
    let only =
        ["--exact", "a_game_on_a_server_allocates_nothing", "--nocapture", "--test-threads=1"];
    child.args(only);
    let output = child.env(MISBEHAVIOUR, misbehaviour).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn assert_undisturbed(kind: EngineKind, taken: Taken) {
    println!("{kind:?}: {taken:?}");
    assert!(taken.moves > 10, "{taken:?}");
    assert_eq!(taken.calls, 0, "calls of the allocator: {taken:?}");
    assert!(taken.faults <= TOLERATED_FAULTS, "page faults: {taken:?}");
}

#[test]
fn a_game_on_a_server_allocates_nothing() {
    if std::env::var_os(MISBEHAVIOUR).is_none() {
        let (succeeds, text) = alone("not at all");
        assert!(succeeds, "{text}");
        println!("{}", text.lines().filter(|l| l.contains("Taken")).collect::<Vec<_>>().join("\n"));
        // An allocation is detected.
        for (misbehaviour, finding) in [("allocates", "calls of"), ("takes pages", "page faults")] {
            let (succeeds, text) = alone(misbehaviour);
            assert!(!succeeds && text.contains(finding), "{text}");
        }
        return;
    }
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        assert_undisturbed(kind, play("murus", AnyGame::from(Murus::start()), kind));
        assert_undisturbed(kind, play("hadron", AnyGame::from(Hadron::start(9, 9)), kind));
        assert_undisturbed(kind, play("loa", AnyGame::from(Loa::start(Default::default())), kind));
        assert_undisturbed(kind, play("voidrider", AnyGame::from(Voidrider::start()), kind));
    }
}
