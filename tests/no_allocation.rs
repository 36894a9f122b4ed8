//! A search allocates and frees nothing, in any thread, in any game, with any engine: an allocation
//! aborts the process.
//!
//! A separate program, without the usual harness, which allocates when a test lasts a minute.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::memory::prepare_thread;
use alesia::search::{Engine, EngineKind, EngineOptions};
use parking_lot::Mutex;

/// The system's allocator, which must not be used while it is armed.
struct Aborting;

static ARMED: AtomicBool = AtomicBool::new(false);

impl Aborting {
    fn check(&self) {
        if ARMED.load(Ordering::SeqCst) {
            std::process::abort();
        }
    }
}

// SAFETY: hands every call on to the system's allocator unchanged, or does not return.
unsafe impl GlobalAlloc for Aborting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.check();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.check();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Aborting = Aborting;

/// Set for the process that is to allocate while it must not.
const SPRING_THE_TRAP: &str = "ALESIA_TEST_ALLOCATES";

/// Does something during which no thread may allocate or free.
fn without_allocation<T>(f: impl FnOnce() -> T) -> T {
    ARMED.store(true, Ordering::SeqCst);
    let result = f();
    ARMED.store(false, Ordering::SeqCst);
    result
}

/// Plays a game against itself, pondering after every other move.
fn play<G: Evaluate>(start: G, kind: EngineKind, options: &EngineOptions) {
    let mut engine: Box<dyn Engine<G>> = kind.build_for(start, options).unwrap();
    let mut state = GameState::new(start);
    while state.ending().is_none() {
        let report = without_allocation(|| engine.think(&state, &Budget::nodes(500), &mut |_| {}));
        state.play(report.best);
        if state.ending().is_none() {
            // In the opponent's time, until its reply comes.
            let reply = without_allocation(|| {
                engine.ponder(&state);
                std::thread::sleep(Duration::from_micros(300));
                let reply = engine.think(&state, &Budget::nodes(100), &mut |_| {});
                engine.ponder(&state);
                reply
            });
            state.play(reply.best);
        }
    }
}

/// A thread that was prepared waits at a mutex for the first time.
fn wait_for_the_first_time() {
    let mutex = Mutex::new(());
    let _held = mutex.lock();
    let [prepared, armed, waited, disarmed] = [(); 4].map(|()| Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            prepare_thread();
            prepared.wait();
            armed.wait();
            assert!(mutex.try_lock_for(Duration::from_millis(1)).is_none(), "the mutex is held");
            waited.wait();
            disarmed.wait();
        });
        prepared.wait();
        without_allocation(|| {
            armed.wait();
            waited.wait();
        });
        disarmed.wait();
    });
    println!("a first wait: nothing allocated ... ok");
}

/// Only tests that are selected by name, as in the usual harness.
fn is_asked_for() -> bool {
    let mut words = std::env::args().skip(1);
    words.all(|word| word == "--nocapture" || "no_engine_allocates_while_it_thinks".contains(&word))
}

fn main() {
    if std::env::var_os(SPRING_THE_TRAP).is_some() {
        println!("springs the trap");
        without_allocation(|| drop(std::hint::black_box(Box::new(1))));
        println!("goes on");
        return;
    }
    if !is_asked_for() {
        return;
    }
    // The trap itself works: this program once more, in another process.
    let mut child = Command::new(std::env::current_exe().unwrap());
    let trap = child.env(SPRING_THE_TRAP, "yes").output().unwrap();
    let output = String::from_utf8(trap.stdout).unwrap();
    assert!(!trap.status.success() && output == "springs the trap\n", "{output}");

    wait_for_the_first_time();
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        for (threads, trees) in [(1, 1), (3, 1), (3, 3)] {
            // Alpha-beta has no trees.
            if kind == EngineKind::AlphaBeta && trees > 1 {
                continue;
            }
            let options = EngineOptions { threads, trees, memory: 1 << 20, ..Default::default() };
            play(Murus::start(), kind, &options);
            play(Hadron::start(9, 9), kind, &options);
            play(Loa::start(Default::default()), kind, &options);
            play(Voidrider::start(), kind, &options);
            println!("{kind:?}, {threads} threads, {trees} trees: nothing allocated ... ok");
        }
    }
}
