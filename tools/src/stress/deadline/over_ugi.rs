//! The same game in UGI, over pipes.
//!
//! The one idea: the players are external programs of `alesia-lab match`, under its arbiter and its
//! clock; only here a move has no grace beyond its time.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use alesia::game::{GameState, ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::net::feed::GameEvent;
use alesia::record::end::Cause;
use alesia::record::game_record::GameLine;
use alesia::search::clock::MoveTime;
use alesia::ugi::Dialect;
use alesia::words::command_error::CommandError;
use alesia_match::players::entrant::{Entrant, Program, Protocol};
use alesia_match::players::limit::{Clocks, Limit};
use alesia_match::players::{self, NotStarted, Player};
use alesia_match::run::adjudication::Adjudication;
use alesia_match::run::arbiter::{self, ArbiterSeat};
use alesia_match::run::audience::Spectator;
use alesia_match::run::opening::Opening;

use super::table::{DeadlineTable, Measured, engines};

/// The times of the moves that were played.
#[derive(Default)]
struct Stopwatch(Mutex<Vec<Duration>>);

impl Spectator for Stopwatch {
    fn hear(&self, event: &GameEvent) {
        if let GameEvent::Moved { elapsed, .. } = event {
            self.0.lock().expect("no holder of the lock can panic").push(*elapsed);
        }
    }
}

impl DeadlineTable {
    /// Plays a game as [`DeadlineTable::play`] does, in UGI.
    ///
    /// # Errors
    /// A player cannot be started, or the game does not end as games do.
    pub fn play_ugi(
        &self,
        start: AnyGame,
        game: GameSpec,
        number: u64,
        seed: u64,
    ) -> Result<Measured, CommandError> {
        let failed = |what: String| CommandError::Failed(format!("game {}: {what}", number + 1));
        let mut measured = Measured::default();
        let mut started = Vec::new();
        for engine in engines(number) {
            let entrant = self.entrant(game, engine)?;
            let before = Instant::now();
            started.push(players::build(start, game, &entrant)?);
            measured.ready.push(before.elapsed());
        }
        let [mut white, mut black] =
            <[Box<dyn Player>; 2]>::try_from(started).ok().expect("a player for each side");
        let seat = |player| ArbiterSeat { player, margin: Duration::ZERO, seed };
        let mut seats = [seat(&mut *white), seat(&mut *black)];
        let clocks = Clocks::new([Limit::MoveTime(self.move_time); 2]);
        let line = GameLine { board: None, moves: Vec::new() };
        let opening = Opening { line, state: GameState::new(start) };
        let stopwatch = Stopwatch::default();
        let never = AtomicBool::new(false);
        let to_the_end = Adjudication::default();
        let played =
            arbiter::play(&opening, &mut seats, clocks, to_the_end, &never, Some(&stopwatch));
        let (ruling, _) = played
            .map_err(|NotStarted(side, why)| failed(format!("{side} does not start: {why}")))?
            .expect("nobody stops it");
        match ruling.cause {
            Cause::Rule | Cause::MoveLimit | Cause::Adjudication => {}
            Cause::Time => measured.late = Some(format!("{game}: {}", ruling.reason)),
            _ => return Err(failed(ruling.reason)),
        }
        measured.answers = stopwatch.0.into_inner().expect("no holder of the lock can panic");
        let now = Instant::now();
        let thinking = MoveTime::new(self.move_time, self.overhead()?).deadline(now) - now;
        let used = measured.answers.iter().filter_map(|answer| answer.checked_sub(thinking));
        measured.overshoots = used.collect();
        Ok(measured)
    }

    /// The margin as a time.
    ///
    /// # Errors
    /// It is no number.
    pub fn overhead(&self) -> Result<Duration, CommandError> {
        let number = self.margin.parse().map(Duration::from_millis);
        number.map_err(|_| {
            let expected = "a number of milliseconds with --ugi";
            ParseError::new("--margin", quoted(&self.margin), expected).into()
        })
    }

    fn entrant(&self, game: GameSpec, engine: &str) -> Result<Entrant, CommandError> {
        let mut words = self.launch.clone();
        words.extend([self.player.display().to_string(), "ugi".into()]);
        words.extend(["--game".into(), game.to_string(), "--engine".into(), engine.into()]);
        words.extend(["--move-overhead".into(), self.overhead()?.as_millis().to_string()]);
        words.extend(self.options.iter().cloned());
        let path = PathBuf::from(words.remove(0));
        let program =
            Program { path, arguments: words, directory: None, options: Vec::new(), apart: true };
        Ok(Entrant {
            name: engine.into(),
            protocol: Protocol::Pipes(program, Some(Dialect::Ugi)),
            limit: Limit::MoveTime(self.move_time),
            margin: Duration::ZERO,
            restart: false,
        })
    }
}
