//! What can be played here, and by whom.

use alesia::games::GameSpec;
use alesia::search::EngineKind;
use alesia::search::levels::LEVELS;
use serde::Serialize;

use crate::position::{Rules, rules};

/// What a page asks once.
#[derive(Serialize)]
pub struct KnownGames {
    games: Vec<Rules>,
    /// The built-in chess variants.
    variants: Vec<Rules>,
    engines: [&'static str; EngineKind::ALL.len()],
    /// The levels below full strength, the weakest first.
    levels: [&'static str; LEVELS.len()],
}

/// All that is built in.
pub fn known_games() -> KnownGames {
    KnownGames {
        games: GameSpec::fitting(|_| true).into_iter().map(rules).collect(),
        variants: GameSpec::variants().map(rules).collect(),
        engines: EngineKind::ALL.map(EngineKind::name),
        levels: LEVELS.each_ref().map(|level| level.name),
    }
}
