//! Which games make a match, and in which order.
//!
//! The one idea: games are numbered, and everything about one follows from its number and the
//! seed; so a part of a match can be played elsewhere, or later, and is the same.

use std::ops::Range;

use super::record::Key;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    RoundRobin,
    Gauntlet,
}

/// One game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    pub key: Key,
    /// The round, from 0; it decides the opening.
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
}

impl Schedule {
    /// All pairings of a tournament.
    pub fn pairings(tournament: Tournament, players: usize) -> Vec<[usize; 2]> {
        let first_players = match tournament {
            Tournament::RoundRobin => 0..players,
            Tournament::Gauntlet => 0..1,
        };
        first_players
            .flat_map(|first| (first + 1..players).map(move |second| [first, second]))
            .collect()
    }

    /// Games of the pairings, round after round; of their pairs, numbered from 0, those in a range.
    pub fn new(seed: u64, pairings: Vec<[usize; 2]>, pairs: Range<u32>) -> Schedule {
        assert!(!pairings.is_empty(), "a match has two players");
        Schedule { seed, pairings, pairs }
    }

    /// The number of pairs of games.
    pub fn pairs(&self) -> u32 {
        self.pairs.end.saturating_sub(self.pairs.start)
    }

    pub fn games(&self) -> u64 {
        2 * u64::from(self.pairs())
    }

    /// Who meets whom in a pair, the first with White first.
    pub fn pairing(&self, pair: u32) -> [usize; 2] {
        self.pairings[pair as usize % self.pairings.len()]
    }

    /// A game by its number in the order of the match, below [`Schedule::games`].
    pub fn task(&self, number: u64) -> Task {
        let pair = self.pairs.start + (number / 2) as u32;
        let leg = (number % 2) as u8;
        let [first, second] = self.pairing(pair);
        let players = if leg == 0 { [first, second] } else { [second, first] };
        let round = (pair as usize / self.pairings.len()) as u32;
        Task { key: Key { seed: self.seed, pair, leg }, round, players }
    }

    /// The number of a game in the order of the match, if it belongs to it.
    pub fn number(&self, key: Key) -> Option<u64> {
        let own = key.seed == self.seed && self.pairs.contains(&key.pair) && key.leg < 2;
        own.then(|| 2 * u64::from(key.pair - self.pairs.start) + u64::from(key.leg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_meets_whom() {
        use Tournament::*;
        assert_eq!(Schedule::pairings(RoundRobin, 2), [[0, 1]]);
        assert_eq!(Schedule::pairings(Gauntlet, 3), [[0, 1], [0, 2]]);
        let all = Schedule::pairings(RoundRobin, 4);
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
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
