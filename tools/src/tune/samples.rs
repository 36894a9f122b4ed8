//! What a network learns from: the positions of games as it sees them.
//!
//! The one idea: a sample is a few dozen small numbers of varying count, so all stand end to end in
//! a few long lists; millions of them fit in memory and are read in any order without a detour.

use alesia::eval::Evaluate;
use alesia::eval::network::{NetworkGame, SCORE_ONE};
use alesia::game::{GameState, Move, MoveList, Outcome};

use super::loss::Share;
use super::model::Sample;
use super::record::{Ply, SelfPlayRecord, Visited};

/// A position of a game from which there is something to learn.
pub struct Situation<G> {
    pub position: G,
    pub moves: MoveList,
    /// Their target shares, with sum 1; none if there was no choice.
    pub shares: Vec<Share>,
    /// What came of it for the side to move, 0 to 1: a mixture of the result of the game and of
    /// what the engine expected; none where a noisy move was played or a threat had to be answered,
    /// in a game that has noisy moves.
    pub target: Option<f32>,
}

/// The target shares of legal moves: their shares of the visits; without recorded visits, all for
/// the move played.
fn shares(moves: &[Move], ply: &Ply) -> Vec<Share> {
    if moves.len() < 2 {
        return Vec::new();
    }
    let number = |m| moves.iter().position(|&legal| legal == m).expect("it is legal") as u16;
    if ply.visited.is_empty() {
        return vec![Share { number: number(ply.m), share: 1.0 }];
    }
    let all: f32 = ply.visited.iter().map(|visited| f32::from(visited.thousandths)).sum();
    let share = |&Visited { m, thousandths }: &Visited| Share {
        number: number(m),
        share: f32::from(thousandths) / all,
    };
    ply.visited.iter().map(share).collect()
}

/// Adds the positions of a game that have a next move. `result_share` is the weight of the result
/// in their target, 0 to 1.
pub fn each_situation<G: Evaluate>(
    start: G,
    record: &SelfPlayRecord,
    result_share: f32,
    mut see: impl FnMut(Situation<G>),
) {
    let mut state = GameState::new(start);
    for &m in &record.opening {
        state.play(m);
    }
    for ply in &record.plies {
        let position = state.position;
        if position.decided().is_none() {
            let result = match record.outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(side) => f32::from(u8::from(side == position.side())),
            };
            let target = result_share * result + (1.0 - result_share) * ply.expected();
            // Elsewhere exchanges, or answers to a check, are searched before anything is
            // evaluated.
            let is_quiet = !G::NOISY || !(position.is_urgent() || position.is_noisy(ply.m));
            let target = is_quiet.then_some(target);
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            let shares = shares(&moves, ply);
            see(Situation { position, moves, shares, target });
        }
        state.play(ply.m);
    }
}

/// Samples, end to end in a few long lists.
#[derive(Default)]
pub struct Samples {
    inputs: Vec<u16>,
    row_ends: Vec<u16>,
    rows: Vec<u16>,
    shares: Vec<Share>,
    heads: Vec<Head>,
}

/// Where a sample ends in each of the lists, and what else belongs to it.
#[derive(Clone, Copy)]
struct Head {
    ends: Ends,
    target: Option<f32>,
    base: f32,
}

#[derive(Clone, Copy, Default)]
struct Ends {
    inputs: usize,
    row_ends: usize,
    rows: usize,
    shares: usize,
}

impl Samples {
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn get(&self, index: usize) -> Sample<'_> {
        let Head { ends, target, base } = self.heads[index];
        let starts = index.checked_sub(1).map_or(Ends::default(), |last| self.heads[last].ends);
        Sample {
            inputs: &self.inputs[starts.inputs..ends.inputs],
            row_ends: &self.row_ends[starts.row_ends..ends.row_ends],
            rows: &self.rows[starts.rows..ends.rows],
            shares: &self.shares[starts.shares..ends.shares],
            target,
            base,
        }
    }

    /// Adds a position as its network sees it, each input and each row of a move changed as the
    /// board is turned or mirrored.
    pub fn add<G: NetworkGame>(
        &mut self,
        situation: &Situation<G>,
        input: impl Fn(usize) -> usize,
        row: impl Fn(usize) -> usize,
    ) {
        const { assert!(G::INPUTS <= 1 << 16 && G::MOVE_ROWS <= 1 << 16) };
        let position = &situation.position;
        position.for_each_input(|at| self.inputs.push(input(at) as u16));
        let start = self.rows.len();
        let context = position.move_context();
        for &m in &situation.moves {
            position.for_each_move_row(&context, m, |at| self.rows.push(row(at) as u16));
            // At most 256 moves of a few rows each.
            self.row_ends.push((self.rows.len() - start) as u16);
        }
        self.shares.extend(&situation.shares);
        self.end_sample(situation.target, position.base() as f32 / SCORE_ONE as f32);
    }

    /// Makes a sample of what was added to the lists since the last one.
    fn end_sample(&mut self, target: Option<f32>, base: f32) {
        let ends = Ends {
            inputs: self.inputs.len(),
            row_ends: self.row_ends.len(),
            rows: self.rows.len(),
            shares: self.shares.len(),
        };
        self.heads.push(Head { ends, target, base });
    }

    /// Adds a sample unchanged.
    #[cfg(test)]
    pub fn push(&mut self, sample: Sample) {
        self.inputs.extend(sample.inputs);
        self.row_ends.extend(sample.row_ends);
        self.rows.extend(sample.rows);
        self.shares.extend(sample.shares);
        self.end_sample(sample.target, sample.base);
    }
}

#[cfg(test)]
mod tests {
    use alesia::game::{Game, Side};
    use alesia::games::Voidrider;

    use super::*;

    /// A short beginning of a game, its end left out.
    fn record(start: Voidrider) -> SelfPlayRecord {
        let mut plies = Vec::new();
        let mut position = start;
        for (text, expected) in [("b3-b4", 0.7), ("b7-b6", 0.4), ("b2-c4", 0.6)] {
            let m = position.parse_move(text).unwrap();
            plies.push(Ply::new(m, expected));
            position.play(m);
        }
        SelfPlayRecord { opening: Vec::new(), plies, outcome: Outcome::Win(Side::Black) }
    }

    #[test]
    fn samples_are_the_positions_as_the_network_sees_them() {
        let start = Voidrider::start();
        let record = record(start);
        let (mut samples, mut seen) = (Samples::default(), Vec::new());
        each_situation(start, &record, 0.25, |situation| {
            samples.add(&situation, |input| input, |row| row);
            seen.push(situation);
        });
        assert_eq!((samples.len(), seen.len()), (3, 3));
        for (index, (situation, ply)) in seen.iter().zip(&record.plies).enumerate() {
            let (sample, position) = (samples.get(index), situation.position);
            let &[Share { number, share }] = sample.shares else { panic!("{:?}", sample.shares) };
            assert_eq!((situation.moves[usize::from(number)], share), (ply.m, 1.0));
            assert_eq!(position.ply(), index);
            let result = if position.side() == Side::Black { 1.0 } else { 0.0 };
            assert!(
                (sample.target.unwrap() - (0.25 * result + 0.75 * ply.expected())).abs() < 1e-6
            );
            assert_eq!(sample.base, position.base() as f32 / SCORE_ONE as f32);
            let mut inputs = Vec::new();
            position.for_each_input(|input| inputs.push(input as u16));
            assert_eq!(sample.inputs, inputs);
            let context = position.move_context();
            let mut start = 0;
            assert_eq!(sample.row_ends.len(), situation.moves.len());
            for (&m, &end) in situation.moves.iter().zip(sample.row_ends) {
                let mut rows = Vec::new();
                position.for_each_move_row(&context, m, |row| rows.push(row as u16));
                assert_eq!(sample.rows[start..usize::from(end)], rows);
                start = usize::from(end);
            }
            assert_eq!(start, sample.rows.len());
        }
    }

    #[test]
    fn no_value_is_learned_where_a_piece_is_taken() {
        let mut position = Voidrider::start();
        let mut plies = Vec::new();
        for text in ["e3-e4", "d7-d6", "e4-e5", "d6-e5"] {
            let m = position.parse_move(text).unwrap();
            plies.push(Ply::new(m, 0.5));
            position.play(m);
        }
        let record = SelfPlayRecord { opening: Vec::new(), plies, outcome: Outcome::Draw };
        let mut learned = Vec::new();
        each_situation(Voidrider::start(), &record, 0.5, |situation| {
            learned.push(situation.target.is_some());
        });
        assert_eq!(learned, [true, true, true, false]);
    }

    #[test]
    fn shares_are_those_of_the_visits() {
        let start = Voidrider::start();
        let mut record = record(start);
        let visited = |text, thousandths| {
            let m = start.parse_move(text).unwrap();
            Visited { m, thousandths }
        };
        // As after rounding, they are not quite 1000.
        let preferred = [visited("b2-c4", 200), visited("b3-b4", 601), visited("e3-e4", 200)];
        record.plies[0].visited = preferred.into();
        let (mut samples, mut all_moves) = (Samples::default(), Vec::new());
        each_situation(start, &record, 0.25, |situation| {
            samples.add(&situation, |input| input, |row| row);
            all_moves.push(situation.moves);
        });
        let shares = samples.get(0).shares;
        assert_eq!(shares.len(), 3);
        for (Share { number, share }, visited) in shares.iter().zip(preferred) {
            assert_eq!(all_moves[0][usize::from(*number)], visited.m);
            assert_eq!(*share, f32::from(visited.thousandths) / 1001.0);
        }
        let all: f32 = shares.iter().map(|share| share.share).sum();
        assert!((all - 1.0).abs() < 1e-6);
        // The others have theirs to themselves.
        assert_eq!((samples.get(1).shares.len(), samples.get(2).shares.len()), (1, 1));
        assert_eq!(super::shares(&all_moves[0][..1], &record.plies[0]), []);
    }
}
