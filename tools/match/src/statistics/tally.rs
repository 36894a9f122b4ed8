//! The results of a match as they come in: [`PairCounts`], and what single games add to it.

use alesia::search::duel::Score;

use super::PairCounts;

/// The results of all pairs of games, from one player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The pairs by their score.
    pub pairs: PairCounts,
    /// Pairs of a win and a loss, which score as much as two draws.
    pub win_loss: u32,
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
}

impl Tally {
    pub fn add(&mut self, scores: [Score; 2]) {
        let halves: u32 = scores.iter().map(|score| score.halves()).sum();
        self.pairs.0[halves as usize] += 1;
        self.win_loss += u32::from(halves == 2 && scores[0] != Score::Draw);
        scores.into_iter().for_each(|score| self.add_single(score));
    }

    /// Adds a game that belongs to no pair, of which strength is not estimated.
    pub fn add_single(&mut self, score: Score) {
        *match score {
            Score::Win => &mut self.wins,
            Score::Loss => &mut self.losses,
            Score::Draw => &mut self.draws,
        } += 1;
    }

    pub fn games(&self) -> u64 {
        [self.wins, self.losses, self.draws].map(u64::from).iter().sum()
    }

    /// Points in all games: 1 a win, ½ a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The mean score, in points per game; no number where there are no games.
    pub fn score(&self) -> f64 {
        self.points() / self.games() as f64
    }

    /// Pairs of a win and a loss to pairs of two draws: no number where there are neither.
    pub fn win_loss_ratio(&self) -> f64 {
        let [_, _, even, _, _] = self.pairs.0;
        f64::from(self.win_loss) / f64::from(even - self.win_loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Draw, Loss, Win};

    #[test]
    fn every_pair_counts_once_and_every_game_once() {
        let mut tally = Tally::default();
        for first in [Loss, Draw, Win] {
            for second in [Loss, Draw, Win] {
                tally.add([first, second]);
            }
        }
        assert_eq!(tally.pairs, PairCounts([1, 2, 3, 2, 1]));
        assert_eq!((tally.wins, tally.draws, tally.losses), (6, 6, 6));
        assert_eq!((tally.win_loss, tally.win_loss_ratio()), (2, 2.0));
        assert_eq!((tally.pairs.points(), tally.points()), (9.0, 9.0));
        tally.add_single(Win);
        assert_eq!(tally.pairs.pairs(), 9);
        assert_eq!((tally.games(), tally.points(), tally.score()), (19, 10.0, 10.0 / 19.0));
    }

    #[test]
    fn a_ratio_without_draws_is_infinite_and_of_nothing_no_number() {
        let mut tally = Tally::default();
        assert!(tally.win_loss_ratio().is_nan());
        tally.add([Win, Loss]);
        assert_eq!(tally.win_loss_ratio(), f64::INFINITY);
    }
}
