//! What a network learns from: the positions of games as it sees them.
//!
//! The one idea: a sample is a few dozen small numbers of varying count. So those of a block stand
//! end to end in a few lists, which are read in any order without a detour and written as they are.

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
    /// what the engine expected. There is none where a noisy move was played or a threat had to be
    /// answered, in a game that has noisy moves.
    pub target: Option<f32>,
}

/// The target shares of legal moves: their shares of the visits. In a game without visits all is
/// for the move played. In one with visits a ply without them has no target, as its result was
/// proven and the first winning move found is no better than the others.
fn shares(moves: &[Move], ply: &Ply, has_visits: bool) -> Vec<Share> {
    if moves.len() < 2 {
        return Vec::new();
    }
    let number = |m| moves.iter().position(|&legal| legal == m).expect("it is legal") as u16;
    if !has_visits {
        return vec![Share { number: number(ply.m), share: 1.0 }];
    }
    let all: f64 = ply.visited.iter().map(|visited| f64::from(visited.visits)).sum();
    let share = |&Visited { m, visits }: &Visited| Share {
        number: number(m),
        share: (f64::from(visits) / all) as f32,
    };
    ply.visited.iter().map(share).collect()
}

/// The positions of a game that have a next move. `result_share` is the weight of the result in
/// their target, 0 to 1.
pub fn situations<G: Evaluate>(
    start: G,
    record: &SelfPlayRecord,
    result_share: f32,
) -> impl Iterator<Item = Situation<G>> {
    let mut state = GameState::new(start);
    for &m in &record.opening {
        state.play(m);
    }
    let has_visits = record.plies.iter().any(|ply| !ply.visited.is_empty());
    record.plies.iter().filter_map(move |ply| {
        let position = state.position;
        state.play(ply.m);
        if position.decided().is_some() {
            return None;
        }
        let result = match record.outcome {
            Outcome::Draw => 0.5,
            Outcome::Win(side) => f32::from(u8::from(side == position.side())),
        };
        let target = result_share * result + (1.0 - result_share) * ply.expected();
        // Elsewhere exchanges, or answers to a check, are searched before anything is evaluated.
        let is_quiet = !G::NOISY || !(position.is_urgent() || position.is_noisy(ply.m));
        let target = is_quiet.then_some(target);
        let moves = position.legal_moves();
        let shares = shares(&moves, ply, has_visits);
        Some(Situation { position, moves, shares, target })
    })
}

/// Samples, end to end in a few lists.
#[derive(Debug, Default, PartialEq)]
pub struct Samples {
    inputs: Vec<u16>,
    row_ends: Vec<u16>,
    rows: Vec<u16>,
    shares: Vec<Share>,
    heads: Vec<Head>,
}

/// Where a sample ends in each of the lists, and what else belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Head {
    ends: Ends,
    target: Option<f32>,
    base: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ends {
    inputs: u32,
    row_ends: u32,
    rows: u32,
    shares: u32,
}

/// Bytes of a head and of a share as [`Samples::write`] writes them, and of the number of heads.
const HEAD_BYTES: usize = 6 * 4;
const SHARE_BYTES: usize = 2 + 4;
const COUNT_BYTES: usize = 4;

impl Samples {
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn get(&self, index: usize) -> Sample<'_> {
        let Head { ends, target, base } = self.heads[index];
        let starts = index.checked_sub(1).map_or(Ends::default(), |last| self.heads[last].ends);
        Sample {
            inputs: &self.inputs[starts.inputs as usize..ends.inputs as usize],
            row_ends: &self.row_ends[starts.row_ends as usize..ends.row_ends as usize],
            rows: &self.rows[starts.rows as usize..ends.rows as usize],
            shares: &self.shares[starts.shares as usize..ends.shares as usize],
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
            inputs: self.inputs.len() as u32,
            row_ends: self.row_ends.len() as u32,
            rows: self.rows.len() as u32,
            shares: self.shares.len() as u32,
        };
        self.heads.push(Head { ends, target, base });
    }

    /// How many bytes [`Samples::write`] writes.
    pub fn bytes(&self) -> usize {
        let numbers = self.inputs.len() + self.row_ends.len() + self.rows.len();
        let (heads, shares) = (HEAD_BYTES * self.heads.len(), SHARE_BYTES * self.shares.len());
        COUNT_BYTES + heads + 2 * numbers + shares
    }

    /// Removes all samples, and keeps their room.
    pub fn clear(&mut self) {
        self.inputs.clear();
        self.row_ends.clear();
        self.rows.clear();
        self.shares.clear();
        self.heads.clear();
    }

    /// Adds the samples to `bytes`, numbers with their low byte first. First comes how many there
    /// are; then where each ends in the four lists, its target (not a number, where it has none)
    /// and its base; then the lists.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.heads.len() as u32).to_le_bytes());
        for Head { ends: Ends { inputs, row_ends, rows, shares }, target, base } in &self.heads {
            for end in [inputs, row_ends, rows, shares] {
                bytes.extend(end.to_le_bytes());
            }
            bytes.extend(target.unwrap_or(f32::NAN).to_le_bytes());
            bytes.extend(base.to_le_bytes());
        }
        for number in self.inputs.iter().chain(&self.row_ends).chain(&self.rows) {
            bytes.extend(number.to_le_bytes());
        }
        for Share { number, share } in &self.shares {
            bytes.extend(number.to_le_bytes());
            bytes.extend(share.to_le_bytes());
        }
    }

    /// The samples that [`Samples::write`] wrote; none where the bytes are others.
    pub fn read(mut bytes: &[u8]) -> Option<Samples> {
        let mut take = |count: usize| bytes.split_off(..count);
        let whole = |bytes: &[u8], at: usize| bytes[at..at + 4].try_into().expect("four bytes");
        let count = u32::from_le_bytes(whole(take(COUNT_BYTES)?, 0)) as usize;
        let heads = take(count.checked_mul(HEAD_BYTES)?)?.chunks_exact(HEAD_BYTES).map(|head| {
            let [inputs, row_ends, rows, shares] =
                [0, 4, 8, 12].map(|at| u32::from_le_bytes(whole(head, at)));
            let [target, base] = [16, 20].map(|at| f32::from_le_bytes(whole(head, at)));
            let target = Some(target).filter(|target| !target.is_nan());
            Head { ends: Ends { inputs, row_ends, rows, shares }, target, base }
        });
        let heads: Vec<Head> = heads.collect();
        let ends = heads.last().map_or(Ends::default(), |last| last.ends);
        let mut numbers = |count: u32| {
            let bytes = take(2 * count as usize)?.chunks_exact(2);
            Some(bytes.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect::<Vec<u16>>())
        };
        let (inputs, row_ends) = (numbers(ends.inputs)?, numbers(ends.row_ends)?);
        let rows = numbers(ends.rows)?;
        let shares = take(SHARE_BYTES * ends.shares as usize)?.chunks_exact(SHARE_BYTES);
        let shares = shares.map(|share| Share {
            number: u16::from_le_bytes([share[0], share[1]]),
            share: f32::from_le_bytes(whole(share, 2)),
        });
        let shares = shares.collect();
        bytes.is_empty().then_some(Samples { inputs, row_ends, rows, shares, heads })
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
        for situation in situations(start, &record, 0.25) {
            samples.add(&situation, |input| input, |row| row);
            seen.push(situation);
        }
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
        let seen = situations(Voidrider::start(), &record, 0.5);
        let learned: Vec<bool> = seen.map(|situation| situation.target.is_some()).collect();
        assert_eq!(learned, [true, true, true, false]);
    }

    #[test]
    fn shares_are_those_of_the_visits() {
        let start = Voidrider::start();
        let mut record = record(start);
        let visited = |text, visits| {
            let m = start.parse_move(text).unwrap();
            Visited { m, visits }
        };
        // As in older files, they are thousandths, and not quite 1000 in all.
        let preferred = [visited("b2-c4", 200), visited("b3-b4", 601), visited("e3-e4", 200)];
        record.plies[0].visited = preferred.into();
        let (mut samples, mut all_moves) = (Samples::default(), Vec::new());
        for situation in situations(start, &record, 0.25) {
            samples.add(&situation, |input| input, |row| row);
            all_moves.push(situation.moves);
        }
        let shares = samples.get(0).shares;
        assert_eq!(shares.len(), 3);
        for (Share { number, share }, visited) in shares.iter().zip(preferred) {
            assert_eq!(all_moves[0][usize::from(*number)], visited.m);
            assert_eq!(*share, (f64::from(visited.visits) / 1001.0) as f32);
        }
        let all: f32 = shares.iter().map(|share| share.share).sum();
        assert!((all - 1.0).abs() < 1e-6);
        // The others were proven: nothing is learned of their moves.
        assert_eq!((samples.get(1).shares.len(), samples.get(2).shares.len()), (0, 0));
        assert_eq!(super::shares(&all_moves[0][..1], &record.plies[0], true), []);
    }

    #[test]
    fn samples_come_back_from_their_bytes() {
        let mut samples = Samples::default();
        for (number, target) in [(0, Some(0.25)), (1, None), (7, Some(1.0))] {
            samples.push(Sample {
                inputs: &[5, 65_535, number],
                row_ends: &[2, 3],
                rows: &[1, 2, number],
                shares: &[Share { number, share: 0.1 }, Share { number: 1, share: 0.9 }]
                    [..usize::from(number.min(2))],
                target,
                base: -1.5,
            });
        }
        let mut bytes = Vec::new();
        samples.write(&mut bytes);
        assert_eq!(bytes.len(), samples.bytes());
        assert_eq!(Samples::read(&bytes), Some(samples));
        for other in [&bytes[1..], &bytes[..bytes.len() - 1], &[bytes.clone(), vec![0]].concat()] {
            assert_eq!(Samples::read(other), None);
        }
    }
}
