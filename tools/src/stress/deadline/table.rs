//! One game between two processes of the player at a referee of our own.

use std::fmt::Display;
use std::io;
use std::net::{IpAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use alesia::game::Side;
use alesia::games::{AnyGame, GameSpec};
use alesia::net::referee::{Cause, GameEvent, RefereeOptions, serve_game};
use alesia::record::game_record::milliseconds;
use alesia::words::command_error::CommandError;
use alesia_match::players::entrant::Program;
use alesia_match::players::process::{Heard, Process};
use alesia_match::run::referee::wait_for;
use alesia_report::run::DeadlineGame;

/// Max time of a player to end after its game.
const LEAVING_TIME: Duration = Duration::from_secs(5);

/// What every game is played with.
pub struct DeadlineTable {
    pub bind: IpAddr,
    /// What starts the player's program, if anything.
    pub launch: Vec<String>,
    pub player: PathBuf,
    pub move_time: Duration,
    /// What the player keeps back of it.
    pub margin: String,
    pub options: Vec<String>,
}

/// What has been measured in a game.
#[derive(Debug, Default)]
pub struct Measured {
    /// Of each move in time, from `YOUR_TURN` or `go` leaving us to the line's arrival here.
    pub answers: Vec<Duration>,
    /// Of each move that used its time, by how much it left the player after that, as the player
    /// says; in UGI, by how much it came after that.
    pub overshoots: Vec<Duration>,
    /// The move that was late, if one was: what became of it.
    pub late: Option<String>,
    /// From the start of each player to its connection or `readyok`.
    pub ready: Vec<Duration>,
}

impl Measured {
    /// The same as a row of measurements.
    pub fn row(&self, game: GameSpec, limit: Duration) -> DeadlineGame {
        let all = |times: &[Duration]| times.iter().copied().map(milliseconds).collect();
        DeadlineGame {
            game: game.to_string(),
            limit: milliseconds(limit),
            answers: all(&self.answers),
            overshoots: all(&self.overshoots),
            ready: all(&self.ready),
            late: self.late.clone(),
        }
    }
}

impl DeadlineTable {
    /// Plays a game, Monte Carlo against alpha-beta, with colours by the game's number.
    ///
    /// # Errors
    /// A player cannot be started, or the game does not end as games do.
    pub fn play(
        &self,
        start: AnyGame,
        game: GameSpec,
        number: u64,
        seed: u64,
    ) -> Result<Measured, CommandError> {
        let failed =
            |what: &dyn Display| CommandError::Failed(format!("game {}: {what}", number + 1));
        let engines = engines(number);
        let mut measured = Measured::default();
        let (mut players, mut streams) = (Vec::new(), Vec::new());
        for engine in engines {
            let (player, stream, ready) =
                self.connect(game, engine, seed).map_err(|what| failed(&what))?;
            measured.ready.push(ready);
            players.push(player);
            streams.push(stream);
        }
        let [white, black] = streams.try_into().expect("a stream for each side");
        let terms = RefereeOptions {
            move_time: self.move_time,
            warm_up: Duration::ZERO,
            ..RefereeOptions::default()
        };
        let result = serve_game(white, black, start, &terms, &mut |event| {
            if let GameEvent::Moved { elapsed, .. } = event {
                measured.answers.push(elapsed);
            }
        })
        .map_err(|error| failed(&format_args!("the referee: {error}")))?;
        match result.cause {
            Cause::Rule(_) => {}
            Cause::Timeout(_) => measured.late = Some(format!("{game}: {}", result.reason)),
            Cause::IllegalMove | Cause::Disconnected | Cause::Flood => {
                return Err(failed(&result));
            }
        }
        for (player, side) in players.iter().zip([Side::White, Side::Black]) {
            measured.overshoots.extend(overshoots(player, side));
        }
        Ok(measured)
    }

    /// Starts a player and waits until it connects: its process, its connection, and the time for
    /// that.
    fn connect(
        &self,
        game: GameSpec,
        engine: &str,
        seed: u64,
    ) -> Result<(Process, TcpStream, Duration), String> {
        let on_address = |error: io::Error| format!("{}: {error}", self.bind);
        let listener = TcpListener::bind((self.bind, 0)).map_err(on_address)?;
        let port = listener.local_addr().map_err(on_address)?.port();
        let program = self.program(game, engine, port, seed);
        let path = program.path.display();
        let started = Instant::now();
        let mut player =
            Process::start(engine, &program, true).map_err(|error| format!("{path}: {error}"))?;
        match wait_for(&listener, &mut player, &AtomicBool::new(false)).map_err(on_address)? {
            Ok(stream) => Ok((player, stream, started.elapsed())),
            Err(_) => {
                let words = program.arguments.join(" ");
                Err(format!("`{path} {words}` does not connect"))
            }
        }
    }

    fn program(&self, game: GameSpec, engine: &str, port: u16, seed: u64) -> Program {
        let player = self.player.display().to_string();
        let (host, port) = (self.bind.to_string(), port.to_string());
        let (game, ms) = (game.to_string(), self.move_time.as_millis().to_string());
        let seed = seed.to_string();
        let mut words = self.launch.clone();
        words.extend([player, "play".into(), host, port, "--game".into(), game]);
        words.extend(
            ["--engine", engine, "--move-time", &ms, "--margin", &self.margin].map(String::from),
        );
        words.extend(["--seed".into(), seed]);
        words.extend(self.options.iter().cloned());
        let path = PathBuf::from(words.remove(0));
        Program { path, arguments: words, directory: None, options: Vec::new(), apart: true }
    }
}

/// The engines of White and Black in a game.
pub fn engines(number: u64) -> [&'static str; 2] {
    if number.is_multiple_of(2) { ["mcts", "alphabeta"] } else { ["alphabeta", "mcts"] }
}

/// A player's line about its own move: `PLY SIDE MOVE MS ms (+LATE)`; the brackets are there if the
/// move used its time, with the ms by which it was late.
fn overshoots(player: &Process, side: Side) -> Vec<Duration> {
    let end = Instant::now() + LEAVING_TIME;
    let mut found = Vec::new();
    while let Heard::Line(line, _) = player.hear(Some(end)) {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, who, _, _, "ms", late] = words[..] else { continue };
        let late = late.strip_prefix("(+").and_then(|late| late.strip_suffix(')'));
        let late = late.and_then(|late| late.parse::<f64>().ok());
        if who == side.to_string() {
            found.extend(late.map(|ms| Duration::from_secs_f64(ms / 1000.0)));
        }
    }
    found
}
