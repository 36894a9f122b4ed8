//! Static evaluation of a position, and prior weights of its moves.
//!
//! The one idea: both engines use the same evaluation through one trait, in the same unit, so that
//! they can be compared. Integers and exactly rounded float arithmetic only (no `exp`, `ln` or
//! `powf`), so results are the same on every machine. A trained evaluation is a small [`network`];
//! a game's own proofs are its [`oracle`].

pub(crate) mod exchanges;
#[doc(hidden)]
pub mod instant;
pub mod network;
pub mod nodes;
pub mod oracle;
pub mod parameters;
#[doc(hidden)]
pub mod processor;
#[doc(hidden)]
pub mod quiescence;
pub mod stop;
#[doc(hidden)]
pub mod weights_file;

use self::nodes::Nodes;
use self::oracle::Oracle;
use self::weights_file::WeightsFile;
use crate::eval::parameters::Parameters;
use crate::game::{Game, MAX_MOVES, Move, MoveList, ParseError, Side};

/// Evaluations stay strictly between minus and plus this; beyond are proven results.
pub const MAX_SCORE: i32 = 20_000;

/// The score with an expected result of three quarters of a point.
const THREE_QUARTERS_SCORE: f32 = 200.0;

/// Static evaluation and move priors of a game, and what both engines need to know of its tactics.
pub trait Evaluate: Game {
    /// The game's own proofs; [`oracle::NoOracle`] if it has none.
    type Oracle: Oracle<Self>;

    /// The tree search's parameters for the game: those that differ from the common defaults.
    const TUNING: Parameters = Parameters::DEFAULT;

    /// How alpha-beta treats moves that come late in their order.
    const LATE_MOVES: LateMoves = LateMoves::DEFAULT;

    /// Whether the game has noisy moves, those after which a static evaluation cannot be trusted
    /// before they are answered ([`Evaluate::is_noisy`]).
    const NOISY: bool = false;

    /// Reads the weights once, so that the system loads them from the program's file before a
    /// search begins.
    fn touch_weights() {}

    /// The same position, evaluated with the weights of a file; for games that read such files.
    ///
    /// # Errors
    /// The game reads none, or these are not its own.
    fn with_weights(self, file: &'static WeightsFile) -> Result<Self, ParseError> {
        let expected = format!("none: those of {} are compiled in", Self::TITLE);
        Err(file.error("weights", expected))
    }

    /// This position evaluated with the weights of `other`, a position of the same game.
    #[inline(always)]
    fn evaluated_like(self, other: &Self) -> Self {
        let _ = other;
        self
    }

    /// The static score for the side to move, in hundredths of about a pawn or stone, within
    /// ±[`MAX_SCORE`]. The game must not be over, except for want of a move.
    fn evaluate(&self) -> i32;

    /// The score after the noisy moves that follow, searched for at most this many plies, and as
    /// far as the nodes of the leaf suffice. By default the static score; a game with noisy moves
    /// calls [`quiescence::quiesce`].
    #[inline(always)]
    fn quiet_score(&self, plies: u32, nodes: &mut Nodes<'_>) -> i32 {
        let _ = (plies, nodes);
        self.evaluate()
    }

    /// The result where it is certain at a glance: the winner, and the plies until the game ends.
    fn decided(&self) -> Option<(Side, usize)> {
        None
    }

    /// Whether the side to move must answer a threat, so that any move may be the one that matters:
    /// alpha-beta then leaves out none before its horizon, and quiescence tries all.
    fn is_urgent(&self) -> bool {
        false
    }

    /// Whether a legal move is noisy.
    #[inline(always)]
    fn is_noisy(&self, m: Move) -> bool {
        let _ = m;
        false
    }

    /// Lists the noisy moves, and returns whether there is any legal move at all.
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

    /// Whether a noisy move gains at least this much after the captures that follow on its cell.
    /// Beyond a leaf where no threat has to be answered, other moves are not tried.
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

/// How alpha-beta treats moves that come late in their order, where it asks with a window of width
/// zero whether they are better than the best so far.
#[derive(Clone, Copy, Debug)]
pub struct LateMoves {
    /// Late move reductions: the plies are this many quarters of ln depth × ln number of the move.
    pub reduction_quarters: usize,
    /// Late move pruning: how many moves are tried at depth 1, 2 and so on, besides noisy ones; at
    /// greater depths all are.
    pub tried: &'static [usize],
}

impl LateMoves {
    /// Moderate reductions, no pruning.
    pub const DEFAULT: LateMoves = LateMoves { reduction_quarters: 2, tried: &[] };
}

/// What a move puts at stake, as scores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exchange {
    /// The captured and the promoted piece.
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

/// The inverse of [`expectation`]: the score of `expected`, rounded, within ±[`MAX_SCORE`].
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

    use crate::games::{Hadron, Loa, Murus, Voidrider};

    /// Plays random games, and asks about each position and the same with the colours exchanged.
    fn exchange_colours<G: Evaluate>(start: G, exchanged: impl Fn(&str) -> String) {
        let look = |position: &G| {
            let moves = position.legal_moves();
            let mut weights = vec![0.0; moves.len()];
            position.weigh(&moves, &mut weights);
            weights.sort_by(f32::total_cmp);
            (position.evaluate(), weights, position.decided().map(|(_, plies)| plies))
        };
        let mut scores = Vec::new();
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = start;
            while position.won().is_none() && position.ply() < position.ply_limit() {
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

    /// A text board with upper and lower case exchanged, also `w` and `b` to move, the rows changed
    /// by `turn`, the other words by `rest`.
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
    fn exchanged_colours_change_nothing_in_hadron() {
        exchange_colours(Hadron::start(9, 9), |text| swapped(text, str::to_string, ['w', 'b']));
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
