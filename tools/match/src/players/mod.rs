//! The players: engines of this process and external programs, behind one trait.
//!
//! The one idea: a player returns a move or its [`Fault`]. A fault costs it only this game: it
//! plays again in the next one, for which a program that has died is started again.

pub mod entrant;
pub mod guest;
mod handshake;
mod internal;
pub mod limit;
mod pipes;
mod plain;
pub mod process;

use std::time::Duration;

use alesia::game::{Move, Side};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::record::game_record::GameLine;
use alesia::record::thought::Thought;
use alesia::search::report::{Proof, Report};
use alesia::words::command_error::CommandError;

use self::entrant::{Entrant, Protocol};
use self::limit::Allowance;

/// Max time of a program to start, to get ready, or between two lines where its moves have no time
/// limit.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub struct Choice {
    pub m: Move,
    /// From the question to the answer.
    pub elapsed: Duration,
    pub thought: Thought,
    /// What goes to a page alone.
    pub details: Details,
}

/// What a player says of its move that is not kept.
#[derive(Clone, Debug)]
pub enum Details {
    /// All that an engine of this process has found.
    Report(Box<Report>),
    /// The moves that a program expects, separated by blanks.
    Variation(String),
}

impl Choice {
    /// The proven result for the mover.
    pub fn proof(&self) -> Option<Proof> {
        match &self.details {
            Details::Report(report) => report.proof,
            Details::Variation(_) => self.thought.proof(),
        }
    }

    /// What spectators hear of it: the lines of `alesia search`.
    pub fn info(&self, position: &AnyGame) -> Option<String> {
        match &self.details {
            Details::Report(report) => Some(report.info(position)),
            Details::Variation(moves) => info(&self.thought, moves),
        }
    }
}

/// The line of `alesia search` that says the same; none where nothing is known.
fn info(thought: &Thought, variation: &str) -> Option<String> {
    if *thought == Thought::default() {
        return None;
    }
    let mut line = "info".to_owned();
    let mut add = |name: &str, value: Option<String>| {
        line.extend(value.map(|value| format!(" {name} {value}")));
    };
    add("depth", thought.depth.map(|depth| depth.to_string()));
    add("nodes", thought.nodes.map(|nodes| nodes.to_string()));
    add("value", thought.expected().map(|value| format!("{value:.3}")));
    add("proof", thought.proof().map(|proof| proof.to_string()));
    add("pv", Some(variation.to_owned()));
    Some(line)
}

/// Why there is no move to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It named no legal move: the text.
    IllegalMove(String),
    /// Its move came so long after the question, when its time was over.
    Late(Duration),
    Disconnects,
    /// The same, with how it ended and its last words.
    Ended(String),
    /// It lives and says nothing.
    Stalls,
    /// It could not be started for this game, for that reason.
    NotStarted(String),
}

/// A player that could not be started for a game: its side, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotStarted(pub Side, pub String);

/// The task of a player.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// How it came to the position.
    pub line: &'a GameLine,
    /// The position, its side to move the player's.
    pub state: &'a AnyState,
    /// What the player has for its move.
    pub allowance: Allowance,
    /// What it may need more before it is late.
    pub margin: Duration,
}

/// A player of games.
pub trait Player: Send {
    /// A new game begins, with random choices that follow from `seed`.
    ///
    /// # Errors
    /// A program does not start or does not answer.
    fn begin(&mut self, seed: u64) -> Result<(), Fault>;

    /// Names a move in a game that is not over.
    ///
    /// # Errors
    /// The player loses the game by it.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault>;
}

/// The player of an entrant: builds an engine, or starts a program.
///
/// # Errors
/// The engine cannot be built, or the program does not start or does not have an option.
pub fn build(
    start: AnyGame,
    game: GameSpec,
    entrant: &Entrant,
) -> Result<Box<dyn Player>, CommandError> {
    Ok(match &entrant.protocol {
        Protocol::Internal { kind, options } => {
            Box::new(internal::Internal::new(start, *kind, options, &entrant.name)?)
        }
        Protocol::Plain { memory } => Box::new(plain::Plain::new(start, *memory)),
        Protocol::Pipes(program, dialect) => {
            Box::new(pipes::Piped::new(program, *dialect, game, entrant)?)
        }
        Protocol::Tcp(_) | Protocol::Relay(_) | Protocol::Guest(_) => {
            unreachable!("games of clients have a referee of their own")
        }
    })
}
