//! The games of a match, on several threads.
//!
//! The one idea: a thread gets the next game's number and plays it with players that have forgotten
//! earlier games; results are put in order before they count, so that with a node limit and one
//! thread per player, the output depends neither on the number of threads nor on interruptions.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use alesia::eval::Evaluate;
use alesia::game::Side;
use alesia::games::GameSpec;

use super::arbiter::{self, ArbiterSeat};
use super::audience::{Audience, Spectator};
use super::entrant::{Entrant, Program, Protocol};
use super::limit::{Clocks, Limit};
use super::opening::{Opening, Openings};
use super::players::{self, Fault, Player};
use super::record::{GameRecord, RecordedMove};
use super::referee::{self, NoGame};
use super::ruling::Ruling;
use super::schedule::{Schedule, Task};
use crate::error::CommandError;
use crate::seeds::seed_of;

/// The settings of all games.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game.
    pub game: GameSpec,
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// Which games.
    pub schedule: Schedule,
    /// How they begin.
    pub openings: Openings,
    /// A tie after this many moves of each player.
    pub moves_per_player: Option<u32>,
    /// Whether a player that cannot be started loses its games, rather than ending the match.
    pub recover: bool,
    /// Games played at once, at least 1.
    pub concurrency: usize,
}

/// What happens in a match. Both methods are called on one thread.
pub trait Observer {
    /// A game has ended; in the order in which games end.
    ///
    /// # Errors
    /// End the match.
    fn ended(&mut self, record: &GameRecord) -> Result<(), CommandError>;

    /// A game counts; in the order of the match. May end it: games beyond do not count.
    ///
    /// # Errors
    /// End the match.
    fn counts(&mut self, task: &Task, record: &GameRecord)
    -> Result<ControlFlow<()>, CommandError>;
}

/// Plays the games that are not among `done` already, and shows them where there is a page.
///
/// # Errors
/// A player cannot be built or started, there is no opening of the length asked for, or the
/// observer's.
pub fn play<G: Evaluate>(
    start: G,
    terms: &Terms,
    mut done: BTreeMap<u64, GameRecord>,
    observer: &mut impl Observer,
    live: Option<&dyn Audience>,
) -> Result<(), CommandError> {
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let games = terms.schedule.games();
    let already: HashSet<u64> = done.keys().copied().collect();
    let left = games - already.len() as u64;
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..left.min(terms.concurrency as u64) {
            let (sender, already, next, stop) = (sender.clone(), &already, &next, &stop);
            scope.spawn(move || work(start, terms, live, already, next, stop, &sender));
        }
        drop(sender);
        let mut counted = 0;
        let mut count = |done: &mut BTreeMap<u64, GameRecord>, observer: &mut _| {
            while let Some(record) = done.remove(&counted) {
                let task = terms.schedule.task(counted);
                counted += 1;
                if Observer::counts(observer, &task, &record)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok::<_, CommandError>(ControlFlow::Continue(()))
        };
        let until_decided = || {
            if count(&mut done, observer)?.is_break() {
                return Ok(());
            }
            for (number, played) in receiver {
                let record = played?;
                observer.ended(&record)?;
                done.insert(number, record);
                if count(&mut done, observer)?.is_break() {
                    return Ok(());
                }
            }
            Ok(())
        };
        let result = until_decided();
        // Relaxed: a flag alone, and the threads are waited for.
        stop.store(true, Ordering::Relaxed);
        result
    })
}

type Played = (u64, Result<GameRecord, CommandError>);

/// What one thread does: games until there are none left.
fn work<G: Evaluate>(
    start: G,
    terms: &Terms,
    live: Option<&dyn Audience>,
    already: &HashSet<u64>,
    next: &AtomicU64,
    stop: &AtomicBool,
    sender: &Sender<Played>,
) {
    let players = terms.entrants.iter().map(|_| None).collect();
    let mut crew = Crew { start, terms, live, players, stop };
    // Relaxed: the number alone is shared.
    while !stop.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= terms.schedule.games() {
            return;
        }
        if already.contains(&number) {
            continue;
        }
        let task = terms.schedule.task(number);
        let Some(played) = crew.play(&task).transpose() else { return };
        let failed = played.is_err();
        // There is no receiver any more if the match is decided; after an error it ends.
        if sender.send((number, played)).is_err() || failed {
            return;
        }
    }
}

/// The players of one thread.
struct Crew<'a, G: Evaluate> {
    start: G,
    terms: &'a Terms,
    live: Option<&'a dyn Audience>,
    /// By number; built when they first play, and clients of tournament servers never.
    players: Vec<Option<Box<dyn Player<G>>>>,
    /// The match is decided.
    stop: &'a AtomicBool,
}

impl<G: Evaluate> Crew<'_, G> {
    /// Plays a game; none where it was stopped.
    fn play(&mut self, task: &Task) -> Result<Option<GameRecord>, CommandError> {
        let terms = self.terms;
        let opening = terms.openings.of_round(self.start, task.key.seed, task.round)?;
        let [white, black] = task.players.map(|number| &terms.entrants[number]);
        log::info!(
            "pair {} leg {}: {} against {}",
            task.key.pair,
            task.key.leg,
            white.name,
            black.name
        );
        let live = self
            .live
            .and_then(|live| live.begin(task.key, terms.game, [white, black], &opening.line));
        let live = live.as_deref();
        let (ruling, moves) = match self.build(task.players)? {
            Some(loser) => (Ruling::by_fault(loser, &Fault::Disconnects, None), Vec::new()),
            None => match self.play_out(task, &opening, live)? {
                Some(played) => played,
                None => return Ok(None),
            },
        };
        if let Some(live) = live {
            live.hear(&ruling.event());
        }
        let Ruling { result, cause, reason } = ruling;
        log::info!("pair {} leg {}: {} ({reason})", task.key.pair, task.key.leg, result.outcome());
        Ok(Some(GameRecord {
            key: task.key,
            game: terms.game.to_string(),
            white: white.name.clone(),
            black: black.name.clone(),
            board: opening.line.board,
            opening: opening.line.moves,
            moves,
            result,
            cause,
            reason,
        }))
    }

    /// Builds the players that have not played yet; returns the one that cannot be built, where
    /// that costs it the game.
    fn build(&mut self, players: [usize; 2]) -> Result<Option<Side>, CommandError> {
        for (side, number) in [Side::White, Side::Black].into_iter().zip(players) {
            let entrant = &self.terms.entrants[number];
            if matches!(entrant.protocol, Protocol::Tcp(_)) || self.players[number].is_some() {
                continue;
            }
            match players::build(self.start, &self.terms.game.to_string(), entrant) {
                Ok(player) => self.players[number] = Some(player),
                Err(CommandError::Failed(error)) if self.terms.recover => {
                    log::error!("{error}");
                    return Ok(Some(side));
                }
                Err(error) => return Err(error),
            };
        }
        Ok(None)
    }

    /// Plays a game of players that are built.
    fn play_out(
        &mut self,
        task: &Task,
        opening: &Opening<G>,
        live: Option<&dyn Spectator>,
    ) -> Result<Option<(Ruling, Vec<RecordedMove>)>, CommandError> {
        let terms = self.terms;
        let entrants = task.players.map(|number| &terms.entrants[number]);
        // The second stream of random numbers of a round; the first is the opening's.
        let stream = 2 * u64::from(task.round) + 1;
        let seeds = entrants.map(|entrant| seed_of(entrant.seed(), stream));
        let players = self.players.get_disjoint_mut(task.players);
        match players.expect("no player meets itself").map(Option::as_mut) {
            [Some(white), Some(black)] => {
                let [white, black] = [(white, 0), (black, 1)].map(|(player, side)| ArbiterSeat {
                    player: &mut **player,
                    margin: entrants[side].margin(),
                    seed: seeds[side],
                });
                let clocks = Clocks::new(entrants.map(|entrant| entrant.limit));
                let limit = terms.moves_per_player;
                Ok(arbiter::play(opening, &mut [white, black], clocks, limit, self.stop, live))
            }
            [white, black] => {
                let seats = [(white, 0), (black, 1)].map(|(player, side)| {
                    let (Entrant { name, limit, .. }, seed) = (entrants[side], seeds[side]);
                    match (&entrants[side].protocol, player) {
                        (Protocol::Tcp(program), _) => {
                            referee::RefereeSeat::Client { name, program, seed }
                        }
                        (_, Some(player)) => referee::RefereeSeat::Local {
                            player: &mut **player,
                            limit: *limit,
                            seed,
                        },
                        (_, None) => unreachable!("players at hand have been built"),
                    }
                });
                play_by_referee(terms, entrants, opening, seats, live).map(Some)
            }
        }
    }
}

/// Plays a game of a client; where that cannot be started, it loses or the match ends.
fn play_by_referee<G: Evaluate>(
    terms: &Terms,
    entrants: [&Entrant; 2],
    opening: &Opening<G>,
    seats: [referee::RefereeSeat<'_, G>; 2],
    live: Option<&dyn Spectator>,
) -> Result<(Ruling, Vec<RecordedMove>), CommandError> {
    let mut clients = entrants.iter().filter_map(|entrant| match entrant {
        Entrant { protocol: Protocol::Tcp(_), limit: Limit::MoveTime(time), .. } => {
            Some((*time, entrant.margin()))
        }
        _ => None,
    });
    let (time, tolerance) = clients.next().expect("a client has a time for its moves");
    let (game, limit) = (terms.game.to_string(), terms.moves_per_player);
    match referee::play(opening, &game, seats, time, tolerance, limit, live) {
        Ok(played) => Ok(played),
        Err(NoGame::NotStarted(side, error)) => {
            let Entrant { name, protocol, .. } = entrants[side as usize];
            let Protocol::Tcp(Program { path, .. }) = protocol else {
                unreachable!("other players have been built before")
            };
            let reason = format!("-engine {name}, cmd={}: {error}", path.display());
            if !terms.recover {
                return Err(CommandError::Failed(reason));
            }
            log::error!("{reason}");
            Ok((Ruling::by_fault(side, &Fault::Disconnects, None), Vec::new()))
        }
        Err(NoGame::System(error)) => {
            Err(CommandError::Failed(format!("a game through the referee: {error}")))
        }
    }
}
