//! A line when a game begins and when it ends, worded like fastchess and cutechess.
//!
//! The one idea: servers that test engines, such as OpenBench, count these lines, so each has the
//! game's number in the match, and of a pair the first is odd.

use alesia::game::{Outcome, Side};
use alesia::record::game_record::GameRecord;

use crate::players::entrant::Entrant;
use crate::run::terms::Terms;
use crate::statistics::Tally;

/// The line of a game that begins.
pub fn begins(terms: &Terms, number: u64) -> String {
    let [white, black] = terms.schedule.task(number).players.map(|player| &terms.entrants[player]);
    let (number, all) = (number + 1, terms.schedule.games());
    format!("Started game {number} of {all} ({} vs {})\n", white.name, black.name)
}

/// The line of a game that has ended, with its result and the reason.
pub fn ended(terms: &Terms, record: &GameRecord) -> String {
    let number = terms.schedule.number(record.key).map_or(0, |number| number + 1);
    let result = match record.result.outcome() {
        Outcome::Win(Side::White) => "1-0",
        Outcome::Win(Side::Black) => "0-1",
        Outcome::Draw => "1/2-1/2",
    };
    let GameRecord { white, black, reason, .. } = record;
    // Clients read them as ASCII; a program's illegal move may be anything.
    let reason = reason.replace(|c: char| !c.is_ascii(), "?");
    format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}\n")
}

/// The score of the first player's games against the second.
pub fn score([first, second]: [&Entrant; 2], tally: &Tally) -> String {
    let Tally { wins, losses, draws, .. } = tally;
    let (share, games) = (tally.score(), tally.games());
    let (first, second) = (&first.name, &second.name);
    format!("Score of {first} vs {second}: {wins} - {losses} - {draws}  [{share:.3}] {games}\n")
}
