//! Iterations a second beside the Monte Carlo tree search of the crate `minimax`, in one run on one
//! thread.
//!
//! `cargo bench --bench minimax_crate`. Both searches get the same rules, the code of this
//! project, and a leaf gets all its children at the second visit in both. Rounds alternate; each
//! ratio is the median of those of the rounds.
//!
//! The first table has uniform random playouts to the end of the game. They are ours, those of the
//! crate, which makes all moves of a position and picks one, and the crate's search with our
//! playouts. In the second a leaf has a value at once, so that the tree alone is measured: the same
//! value everywhere, or one of loss, draw and win that depends on the position.
//!
//! The crate's iterations are counted, and timed, where they leave the root, so that the time in
//! which it frees its tree does not count.

mod measure;

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alesia::eval::oracle::NoOracle;
use alesia::eval::parameters::Parameters;
use alesia::eval::{Evaluate, MAX_SCORE};
use alesia::game::{
    Ending, Game, GameState, History, MAX_MOVES, MAX_PLIES, Move, MoveList, Outcome, ParseError,
    Side,
};
use alesia::games::{BuiltIn, Loa, Murus};
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::{Engine, EngineOptions};
use measure::{in_earnest, median};
use minimax::{MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};

/// Visits at which a leaf gets children.
const EXPAND_VISITS: u32 = 2;

/// What a leaf is worth where nothing is played out.
trait LeafValue: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    const NAME: &'static str;
    /// -1, 0 or 1 for the side to move.
    fn of<G: Game>(position: &G) -> i32;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Constant;

impl LeafValue for Constant {
    const NAME: &'static str = "constant";
    fn of<G: Game>(_: &G) -> i32 {
        0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ByPosition;

impl LeafValue for ByPosition {
    const NAME: &'static str = "by position";
    fn of<G: Game>(position: &G) -> i32 {
        (position.key() % 3) as i32 - 1
    }
}

// Our side.

/// A game without knowledge: equal priors, playouts to the end or a leaf's value at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bare<G, V>(G, V);

impl<G: Game, V: LeafValue> fmt::Display for Bare<G, V> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<G: Game, V: LeafValue> Game for Bare<G, V> {
    const TITLE: &'static str = G::TITLE;
    const MOVE_FORM: &'static str = G::MOVE_FORM;
    const PLY_LIMIT: usize = G::PLY_LIMIT;
    const REPETITION: bool = G::REPETITION;

    fn has_repetition(&self) -> bool {
        self.0.has_repetition()
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.0.side()
    }
    #[inline(always)]
    fn ply(&self) -> usize {
        self.0.ply()
    }
    #[inline(always)]
    fn key(&self) -> u64 {
        self.0.key()
    }
    #[inline(always)]
    fn count_moves(&self) -> usize {
        self.0.count_moves()
    }
    #[inline(always)]
    fn moves(&self, list: &mut MoveList) {
        self.0.moves(list);
    }
    #[inline(always)]
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        self.0.random_move(rng)
    }
    #[inline(always)]
    fn play(&mut self, m: Move) {
        self.0.play(m);
    }
    #[inline(always)]
    fn play_unkeyed(&mut self, m: Move) {
        self.0.play_unkeyed(m);
    }
    #[inline(always)]
    fn won(&self) -> Option<Ending> {
        self.0.won()
    }
    #[inline(always)]
    fn without_moves(&self) -> Ending {
        self.0.without_moves()
    }
    #[inline(always)]
    fn drawn(&self, history: &History) -> Option<Ending> {
        self.0.drawn(history)
    }
    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.write_move(m, f)
    }
    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        self.0.read_notation(text)
    }
    fn parse_board(&self, text: &str) -> Result<Self, ParseError> {
        self.0.parse_board(text).map(|position| Bare(position, self.1))
    }
    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.write_rows(f)
    }
    fn labels(&self) -> (Vec<String>, Vec<String>) {
        self.0.labels()
    }
}

impl<G: Game, V: LeafValue> Evaluate for Bare<G, V> {
    type Oracle = NoOracle;

    const TUNING: Parameters =
        Parameters { exploration: 1.4, playout_plies: MAX_PLIES as u32, ..Parameters::DEFAULT };

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        V::of(&self.0) * MAX_SCORE
    }
}

/// A search that is over.
struct Searched {
    per_second: f64,
    /// Nodes of the tree.
    nodes: u64,
}

struct Ours<G: Game, V: LeafValue> {
    engine: MonteCarlo<Bare<G, V>>,
    start: GameState<Bare<G, V>>,
}

impl<G: BuiltIn, V: LeafValue> Ours<G, V> {
    /// An engine with so much memory that half of it is not used.
    fn new(memory: usize, playout_plies: u32, value: V) -> Ours<G, V> {
        let start = Bare(G::standard_start(), value);
        let parameters = Parameters {
            playout_plies,
            expand_visits: EXPAND_VISITS,
            // All, even when the first are halved twice for a quarter of the pool in use.
            first_children: 4 * MAX_MOVES as u32,
            // The crate expands each node separately.
            transpositions: 0,
            ..<Bare<G, V>>::TUNING
        };
        let options =
            EngineOptions { memory, parameters: Some(parameters), ..EngineOptions::default() };
        let engine = MonteCarlo::new(start, &options).expect("memory for the bench");
        Ours { engine, start: GameState::new(start) }
    }

    fn search(&mut self, iterations: u64) -> Searched {
        self.engine.new_game(iterations);
        let report = self.engine.think(&self.start, &Budget::nodes(iterations), &mut |_| {});
        assert!(report.fill < 500, "leaves get their children at the second visit");
        Searched {
            per_second: report.nodes as f64 / report.elapsed.as_secs_f64(),
            nodes: report.tree.expect("a tree search").nodes,
        }
    }
}

// The crate's side.

/// No game here has a rule about repetition.
static NO_HISTORY: History = History::new();

/// Iterations of the search under way that have left the root.
static ITERATIONS: AtomicU64 = AtomicU64::new(0);
/// Nanoseconds from the first of them to the latest that was timed, and its number.
static TIMED_NANOS: AtomicU64 = AtomicU64::new(0);
static TIMED: AtomicU64 = AtomicU64::new(0);
/// Moves generated, each a node where no playout generates any.
static GENERATED: AtomicU64 = AtomicU64::new(0);

/// Iterations from one that is timed to the next.
const TIMED_EVERY: u64 = 256;

thread_local! {
    static FIRST: std::cell::Cell<Option<Instant>> = const { std::cell::Cell::new(None) };
}

/// Counts an iteration where it leaves the root. One thread searches: plain loads and stores do.
#[inline(never)]
fn leave_root() {
    let number = ITERATIONS.load(Ordering::Relaxed);
    ITERATIONS.store(number + 1, Ordering::Relaxed);
    if number.is_multiple_of(TIMED_EVERY) {
        let now = Instant::now();
        let first = FIRST.get().unwrap_or_else(|| {
            FIRST.set(Some(now));
            now
        });
        TIMED_NANOS.store((now - first).as_nanos() as u64, Ordering::Relaxed);
        TIMED.store(number, Ordering::Relaxed);
    }
}

/// The rules of a game, as the crate wants them.
struct Rules<G>(PhantomData<G>);

#[inline(always)]
fn winner<G: Game>(position: &G, ending: Ending) -> Winner {
    match ending.outcome {
        Outcome::Draw => Winner::Draw,
        Outcome::Win(side) if side == position.side() => Winner::PlayerToMove,
        Outcome::Win(_) => Winner::PlayerJustMoved,
    }
}

impl<G: Game> minimax::Game for Rules<G> {
    type S = G;
    type M = Move;

    #[inline(always)]
    fn generate_moves(position: &G, moves: &mut Vec<Move>) -> Option<Winner> {
        if let Some(ending) = position.won() {
            return Some(winner(position, ending));
        }
        let list = position.legal_moves();
        if list.is_empty() {
            return Some(winner(position, position.without_moves()));
        }
        if let Some(ending) = position.drawn(&NO_HISTORY) {
            return Some(winner(position, ending));
        }
        moves.extend_from_slice(&list);
        GENERATED.store(GENERATED.load(Ordering::Relaxed) + list.len() as u64, Ordering::Relaxed);
        None
    }

    #[inline(always)]
    fn apply(position: &mut G, m: Move) -> Option<G> {
        if position.ply() == 0 {
            leave_root();
        }
        let mut next = *position;
        next.play(m);
        Some(next)
    }

    fn get_winner(position: &G) -> Option<Winner> {
        position.ending(&NO_HISTORY).map(|ending| winner(position, ending))
    }
}

/// What the crate's search calls a result that is proven, here where a leaf is the end of a game.
const PROVEN: i32 = i32::MAX;

/// Our random playouts, for the crate's search: the result for the side that moved to the leaf.
#[inline(always)]
fn play_out<G: Game>(leaf: &G) -> i32 {
    let mover = !leaf.side();
    let result = |ending: Ending| match ending.outcome {
        Outcome::Draw => 0,
        Outcome::Win(side) if side == mover => 1,
        Outcome::Win(_) => -1,
    };
    if let Some(ending) = leaf.won() {
        return PROVEN * result(ending);
    }
    let mut rng = fastrand::Rng::new();
    let mut position = *leaf;
    loop {
        let Some(m) = position.random_move(&mut rng) else {
            return result(position.without_moves());
        };
        if let Some(ending) = position.drawn(&NO_HISTORY) {
            return result(ending);
        }
        position.play_unkeyed(m);
        if let Some(ending) = position.won() {
            return result(ending);
        }
    }
}

/// A leaf's value found in one go, for the crate's search.
struct InOneGo<G, F>(F, PhantomData<G>);

impl<G: Game, F: Fn(&G) -> i32> RolloutPolicy for InOneGo<G, F> {
    type G = Rules<G>;

    fn random_move(
        &self,
        _: &mut G,
        _: &mut Vec<Move>,
        _: &mut rand::rngs::SmallRng,
    ) -> Result<Move, Winner> {
        unreachable!("a leaf's value is found in one go")
    }

    #[inline(always)]
    fn rollout(&self, _: &MCTSOptions, leaf: &G) -> i32 {
        self.0(leaf)
    }
}

/// The crate's search: with its own playouts, or a policy in place of them.
fn theirs<G: BuiltIn>(
    iterations: u64,
    policy: Option<Box<dyn RolloutPolicy<G = Rules<G>> + Send + Sync>>,
) -> Searched {
    let options = MCTSOptions::default()
        .with_num_threads(1)
        .with_max_rollout_depth(MAX_PLIES as u32)
        .with_rollouts_before_expanding(EXPAND_VISITS - 1);
    let mut search = match policy {
        Some(policy) => MonteCarloTreeSearch::new_with_policy(options, policy),
        None => MonteCarloTreeSearch::new(options),
    };
    search.set_max_rollouts(iterations as u32);
    for counter in [&ITERATIONS, &GENERATED, &TIMED, &TIMED_NANOS] {
        counter.store(0, Ordering::Relaxed);
    }
    // Each search has a new thread, where its first moment is not set yet.
    search.choose_move(&G::standard_start()).expect("a move at the start");
    assert_eq!(ITERATIONS.load(Ordering::Relaxed), iterations);
    let seconds = TIMED_NANOS.load(Ordering::Relaxed) as f64 / 1e9;
    Searched {
        per_second: TIMED.load(Ordering::Relaxed) as f64 / seconds,
        nodes: GENERATED.load(Ordering::Relaxed) + 1,
    }
}

// The tables.

/// Iterations for about the time of a round.
fn calibrate(round: Duration, search: &mut dyn FnMut(u64) -> Searched) -> u64 {
    (search(2000).per_second * round.as_secs_f64()) as u64 + TIMED_EVERY
}

fn playouts<G: BuiltIn>(rounds: usize, round: Duration) {
    let mut ours = Ours::<G, _>::new(1 << 30, MAX_PLIES as u32, Constant);
    let mut ours = |iterations| ours.search(iterations);
    let mut own = |iterations| theirs::<G>(iterations, None);
    let mut given =
        |iterations| theirs::<G>(iterations, Some(Box::new(InOneGo(play_out::<G>, PhantomData))));
    let iterations =
        [calibrate(round, &mut ours), calibrate(round, &mut own), calibrate(round, &mut given)];
    let results: Vec<[f64; 3]> = (0..rounds)
        .map(|_| {
            [ours(iterations[0]), own(iterations[1]), given(iterations[2])].map(|s| s.per_second)
        })
        .collect();
    let rate = |index: usize| median(results.iter().map(|rates| rates[index])) / 1e3;
    let ratio = |index: usize| median(results.iter().map(|rates| rates[0] / rates[index]));
    println!(
        "{:<10} {:>10.1} {:>10.1} {:>6.2} {:>16.1} {:>6.2}",
        G::NAME,
        rate(0),
        rate(1),
        ratio(1),
        rate(2),
        ratio(2),
    );
}

fn tree_alone<G: BuiltIn, V: LeafValue>(rounds: usize, least_nodes: u64, value: V) {
    let mut ours = Ours::<G, V>::new(4 << 30, 0, value);
    let mut ours = |iterations| ours.search(iterations);
    // For the side that moved to the leaf.
    let at_once = |leaf: &G| -V::of(leaf);
    let theirs =
        |iterations| theirs::<G>(iterations, Some(Box::new(InOneGo(at_once, PhantomData))));
    // The same number of iterations for both, enough for the smaller tree.
    let mut iterations = least_nodes / 5;
    while ours(iterations).nodes.min(theirs(iterations).nodes) < least_nodes {
        iterations += iterations / 4;
    }
    let results: Vec<[Searched; 2]> =
        (0..rounds).map(|_| [ours(iterations), theirs(iterations)]).collect();
    let of = |value: &dyn Fn(&[Searched; 2]) -> f64| median(results.iter().map(value));
    println!(
        "{:<10} {:<12} {:>10.2} {:>10.1} {:>10.1} {:>10.0} {:>10.0} {:>6.2}",
        G::NAME,
        V::NAME,
        iterations as f64 / 1e6,
        of(&|pair| pair[0].nodes as f64 / 1e6),
        of(&|pair| pair[1].nodes as f64 / 1e6),
        of(&|pair| pair[0].per_second / 1e3),
        of(&|pair| pair[1].per_second / 1e3),
        of(&|pair| pair[0].per_second / pair[1].per_second),
    );
}

fn main() {
    let earnest = in_earnest();
    let (rounds, round) =
        if earnest { (7, Duration::from_secs(1)) } else { (1, Duration::from_millis(10)) };
    println!("uniform playouts to the end, thousand iterations/s; asked of the first ratio: 3");
    println!("game             ours      crate  ratio  our playouts in it  ratio");
    playouts::<Murus>(rounds, round);
    playouts::<Loa>(rounds, round);
    let (rounds, nodes) = if earnest { (3, 10_000_000) } else { (1, 100_000) };
    println!("\nthe tree alone, the value of a leaf at once; asked of the ratio: 2");
    println!("                          million   million nodes    thousand iterations/s");
    println!(
        "game       leaf value  iterations       ours      crate       ours      crate  ratio"
    );
    tree_alone::<Murus, _>(rounds, nodes, Constant);
    tree_alone::<Murus, _>(rounds, nodes, ByPosition);
    tree_alone::<Loa, _>(rounds, nodes, Constant);
    tree_alone::<Loa, _>(rounds, nodes, ByPosition);
}
