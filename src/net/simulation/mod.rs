//! Whole sessions of client, server, opponent, network and faults, in one thread from one seed.
//!
//! The one idea: a random generator draws all faults between the real parts, and the time, so that
//! a million sessions run in half a minute and each can be repeated. The client is the real one
//! from its first byte to its report, the judge and both line readers too; sockets, threads and
//! clocks are simulated. Afterwards an oracle computes the judge's correct messages from all
//! arrivals.
//!
//! `ALESIA_SESSION=SEED cargo test --lib simulation::sessions` plays one session again.

mod desk;
mod oracle;
mod pipe;
mod rulers;
mod world;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use alesia_documents::failed_seeds;
use fastrand::Rng;

use self::desk::{Desk, Turn};
use self::oracle::{Terms, Why, expected};
use self::pipe::{Micros, Pipe, PipeEnd, SimulatedClock, Weather};
use self::rulers::{Observed, Ruler};
use self::world::{ClientEnd, Fate, Habits, Thinker, World};
use super::client::{ClientError, ClientReport, converse_by};
use super::line::LineReader;
use super::referee::RefereeOptions;
use super::referee::judge::{Clerk, Judge};
use super::tournament::ServerMessage;
use crate::game::chance::Chance;
use crate::game::{Game, GameState, Outcome, Side};
use crate::games::{AnyGame, Hadron, Loa, Murus, Voidrider};
use crate::search::clock::MoveTime;

/// How a session went.
type Verdict = (bool, bool, Why);

fn pick<T: Copy>(rng: &mut Rng, values: &[T]) -> T {
    values[rng.index(..values.len())]
}

fn weather(rng: &mut Rng) -> Weather {
    let slices = rng.u32(..4) == 0;
    if rng.bool() {
        // Fit for a whole game.
        let jitter = pick(rng, &[0, 100, 1_000]);
        return Weather { latency: pick(rng, &[0, 50, 1_000]), jitter, loss: 0, slices };
    }
    Weather {
        latency: pick(rng, &[0, 0, 50, 1_000, 20_000, 80_000]),
        jitter: pick(rng, &[0, 100, 5_000, 60_000]),
        loss: pick(rng, &[0, 0, 0, 10, 100]),
        slices,
    }
}

/// Plays one session; panics if anything is not as it must be.
fn session(seed: u64) -> Verdict {
    let mut rng = Rng::with_seed(seed);
    let moves = pick(&mut rng, &[1, 2, 5, 10, 60]);
    match rng.u32(..20) {
        0 => play(Murus::start().into(), Some(moves), rng),
        1 => play(Loa::start(Default::default()).into(), Some(moves), rng),
        2 => play(Voidrider::start().into(), Some(moves), rng),
        _ => {
            let start = Hadron::start(rng.index(2..=5), rng.index(2..=5));
            let limited = rng.u32(..4) == 0;
            play(start.into(), limited.then_some(moves), rng)
        }
    }
}

fn draw_options(rng: &mut Rng, moves_per_player: Option<u32>) -> RefereeOptions {
    let ms = Duration::from_millis;
    RefereeOptions {
        move_time: ms(pick(rng, &[100, 500, 1000])),
        tolerance: [ms(pick(rng, &[0, 0, 20])); 2],
        warm_up: ms(pick(rng, &[0, 500, 30_000])),
        moves_per_player,
    }
}

fn draw_habits(rng: &mut Rng) -> Habits {
    let whole = pick(rng, &[6_000_000, 40_000_000]);
    let fate = [Fate::Reset, Fate::Silence, Fate::PeerGone][rng.index(..3)];
    Habits {
        peer_weather: weather(rng),
        peer_faults: pick(rng, &[0, 50, 300]),
        handover: pick(rng, &[0, 1_000, 50_000]),
        overshoot: 60_000,
        overshoots: pick(rng, &[0, 10, 100]),
        illegal_choices: pick(rng, &[0, 0, 100]),
        fate: (rng.u32(..10) == 0).then(|| (rng.u64(..whole), fate)),
    }
}

/// A desk that has welcomed the client.
fn desk_of(
    client: Side,
    start: AnyGame,
    clock: SimulatedClock,
    down: Rc<RefCell<Pipe>>,
    mut rng: Rng,
) -> Desk {
    let mut desk = Desk {
        clock,
        weather: weather(&mut rng),
        noise: pick(&mut rng, &[0, 0, 50, 400]),
        client,
        down,
        sent: 0,
        truth: GameState::new(start),
        plies: 0,
        under_way: false,
        turn: Turn::default(),
        peer_is_asked: false,
        rng,
    };
    let noise = std::mem::take(&mut desk.noise);
    desk.send(client, ServerMessage::Welcome(client));
    desk.noise = noise;
    desk
}

/// Plays a session; the order of the random draws decides the session of a seed.
fn play(start: AnyGame, moves_per_player: Option<u32>, mut rng: Rng) -> Verdict {
    let base = Instant::now();
    let clock = SimulatedClock::new(base);
    let client_clock = SimulatedClock::new(base);
    let client = if rng.bool() { Side::White } else { Side::Black };
    let options = draw_options(&mut rng, moves_per_player);
    let time = MoveTime::new(options.move_time, Duration::from_millis(150));
    let habits = draw_habits(&mut rng);
    let down: Rc<RefCell<Pipe>> = Rc::default();
    let up: [Rc<RefCell<Pipe>>; 2] = Default::default();
    let mut desk = desk_of(client, start, clock.clone(), down.clone(), rng);
    let ours = moves_per_player.is_some() || desk.rng.bool();
    let terms = Terms {
        opens: options.warm_up.as_micros() as Micros,
        limit: (options.move_time + options.tolerance[0]).as_micros() as Micros,
        plies: moves_per_player.filter(|_| start.has_draws()).map(|moves| 2 * moves as usize),
    };
    let ruler: Box<dyn Ruler> = if ours {
        Box::new(Judge::new(start, options, base, &mut desk))
    } else {
        Box::new(Observed::new(start, options.move_time, base + options.warm_up, &mut desk))
    };
    let reader = |side: Side| {
        let pipe = up[side as usize].clone();
        LineReader::with_clock(PipeEnd { pipe, clock: clock.clone() }, clock.clone())
    };
    let mut world = World {
        ruler: Some(ruler),
        terms,
        habits,
        readers: [reader(Side::White), reader(Side::Black)],
        open: [true; 2],
        down_end: PipeEnd { pipe: down, clock: client_clock.clone() },
        client_clock: client_clock.clone(),
        taken: 0,
        handed: Default::default(),
        last_handed: 0,
        arrivals: Vec::new(),
        margin: time.margin().as_micros() as Micros,
        planned: None,
        last_sent: None,
        slowest: 0,
        last_read: 0,
        over: false,
        up,
        desk,
    };
    if habits.peer_faults > 0 && world.desk.rng.u32(..10) == 0 {
        // An opponent that cannot wait.
        let m = start.random_move(&mut world.desk.rng).expect("a game begins");
        world.peer_sends(0, format!("MOVE {}\n", start.notation(m)).as_bytes());
    }
    let world = Rc::new(RefCell::new(world));
    let report = run_client(&world, start, time);
    let world = world.borrow();
    judge(&world, start, ours, habits.fate.map(|(_, fate)| fate), &report)
}

/// Runs the client to its end, and the world until nothing happens any more.
fn run_client(
    world: &Rc<RefCell<World>>,
    start: AnyGame,
    time: MoveTime,
) -> Result<ClientReport, ClientError> {
    let mut player = Thinker { world: world.clone(), time };
    let [incoming, outgoing] = [ClientEnd(world.clone()), ClientEnd(world.clone())];
    let clock = world.borrow().client_clock.clone();
    let report = converse_by(&clock, incoming, outgoing, start, &mut player, &mut |_| {});
    let mut world = world.borrow_mut();
    let (client, left) = (world.desk.client as usize, clock.now.get());
    world.up[client].borrow_mut().finish(left);
    while world.next_event().is_some() {
        world.step();
    }
    report
}

/// What must be true of every session.
fn judge(
    world: &World,
    start: AnyGame,
    ours: bool,
    fate: Option<Fate>,
    report: &Result<ClientReport, ClientError>,
) -> Verdict {
    let desk = &world.desk;
    let (outcome, why) = world.ruler.as_ref().unwrap().result().expect("every game ends");
    if ours {
        let found = (outcome, why, desk.plies);
        assert_eq!(found, expected(start, world.terms, &world.arrivals), "what the judge said");
    }
    // A fault that came after the end has done nothing.
    let fate = fate.filter(|_| world.habits.fate.is_none());
    let cut_off = matches!(fate, Some(Fate::Reset | Fate::Silence));
    let wordless = !ours && why == Why::Gone;
    match report {
        Ok(report) => {
            assert_eq!(report.side, desk.client);
            assert_eq!(report.slowest.as_micros() as Micros, world.slowest);
            if report.announced {
                assert_eq!(report.outcome, outcome, "what the client believes");
            }
            assert!(report.announced || cut_off || wordless, "{report:?}");
        }
        Err(error) => assert!(cut_off || wordless, "{error}"),
    }
    let client_lost = outcome == Outcome::Win(!desk.client);
    if client_lost {
        match why {
            Why::Rule => {}
            Why::Illegal | Why::Flood => panic!("the client lost by {why:?}"),
            Why::Gone => assert!(cut_off, "the client left early"),
            Why::Late if cut_off => {}
            Why::Late => {
                let turn = desk.turn;
                let sent = world.last_sent.filter(|_| desk.under_way);
                let sent = sent.expect("it has answered, though too late");
                let read = turn.read.expect("it has read its turn").saturating_sub(turn.sent);
                let delays = read + sent.over + sent.way.expect("nothing is lost");
                let margin = world.margin;
                assert!(
                    delays > margin,
                    "late without a network fault: {delays} µs of {margin} used {turn:?}"
                );
            }
        }
    }
    (ours, client_lost, why)
}

/// Plays sessions from seeds, and names the seed of one that fails.
fn play_all(seeds: std::ops::Range<u64>) {
    let mut verdicts: BTreeMap<Verdict, u64> = BTreeMap::new();
    let mut playing = Playing(0);
    for seed in failed_seeds("session") {
        playing.0 = seed;
        session(seed);
    }
    for seed in seeds {
        playing.0 = seed;
        *verdicts.entry(session(seed)).or_default() += 1;
    }
    println!("(our judge, client lost, why): sessions {verdicts:#?}");
    for ours in [true, false] {
        for lost in [true, false] {
            for why in [Why::Rule, Why::Late, Why::Gone] {
                assert!(verdicts.contains_key(&(ours, lost, why)), "{ours} {lost} {why:?}");
            }
        }
        assert!(verdicts.contains_key(&(ours, false, Why::Illegal)), "{ours}");
    }
    assert!(verdicts.contains_key(&(true, false, Why::Flood)));
}

struct Playing(u64);

impl Drop for Playing {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with ALESIA_SESSION={}", self.0);
        }
    }
}

#[test]
fn sessions() {
    match std::env::var("ALESIA_SESSION") {
        Ok(seed) => println!("{:?}", session(seed.parse().expect("a number"))),
        Err(_) => play_all(0..5_000),
    }
}

#[test]
#[ignore = "half a minute in the release build"]
fn a_million_sessions() {
    let first =
        std::env::var("ALESIA_FIRST_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    play_all(first..first + 1_000_000);
}
