//! The games of a match that was interrupted, so that it continues as if it had not been.
//!
//! The one idea: a game of the match's file counts if it is one of this match, and its moves give
//! its result. The others are played again; with a node limit they are the same games.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use alesia::game::{ParseError, quoted};
use alesia::games::AnyGame;

use super::terms::Terms;
use crate::files::match_file::Saved;
use alesia::record::game_record::GameRecord;
use alesia::words::command_error::CommandError;

/// The games of a match's file by their numbers, each played again by the rules. What does not
/// count is said by `warn`.
///
/// # Errors
/// A game that does not belong to it, or whose result is not that of its moves.
pub fn games(
    saved: Saved,
    terms: &Terms,
    warn: fn(&str),
) -> Result<BTreeMap<u64, GameRecord>, CommandError> {
    let mut games = BTreeMap::new();
    for line in saved.lost {
        let what = "was lost by the disk; its game is played again";
        warn(&format!("{}, line {line} {what}", saved.place));
    }
    for (line, record) in saved.records {
        let place = format!("{}, line {line}", saved.place);
        let number = check(terms, &record)
            .map_err(|error| at(error, &place, "or delete this line to play its game again"))?;
        match games.entry(number) {
            Entry::Vacant(entry) => {
                entry.insert(record);
            }
            Entry::Occupied(_) => {
                warn(&format!("{place} is a game that came before; it does not count"));
            }
        }
    }
    Ok(games)
}

/// The number of a game that belongs to a match and is right.
fn check(terms: &Terms, record: &GameRecord) -> Result<u64, CommandError> {
    let start = AnyGame::start(terms.game);
    let GameRecord { key, game, white, black, board, definition, opening, .. } = record;
    let no_game = || {
        let found = format!("seed {}, pair {}, leg {}", key.seed, key.pair, key.leg);
        ParseError::new("game", found, "a game of this match")
    };
    let number = terms.schedule.number(*key).ok_or_else(no_game)?;
    let task = terms.schedule.task(number);
    let [first, second] = task.players.map(|player| &terms.entrants[player].name);
    let own = format!("{} of {first} against {second}", terms.game);
    let found = format!("{game} of {white} against {black}");
    if own != found {
        return Err(ParseError::new("game", quoted(&found), quoted(&own)).into());
    }
    // Older records have no definition.
    if let (Some(then), Some(now)) = (definition, terms.game.fingerprint())
        && *then != now
    {
        let expected = format!("{}, as the rules are now", quoted(&now));
        return Err(ParseError::new("definition", quoted(then), expected).into());
    }
    let line = terms.openings.of_round(start, key.seed, task.round)?.line;
    if (&line.board, &line.moves) != (board, opening) {
        let shown = |board: &Option<String>, moves: &[String]| {
            [board.as_deref().unwrap_or("start"), &moves.join(" ")].join(", ")
        };
        let [found, own] = [shown(board, opening), shown(&line.board, &line.moves)];
        return Err(ParseError::new("opening", quoted(&found), quoted(&own)).into());
    }
    record.check(start)?;
    Ok(number)
}

/// An error with its place, and what else can be done.
fn at(error: CommandError, place: &str, or_else: &str) -> CommandError {
    match error {
        CommandError::Usage(text) => CommandError::Usage(format!("{place}, {text}, {or_else}")),
        other => other,
    }
}
