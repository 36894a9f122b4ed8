//! `alesia-lab stress player`: a player that plays at random, and fails in a chosen way after a
//! number of moves in every game, for testing match runners and servers.

use std::io::{Write, stdin, stdout};
use std::net::TcpStream;
use std::process::exit;
use std::thread::sleep;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::net::client::{Answer, Player, connect, play_game};
use alesia::words::command_error::CommandError;
use clap::{Args, ValueEnum};
use fastrand::Rng;

/// Longer than the time limit of any test.
const LATE: Duration = Duration::from_millis(1500);

/// Longer than any test.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// A move of no game.
const ILLEGAL: &str = "Z9,Q";

/// How long to wait for a server that does not run yet.
const PATIENCE: Duration = Duration::from_secs(5);

/// A protocol.
#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// The Universal Game Interface on standard input and output.
    Ugi,
    /// The tournament protocol, as a client of a server.
    Tcp,
}

/// How the player fails.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Failure {
    /// Does not fail.
    Never,
    /// Exits.
    Crash,
    /// Stops sending.
    Stall,
    /// Sends text without end, but no move.
    Talk,
    /// Sends an illegal move.
    Illegal,
    /// Answers 1500 ms later.
    Late,
    /// Never sends anything.
    Mute,
    /// Does not end when it is asked to.
    Deaf,
    /// Sends every move twice (allowed).
    Echo,
}

/// The arguments of `alesia-lab stress player`.
#[derive(Args)]
pub struct ScriptedPlayer {
    /// Protocol.
    protocol: Protocol,
    /// Game.
    #[arg(value_parser = GameSpec::open)]
    game: GameSpec,
    /// Kind of failure.
    failure: Failure,
    /// Number of moves that it plays in a game before it fails.
    after: usize,
    /// Name or address of the server.
    #[arg(required_if_eq("protocol", "tcp"))]
    host: Option<String>,
    /// Port of the server.
    #[arg(required_if_eq("protocol", "tcp"))]
    port: Option<u16>,
}

struct Script {
    failure: Failure,
    after: usize,
    /// Moves in this game.
    moves: usize,
    rng: Rng,
}

impl Script {
    /// Fails where that is due, by saying an illegal move with `say` or anything with `talk`.
    fn fail(&mut self, mut say: impl FnMut(&str), mut talk: impl FnMut()) {
        self.moves += 1;
        if self.moves <= self.after {
            return;
        }
        match self.failure {
            Failure::Crash => exit(3),
            Failure::Stall => sleep(FOR_EVER),
            Failure::Talk => loop {
                talk();
            },
            Failure::Late => sleep(LATE),
            Failure::Illegal => say(ILLEGAL),
            Failure::Never | Failure::Mute | Failure::Deaf | Failure::Echo => {}
        }
    }
}

impl ScriptedPlayer {
    pub fn run(&self) -> Result<(), CommandError> {
        let Self { failure, after, .. } = *self;
        if failure == Failure::Mute {
            sleep(FOR_EVER);
        }
        let script = Script { failure, after, moves: 0, rng: Rng::with_seed(1) };
        match (self.protocol, self.host.as_ref().zip(self.port)) {
            (Protocol::Tcp, Some((host, port))) => {
                let stream = connect(host, port, PATIENCE)
                    .map_err(|error| CommandError::Failed(error.to_string()))?;
                tcp(AnyGame::start(self.game), script, stream)
            }
            _ => ugi(AnyGame::start(self.game), script),
        }
    }
}

fn ugi(start: AnyGame, mut script: Script) -> Result<(), CommandError> {
    let mut state = GameState::new(start);
    let say = |line: &str| writeln!(stdout().lock(), "{line}");
    for line in stdin().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "ugi" => {
                say("id name Scripted")?;
                say("option name Style type string default <empty>")?;
                say("ugiok")?;
            }
            "isready" => say("readyok")?,
            "uginewgame" => script.moves = 0,
            "position" => {
                let (board, moves) = rest.split_once("moves").unwrap_or((rest, ""));
                let board = board.trim().strip_prefix("fen").map(str::trim);
                let position = start.begin(board)?;
                state = GameState::new(position);
                state.play_text(moves)?;
            }
            "go" => {
                // A runner that is gone shows in the next line.
                script.fail(
                    |text| drop(say(&format!("bestmove {text}"))),
                    || {
                        if say("info string so to speak").is_err() {
                            exit(3)
                        }
                    },
                );
                let Some(m) = state.position.random_move(&mut script.rng) else { continue };
                say("info depth 1 nodes 1 score cp 7")?;
                let answer = format!("bestmove {}", state.position.notation(m));
                say(&answer)?;
                if script.failure == Failure::Echo {
                    say(&answer)?;
                }
            }
            "quit" if script.failure != Failure::Deaf => return Ok(()),
            _ => {}
        }
    }
    if script.failure == Failure::Deaf {
        sleep(FOR_EVER);
    }
    Ok(())
}

struct Client {
    script: Script,
    stream: TcpStream,
}

impl Player for Client {
    fn choose(&mut self, state: &AnyState, _: Instant) -> Answer {
        let stream = &self.stream;
        let send = |mut stream: &TcpStream, line: String| stream.write_all(line.as_bytes());
        self.script.fail(
            // A server that is gone shows in the next line.
            |text| drop(send(stream, format!("MOVE {text}\n"))),
            || {
                if send(stream, "so to speak\n".to_owned()).is_err() {
                    exit(3)
                }
            },
        );
        state.position.random_move(&mut self.script.rng).expect("the game is not over").into()
    }
}

fn tcp(start: AnyGame, script: Script, stream: TcpStream) -> Result<(), CommandError> {
    let own = stream.try_clone()?;
    let mut client = Client { script, stream: own };
    play_game(stream, start, &mut client, &mut |_| {})
        .map(|_| ())
        .map_err(|error| CommandError::Failed(error.to_string()))
}
