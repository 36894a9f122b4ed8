//! A panic anywhere in an engine costs no game: an answer comes, it is legal, and the searches that
//! follow are as good as if nothing had happened.

use std::time::{Duration, Instant};

use crate::exhaustive::solve;
use crate::fragile::{ALL, ENDING, EVALUATE, Fragile, Fuse, MOVES, PLAY, WEIGH};
use alesia::eval::Evaluate;
use alesia::game::{GameState, MoveList};
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::report::{Proof, Report};
use alesia::search::{Engine, EngineKind, EngineOptions, contained};

/// Longer than any search here takes; one that waits for a dead worker takes as long.
const PATIENCE: Duration = Duration::from_secs(120);

type Fragiles<G> = Box<dyn Engine<Fragile<G>>>;

/// Threads and trees.
const CREWS: [(usize, usize); 4] = [(1, 1), (2, 1), (4, 2), (3, 3)];

fn build<G: Evaluate>(kind: EngineKind, crew: (usize, usize), start: Fragile<G>) -> Fragiles<G> {
    let (threads, trees) = crew;
    let options = EngineOptions { threads, trees, memory: 1 << 20, ..EngineOptions::default() };
    kind.build_for(start, &options).unwrap()
}

/// Thinks with a deadline that no sound search reaches.
fn think<G: Evaluate>(
    engine: &mut Fragiles<G>,
    state: &GameState<Fragile<G>>,
    nodes: u64,
) -> Report {
    let deadline = Instant::now() + PATIENCE;
    let budget = Budget { deadline: Some(deadline), nodes: Some(nodes), ..Budget::default() };
    let report = contained::think(&mut **engine, state, &budget, &mut |_| {});
    assert!(Instant::now() < deadline, "a dead worker is not waited for");
    report
}

fn legal_moves<G: Evaluate>(state: &GameState<Fragile<G>>) -> MoveList {
    state.position.game.legal_moves()
}

/// How many panics each engine survives; nightly.sh builds with optimisations.
const PANICS: u64 = if cfg!(debug_assertions) { 4 } else { 150 };

/// Plays games until `PANICS` panics have happened, in workers or on the watcher's own thread,
/// while thinking and while pondering.
fn play_on<G: Evaluate>(kind: EngineKind, crew: (usize, usize), game: G, in_workers: bool) {
    let fuse = Fuse::new();
    let start = Fragile { game, fuse };
    let mut engine = build(kind, crew, start);
    let mut rng = fastrand::Rng::with_seed(3);
    let light = |rng: &mut fastrand::Rng| {
        let methods = [ALL, ALL, PLAY, MOVES, WEIGH, EVALUATE, ENDING][rng.usize(..7)];
        let bits = rng.u32(..11);
        let after = rng.u32(..1 << bits);
        match in_workers {
            true => fuse.light(methods, after, rng.bool()),
            false => fuse.light_for_watcher(methods, after),
        }
    };
    let mut searches = 0;
    while fuse.panics() < PANICS {
        let mut state = GameState::new(start);
        while !legal_moves(&state).is_empty()
            && state.position.game.ending(&state.history).is_none()
        {
            searches += 1;
            assert!(searches < 100 * PANICS, "planted panics happen");
            light(&mut rng);
            let report = think(&mut engine, &state, 600);
            fuse.put_out();
            let legal = legal_moves(&state);
            assert!(legal.contains(&report.best), "{} in {}", searches, state.position);
            // A move of another's, so that trees must step from place to place.
            let m = if rng.bool() { report.best } else { legal[rng.usize(..legal.len())] };
            state.play(m);
            if legal_moves(&state).is_empty() || state.ending().is_some() {
                break;
            }
            if rng.bool() {
                light(&mut rng);
                contained::ponder(&mut *engine, &state);
                std::thread::sleep(Duration::from_micros(rng.u64(..200)));
                fuse.put_out();
            }
        }
    }
}

macro_rules! games_go_on {
    ($($name:ident: $start:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn with_panics_in_workers() {
                for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
                    CREWS.into_iter().for_each(|crew| play_on(kind, crew, $start, true));
                }
            }

            #[test]
            fn with_panics_of_the_watcher() {
                for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
                    CREWS.into_iter().for_each(|crew| play_on(kind, crew, $start, false));
                }
            }
        }
    )*};
}

games_go_on! {
    murus: Murus::start();
    hadron: Hadron::start(6, 6);
    loa: Loa::start(Default::default());
    voidrider: Voidrider::start();
}

/// Positions that can be solved exhaustively, with their results.
fn solved(fuse: &'static Fuse) -> Vec<(GameState<Fragile<Hadron>>, Proof)> {
    let starts = [(3, 3), (2, 4), (3, 4), (2, 6)].map(|(rows, columns)| {
        let game = Hadron::start(rows, columns);
        let state = GameState::new(Fragile { game, fuse });
        let proof = solve(&GameState::new(game), 20).expect("a whole game");
        (state, proof)
    });
    starts.to_vec()
}

fn winner(proof: Option<Proof>) -> Option<bool> {
    match proof? {
        Proof::Win(_) => Some(true),
        Proof::Loss(_) => Some(false),
        Proof::Draw => None,
    }
}

/// Searches of each position that are disturbed, each followed by one that is not.
const ROUNDS: usize = if cfg!(debug_assertions) { 2 } else { 40 };

/// After panics in the search of a position, the same engine still proves its true result.
fn proves_afterwards(kind: EngineKind) {
    let fuse = Fuse::new();
    for (state, proof) in solved(fuse) {
        for (number, crew) in CREWS.into_iter().enumerate() {
            let mut engine = build(kind, crew, state.position);
            let mut rng = fastrand::Rng::with_seed(number as u64);
            for round in 0..ROUNDS {
                let before = fuse.panics();
                let bits = rng.u32(..9);
                fuse.light(ALL, rng.u32(..1 << bits), rng.bool());
                if round % 2 == 0 {
                    think(&mut engine, &state, 100_000);
                } else {
                    contained::ponder(&mut *engine, &state);
                    let end = Instant::now() + PATIENCE;
                    // It ends by itself where the result is found before.
                    for _ in 0..1000 {
                        if fuse.panics() > before || Instant::now() > end {
                            break;
                        }
                        std::thread::sleep(Duration::from_micros(10));
                    }
                }
                fuse.put_out();
                let report = think(&mut engine, &state, 3_000_000);
                assert_eq!(winner(report.proof), winner(Some(proof)), "{}", state.position);
                if round % 5 == 0 {
                    engine.new_game(rng.u64(..));
                }
            }
        }
    }
    assert!(fuse.panics() > 7 * ROUNDS as u64, "{} panics", fuse.panics());
}

#[test]
fn the_tree_search_proves_afterwards() {
    proves_afterwards(EngineKind::MonteCarlo);
}

#[test]
fn alpha_beta_proves_afterwards() {
    proves_afterwards(EngineKind::AlphaBeta);
}

/// What a worker leaves half done spoils no later search: the trees grow anew.
#[test]
fn after_a_panic_no_tree_is_kept() {
    let fuse = Fuse::new();
    let mut state = GameState::new(Fragile { game: Murus::start(), fuse });
    let mut engine = build(EngineKind::MonteCarlo, (2, 1), state.position);
    let mut kept = Vec::new();
    for panics in [false, false, true, false, false] {
        if panics {
            fuse.light(PLAY, 3_000, false);
        }
        let report = think(&mut engine, &state, 2_000);
        fuse.put_out();
        kept.push(report.tree.unwrap().kept > 0);
        state.play(report.best);
    }
    assert_eq!(fuse.panics(), 1);
    assert_eq!(kept, [false, true, true, false, true]);
}
