//! Thinking allocates and frees nothing, in any thread, in any game, with any engine.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::{Engine, EngineKind, EngineOptions};

/// The system's allocator, counting calls of every thread while armed.
struct Counting;

static ARMED: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicUsize = AtomicUsize::new(0);

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

/// Plays a game by itself; returns the allocations made while it thought.
fn calls_in_a_game<G: Evaluate>(start: G, kind: EngineKind, options: &EngineOptions) -> usize {
    let mut engine: Box<dyn Engine<G>> = kind.build(start, options).unwrap();
    let mut state = GameState::new(start);
    let mut total = 0;
    while state.ending().is_none() {
        CALLS.store(0, Ordering::SeqCst);
        ARMED.store(true, Ordering::SeqCst);
        let report = engine.think(&state, &Budget::nodes(2_000), &mut |_| {});
        ARMED.store(false, Ordering::SeqCst);
        total += CALLS.load(Ordering::SeqCst);
        state.play(report.best);
        if state.ending().is_none() {
            // In the opponent's time, until its reply comes.
            ARMED.store(true, Ordering::SeqCst);
            CALLS.store(0, Ordering::SeqCst);
            engine.ponder(&state);
            std::thread::sleep(Duration::from_micros(300));
            let reply = engine.think(&state, &Budget::nodes(100), &mut |_| {});
            engine.ponder(&state);
            ARMED.store(false, Ordering::SeqCst);
            total += CALLS.load(Ordering::SeqCst);
            state.play(reply.best);
        }
    }
    total
}

#[test]
fn no_engine_allocates_while_it_thinks() {
    // The counter itself works.
    ARMED.store(true, Ordering::SeqCst);
    drop(std::hint::black_box(Box::new(1)));
    ARMED.store(false, Ordering::SeqCst);
    assert_eq!(CALLS.load(Ordering::SeqCst), 2);

    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        for (threads, trees) in [(1, 1), (3, 1), (3, 3)] {
            let options = EngineOptions { threads, trees, memory: 4 << 20, ..Default::default() };
            let calls = [
                calls_in_a_game(Murus::start(), kind, &options),
                calls_in_a_game(Hadron::start(9, 9), kind, &options),
                calls_in_a_game(Loa::start(Default::default()), kind, &options),
                calls_in_a_game(Voidrider::start(), kind, &options),
            ];
            assert_eq!(calls, [0; 4], "{kind:?}, {threads} threads, {trees} trees");
        }
    }
}
