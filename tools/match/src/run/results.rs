//! The results of a match: of each pairing, of each player, in points and in faults.

use alesia::game::{Outcome, Side};
use alesia::search::duel::Score;

use super::schedule::{Schedule, Task};
use crate::statistics::Tally;
use crate::statistics::wording::number;
use alesia::record::end::Cause;
use alesia::record::game_record::GameRecord;

/// The course's points for a game.
pub fn points_of(score: Score) -> u32 {
    match score {
        Score::Win => 3,
        Score::Draw => 1,
        Score::Loss => 0,
    }
}

/// What a player lost games by, other than by the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    pub time: u32,
    pub illegal: u32,
    /// Ends and stalls.
    pub crashes: u32,
}

impl Faults {
    /// Counts a lost game.
    pub fn count(&mut self, cause: Cause) {
        *match cause {
            Cause::Rule | Cause::MoveLimit | Cause::Adjudication | Cause::Reported => return,
            Cause::Time => &mut self.time,
            Cause::IllegalMove => &mut self.illegal,
            Cause::Disconnect | Cause::Stall => &mut self.crashes,
        } += 1;
    }
}

/// Games decided by a crash, a stall or the clock, which say nothing about strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Irregular {
    games: u64,
    irregular: u64,
}

impl Irregular {
    /// Counts a game, whatever decided it.
    pub fn count(&mut self, cause: Cause) {
        self.games += 1;
        self.irregular += match cause {
            Cause::Rule
            | Cause::MoveLimit
            | Cause::Adjudication
            | Cause::IllegalMove
            | Cause::Reported => 0,
            Cause::Time | Cause::Disconnect | Cause::Stall => 1,
        };
    }

    /// Whether they are more than 2 % of all games: a result is then one of programs or machines.
    pub fn is_void(&self) -> bool {
        50 * self.irregular > self.games
    }

    /// The lines about them; none where there are none.
    pub fn lines(&self) -> String {
        let Irregular { games, irregular } = *self;
        if irregular == 0 {
            return String::new();
        }
        let share = 100.0 * irregular as f64 / games as f64;
        let mut text = format!(
            "Decided by a crash, a stall or the clock: {irregular} of {games} games ({} %)\n",
            number(share)
        );
        if self.is_void() {
            text.push_str("Void for strength: these are more than 2 % of the games\n");
        }
        text
    }
}

/// What one player has reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// All its pairs of games, against any opponent.
    pub tally: Tally,
    /// The course's points of its games as White and as Black: three for a win, one for a draw.
    pub points: [u32; 2],
    pub faults: Faults,
}

#[derive(Clone, Debug)]
pub struct Standings {
    /// By the player's number.
    pub rows: Vec<Row>,
    /// The first player's pairs against the second, in a match of two.
    pub tally: Tally,
    pub irregular: Irregular,
    /// The score of a pair's first player in the first of its games, until the second has ended.
    pending: Option<Score>,
}

impl Standings {
    /// No results yet.
    pub fn new(players: usize) -> Standings {
        let row = Row { tally: Tally::default(), points: [0; 2], faults: Faults::default() };
        let (tally, irregular) = (Tally::default(), Irregular::default());
        Standings { rows: vec![row; players], tally, irregular, pending: None }
    }

    /// Adds the next game in the order of the match; returns whether it completes a pair, or has
    /// none.
    pub fn add(&mut self, schedule: &Schedule, task: &Task, record: &GameRecord) -> bool {
        self.irregular.count(record.cause);
        let outcome = record.result.outcome();
        for (side, player) in [Side::White, Side::Black].into_iter().zip(task.players) {
            let row = &mut self.rows[player];
            row.points[side as usize] += points_of(outcome.for_side(side));
            if outcome == Outcome::Win(!side) {
                row.faults.count(record.cause);
            }
        }
        let score = record.score_of_first();
        let [first, second] = schedule.pairing(task.key.pair);
        if schedule.is_single(task.key.pair) {
            self.tally.add_single(score);
            self.rows[first].tally.add_single(score);
            self.rows[second].tally.add_single(score.reversed());
            return true;
        }
        let Some(before) = self.pending.take() else {
            self.pending = Some(score);
            return false;
        };
        self.tally.add([before, score]);
        self.rows[first].tally.add([before, score]);
        self.rows[second].tally.add([before, score].map(Score::reversed));
        true
    }

    /// The players' numbers by points, then by wins, then in their own order.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.rows.len()).collect();
        ranking.sort_by_key(|&player| {
            let Row { points: [white, black], tally, .. } = &self.rows[player];
            std::cmp::Reverse((white + black, tally.wins))
        });
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_two_percent_of_irregular_games_are_too_many() {
        let mut irregular = Irregular::default();
        (0..98).for_each(|_| irregular.count(Cause::Rule));
        assert_eq!(irregular.lines(), "");
        for cause in [Cause::IllegalMove, Cause::Time, Cause::Stall] {
            irregular.count(cause);
        }
        assert!(!irregular.is_void(), "2 of 101");
        irregular.count(Cause::Disconnect);
        assert!(irregular.is_void(), "3 of 102");
        let lines = irregular.lines();
        assert!(
            lines
                .starts_with("Decided by a crash, a stall or the clock: 3 of 102 games (2.94 %)\n")
        );
        assert!(lines.ends_with("\nVoid for strength: these are more than 2 % of the games\n"));
    }
}
