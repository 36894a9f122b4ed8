//! How a match stands, as its page shows it.
//!
//! The one idea: it is small, so it is published whole after every game: the players, the pairs,
//! the test, and the latest games with their openings.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::audience::Audience;
use super::options::Options;
use super::record::GameRecord;
use super::schedule::Task;
use super::standings::{Row, Standings};
use crate::statistics::{PairCounts, SequentialTest, Verdict};
use crate::wording::error;

/// Max games in the list.
const MAX_GAMES: usize = 500;

/// The page of a match.
pub struct MatchPage<'a> {
    audience: &'a dyn Audience,
    /// Games that count.
    played: u64,
    /// The latest of them, the oldest first.
    games: VecDeque<Value>,
}

impl<'a> MatchPage<'a> {
    /// No games yet.
    pub fn new(audience: &'a dyn Audience) -> MatchPage<'a> {
        MatchPage { audience, played: 0, games: VecDeque::new() }
    }

    /// Another game counts.
    pub fn add(&mut self, task: &Task, record: &GameRecord) {
        self.played += 1;
        self.games.push_back(json!({
            "number": self.played,
            "pair": task.key.pair + 1,
            "white": record.white,
            "black": record.black,
            "result": record.result,
            "reason": record.reason,
            "plies": record.opening.len() + record.moves.len(),
            "opening": record.opening.join(" "),
            "id": self.audience.id(task.key),
        }));
        if self.games.len() > MAX_GAMES {
            self.games.pop_front();
        }
    }

    /// Publishes how the match stands.
    pub fn publish(&self, standings: &Standings, options: &Options) {
        let players = (1..).zip(standings.ranking()).map(|(rank, player)| {
            let name = &options.terms.entrants[player].name;
            of_player(rank, name, &standings.rows[player])
        });
        let two = options.terms.entrants.len() == 2;
        let names: Vec<&str> =
            options.terms.entrants.iter().map(|entrant| &*entrant.name).collect();
        self.audience.publish(&json!({
            "kind": "match",
            "title": names.join(" – "),
            "game": options.terms.game.to_string(),
            "played": self.played,
            "of": options.terms.schedule.games(),
            "players": players.collect::<Vec<_>>(),
            "pairs": two.then_some(standings.tally.pairs.0),
            "first": names.first(),
            "sprt": options.test.as_ref().map(|test| of_test(test, &standings.tally.pairs)),
            "void": standings.irregular.is_void(),
            "games": self.games,
        }));
    }
}

/// A player's line; what is not a finite number is null.
fn of_player(rank: u32, name: &str, row: &Row) -> Value {
    let Row { tally, faults, .. } = row;
    let elo = tally.pairs.elo();
    // Few pairs say too little, as in the result block.
    let error = error(elo, &tally.pairs);
    json!({
        "rank": rank,
        "name": name,
        "games": tally.games(),
        "points": tally.points(),
        "won": tally.wins,
        "drawn": tally.draws,
        "lost": tally.losses,
        "elo": error.map(|_| elo.value),
        "error": error,
        "late": faults.time,
        "illegal": faults.illegal,
        "crashed": faults.crashes,
    })
}

fn of_test(test: &SequentialTest, pairs: &PairCounts) -> Value {
    let ratio = pairs.log_likelihood_ratio(test);
    let verdict = match test.verdict(ratio) {
        Verdict::H0 => Some("H0"),
        Verdict::H1 => Some("H1"),
        Verdict::Undecided => None,
    };
    json!({
        "llr": ratio,
        "lower": test.lower_bound(),
        "upper": test.upper_bound(),
        "elo0": test.elo0(),
        "elo1": test.elo1(),
        "verdict": verdict,
    })
}
