//! A game whose rules and evaluation panic where a test wants it.
//!
//! The one idea: engines are generic in the game. So a game that wraps another and counts the calls
//! of its methods can end any worker at any moment, without code for it in the engines.

use std::fmt;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::thread;

use alesia::eval::nodes::Nodes;
use alesia::eval::oracle::{Oracle, Proof};
use alesia::eval::parameters::Parameters;
use alesia::eval::quiescence::quiesce;
use alesia::eval::stop::Stop;
use alesia::eval::{Evaluate, Exchange, LateMoves};
use alesia::game::{Ending, Game, History, Move, MoveList, ParseError, Side};

/// Groups of methods, as bits.
pub const PLAY: u32 = 1;
pub const MOVES: u32 = 2;
pub const WEIGH: u32 = 4;
pub const EVALUATE: u32 = 8;
pub const ENDING: u32 = 16;
pub const ALL: u32 = 31;

/// What a planted panic carries.
struct Planted;

/// Decides which call panics.
#[derive(Default)]
pub struct Fuse {
    /// The methods that count; none: nothing happens.
    methods: AtomicU32,
    /// Calls before the one that panics.
    left: AtomicI64,
    /// Whether all later calls panic as well.
    lasting: AtomicBool,
    /// Whether the calls of the engine's workers count, or those of all other threads.
    workers: AtomicBool,
    /// Panics so far.
    panics: AtomicU64,
    /// The number of the worker that is held back at its next call, and one; 0: none.
    held: AtomicU32,
    /// Whether it is at such a call.
    holds: AtomicBool,
}

impl Fuse {
    /// A new fuse, not lit. (It is never given back: positions are `Copy` and refer to it.)
    pub fn new() -> &'static Fuse {
        static QUIET: Once = Once::new();
        QUIET.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !info.payload().is::<Planted>() {
                    usual(info);
                }
            }));
        });
        Box::leak(Box::default())
    }

    /// The worker's call number `after` to one of these methods panics, and if `lasting` all
    /// that follow.
    pub fn light(&self, methods: u32, after: u32, lasting: bool) {
        self.set(true, methods, after, lasting);
    }

    /// The same for the calls of any thread that is not a worker.
    pub fn light_for_watcher(&self, methods: u32, after: u32) {
        self.set(false, methods, after, false);
    }

    fn set(&self, workers: bool, methods: u32, after: u32, lasting: bool) {
        self.put_out();
        self.workers.store(workers, SeqCst);
        self.left.store(after.into(), SeqCst);
        self.lasting.store(lasting, SeqCst);
        self.methods.store(methods, SeqCst);
    }

    /// Nothing panics any more.
    pub fn put_out(&self) {
        self.methods.store(0, SeqCst);
    }

    /// Panics so far.
    pub fn panics(&self) -> u64 {
        self.panics.load(SeqCst)
    }

    /// Holds a worker back, at its next call of any method, until [`Fuse::release`].
    pub fn hold(&self, worker: u32) {
        self.holds.store(false, SeqCst);
        self.held.store(worker + 1, SeqCst);
    }

    /// Whether a worker is being held back.
    pub fn holds(&self) -> bool {
        self.holds.load(SeqCst)
    }

    /// Nobody is held back any more.
    pub fn release(&self) {
        self.held.store(0, SeqCst);
    }

    fn wait_if_held(&self) {
        let held = self.held.load(SeqCst);
        if held == 0 {
            return;
        }
        let number = |name: &str| name.strip_prefix("worker ")?.parse::<u32>().ok();
        if thread::current().name().and_then(number) == Some(held - 1) {
            self.holds.store(true, SeqCst);
            while self.held.load(SeqCst) == held {
                thread::yield_now();
            }
        }
    }

    fn call(&self, method: u32) {
        self.wait_if_held();
        if self.methods.load(SeqCst) & method == 0 {
            return;
        }
        let is_worker = thread::current().name().is_some_and(|name| name.starts_with("worker"));
        if is_worker != self.workers.load(SeqCst) {
            return;
        }
        let left = self.left.fetch_sub(1, SeqCst);
        if left == 0 || left < 0 && self.lasting.load(SeqCst) {
            self.panics.fetch_add(1, SeqCst);
            panic::panic_any(Planted);
        }
    }
}

/// A game on a fuse.
#[derive(Clone, Copy)]
pub struct Fragile<G> {
    pub game: G,
    pub fuse: &'static Fuse,
}

impl<G: Game> PartialEq for Fragile<G> {
    fn eq(&self, other: &Fragile<G>) -> bool {
        self.game == other.game
    }
}

impl<G: Game> Eq for Fragile<G> {}

impl<G: Game> fmt::Debug for Fragile<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}", self.game)
    }
}

impl<G: Game> fmt::Display for Fragile<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(&self.game, f)
    }
}

impl<G: Game> Game for Fragile<G> {
    const TITLE: &'static str = G::TITLE;
    const MOVE_FORM: &'static str = G::MOVE_FORM;
    const PLY_LIMIT: usize = G::PLY_LIMIT;
    const REPETITION: bool = G::REPETITION;

    fn side(&self) -> Side {
        self.game.side()
    }
    fn ply(&self) -> usize {
        self.game.ply()
    }
    fn key(&self) -> u64 {
        self.game.key()
    }
    fn count_moves(&self) -> usize {
        self.fuse.call(MOVES);
        self.game.count_moves()
    }
    fn moves(&self, list: &mut MoveList) {
        self.fuse.call(MOVES);
        self.game.moves(list);
    }
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        self.fuse.call(MOVES);
        self.game.random_move(rng)
    }
    fn play(&mut self, m: Move) {
        self.fuse.call(PLAY);
        self.game.play(m);
    }
    fn play_unkeyed(&mut self, m: Move) {
        self.fuse.call(PLAY);
        self.game.play_unkeyed(m);
    }
    fn won(&self) -> Option<Ending> {
        self.fuse.call(ENDING);
        self.game.won()
    }
    fn without_moves(&self) -> Ending {
        self.fuse.call(ENDING);
        self.game.without_moves()
    }
    fn drawn(&self, history: &History) -> Option<Ending> {
        self.fuse.call(ENDING);
        self.game.drawn(history)
    }
    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        self.game.write_move(m, f)
    }
    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        self.game.read_notation(text)
    }
    fn parse_board(&self, text: &str) -> Result<Self, ParseError> {
        self.game.parse_board(text).map(|game| Fragile { game, ..*self })
    }
    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.game.write_rows(f)
    }
    fn labels(&self) -> (Vec<String>, Vec<String>) {
        self.game.labels()
    }
}

/// The oracle of the game within.
pub struct FragileOracle<G: Evaluate>(G::Oracle);

impl<G: Evaluate> Default for FragileOracle<G> {
    fn default() -> FragileOracle<G> {
        FragileOracle(G::Oracle::default())
    }
}

impl<G: Evaluate> Oracle<Fragile<G>> for FragileOracle<G> {
    const POLL_ITERATIONS: u64 = G::Oracle::POLL_ITERATIONS;
    const BYTES: usize = G::Oracle::BYTES;

    fn clear(&mut self) {
        self.0.clear();
    }
    fn prove_leaf(&mut self, position: &Fragile<G>, nodes: &mut Nodes<'_>) -> Option<Proof> {
        position.fuse.call(EVALUATE);
        self.0.prove_leaf(&position.game, nodes)
    }
    fn prove_new_leaf(
        &mut self,
        position: &Fragile<G>,
        depth: u32,
        nodes: &mut Nodes<'_>,
    ) -> Option<Proof> {
        position.fuse.call(EVALUATE);
        self.0.prove_new_leaf(&position.game, depth, nodes)
    }
    fn may_prove_root(&self, root: &Fragile<G>) -> bool {
        self.0.may_prove_root(&root.game)
    }
    fn prove_move(
        &mut self,
        after: &Fragile<G>,
        steps: u64,
        stop: Stop<'_>,
    ) -> (Option<Proof>, u64) {
        self.0.prove_move(&after.game, steps, stop)
    }
    fn prove_node(&mut self, node: &Fragile<G>, depth: i32, stop: Stop<'_>) -> Option<Proof> {
        self.0.prove_node(&node.game, depth, stop)
    }
}

impl<G: Evaluate> Evaluate for Fragile<G> {
    type Oracle = FragileOracle<G>;

    const TUNING: Parameters = G::TUNING;
    const LATE_MOVES: LateMoves = G::LATE_MOVES;
    const NOISY: bool = G::NOISY;

    fn evaluate(&self) -> i32 {
        self.fuse.call(EVALUATE);
        self.game.evaluate()
    }
    fn decided(&self) -> Option<(Side, usize)> {
        self.fuse.call(EVALUATE);
        self.game.decided()
    }
    fn quiet_score(&self, plies: u32, nodes: &mut Nodes<'_>) -> i32 {
        if G::NOISY { quiesce(self, plies, nodes) } else { self.evaluate() }
    }
    fn is_urgent(&self) -> bool {
        self.game.is_urgent()
    }
    fn is_noisy(&self, m: Move) -> bool {
        self.game.is_noisy(m)
    }
    fn noisy_moves(&self, list: &mut MoveList) -> bool {
        self.game.noisy_moves(list)
    }
    fn exchange(&self, m: Move) -> Exchange {
        self.game.exchange(m)
    }

    fn gains(&self, m: Move, least: i32) -> bool {
        self.game.gains(m, least)
    }
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        self.fuse.call(WEIGH);
        self.game.weigh(moves, weights);
    }
}
