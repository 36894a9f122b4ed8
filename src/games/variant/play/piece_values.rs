//! What the pieces of a variant are worth, computed from its definition.
//!
//! The one idea: a piece is worth what it can do, which is counted on random boards that are partly
//! full; the same count for each cell says where it stands well. Pawns gain as they come near their
//! promotion, flag pieces near their flag.

use crate::game::bitboard::cells;
use crate::game::chance::Chance;
use crate::game::{Score, Side};
use crate::games::variant::read::definition::Definition;
use crate::games::variant::read::piece_kinds::MAX_KINDS;
use crate::games::variant::read::tables::{Board, ByCell, Tables};

/// A move more is worth so much, in hundredths of about a pawn.
const MOVE: f32 = 60.0;
/// And on the cell where a piece stands, by which it can leave that cell.
const MOVE_HERE: f32 = 12.0;
/// Random boards on which moves are counted, and how full they are in percent.
const BOARDS: usize = 24;
const FULL: u32 = 35;
/// A pawn is worth this share of what it may become, besides its moves.
const PROMISE: f32 = 0.05;
/// This share of the gain by promotion, by the moves left to it.
const PROMOTION: [f32; 6] = [0.0, 0.25, 0.12, 0.06, 0.03, 0.015];
/// By the moves left to a flag on an empty board.
const FLAG: [i16; 8] = [0, 250, 120, 60, 35, 20, 10, 5];

/// Values in the middle game and the endgame.
pub type Stages = [i16; 2];

/// The computed values.
#[derive(Clone)]
pub struct PieceValues {
    /// By kind; the king's is 0.
    pub values: [[i32; 2]; MAX_KINDS],
    /// Value and place, by side, kind and cell.
    pub placed: [Vec<[Stages; 64]>; 2],
    /// The values of all pieces but pawns and kings at the start.
    pub material: i32,
    /// What a flag piece is worth more for being near its flag, by side, kind and cell; empty
    /// where no piece wins so.
    pub flagged: [Vec<[i16; 64]>; 2],
    /// Whether the race for the flags counts more where a side is ahead: not if a king that can be
    /// checkmated on its way runs in it.
    pub races: bool,
    /// Cells at most one step from a cell, and at most three.
    pub rings: [ByCell; 2],
    /// The kinds in the order of their values, without the king.
    pub by_value: Vec<usize>,
}

impl PieceValues {
    /// Before they are computed.
    pub fn none() -> PieceValues {
        PieceValues {
            values: [[0; 2]; MAX_KINDS],
            placed: [Vec::new(), Vec::new()],
            material: 0,
            flagged: [Vec::new(), Vec::new()],
            races: false,
            rings: [[0; 64]; 2],
            by_value: Vec::new(),
        }
    }

    /// Those of a variant; `squares` are those of its start position, and `pieces` how many of each
    /// kind there are.
    pub fn of(tables: &Tables, squares: u64, pieces: &[u32]) -> PieceValues {
        let mut computed = PieceValues::none();
        let definition = &tables.definition;
        let kinds = definition.kinds.len();
        let counted = [Side::White, Side::Black].map(|side| {
            (0..kinds).map(|kind| mobility(tables, squares, side, kind)).collect::<Vec<_>>()
        });
        let mean = |kind: usize| {
            let on =
                |side: usize| cells(squares).map(|cell| counted[side][kind][cell]).sum::<f32>();
            (on(0) + on(1)) / (2 * squares.count_ones().max(1)) as f32
        };
        let plain: Vec<f32> = (0..kinds).map(|kind| MOVE * mean(kind)).collect();
        for kind in 0..kinds {
            computed.values[kind] = value(definition, &plain, kind);
        }
        computed.by_value = (0..kinds).filter(|&kind| !definition.kinds[kind].royal).collect();
        computed.by_value.sort_by_key(|&kind| computed.values[kind][0]);
        computed.material = (0..kinds)
            .filter(|&kind| definition.pawns >> kind & 1 == 0)
            .map(|kind| computed.values[kind][0].abs() * pieces[kind] as i32)
            .sum();
        for side in [Side::White, Side::Black] {
            if definition.flags != 0 {
                computed.flagged[side as usize] =
                    (0..kinds).map(|kind| flagged(tables, squares, side, kind)).collect();
            }
            for (kind, counts) in counted[side as usize].iter().enumerate() {
                let mobility = (counts, mean(kind));
                let table = placed(tables, squares, side, kind, &computed, mobility);
                computed.placed[side as usize].push(table);
            }
        }
        let runs = |royal: usize| definition.flags >> royal & 1 != 0;
        computed.races =
            definition.flags != 0 && !(definition.checking && tables.royal.is_some_and(runs));
        computed.rings = [1, 3].map(|distance| ring(tables, distance));
        computed
    }
}

/// The mean number of moves of a piece from each cell.
fn mobility(tables: &Tables, squares: u64, side: Side, kind: usize) -> [f32; 64] {
    let mut counts = [0; 64];
    let mut rng = fastrand::Rng::with_seed(17);
    for _ in 0..BOARDS {
        let (mut occupied, mut enemy) = (0, 0);
        for cell in cells(squares) {
            if (rng.index(..100) as u32) < FULL {
                occupied |= 1 << cell;
                enemy |= (rng.index(..2) as u64) << cell;
            }
        }
        for (from, count) in
            counts.iter_mut().enumerate().filter(|(from, _)| squares >> from & 1 != 0)
        {
            let others = occupied & !(1 << from);
            let own = others & !enemy;
            let board = Board { occupied: others, squares };
            let reached = [squares & !own, squares & !others, enemy & others];
            *count += tables.reach(side, kind, from, board, reached).count_ones();
        }
    }
    counts.map(|count| count as f32 / BOARDS as f32)
}

/// The value of a kind, by the file or computed from the values of its moves, `plain`.
fn value(definition: &Definition, plain: &[f32], kind: usize) -> [i32; 2] {
    let described = &definition.kinds[kind];
    if described.royal {
        return [0; 2];
    }
    let mut computed = plain[kind];
    if definition.promoting >> kind & 1 != 0 {
        let becomes = definition.promotions.iter().flatten();
        let best = becomes.map(|&kind| plain[kind]).fold(0.0, f32::max);
        computed += PROMISE * best;
    }
    let computed = (computed as i32).clamp(30, 3000);
    let middle = described.values[0].unwrap_or(computed);
    let values = [middle, described.values[1].unwrap_or(middle)];
    // Where a side wins by losing its pieces, they are a burden.
    let is_burden = definition.extinction.as_ref().is_some_and(|rule| {
        rule.value == Score::Win && rule.kinds.iter().any(|kinds| kinds >> kind & 1 != 0)
    });
    if is_burden { values.map(|value| -value / 2) } else { values }
}

/// The value of a piece on each cell.
fn placed(
    tables: &Tables,
    squares: u64,
    side: Side,
    kind: usize,
    computed: &PieceValues,
    (mobility, mean): (&[f32; 64], f32),
) -> [Stages; 64] {
    let definition = &tables.definition;
    let values = computed.values[kind];
    let is = |set: u32| set >> kind & 1 != 0;
    let promotions = &definition.promotions[side as usize];
    let best = promotions.iter().map(|&kind| computed.values[kind][1]).max().unwrap_or(0);
    let promotion = if is(definition.promoting) && best > values[1] {
        distances(tables, squares, side, kind, definition.promotion_region[side as usize])
    } else {
        [usize::MAX; 64]
    };
    let mut table = [[0; 2]; 64];
    for cell in cells(squares) {
        let here = MOVE_HERE * (mobility[cell] - mean);
        // A king hides while there are many pieces.
        let here = if definition.kinds[kind].royal { [-here, here] } else { [here, here] };
        let near =
            PROMOTION.get(promotion[cell]).copied().unwrap_or(0.0) * (best - values[1]) as f32;
        let flagged = computed.flagged[side as usize].get(kind).map_or(0, |flagged| flagged[cell]);
        for stage in 0..2 {
            let total = values[stage] + here[stage] as i32 + i32::from(flagged);
            let near = if stage == 0 { near * 0.7 } else { near };
            table[cell][stage] = (total + near as i32).clamp(-15_000, 15_000) as i16;
        }
    }
    table
}

/// What it is worth to a piece to be near its flag, on each cell; nothing if it has none.
fn flagged(tables: &Tables, squares: u64, side: Side, kind: usize) -> [i16; 64] {
    let definition = &tables.definition;
    if definition.flags >> kind & 1 == 0 {
        return [0; 64];
    }
    let region = definition.flag_region[side as usize];
    let distances = distances(tables, squares, side, kind, region);
    distances.map(|moves| FLAG.get(moves).copied().unwrap_or(0))
}

/// The moves left from each cell to a region, on an empty board.
fn distances(tables: &Tables, squares: u64, side: Side, kind: usize, region: u64) -> [usize; 64] {
    let mut distances = [usize::MAX; 64];
    cells(region & squares).for_each(|cell| distances[cell] = 0);
    for distance in 1..64 {
        let mut changed = false;
        for from in cells(squares) {
            if distances[from] != usize::MAX {
                continue;
            }
            let board = Board { occupied: 1 << from, squares };
            let open = squares & !(1 << from);
            let to = tables.reach(side, kind, from, board, [open, open, 0]);
            if cells(to).any(|to| distances[to] == distance - 1) {
                distances[from] = distance;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    distances
}

/// The cells within a distance of each cell, itself included.
fn ring(tables: &Tables, distance: usize) -> ByCell {
    let columns = tables.area.columns;
    let mut sets = [0; 64];
    for cell in cells(tables.board) {
        for other in cells(tables.board) {
            let apart = (cell / columns).abs_diff(other / columns);
            let aside = (cell % columns).abs_diff(other % columns);
            if apart.max(aside) <= distance {
                sets[cell] |= 1 << other;
            }
        }
    }
    sets
}
