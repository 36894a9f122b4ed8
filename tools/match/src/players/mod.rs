//! The players: engines of this process and external programs, behind one trait.
//!
//! The one idea: a player returns a move or its [`Fault`]. A fault costs it only this game: it
//! plays again in the next one, for which a program that has died is started again.

pub mod entrant;
mod internal;
pub mod limit;
pub mod process;
pub mod report_view;
mod ugi;

use std::time::Duration;

use alesia::game::{Game, GameState, Move, ParseError, Side};
use alesia::games::{AnyGame, AnyState};
use alesia::search::report::{Proof, Report};
use serde::{Deserialize, Serialize};

use self::entrant::{Entrant, Protocol};
use self::limit::Allowance;
use self::report_view::{ProofView, ReportView, for_white};
use crate::words::error::CommandError;

/// What a player knows of its move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The expected result for the mover, 0 (loss) to 1 (win), of an engine of this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The same in centipawns, of an external program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// A proven result as in UCI: the mover's own moves to its win, negative to its loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Plies searched, or the length of the principal variation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// The expected result for the mover, 0 to 1, of a score on the scale of `alesia ugi`.
pub fn expected_of_centipawns(score: i32) -> f32 {
    let score = score as f32;
    (1.0 + score / (200.0 + score.abs())) / 2.0
}

impl Thought {
    /// The expected result for the mover, 0 to 1, from either player. A program that sees a mate
    /// says no other score.
    pub fn expected(&self) -> Option<f32> {
        let of_mate = |moves| if moves > 0 { 1.0 } else { 0.0 };
        self.value.or(self.cp.map(expected_of_centipawns)).or(self.mate.map(of_mate))
    }

    /// The proven result for the mover.
    pub fn proof(&self) -> Option<Proof> {
        self.mate.map(|moves| {
            // The mover's own moves: its last ply is the win, or the reply to it.
            let plies = u16::try_from(moves.unsigned_abs()).unwrap_or(u16::MAX).saturating_mul(2);
            match moves > 0 {
                true => Proof::Win(plies.saturating_sub(1)),
                false => Proof::Loss(plies),
            }
        })
    }

    /// The line of `alesia search` that says the same; none where nothing is known.
    fn info(&self, variation: &str) -> Option<String> {
        if *self == Thought::default() {
            return None;
        }
        let mut line = "info".to_owned();
        let mut add = |name: &str, value: Option<String>| {
            line.extend(value.map(|value| format!(" {name} {value}")));
        };
        add("depth", self.depth.map(|depth| depth.to_string()));
        add("nodes", self.nodes.map(|nodes| nodes.to_string()));
        add("value", self.expected().map(|value| format!("{value:.3}")));
        add("proof", self.proof().map(|proof| proof.to_string()));
        add("pv", Some(variation.to_owned()));
        Some(line)
    }

    /// What the page shows of it; none where nothing is known.
    pub fn view(&self, mover: Side) -> Option<ReportView> {
        let Thought { value, cp, depth, nodes, .. } = *self;
        let proof = self.proof().map(|proof| ProofView::new(proof, mover));
        let view = ReportView {
            value: self.expected().map(|value| for_white(value, mover)),
            depth,
            nodes,
            proof,
            ..ReportView::default()
        };
        let known = value.is_some() || cp.is_some() || depth.is_some() || nodes.is_some();
        (known || proof.is_some()).then(|| view.of_what_is_known())
    }
}

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
            Details::Variation(moves) => self.thought.info(moves),
        }
    }
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

/// The moves of a game so far, as text.
#[derive(Clone, Debug)]
pub struct GameLine {
    /// The text board that the game began with; none: the game's start position.
    pub board: Option<String>,
    /// All moves since then in the game's notation.
    pub moves: Vec<String>,
}

impl GameLine {
    /// Plays the moves on a board of the game.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn state(&self, start: AnyGame) -> Result<AnyState, ParseError> {
        let position = self.board.as_ref().map_or(Ok(start), |text| start.parse_board(text))?;
        let mut state = GameState::new(position);
        state.play_text(&self.moves.join(" "))?;
        Ok(state)
    }
}

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
    game: &str,
    entrant: &Entrant,
) -> Result<Box<dyn Player>, CommandError> {
    Ok(match &entrant.protocol {
        Protocol::Internal { kind, options } => {
            Box::new(internal::Internal::new(start, *kind, options, &entrant.name)?)
        }
        Protocol::Ugi(program) => Box::new(ugi::Ugi::new(program, game, entrant)?),
        Protocol::Tcp(_) => unreachable!("games of tournament clients have a referee of their own"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::report_view::Colour;

    #[test]
    fn what_players_say_is_turned_into_values_for_white() {
        let thought = Thought { cp: Some(200), depth: Some(4), ..Thought::default() };
        let view = |side| thought.view(side).unwrap().value;
        assert_eq!((view(Side::White), view(Side::Black)), (Some(0.75), Some(0.25)));
        assert!(Thought::default().view(Side::White).is_none());
        let unsearched = Thought { value: Some(0.5), nodes: Some(0), ..Thought::default() };
        let view = unsearched.view(Side::White).unwrap();
        assert_eq!((view.value, view.nodes), (None, None), "it was not searched");
        let mate = Thought { mate: Some(-2), ..Thought::default() };
        let view = mate.view(Side::White).unwrap();
        assert_eq!(view.value, Some(0.0));
        assert_eq!(view.proof, Some(ProofView { winner: Some(Colour::Black), plies: Some(4) }));
    }
}
