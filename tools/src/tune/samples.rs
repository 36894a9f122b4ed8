//! What a network learns from: the positions of games as it sees them.

use alesia::eval::Evaluate;
use alesia::eval::network::{SCORE_ONE, Seen};
use alesia::game::{GameState, MoveList, Outcome};

use super::games::Record;
use super::model::Sample;
use super::symmetry::Symmetry;

/// Positions, end to end in a few long lists.
#[derive(Default)]
pub struct Samples {
    inputs: Vec<u16>,
    row_ends: Vec<u16>,
    rows: Vec<u16>,
    heads: Vec<Head>,
}

#[derive(Clone, Copy)]
struct Head {
    inputs: u64,
    rows: u64,
    ends: u64,
    input_count: u8,
    move_count: u8,
    row_count: u16,
    played: u8,
    target: f32,
    base: f32,
}

impl Samples {
    /// How many.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// One of them.
    pub fn get(&self, index: usize) -> Sample<'_> {
        let head = &self.heads[index];
        let (inputs, rows, ends) = (head.inputs as usize, head.rows as usize, head.ends as usize);
        Sample {
            inputs: &self.inputs[inputs..inputs + usize::from(head.input_count)],
            row_ends: &self.row_ends[ends..ends + usize::from(head.move_count)],
            rows: &self.rows[rows..rows + usize::from(head.row_count)],
            played: (head.move_count > 1).then_some(usize::from(head.played)),
            target: head.target,
            base: head.base,
        }
    }

    /// Adds the positions of a game that a search would evaluate, each turned or mirrored at
    /// random; the target is a mixture of the result and of what the engine expected.
    pub fn add<G: Evaluate + Seen + Symmetry>(
        &mut self,
        start: G,
        record: &Record,
        result_share: f32,
        rng: &mut fastrand::Rng,
    ) {
        let mut state = GameState::new(start);
        for &m in &record.opening {
            state.play(m);
        }
        for ply in &record.plies {
            if state.position.decided().is_none() {
                let result = match record.outcome {
                    Outcome::Draw => 0.5,
                    Outcome::Win(side) => f32::from(u8::from(side == state.position.side())),
                };
                let target = result_share * result + (1.0 - result_share) * ply.value;
                let symmetry = rng.usize(..G::SYMMETRIES);
                let mut moves = MoveList::new();
                state.position.moves(&mut moves);
                let inputs = self.inputs.len();
                state.position.each_input(|input| {
                    self.inputs.push(G::input(input, symmetry) as u16);
                });
                let (rows, ends) = (self.rows.len(), self.row_ends.len());
                let sight = state.position.sight();
                for &m in &moves {
                    state
                        .position
                        .each_row(&sight, m, |row| self.rows.push(G::row(row, symmetry) as u16));
                    self.row_ends.push((self.rows.len() - rows) as u16);
                }
                let played = moves.iter().position(|&m| m == ply.m).expect("it is legal");
                self.heads.push(Head {
                    inputs: inputs as u64,
                    rows: rows as u64,
                    ends: ends as u64,
                    input_count: (self.inputs.len() - inputs) as u8,
                    move_count: moves.len() as u8,
                    row_count: (self.rows.len() - rows) as u16,
                    played: played as u8,
                    target,
                    base: state.position.base() as f32 / SCORE_ONE as f32,
                });
            }
            state.play(ply.m);
        }
    }
}
