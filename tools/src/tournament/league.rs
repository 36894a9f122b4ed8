//! The standings of a group: three points for a win, one for a draw.
//!
//! Players with equal points are ranked by the points of the games among themselves, then by wins,
//! then by their lots.

use std::cmp::Reverse;

use alesia::game::Side;
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Winner};
use alesia::search::duel::Score;
use alesia_match::run::results::{Faults, points_of};

use super::plan::Plan;

/// What a player has reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its number among the players.
    pub player: usize,
    /// Games won, drawn and lost.
    pub won: u32,
    /// See above.
    pub drawn: u32,
    /// See above.
    pub lost: u32,
    /// Points of its games as White.
    pub home: u32,
    /// Points of its games as Black.
    pub away: u32,
    /// What it lost games by, other than by the rules.
    pub faults: Faults,
}

impl Row {
    /// Games ended.
    pub fn played(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// All its points.
    pub fn points(&self) -> u32 {
        self.home + self.away
    }
}

/// The standings of a group after some games, best first.
pub fn standings(plan: &Plan, group: &[usize], records: &[GameRecord]) -> Vec<Row> {
    let row = |&player: &usize| Row { player, ..Row::default() };
    let mut rows: Vec<Row> = group.iter().map(row).collect();
    for row in &mut rows {
        for (side, score, record) in games_of(plan, row.player, records) {
            *match score {
                Score::Win => &mut row.won,
                Score::Draw => &mut row.drawn,
                Score::Loss => &mut row.lost,
            } += 1;
            *match side {
                Side::White => &mut row.home,
                Side::Black => &mut row.away,
            } += points_of(score);
            if score == Score::Loss {
                row.faults.count(record.cause);
            }
        }
    }
    let among = |row: &Row| -> u32 {
        let equal = |name: &str| {
            rows.iter().any(|other| {
                other.points() == row.points() && plan.players[other.player].name == name
            })
        };
        games_of(plan, row.player, records)
            .filter(|(side, _, record)| {
                equal(match side {
                    Side::White => &record.black,
                    Side::Black => &record.white,
                })
            })
            .map(|(_, score, _)| points_of(score))
            .sum()
    };
    let mut keyed: Vec<_> = rows
        .iter()
        .map(|row| (Reverse((row.points(), among(row), row.won)), row.clone()))
        .collect();
    // Stable: equal players stay in the order of their lots.
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, row)| row).collect()
}

/// The games of a player, its side in them and its score.
fn games_of<'a>(
    plan: &'a Plan,
    player: usize,
    records: &'a [GameRecord],
) -> impl Iterator<Item = (Side, Score, &'a GameRecord)> {
    let name = &plan.players[player].name;
    records.iter().filter_map(move |record| {
        let side = if record.white == *name {
            Side::White
        } else if record.black == *name {
            Side::Black
        } else {
            return None;
        };
        // Where neither came, both have lost.
        let score = match record.cause {
            Cause::Disconnect if record.result == Winner::Nobody => Score::Loss,
            _ => record.result.outcome().for_side(side),
        };
        Some((side, score, record))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia::record::game_record::{Key, Occasion};

    fn plan() -> Plan {
        let mut file = "game = \"hadron5\"\ndraw = 1\n[each]\nnodes = 1\n".to_owned();
        for name in ["A", "B", "C"] {
            file += &format!("[[player]]\nname = \"{name}\"\n");
        }
        Plan::read(&file, "test", 0, false).unwrap()
    }

    fn game(white: &str, black: &str, result: Winner, cause: Cause) -> GameRecord {
        GameRecord {
            key: Key { seed: 0, pair: 0, leg: 0 },
            game: "hadron5".to_owned(),
            white: white.to_owned(),
            black: black.to_owned(),
            board: None,
            definition: None,
            rules: None,
            occasion: Occasion::default(),
            opening: Vec::new(),
            moves: Vec::new(),
            result,
            cause,
            reason: String::new(),
        }
    }

    fn ranked(records: &[GameRecord]) -> String {
        let plan = plan();
        let rows = standings(&plan, &[0, 1, 2], records);
        rows.iter().map(|row| plan.players[row.player].name.as_str()).collect()
    }

    #[test]
    fn points_at_home_and_away_and_faults() {
        let records = [
            game("A", "B", Winner::White, Cause::Time),
            game("B", "A", Winner::Nobody, Cause::Rule),
            game("A", "C", Winner::Black, Cause::IllegalMove),
        ];
        let plan = plan();
        let rows = standings(&plan, &[0, 1, 2], &records);
        let a = rows.iter().find(|row| row.player == 0).unwrap();
        assert_eq!((a.won, a.drawn, a.lost, a.home, a.away), (1, 1, 1, 3, 1));
        assert_eq!(a.faults, Faults { time: 0, illegal: 1, crashes: 0 });
        let b = rows.iter().find(|row| row.player == 1).unwrap();
        assert_eq!((b.played(), b.points(), b.faults.time), (2, 1, 1));
    }

    #[test]
    fn a_game_to_which_neither_player_came_is_lost_by_both() {
        let plan = plan();
        let records = [game("A", "B", Winner::Nobody, Cause::Disconnect)];
        let rows = standings(&plan, &[0, 1, 2], &records);
        for row in rows.iter().filter(|row| row.player < 2) {
            assert_eq!((row.lost, row.points(), row.faults.crashes), (1, 0, 1));
        }
    }

    #[test]
    fn equal_points_are_decided_among_the_equal_then_by_wins_then_by_lots() {
        use Cause::Rule;
        use Winner::*;
        assert_eq!(ranked(&[]), "ABC");
        // C has beaten A; both have three points.
        let beaten = [game("A", "C", Black, Rule), game("A", "B", White, Rule)];
        assert_eq!(ranked(&beaten), "CAB");
        // Three points each without having met: one win is better than three draws.
        let draws = [0; 3].map(|_| game("A", "B", Nobody, Rule));
        let win = game("C", "B", White, Rule);
        assert_eq!(ranked(&[&draws[..], &[win]].concat()), "CAB");
    }
}
