//! How a match stands, as its page shows it.
//!
//! The one idea: it is small, so it is published whole after every game: the players, the pairs,
//! the test, the curves of both over the games, and the latest games with their openings.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::options::Options;
use crate::run::audience::Audience;
use crate::run::results::{Row, Standings};
use crate::run::schedule::Task;
use crate::statistics::wording::error;
use crate::statistics::{PairCounts, SequentialTest, Verdict};
use alesia::record::game_record::{GameRecord, Key};

/// Max games in the list.
const MAX_GAMES: usize = 500;

/// Max points of the curves.
const MAX_POINTS: usize = 400;

/// How a match of two stood after some of its pairs: the more there are, the fewer are kept.
struct Curve {
    /// The number of pairs, and how the match stood then; the last is the latest.
    points: Vec<(u64, Value)>,
    /// The points before it are this many pairs apart.
    step: u64,
}

impl Curve {
    /// Adds how the match stands after more pairs.
    fn add(&mut self, pairs: &PairCounts, test: Option<&SequentialTest>) {
        let step = self.step;
        if self.points.last().is_some_and(|(number, _)| !number.is_multiple_of(step)) {
            self.points.pop();
        }
        let elo = pairs.elo();
        let error = error(elo, pairs);
        let point = json!({
            "games": pairs.games(),
            "elo": error.map(|_| elo.value),
            "error": error,
            "llr": test.map(|test| pairs.log_likelihood_ratio(test)),
        });
        self.points.push((pairs.pairs(), point));
        if self.points.len() > MAX_POINTS {
            self.step *= 2;
            let (step, latest) = (self.step, pairs.pairs());
            self.points.retain(|(number, _)| number.is_multiple_of(step) || *number == latest);
        }
    }

    fn listed(&self) -> Vec<&Value> {
        self.points.iter().map(|(_, point)| point).collect()
    }
}

/// The page of a match.
pub struct MatchPage<'a> {
    audience: &'a dyn Audience,
    /// Games that count.
    played: u64,
    /// The latest of them without where they can be seen, the oldest first.
    games: VecDeque<(Key, Value)>,
    curve: Curve,
}

impl<'a> MatchPage<'a> {
    /// No games yet.
    pub fn new(audience: &'a dyn Audience) -> MatchPage<'a> {
        let curve = Curve { points: Vec::new(), step: 1 };
        MatchPage { audience, played: 0, games: VecDeque::new(), curve }
    }

    /// Another game counts.
    pub fn add(&mut self, task: &Task, record: &GameRecord) {
        self.played += 1;
        let line = json!({
            "number": self.played,
            "pair": task.key.pair + 1,
            "white": record.white,
            "black": record.black,
            "result": record.result,
            "reason": record.reason,
            "plies": record.opening.len() + record.moves.len(),
            "opening": record.opening.join(" "),
        });
        self.games.push_back((task.key, line));
        if self.games.len() > MAX_GAMES {
            self.games.pop_front();
        }
    }

    /// The pairs are more than before.
    pub fn add_pairs(&mut self, standings: &Standings, options: &Options) {
        self.curve.add(&standings.tally.pairs, options.test.as_ref());
    }

    /// The games with where they can be seen now: the older ones of many no longer can.
    fn listed(&self) -> Vec<Value> {
        let with_id = |(key, line): &(Key, Value)| {
            let mut line = line.clone();
            line["id"] = self.audience.id(*key).into();
            line
        };
        self.games.iter().map(with_id).collect()
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
            "curve": two.then(|| self.curve.listed()),
            "sprt": options.test.as_ref().map(|test| of_test(test, &standings.tally.pairs)),
            "void": standings.irregular.is_void(),
            "games": self.listed(),
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use alesia::games::GameSpec;

    use super::*;
    use crate::players::entrant::Entrant;
    use crate::run::audience::Spectator;
    use alesia::record::game_record::GameLine;

    /// It shows the games of the pairs from a number on.
    struct Forgetful(AtomicU32);

    impl Audience for Forgetful {
        fn begin(
            &self,
            _: Key,
            _: GameSpec,
            _: [&Entrant; 2],
            _: &GameLine,
        ) -> Option<Box<dyn Spectator + '_>> {
            None
        }

        fn id(&self, key: Key) -> Option<String> {
            (key.pair >= self.0.load(Ordering::Relaxed)).then(|| format!("game{}", key.pair))
        }

        fn publish(&self, _: &Value) {}

        fn stay(&self) {}
    }

    #[test]
    fn a_game_that_cannot_be_seen_any_more_has_no_link() {
        let audience = Forgetful(AtomicU32::new(0));
        let mut page = MatchPage::new(&audience);
        let line = r#"{"seed":7,"pair":0,"leg":0,"game":"hadron3","white":"A","black":"B","opening":[],"moves":[{"move":"B1"}],"result":"1-0","cause":"reported","reason":"agreed"}"#;
        let record: GameRecord = alesia::record::game_record::read("line", line).unwrap();
        for pair in 0..2 {
            let key = Key { pair, ..record.key };
            page.add(&Task { key, round: 0, players: [0, 1] }, &record);
        }
        let ids = || page.listed().iter().map(|game| game["id"].clone()).collect::<Vec<_>>();
        assert_eq!(ids(), ["game0", "game1"]);
        audience.0.store(1, Ordering::Relaxed);
        assert_eq!(ids(), [Value::Null, json!("game1")]);
    }

    #[test]
    fn the_curve_of_a_long_match_keeps_its_begin_and_its_latest_point() {
        let mut curve = Curve { points: Vec::new(), step: 1 };
        let mut counts = PairCounts([0; 5]);
        for pair in 1..=1001 {
            counts.0[pair % 3 + 1] += 1;
            curve.add(&counts, None);
        }
        let games: Vec<u64> =
            curve.listed().iter().map(|point| point["games"].as_u64().unwrap()).collect();
        assert!(games.len() <= MAX_POINTS && games.len() > MAX_POINTS / 3, "{}", games.len());
        assert_eq!((games[0], games[1], games.last()), (8, 16, Some(&2002)));
        assert!(games.is_sorted_by(|one, other| one < other));
        let point = curve.listed()[9];
        assert!(point["elo"].is_number() && point["error"].is_number() && point["llr"].is_null());
    }
}
