//! The evaluation of a variant, from the values that its definition leads to.
//!
//! The one idea: pieces on their cells, between middle game and endgame by the material that is
//! left; pieces near the enemy king; and pieces that must not become extinct. Nothing here is
//! chosen for one variant.

use super::learned::Learned;
use super::moves::Noisy;
use super::position::{Position, Variant, decode};
use crate::eval::nodes::Nodes;
use crate::eval::oracle::NoOracle;
use crate::eval::parameters::Parameters;
use crate::eval::processor::with_v3_instructions;
use crate::eval::quiescence::quiesce;
use crate::eval::weights_file::WeightsFile;
use crate::eval::{Evaluate, Exchange, LateMoves, MAX_SCORE};
use crate::game::bitboard::cells;
use crate::game::{Move, MoveList, ParseError, Score, Side};
use crate::games::Voidrider;
use crate::games::variant::read::definition::Extinction;
use crate::games::variant::read::piece_kinds::MAX_KINDS;

/// A piece other than king and pawn one step from the enemy king, or up to three; the first counts
/// twice.
const NEAR_KING: i32 = 8;
/// Being on turn.
const TEMPO: i32 = 10;
/// The lead at which the race for the flags counts twice, and so on.
const LEAD: i32 = 200;
/// The last piece of a kind that must not become extinct; two of them half as much, and so on.
const LAST_OF_ITS_KIND: i32 = 60;
/// Having a single check left to give, where they are counted; two of them half as much, and so on.
const LAST_CHECK: i32 = 150;
/// What the capture that ends the game by extinction is worth, as a score.
const DECISIVE: i32 = 10_000;
/// Weights of a move's prior: a sixteenth of a pawn won, a check, a promotion's gain in pawns.
const PRIOR_GAIN: f32 = 0.03;
const PRIOR_CHECK: f32 = 4.0;
const PRIOR_PLACE: f32 = 0.02;

impl Evaluate for Variant {
    type Oracle = NoOracle;

    // No variant has been measured by itself.
    const TUNING: Parameters = Voidrider::TUNING;

    const LATE_MOVES: LateMoves = Voidrider::LATE_MOVES;

    fn with_weights(self, file: &'static WeightsFile) -> Result<Variant, ParseError> {
        Ok(self.with_rules(self.rules.with_weights(file)?))
    }

    #[inline(always)]
    fn evaluated_like(self, other: &Variant) -> Variant {
        self.with_rules(other.rules)
    }

    fn evaluate(&self) -> i32 {
        match &self.rules.learned {
            None => self.computed_score(),
            Some(learned) => self.learned_score(learned),
        }
    }

    const NOISY: bool = true;

    #[inline(always)]
    fn quiet_score(&self, plies: u32, nodes: &mut Nodes<'_>) -> i32 {
        quiesce(self, plies, nodes)
    }

    #[inline(always)]
    fn is_noisy(&self, m: Move) -> bool {
        self.is_noisy_move(m)
    }

    #[inline(always)]
    fn noisy_moves(&self, list: &mut MoveList) -> bool {
        self.captures_and_promotions(list)
    }

    #[inline(always)]
    fn exchange(&self, m: Move) -> Exchange {
        if self.rules.definition.blast_on_capture && self.is_capture(m) {
            return Exchange { gain: self.gain_by_blast(m).clamp(0, 30_000) as u16, risk: 0 };
        }
        let moved = self.kind_at(decode(m).0);
        let royal = self.rules.royal == Some(moved);
        let worth = |kind: usize| self.rules.piece_values.values[kind][0];
        let taken = self.captured(m).map_or(0, |(kind, _)| self.worth_of_capture(kind));
        let made = self.promoted(m).map_or(0, |kind| worth(kind) - worth(moved));
        // The king is never lost, but is the last to capture.
        let risk = if royal { u16::MAX } else { worth(moved).clamp(0, DECISIVE) as u16 };
        Exchange { gain: (taken + made).clamp(0, 30_000) as u16, risk }
    }

    #[inline(always)]
    fn gains(&self, m: Move, least: i32) -> bool {
        if self.rules.definition.blast_on_capture && self.is_capture(m) {
            return self.gain_by_blast(m) >= least;
        }
        self.exchange_gains(m, least)
    }

    #[inline(always)]
    fn is_urgent(&self) -> bool {
        self.in_check()
    }

    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        if let Some(learned) = &self.rules.learned {
            return self.weigh_learned(learned, moves, weights);
        }
        let me = self.side;
        let placed = &self.rules.piece_values.placed[me as usize];
        for (&m, weight) in moves.iter().zip(weights) {
            let (from, to, _) = decode(m);
            let kind = self.kind_at(from);
            *weight = 1.0;
            if self.pieces(me) >> to & 1 != 0 {
                // Castling.
                *weight = 2.0;
                continue;
            }
            let Exchange { gain, risk } = self.exchange(m);
            let becomes = self.promoted(m).unwrap_or(kind);
            let better = i32::from(placed[kind][to][0]) - i32::from(placed[kind][from][0]);
            *weight += (PRIOR_PLACE * better as f32).clamp(-0.5, 3.0);
            if gain > 0 {
                let safe = risk <= gain || self.gains(m, 0);
                *weight += if safe { 2.0 + PRIOR_GAIN * f32::from(gain) } else { 0.5 };
            }
            if self.checks_from(becomes, from, to) {
                *weight += PRIOR_CHECK;
            }
        }
    }
}

/// What a side has.
struct Strength {
    placed: [i32; 2],
    /// Of pieces other than pawns.
    material: i32,
    other: i32,
}

impl Variant {
    #[inline(never)]
    fn learned_score(&self, learned: &Learned) -> i32 {
        with_v3_instructions(
            #[inline(always)]
            || {
                let network = learned.network.parts();
                network.score(self, &network.hidden(self))
            },
        )
    }

    #[inline(never)]
    fn weigh_learned(&self, learned: &Learned, moves: &[Move], weights: &mut [f32]) {
        with_v3_instructions(
            #[inline(always)]
            || {
                let network = learned.network.parts();
                network.weigh(self, &network.hidden(self), moves, weights);
            },
        );
    }
}

impl Position<'_> {
    /// The score by the values that are computed from the definition.
    #[inline(always)]
    pub(super) fn computed_score(&self) -> i32 {
        let sets = self.by_kind();
        let (mine, theirs) = (self.strength(self.side, &sets), self.strength(!self.side, &sets));
        let full = self.rules.piece_values.material.max(1);
        let left = (mine.material + theirs.material).min(full);
        let [middle, end] = [0, 1].map(|stage| mine.placed[stage] - theirs.placed[stage]);
        let placed = (middle * left + end * (full - left)) / full;
        let mut score = placed + mine.other - theirs.other + TEMPO;
        if self.rules.piece_values.races {
            score += self.race(score, &sets);
        }
        score.clamp(-MAX_SCORE + 1, MAX_SCORE - 1)
    }

    /// What the race for the flags counts more where a side is ahead: the more it has, the less it
    /// gains by having more, but it wins only by going there.
    #[cold]
    fn race(&self, score: i32, sets: &[u64; MAX_KINDS]) -> i32 {
        let first = |side: Side| {
            let (flagged, own) =
                (&self.rules.piece_values.flagged[side as usize], self.pieces(side));
            let near = sets
                .iter()
                .zip(flagged)
                .flat_map(|(set, flagged)| cells(set & own).map(|cell| flagged[cell]));
            near.max().map_or(0, i32::from)
        };
        (first(self.side) - first(!self.side)) * score.abs() / LEAD
    }

    /// Lists captures and promotions, and returns whether there is any legal move.
    #[inline(always)]
    fn captures_and_promotions(&self, list: &mut MoveList) -> bool {
        list.clear();
        let taken = self.pieces(!self.side) | self.passed;
        let mut noisy = Noisy { list, taken, any: false };
        self.generate(&mut noisy);
        let any = noisy.any;
        // A quiet move to a cell of a capture en passant may be among them.
        if self.passed != 0 {
            list.retain(|m| self.is_noisy_move(*m));
        }
        any
    }

    #[inline(always)]
    fn strength(&self, side: Side, sets: &[u64; MAX_KINDS]) -> Strength {
        let (rules, own) = (self.rules, self.pieces(side));
        let computed = &rules.piece_values;
        let enemy_king = rules.royal.map_or(0, |royal| sets[royal] & self.pieces(!side));
        let mut strength = Strength { placed: [0; 2], material: 0, other: 0 };
        let mut officers = own;
        for (kind, table) in computed.placed[side as usize].iter().enumerate() {
            let pieces = sets[kind] & own;
            for cell in cells(pieces) {
                strength.placed[0] += i32::from(table[cell][0]);
                strength.placed[1] += i32::from(table[cell][1]);
            }
            if rules.definition.pawns >> kind & 1 != 0 || rules.royal == Some(kind) {
                officers &= !pieces;
            } else {
                strength.material += computed.values[kind][0].abs() * pieces.count_ones() as i32;
            }
        }
        if enemy_king != 0 {
            let king = enemy_king.trailing_zeros() as usize;
            let near = computed.rings.iter().map(|ring| (ring[king] & officers).count_ones());
            strength.other += NEAR_KING * near.sum::<u32>() as i32;
        }
        if let Some(extinction) = &rules.definition.extinction {
            strength.other -= self.danger(side, extinction);
        }
        if rules.definition.check_counting {
            strength.other += LAST_CHECK / i32::from(self.checks[side as usize]).max(1);
        }
        strength
    }

    /// How near a side is to losing by extinction.
    #[cold]
    fn danger(&self, side: Side, extinction: &Extinction) -> i32 {
        let lives = extinction.kinds.iter().map(|&kinds| self.lives(side, kinds, extinction));
        let total: i32 = lives.map(|lives| LAST_OF_ITS_KIND / lives.max(1)).sum();
        match extinction.value {
            Score::Loss => total,
            Score::Draw => 0,
            Score::Win => -total,
        }
    }

    /// How many pieces of some kinds a side may lose before the game ends, the last included.
    fn lives(&self, side: Side, kinds: u32, extinction: &Extinction) -> i32 {
        self.count(side, kinds) as i32 - extinction.count as i32
    }

    /// What it is worth to capture a piece of a kind of the side that does not move.
    #[inline(always)]
    pub(super) fn worth_of_capture(&self, kind: usize) -> i32 {
        self.worth_of_loss(!self.side, kind)
    }

    /// What a side loses with a piece of a kind.
    #[inline(always)]
    fn worth_of_loss(&self, side: Side, kind: usize) -> i32 {
        let worth = self.rules.piece_values.values[kind][0];
        match &self.rules.definition.extinction {
            Some(extinction) => self.worth_of_extinction(side, kind, extinction).unwrap_or(worth),
            None => worth,
        }
    }

    /// The worth of a capture that ends the game.
    #[cold]
    fn worth_of_extinction(&self, side: Side, kind: usize, extinction: &Extinction) -> Option<i32> {
        let mut counted = extinction.kinds.iter().filter(|&&kinds| kinds >> kind & 1 != 0);
        let is_last = counted.any(|&kinds| self.lives(side, kinds, extinction) <= 1);
        is_last.then_some(match extinction.value {
            Score::Loss => DECISIVE,
            Score::Draw => 0,
            Score::Win => -DECISIVE,
        })
    }

    /// What a capture wins where captures explode: what the other side loses by it, less what the
    /// own side does. No piece is left that could be captured in return.
    #[cold]
    fn gain_by_blast(&self, m: Move) -> i32 {
        let (from, to, _) = decode(m);
        let taken = self.captured(m).map_or(to, |(_, cell)| cell);
        let gone = self.blast(to) | 1 << from | 1 << taken;
        let lost = |side: Side| {
            let pieces = cells(gone & self.pieces(side));
            pieces.map(|cell| self.worth_of_loss(side, self.kind_at(cell))).sum::<i32>()
        };
        lost(!self.side) - lost(self.side)
    }

    /// Whether a piece that has come from a cell to another attacks the enemy king from there.
    #[inline(always)]
    fn checks_from(&self, kind: usize, from: usize, to: usize) -> bool {
        let Some(king) = self.king(!self.side) else { return false };
        let mut board = self.board();
        board.occupied = board.occupied & !(1 << from) | 1 << to;
        if board.squares >> to & 1 == 0 {
            board.squares ^= 1 << from | 1 << to;
        }
        self.attacks(self.side, kind, to, board) >> king & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use crate::games::variant::Chosen;

    #[test]
    fn the_race_for_the_flag_counts_more_where_a_side_is_ahead() {
        let rules = Chosen::of_name("variant:racingkings").unwrap().rules();
        let score =
            |text: &str| fen::read(rules, &format!("{text} - - 0 1")).unwrap().computed_score();
        // The white king on rank 3 and on rank 6; in the second pair with two rooks more.
        let even = ["8/8/8/8/8/k1K5/8/8 w", "8/8/2K5/8/8/k7/8/8 w"].map(score);
        let ahead = ["8/8/8/8/8/k1K5/6RR/8 w", "8/8/2K5/8/8/k7/6RR/8 w"].map(score);
        assert!(even[0].abs() < 50 && ahead[0] > 600, "{even:?} {ahead:?}");
        assert!(ahead[1] - ahead[0] > 3 * (even[1] - even[0]), "{even:?} {ahead:?}");
        // But not where the king can be checkmated on its way.
        let of = |name: &str| Chosen::of_name(name).unwrap().rules().piece_values.races;
        assert!(of("variant:breakthrough") && !of("variant:kingofthehill"));
        assert!(!of("variant:chess"));
    }
}
