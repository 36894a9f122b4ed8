//! What a position is worth without searching it, and which of its moves look promising.
//!
//! The one idea: both searches ask the same evaluation through one trait, in the same unit, so
//! that they can be compared honestly. Integers and exactly rounded float arithmetic only (no
//! `exp`, `ln` or `powf`), so that results are the same on every machine. Three games are evaluated
//! by a small [`network`] each, which has learned from games (`alesia-lab tune`).

pub mod network;

use crate::game::{Game, MAX_MOVES, Move, MoveList, Side};

/// Evaluations stay strictly between minus and plus this; beyond are proven results.
pub const MAX_SCORE: i32 = 20_000;

/// The score at which a side is expected to take three quarters of the points.
const THREE_QUARTERS_SCORE: f32 = 200.0;

/// Static evaluation and move priors of a game.
///
/// The figures of matches at its constants are of the evaluations before the networks, but for those
/// of exploration, also where a side is ahead, of contenders, of priors, of history and of threats in the three games that have one.
pub trait Evaluate: Game {
    /// Random plies the tree search plays from a leaf before it evaluates; a whole game for
    /// games where the end says more than any static evaluation.
    const PLAYOUT_PLIES: u32;

    /// PUCT's exploration constant that goes with the priors and values of the game. Elo by matches:
    /// in Murus Gallicus, from balanced openings (`benches/openings/`), 120 games at 40,000 iterations a
    /// move against 0.5, 0.35: -58 ± 63, 0.8: 70 ± 58, and 1.2 against 0.8: -21 ± 69 (100 games); in Lines
    /// of Action, from such openings, against 0.9, 1.4: 70 ± 77 (60 games at 100,000), kept though not
    /// proven, and 2 against 1.4: -13 ± 60 (80 at 60,000); in Voidrider Chess, 60 games at 8,000 against
    /// 1.2, 0.8: 35 ± 30; in Hadron, 120 games at 10,000 against 0.9, 0.3: -114 ± 64, 0.6: -12 ± 61.
    const EXPLORATION: f32;

    /// What exploration counts for each visit at least
    /// ([`Parameters::exploration_floor`](crate::search::parameters::Parameters)). In Murus Gallicus 0.01, which
    /// is more than 1 / √visits from 10,000 visits on, gave 33 ± 55 Elo at 120,000 iterations (128 games, balanced
    /// openings) and finds moves with small priors in trees of a million that were starved without; in Lines of Action
    /// 140 ± 81 at 60,000 (60 games).
    const EXPLORATION_FLOOR: f32 = 0.0;

    /// With what share of the most visited move's visits a move is played for its better mean result
    /// ([`Parameters::contender_share`](crate::search::parameters::Parameters)); 1: with none.
    ///
    /// Elo of 0.1 against 1, one thread, balanced openings: in Murus Gallicus 70 ± 49 at 40,000 iterations (140
    /// games), and 0.02 against 0.1 -12 ± 28 (120); in Lines of Action, with the floor
    /// of exploration, 76 ± 59 at 15,000 (120); in Voidrider Chess -17 ± 38 at 6,000 (80), and
    /// with the floor -35 ± 44 at 40,000 (60), not kept.
    const CONTENDER_SHARE: f32 = 1.0;

    /// To the power of how many quarters the tree search raises priors
    /// ([`Parameters::prior_quarters`](crate::search::parameters::Parameters)); 4: they stay as they are. A network
    /// learns how often a small search visits a move; a large one can afford to doubt it.
    ///
    /// Elo of 3 against 4 in Murus Gallicus, one thread, balanced openings: 70 ± 47 at 120,000 iterations (120
    /// games), 53 ± 64 at 250,000 (80); in Lines of Action 80 ± 67 at 60,000 (80), 35 ± 82 at 200,000
    /// (60).
    const PRIOR_QUARTERS: u32 = 4;

    /// How much less the tree search explores where a side is sure to win than where it is even, 0 to 1.
    ///
    /// Elo of 0.9 against 0, 80 games: in Voidrider Chess 26 ± 33 at 8,000 iterations, in Murus Gallicus
    /// -35 ± 41 at 20,000, in Lines of Action -48 ± 37 at 15,000.
    const AHEAD_DISCOUNT: f32 = 0.0;

    /// How much the tree search lets what came of a move elsewhere change its prior
    /// ([`Parameters::history_factor`](crate::search::parameters::Parameters)). The tree search's share of
    /// 100 games of Voidrider Chess against alpha-beta, 5,000 iterations against 17,500 positions, was 48.0 %
    /// with 0 and 53.5 % with 50; 10,000 against 35,000, 44.0 and 53.5 %; ± 4 to 5 % each, so not proven.
    const HISTORY_FACTOR: f32 = 0.0;

    /// Has the system provide at once what an evaluation reads, as it does the memory of an engine.
    fn touch_weights() {}

    /// How good the position is for the side to move, in hundredths of about a pawn or stone;
    /// within ±[`MAX_SCORE`]. The game must not be over, but for want of a move.
    fn evaluate(&self) -> i32;

    /// The result, where it is cheaply known to be certain: who wins, in how many plies at best.
    fn decided(&self) -> Option<(Side, usize)> {
        None
    }

    /// The most threats in a row by which the tree search tries to win a leaf at once
    /// ([`Parameters::threats`](crate::search::parameters::Parameters)): a threat is a move after which the
    /// side that made it would win by its next one. 0 where a game has none, or they are not told; and in games
    /// where who cannot move has not lost, or where another rule than the limit of plies makes a draw.
    ///
    /// Elo against 0 in Murus Gallicus, at 40,000 iterations: 3 gives 9 ± 47 (120 games), 6 gives 28 ± 34
    /// (320). At the horizon of alpha-beta 4 gave -23 ± 63 (120 games at 50 ms), and took 7 % more time for
    /// as many positions: not kept.
    const THREATS: u32 = 0;

    /// Whether the side that has just moved would win by its next move, were it not answered. To be given
    /// where there are threats. ([`Evaluate::is_urgent`] is for games where this says that alpha-beta should leave
    /// out no move.)
    fn is_threatened(&self) -> bool {
        false
    }

    /// Whether the side to move may have a threat: cheaply, where mostly there is none.
    fn may_threaten(&self) -> bool {
        true
    }

    /// By how many quarters of ln depth × ln number a late move is searched less deep in the
    /// alpha-beta search.
    ///
    /// Elo against 2 at 5,000 nodes a move: 3 gives 0±20 in Murus Gallicus, 24±30 in Lines of
    /// Action, -15±30 in Hadron and 17±23 in Voidrider Chess; 4 gives 29±21, 42±29, 10±31, 9±22.
    const REDUCTION: usize = 2;

    /// How many moves the alpha-beta search tries at depth 1, 2 and so on before it leaves out the
    /// rest, but for noisy ones; at greater depths it tries them all.
    ///
    /// Elo against all at 5,000 nodes a move, for 4 + 3d² moves at depth d up to 3, for 3 + d² up
    /// to 4, and for 2 + 2d up to 4: 52±22 for the last in Murus Gallicus (at 20,000 nodes, with
    /// the larger reduction, 119±34, and 96±35 for the second); 108±30, 147±34 and less in Lines
    /// of Action; 41±25 and 50±27 in Voidrider Chess (54±27 for the
    /// latter at 4 ms a move); 7±31 and -14±31 in Hadron.
    const ENOUGH_MOVES: &'static [usize] = &[];

    /// Whether the side to move must answer a threat, so that any move may be the one that matters:
    /// alpha-beta then leaves out none before its horizon, and the tree search tries all at a leaf. In
    /// a game with noisy moves, who has lost by having no move must be such a side.
    fn is_urgent(&self) -> bool {
        false
    }

    /// Whether the game has noisy moves, those after which a static evaluation cannot be trusted
    /// before they are answered. Both engines then search those that gain enough
    /// ([`Evaluate::gains`]) before they evaluate, ordered by [`Evaluate::exchange`]. Captures are such
    /// moves in Voidrider Chess alone: looked at beyond the horizon, they cost alpha-beta 119 ± 35 Elo in
    /// Murus Gallicus (400 games at 5,000 nodes) and 64 ± 34 in Lines of Action (300 games at 30 ms; at
    /// 5,000 nodes, whose time does not count, they gained 45 ± 31).
    const NOISY: bool = false;

    /// Whether a legal move is noisy.
    fn is_noisy(&self, m: Move) -> bool {
        let _ = m;
        false
    }

    /// Lists the noisy moves, and answers whether there is any legal move at all.
    #[inline(always)]
    fn noisy_moves(&self, list: &mut MoveList) -> bool {
        self.moves(list);
        let any = !list.is_empty();
        list.retain(|&mut m| self.is_noisy(m));
        any
    }

    /// What a move gains and risks; to be given where there are noisy moves.
    fn exchange(&self, m: Move) -> Exchange {
        let _ = m;
        Exchange::default()
    }

    /// Whether a noisy move gains at least so much by the captures that follow on its cell. Beyond a leaf
    /// where no threat is to be answered, others are not tried.
    fn gains(&self, m: Move, least: i32) -> bool {
        let _ = (m, least);
        true
    }

    /// Sets a positive weight for each legal move, larger for more promising ones; only their
    /// proportions count. `weights` is as long as `moves`.
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        debug_assert_eq!(moves.len(), weights.len());
        weights.fill(1.0);
    }
}

/// What a move puts at stake, as scores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exchange {
    /// What it takes and makes.
    pub gain: u16,
    /// What it moves.
    pub risk: u16,
}

/// Turns a score into an expected result from 0 to 1, without `exp`: the rational sigmoid
/// x / (s + |x|), which like the logistic one is 1/2 at 0 and saturates.
#[inline(always)]
pub fn expectation(score: i32) -> f32 {
    let x = score as f32;
    0.5 + 0.5 * x / (THREE_QUARTERS_SCORE + x.abs())
}

/// The score that [`expectation`] turns into `expected`, rounded; at most [`MAX_SCORE`] either way.
pub fn score(expected: f32) -> i32 {
    let x = 2.0 * expected - 1.0;
    let most = MAX_SCORE as f32;
    let score = THREE_QUARTERS_SCORE * x / (1.0 - x.abs());
    // A certain result has no finite score.
    if x.abs() < 1.0 { score.clamp(-most, most).round() as i32 } else { (x * most) as i32 }
}

/// Room for the weights of the moves of one position.
pub type Weights = [f32; MAX_MOVES];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveList;
    use crate::games::{Loa, Murus, Voidrider};

    /// Plays random games, and asks about each position and the same with the colours exchanged.
    fn exchange_colours<G: Evaluate>(start: G, exchanged: impl Fn(&str) -> String) {
        let look = |position: &G| {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            let mut weights = vec![0.0; moves.len()];
            position.weigh(&moves, &mut weights);
            weights.sort_by(f32::total_cmp);
            (position.evaluate(), weights, position.decided().map(|(_, plies)| plies))
        };
        let mut scores = Vec::new();
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = start;
            while position.won().is_none() && position.ply() < G::PLY_LIMIT {
                let text = exchanged(&position.to_string());
                let other = start.parse_board(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
                let (seen, of_other) = (look(&position), look(&other));
                assert_eq!((seen.0, seen.2), (of_other.0, of_other.2), "{position}");
                // The moves come in another order, and so their weights are added up.
                let pairs = seen.1.iter().zip(&of_other.1);
                assert_eq!(seen.1.len(), of_other.1.len(), "{position}");
                assert!(pairs.clone().all(|(a, b)| (a / b - 1.0).abs() < 1e-4), "{position}");
                scores.push(position.evaluate());
                let Some(m) = position.random_move(&mut rng) else { break };
                position.play(m);
            }
        }
        scores.sort_unstable();
        scores.dedup();
        assert!(scores.len() > 200, "evaluations differ: {}", scores.len());
    }

    /// A text board whose letters in upper and lower case have changed places, `w` and `b` to move too,
    /// the rows changed by `turn`, the rest of the words by `rest`.
    fn swapped(text: &str, turn: impl Fn(&str) -> String, letters: [char; 2]) -> String {
        let exchange = |c: char| match c {
            _ if c == letters[0] => letters[1],
            _ if c == letters[1] => letters[0],
            _ => c,
        };
        let mut words = text.split(' ').map(str::to_string).collect::<Vec<_>>();
        words[0] = turn(&words[0]).chars().map(exchange).collect();
        words[1] = if words[1] == "w" { "b" } else { "w" }.to_string();
        words.join(" ")
    }

    #[test]
    fn exchanged_colours_change_nothing_in_murus_gallicus() {
        exchange_colours(Murus::start(), |text| {
            let upside_down = |rows: &str| rows.rsplit('/').collect::<Vec<_>>().join("/");
            let walls = swapped(text, upside_down, ['w', 'b']);
            let (rows, rest) = walls.split_once(' ').unwrap();
            let towers = |c| match c {
                'W' => 'B',
                'B' => 'W',
                _ => c,
            };
            format!("{} {rest}", rows.chars().map(towers).collect::<String>())
        });
    }

    #[test]
    fn exchanged_colours_change_nothing_in_lines_of_action() {
        exchange_colours(Loa::start(Default::default()), |text| {
            swapped(text, str::to_string, ['w', 'b'])
        });
    }

    #[test]
    fn exchanged_colours_change_nothing_in_voidrider_chess() {
        exchange_colours(Voidrider::start(), |text| {
            let other_case = |c: char| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            };
            // Turned round, so that the kings stay on the middle file.
            let turned = |rows: &str| rows.chars().rev().map(other_case).collect::<String>();
            let board = swapped(text, turned, ['#', '#']);
            let mut words = board.split(' ').map(str::to_string).collect::<Vec<_>>();
            if words[3] != "-" {
                // Toward the other file, by the other side.
                let held = |right| words[3].contains(right);
                let rights = [('D', 'u'), ('U', 'd'), ('d', 'U'), ('u', 'D')];
                let all = rights.iter().filter(|(_, old)| held(*old)).map(|(new, _)| *new);
                words[3] = all.collect();
            }
            words.join(" ")
        });
    }

    #[test]
    fn a_score_comes_back_from_its_expectation() {
        for expected in [-5_000, -731, -200, -1, 0, 1, 42, 200, 5_000] {
            assert_eq!(score(expectation(expected)), expected);
        }
        assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(score), [-MAX_SCORE, -200, 0, 200, MAX_SCORE]);
        assert!((0..=1_000_000).all(|part| score(part as f32 / 1e6).abs() <= MAX_SCORE));
    }
}
