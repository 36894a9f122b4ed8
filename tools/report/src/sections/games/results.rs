//! The games of a file as pairs and players.
//!
//! The one idea: what strength is computed from is the pair, one opening with both colours; games
//! without the other of their pair, such as those of `play --record`, count in all tables of games.

use std::collections::HashMap;

use alesia::game::{Game, Outcome, Side};
use alesia::games::AnyGame;
use alesia::record::game_record::{GameRecord, Key};
use alesia::search::duel::Score;
use alesia_match::run::results::{Faults, Irregular};
use alesia_match::statistics::Tally;

/// Two games with the same opening.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The players' numbers: of the match's first player, and of its opponent.
    pub players: [usize; 2],
    /// The first one's results.
    pub scores: [Score; 2],
}

/// What one player has reached.
#[derive(Clone, Debug, Default)]
pub struct PlayerResults {
    /// All its pairs.
    pub tally: Tally,
    /// Points of each game as White and as Black: 1 a win, ½ a draw.
    pub points: [Vec<f64>; 2],
    /// What it lost games by, other than by the rules.
    pub faults: Faults,
}

/// The results of games.
#[derive(Debug, Default)]
pub struct Results<'a> {
    /// The players' names, in the order in which they come.
    pub names: Vec<&'a str>,
    /// By the player's number.
    pub players: Vec<PlayerResults>,
    /// In the order in which they were complete.
    pub pairs: Vec<Pair>,
    /// Games decided by something other than play.
    pub irregular: Irregular,
}

/// The points of a game.
pub fn points(score: Score) -> f64 {
    f64::from(score.halves()) / 2.0
}

impl<'a> Results<'a> {
    /// Of games in the order of their file.
    pub fn of(records: &'a [GameRecord]) -> Results<'a> {
        let mut results = Results::default();
        // The first game of each pair, until the second comes.
        let mut waiting: HashMap<(u64, u32, [usize; 2]), (Key, Score)> = HashMap::new();
        for record in records {
            results.irregular.count(record.cause);
            let (first, second) = record.pairing();
            let players = [first, second].map(|name| results.number(name));
            results.count(record);
            let id = (record.key.seed, record.key.pair, players);
            let score = record.score_of_first();
            match waiting.remove(&id) {
                Some((key, before)) if key.leg != record.key.leg => {
                    results.add_pair(Pair { players, scores: [before, score] });
                }
                _ => {
                    waiting.insert(id, (record.key, score));
                }
            }
        }
        results
    }

    /// Whether two players met, and nobody else.
    pub fn is_of_two(&self) -> bool {
        self.names.len() == 2
    }

    fn number(&mut self, name: &'a str) -> usize {
        self.names.iter().position(|own| *own == name).unwrap_or_else(|| {
            self.names.push(name);
            self.players.push(PlayerResults::default());
            self.names.len() - 1
        })
    }

    /// Counts a game for both its players.
    fn count(&mut self, record: &'a GameRecord) {
        let outcome = record.result.outcome();
        for (side, name) in [(Side::White, &*record.white), (Side::Black, &*record.black)] {
            let number = self.number(name);
            let player = &mut self.players[number];
            player.points[side as usize].push(points(outcome.for_side(side)));
            if outcome == Outcome::Win(!side) {
                player.faults.count(record.cause);
            }
        }
    }

    /// Counts a pair; of two players, always from the point of view of the same one.
    fn add_pair(&mut self, Pair { players: [first, second], scores }: Pair) {
        self.players[first].tally.add(scores);
        let reversed = scores.map(Score::reversed);
        self.players[second].tally.add(reversed);
        let pair = match first <= second {
            true => Pair { players: [first, second], scores },
            false => Pair { players: [second, first], scores: reversed },
        };
        self.pairs.push(pair);
    }
}

/// The side that moves first after a game's opening: that of the board, and then by turns.
pub fn first_side(record: &GameRecord) -> Side {
    let of_board = || {
        let board = record.board.as_ref()?;
        let game = record.spec().ok()?;
        AnyGame::start(game).parse_board(board).ok().map(|board| board.side())
    };
    let side = of_board().unwrap_or(Side::White);
    if record.opening.len().is_multiple_of(2) { side } else { !side }
}
