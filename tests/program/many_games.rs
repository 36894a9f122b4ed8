//! Many games at once, as `alesia referee --games 200` serves them: each is replayed by the
//! rules, and nothing is left behind.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState, Side};
use alesia::games::{AnyGame, AnyState, Hadron, Loa, Murus, Voidrider};
use alesia::net::client::{self, Answer, ClientReport, Player};
use alesia::net::referee::{self, Cause, GameEvent, RefereeOptions};

use crate::dialogue::{Random, listener, wait_until};

/// nightly.sh builds with optimisations.
const GAMES: usize = if cfg!(debug_assertions) { 80 } else { 200 };

/// No warm-up, and time enough for any machine.
const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(60),
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

/// Plays at random, but begins only when all games have begun.
struct Together<'a> {
    random: Random,
    /// The number of games that have begun.
    begun: &'a AtomicUsize,
}

impl Player for Together<'_> {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        if state.position.ply() == 0 {
            self.begun.fetch_add(1, Ordering::Relaxed);
            wait_until(|| self.begun.load(Ordering::Relaxed) == GAMES);
        }
        self.random.choose(state, received)
    }
}

fn play(address: SocketAddr, start: AnyGame, seed: u64, begun: &AtomicUsize) -> ClientReport {
    let patience = Duration::from_secs(60);
    let stream = client::connect("127.0.0.1", address.port(), patience).unwrap();
    let random = Random(fastrand::Rng::with_seed(seed));
    let mut player = Together { random, begun };
    client::play_game(stream, start, &mut player, &mut |_| {}).unwrap()
}

/// Plays all games at once, and checks every result; returns how many plies they took.
fn all_at_once(start: AnyGame, seed: u64) -> usize {
    let (listener, address) = listener();
    let moves = Mutex::new(vec![Vec::new(); GAMES]);
    let begun = &AtomicUsize::new(0);
    let (results, reports) = thread::scope(|scope| {
        let players: Vec<_> = (0..2 * GAMES as u64)
            .map(|number| scope.spawn(move || play(address, start, seed + number, begun)))
            .collect();
        let results = referee::serve(listener, start, GAMES, &TERMS, &|game, event| {
            if let GameEvent::Moved { text, .. } = event {
                moves.lock().unwrap()[game].push(text.to_string());
            }
        });
        let reports: Vec<ClientReport> =
            players.into_iter().map(|player| player.join().unwrap()).collect();
        (results.unwrap(), reports)
    });
    assert_eq!(results.len(), GAMES);
    let mut expected = Vec::new();
    for (result, moves) in results.iter().zip(moves.into_inner().unwrap()) {
        let mut state = GameState::new(start);
        state.play_text(&moves.join(" ")).unwrap();
        assert_eq!(result.to_string(), state.ending().unwrap().to_string());
        assert!(matches!(result.cause, Cause::Rule(_)));
        assert_eq!(result.plies, moves.len());
        expected.push((result.to_string(), result.plies));
    }
    expected.sort();
    for side in [Side::White, Side::Black] {
        let of_side = reports.iter().filter(|report| report.side == side);
        let mut told: Vec<_> = of_side.map(|report| (report.to_string(), report.plies)).collect();
        told.sort();
        assert_eq!(told, expected, "{side}");
    }
    expected.iter().map(|(_, plies)| plies).sum()
}

/// The threads and the open descriptors of this process, where the system shows them.
fn held() -> Option<[usize; 2]> {
    let count = |of: &str| Some(std::fs::read_dir(format!("/proc/self/{of}")).ok()?.count());
    Some([count("task")?, count("fd")?])
}

/// Set for the process in which nothing but this test runs, as it counts threads and descriptors.
const ALONE: &str = "ALESIA_TEST_ALONE";

#[test]
fn many_games_at_once() {
    if std::env::var_os(ALONE).is_none() {
        let mut alone = Command::new(std::env::current_exe().unwrap());
        alone.args(["--exact", "many_games::many_games_at_once", "--nocapture"]);
        let output = alone.env(ALONE, "yes").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && text.contains("1 passed"));
        return;
    }
    let before = held();
    let mut seed = 1;
    let mut report = |game: &str, play: &dyn Fn(u64) -> usize| {
        let begin = Instant::now();
        let plies = play(seed);
        seed += 1000;
        println!("{GAMES} games of {game} at once: {plies} plies, {:.1?}", begin.elapsed());
        // Threads that have been joined may still be listed for a moment.
        wait_until(|| held() <= before);
    };
    report("Murus Gallicus", &|seed| all_at_once(AnyGame::from(Murus::start()), seed));
    report("Hadron", &|seed| all_at_once(AnyGame::from(Hadron::start(9, 9)), seed));
    report("Lines of Action", &|seed| {
        all_at_once(AnyGame::from(Loa::start(Default::default())), seed)
    });
    report("Voidrider Chess", &|seed| all_at_once(AnyGame::from(Voidrider::start()), seed));
}
