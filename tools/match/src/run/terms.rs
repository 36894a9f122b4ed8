//! What all games of a match have in common.

use alesia::games::GameSpec;

use super::adjudication::Adjudication;
use super::opening::Openings;
use super::schedule::Schedule;
use crate::players::entrant::Entrant;
use alesia::record::game_record::Occasion;

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
    /// What ends them early.
    pub adjudication: Adjudication,
    /// What is known before a game of where and when it is played.
    pub occasion: Occasion,
    /// Whether a player that cannot be started loses its games, rather than ending the match.
    pub recover: bool,
    /// Games played at once, at least 1.
    pub concurrency: usize,
}
