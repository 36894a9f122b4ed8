//! Which games make a match, and in which order.
//!
//! The one idea: games are numbered, and everything about one follows from its number and the
//! seed; so a part of a match can be played elsewhere, or later, and is the same.

use std::ops::Range;

use alesia::record::game_record::Key;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// All against all.
    RoundRobin,
    /// A number of players, the first ones, against all others.
    Gauntlet(usize),
}

/// One game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    pub key: Key,
    /// The round of its opening, from 0.
    pub round: u32,
    /// The players' numbers, White first.
    pub players: [usize; 2],
}

/// The games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    seed: u64,
    /// Who meets whom in every round, the first with White first.
    pairings: Vec<[usize; 2]>,
    /// The numbers of the pairs of games that are played.
    pairs: Range<u32>,
    /// Whether each game has an opening of its own, rather than each pair.
    own_openings: bool,
    /// How many of the last pairs have one game only.
    single: u32,
    /// Whether the second games of all pairs come after all first ones.
    returns_last: bool,
}

impl Schedule {
    /// All pairings of a tournament.
    pub fn pairings(tournament: Tournament, players: usize) -> Vec<[usize; 2]> {
        let seeds = match tournament {
            Tournament::RoundRobin => None,
            Tournament::Gauntlet(seeds) => Some(seeds),
        };
        (0..seeds.unwrap_or(players))
            .flat_map(|first| {
                (seeds.unwrap_or(first + 1)..players).map(move |second| [first, second])
            })
            .collect()
    }

    /// Games of the pairings, round after round; of their pairs, numbered from 0, those in a range.
    pub fn new(seed: u64, pairings: Vec<[usize; 2]>, pairs: Range<u32>) -> Schedule {
        assert!(!pairings.is_empty(), "a match has two players");
        Schedule { seed, pairings, pairs, own_openings: false, single: 0, returns_last: false }
    }

    /// One game of each pairing in each round, with an opening of its own: two rounds after one
    /// another, with the sides exchanged, count as pairs. Of an odd number the last is left alone.
    pub fn of_single_games(seed: u64, pairings: Vec<[usize; 2]>, rounds: u32) -> Schedule {
        let a_round = pairings.len() as u32;
        let pairs = 0..rounds.div_ceil(2) * a_round;
        let single = if rounds.is_multiple_of(2) { 0 } else { a_round };
        Schedule { own_openings: true, single, ..Schedule::new(seed, pairings, pairs) }
    }

    /// The same games, with the second ones of all pairs after all first ones.
    pub fn with_returns_last(self) -> Schedule {
        Schedule { returns_last: true, ..self }
    }

    /// The number of pairs of games.
    pub fn pairs(&self) -> u32 {
        self.pairs.end.saturating_sub(self.pairs.start)
    }

    pub fn games(&self) -> u64 {
        2 * u64::from(self.pairs()) - u64::from(self.single)
    }

    /// What a pair of games is called.
    pub fn unit(&self) -> &'static str {
        if self.own_openings { "Pairs" } else { "Rounds" }
    }

    /// Whether a pair has one game only.
    pub fn is_single(&self, pair: u32) -> bool {
        pair >= self.pairs.end - self.single
    }

    /// Who meets whom in a pair, the first with White first.
    pub fn pairing(&self, pair: u32) -> [usize; 2] {
        self.pairings[pair as usize % self.pairings.len()]
    }

    /// A game by its number in the order of the match, below [`Schedule::games`].
    pub fn task(&self, number: u64) -> Task {
        let whole = 2 * u64::from(self.pairs() - self.single);
        let (pair, leg) = match number.checked_sub(whole) {
            None if self.returns_last => (number % (whole / 2), (number / (whole / 2)) as u8),
            None => (number / 2, (number % 2) as u8),
            Some(single) => (whole / 2 + single, 0),
        };
        let pair = self.pairs.start + pair as u32;
        let [first, second] = self.pairing(pair);
        let players = if leg == 0 { [first, second] } else { [second, first] };
        let of_pair = (pair as usize / self.pairings.len()) as u32;
        let round = if self.own_openings { 2 * of_pair + u32::from(leg) } else { of_pair };
        Task { key: Key { seed: self.seed, pair, leg }, round, players }
    }

    /// The number of a game in the order of the match, if it belongs to it.
    pub fn number(&self, key: Key) -> Option<u64> {
        if key.seed != self.seed || !self.pairs.contains(&key.pair) || key.leg > 1 {
            return None;
        }
        let before = u64::from(key.pair - self.pairs.start);
        if self.is_single(key.pair) {
            let whole = u64::from(self.pairs() - self.single);
            return (key.leg == 0).then_some(whole + before);
        }
        if self.returns_last {
            return Some(u64::from(key.leg) * u64::from(self.pairs() - self.single) + before);
        }
        Some(2 * before + u64::from(key.leg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_meets_whom() {
        use Tournament::*;
        assert_eq!(Schedule::pairings(RoundRobin, 2), [[0, 1]]);
        assert_eq!(Schedule::pairings(Gauntlet(1), 3), [[0, 1], [0, 2]]);
        let two_seeds = Schedule::pairings(Gauntlet(2), 4);
        assert_eq!(two_seeds, [[0, 2], [0, 3], [1, 2], [1, 3]]);
        let all = Schedule::pairings(RoundRobin, 4);
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn single_games_change_sides_and_openings_from_round_to_round() {
        let pairings = Schedule::pairings(Tournament::RoundRobin, 3);
        for (rounds, pairs) in [(1, 3), (2, 3), (5, 9)] {
            let schedule = Schedule::of_single_games(9, pairings.clone(), rounds);
            assert_eq!((schedule.pairs(), schedule.games()), (pairs, 3 * u64::from(rounds)));
            let tasks: Vec<Task> = (0..schedule.games()).map(|n| schedule.task(n)).collect();
            for &[first, second] in &pairings {
                let own = tasks.iter().filter(|task| task.players.contains(&first));
                let own = own.filter(|task| task.players.contains(&second));
                let own: Vec<(u32, usize)> =
                    own.map(|task| (task.round, task.players[0])).collect();
                let white = |round| if round % 2 == 0 { first } else { second };
                let expected: Vec<_> = (0..rounds).map(|round| (round, white(round))).collect();
                assert_eq!(own, expected);
            }
            for (number, task) in (0..).zip(&tasks) {
                assert_eq!(schedule.number(task.key), Some(number));
            }
            let none = Key { seed: 9, pair: pairs - 1, leg: 1 };
            assert_eq!(schedule.number(none).is_none(), rounds % 2 == 1);
        }
    }

    #[test]
    fn return_games_may_come_last() {
        let pairings = Schedule::pairings(Tournament::RoundRobin, 3);
        let schedule = Schedule::new(9, pairings, 0..3).with_returns_last();
        let tasks: Vec<Task> = (0..6).map(|number| schedule.task(number)).collect();
        let players = tasks.iter().map(|task| task.players);
        let expected = [[0, 1], [0, 2], [1, 2], [1, 0], [2, 0], [2, 1]];
        assert_eq!(players.collect::<Vec<_>>(), expected);
        for (number, task) in (0..).zip(&tasks) {
            assert_eq!(schedule.number(task.key), Some(number));
        }
    }

    #[test]
    fn every_pair_is_an_opening_with_both_colours() {
        let schedule = Schedule::new(9, Schedule::pairings(Tournament::RoundRobin, 3), 2..8);
        assert_eq!((schedule.pairs(), schedule.games()), (6, 12));
        let tasks: Vec<Task> = (0..12).map(|number| schedule.task(number)).collect();
        for (number, [first, second]) in (0..).zip(tasks.as_chunks().0.to_vec()) {
            assert_eq!((first.key.pair, first.key.leg), (2 + number, 0));
            assert_eq!((second.key.pair, second.key.leg), (2 + number, 1));
            assert_eq!(first.round, second.round);
            assert_eq!(first.players, [second.players[1], second.players[0]]);
        }
        assert_eq!((tasks[0].round, tasks[0].players), (0, [1, 2]));
        assert_eq!((tasks[2].round, tasks[2].players), (1, [0, 1]));
        for (number, task) in (0..).zip(&tasks) {
            assert_eq!(schedule.number(task.key), Some(number));
        }
        for wrong in [Key { seed: 1, pair: 2, leg: 0 }, Key { seed: 9, pair: 8, leg: 0 }] {
            assert_eq!(schedule.number(wrong), None);
        }
    }
}
