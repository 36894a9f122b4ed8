//! What the network of a variant sees of a position and of its moves.
//!
//! The one idea: everything is counted by kind and cell as the definition has them. Counted are
//! pieces, the void and castling rights; which pieces are attacked by less valuable ones, by
//! others, or undefended. So are the squares that each attacks, and the attacks beside the enemy
//! king.

use super::layout::{HIDDEN, MARKS, MAX_CELLS, REACH_BUCKETS, WHOLE_BASE};
use super::position::{Variant, decode};
use crate::eval::network::NetworkGame;
use crate::game::bitboard::cells;
use crate::game::{Move, Side};
use crate::games::variant::read::piece_kinds::MAX_KINDS;

/// The squares that the pieces of a side attack, occupied or not.
struct Attacked {
    all: u64,
    twice: u64,
    /// What is attacked by pieces of less value than each kind.
    by_lesser: [u64; MAX_KINDS],
}

impl Attacked {
    /// What is known of a cell with a piece of a kind on it, if it is or is not defended.
    #[inline(always)]
    fn marks(&self, kind: usize, cell: usize, defended: u64) -> usize {
        let bit = |set: u64| (set >> cell & 1) as usize;
        let lesser = self.by_lesser[kind];
        bit(lesser) + 2 * bit(self.all & !lesser) + 4 * bit(!defended)
    }
}

impl Variant {
    /// What a side attacks; `see` is called with the kind of each piece and what it attacks.
    #[inline(always)]
    fn attacked_by(
        &self,
        side: Side,
        sets: &[u64; MAX_KINDS],
        mut see: impl FnMut(usize, u64),
    ) -> Attacked {
        let (board, own) = (self.board(), self.pieces(side));
        let mut attacked = Attacked { all: 0, twice: 0, by_lesser: [0; MAX_KINDS] };
        let mut of_kind = |kind: usize| {
            for cell in cells(sets[kind] & own) {
                let attacks = self.attacks(side, kind, cell, board);
                attacked.twice |= attacked.all & attacks;
                attacked.all |= attacks;
                see(kind, attacks);
            }
            attacked.all
        };
        let mut lesser = 0;
        let mut by_lesser = [0; MAX_KINDS];
        for &kind in &self.rules.piece_values.by_value {
            by_lesser[kind] = lesser;
            lesser = of_kind(kind);
        }
        if let Some(royal) = self.rules.royal {
            by_lesser[royal] = lesser;
            of_kind(royal);
        }
        attacked.by_lesser = by_lesser;
        attacked
    }

    /// The cells of the king of a side and those beside it.
    #[inline(always)]
    fn king_ring(&self, side: Side) -> u64 {
        self.king(side).map_or(0, |king| self.rules.piece_values.rings[0][king])
    }
}

/// What the moves of a position are looked at with.
pub struct MoveContext {
    own: Attacked,
    enemy: Attacked,
    sets: [u64; MAX_KINDS],
    enemy_king: u64,
    ring: u64,
}

/// Nothing is seen of a position without learned weights, as there is no layout for it.
impl NetworkGame for Variant {
    const HIDDEN: usize = HIDDEN;
    // Those of the largest layout: 26 kinds on 64 cells.
    const INPUTS: usize = 2 * MAX_KINDS * (MAX_CELLS + MARKS + REACH_BUCKETS + 1) + MAX_CELLS + 6;
    const MOVE_ROWS: usize = MAX_KINDS * (2 * MAX_CELLS + 4 * MAX_KINDS + 2 * MARKS + 4) + 1;
    /// A piece is on with its cell, its marks and its reach.
    const MAX_ACTIVE: usize = 3 * MAX_CELLS + 64;

    #[inline(always)]
    fn for_each_input(&self, mut see: impl FnMut(usize)) {
        let Some(learned) = &self.rules.learned else { return };
        let layout = &learned.layout;
        let (starts, me) = (layout.input_starts(), self.side);
        let sets = self.by_kind();
        let kinds = layout.kinds;
        let mut attacked_by = |index: usize, side: Side| {
            let ring = self.king_ring(!side);
            let mut near = 0u32;
            let attacked = self.attacked_by(side, &sets, |kind, attacks| {
                let bucket = (attacks.count_ones() as usize / 2).min(REACH_BUCKETS - 1);
                see(starts.reach + (index * kinds + kind) * REACH_BUCKETS + bucket);
                near |= u32::from(attacks & ring != 0) << kind;
            });
            cells(near.into()).for_each(|kind| see(starts.ring + index * kinds + kind));
            attacked
        };
        let attacked = [attacked_by(0, me), attacked_by(1, !me)];
        for (index, side) in [me, !me].into_iter().enumerate() {
            let (own, enemy) = (&attacked[index], &attacked[1 - index]);
            for (kind, set) in sets.iter().enumerate().take(kinds) {
                let number = index * kinds + kind;
                for cell in cells(set & self.pieces(side)) {
                    see(number * layout.cells + layout.seen(me, cell));
                    let marks = enemy.marks(kind, cell, own.all);
                    if marks != 0 {
                        see(starts.marked + number * MARKS + marks);
                    }
                }
            }
        }
        if layout.has_void {
            for cell in cells(self.rules.board & !self.squares) {
                see(starts.void + layout.seen(me, cell));
            }
        }
        for right in cells(self.rights.into()).filter(|&right| right < 4) {
            // Two bits of White, then two of Black.
            see(starts.rights + (right ^ (2 * me as usize)));
        }
        let own_king = self.king(me).map_or(0, |king| 1 << king);
        if attacked[1].all & own_king != 0 {
            see(starts.check);
        }
        if me == Side::Black {
            see(starts.black);
        }
    }

    type MoveContext = MoveContext;

    #[inline(always)]
    fn move_context(&self) -> MoveContext {
        let (me, sets) = (self.side, self.by_kind());
        MoveContext {
            own: self.attacked_by(me, &sets, |_, _| {}),
            enemy: self.attacked_by(!me, &sets, |_, _| {}),
            enemy_king: self.king(!me).map_or(0, |king| 1 << king),
            ring: self.king_ring(!me),
            sets,
        }
    }

    #[inline(always)]
    fn for_each_move_row(&self, context: &MoveContext, m: Move, mut see: impl FnMut(usize)) {
        let Some(learned) = &self.rules.learned else { return };
        let layout = &learned.layout;
        let (starts, me, kinds) = (layout.row_starts(), self.side, layout.kinds);
        let (from, to, _) = decode(m);
        let moved = self.kind_at(from);
        if self.pieces(me) >> to & 1 != 0 {
            see(starts.castling);
            return;
        }
        let captured = self.captured(m);
        let promoted = self.promoted(m);
        let placed = promoted.unwrap_or(moved);
        see(moved * layout.cells + layout.seen(me, to));
        see(starts.from + moved * layout.cells + layout.seen(me, from));
        if let Some((captured, _)) = captured {
            let defended = (context.enemy.all >> to & 1) as usize;
            see(starts.capture + (defended * kinds + moved) * kinds + captured);
        }
        if let Some(promoted) = promoted {
            see(starts.promotion + promoted);
        }
        let mut board = self.board();
        board.occupied = board.occupied & !(1 << from) | 1 << to;
        if board.squares >> to & 1 == 0 {
            see(starts.space + moved);
            board.squares ^= 1 << from | 1 << to;
        }
        let own = &context.own;
        let marks = context.enemy.marks(moved, from, own.all);
        see(starts.left_danger + moved * MARKS + marks);
        // What it defends itself it leaves; a pawn does not defend where it goes.
        let is_pawn = self.rules.definition.pawns >> moved & 1 != 0;
        let defended = if is_pawn && captured.is_none() { own.all } else { own.twice };
        see(starts.danger + placed * MARKS + context.enemy.marks(placed, to, defended));
        let attacks = self.attacks(me, placed, to, board);
        if attacks & context.enemy_king != 0 {
            see(starts.check + placed);
        }
        if attacks & context.ring != 0 {
            see(starts.ring + placed);
        }
        let threatened = attacks & self.pieces(!me);
        if threatened != 0 {
            for (kind, set) in context.sets.iter().enumerate().take(kinds) {
                let attacked = threatened & set;
                if attacked != 0 {
                    let defended = usize::from(attacked & !context.enemy.all == 0);
                    see(starts.threat + (defended * kinds + placed) * kinds + kind);
                }
            }
        }
    }

    #[inline(always)]
    fn base(&self) -> i32 {
        let base = self.rules.learned.as_ref().map_or(WHOLE_BASE, |learned| learned.base);
        self.computed_score() * base / WHOLE_BASE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::eval::network::LoadedNetwork;
    use crate::eval::weights_file::WeightsFile;
    use crate::game::Game;
    use crate::games::BuiltIn;
    use crate::games::variant::{Chosen, Layout, weights_file};

    /// The start with a network of zeros, so that there is a layout.
    fn seeing(chosen: Chosen) -> Variant {
        let start = Variant::set_up(chosen);
        let layout = Layout::of(start.rules);
        let bytes = LoadedNetwork::<HIDDEN>::bytes(layout.inputs(), layout.move_rows());
        let file = weights_file(start.rules, WHOLE_BASE, &vec![0; bytes]);
        start.with_weights(WeightsFile::keep("zeros".to_owned(), file)).unwrap()
    }

    fn inputs(position: &Variant) -> Vec<usize> {
        let mut inputs = Vec::new();
        position.for_each_input(|input| inputs.push(input));
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn inputs_are_within_the_layout_of_every_variant() {
        for &chosen in Chosen::BUILT_IN {
            let start = seeing(chosen);
            let layout = Layout::of(start.rules);
            assert!(layout.inputs() <= Variant::INPUTS, "{}", chosen.name());
            assert!(layout.move_rows() <= Variant::MOVE_ROWS, "{}", chosen.name());
            let mut rng = fastrand::Rng::with_seed(1);
            for _ in 0..4 {
                let mut position = start;
                for _ in 0..80 {
                    let seen = inputs(&position);
                    assert!(seen.len() <= Variant::MAX_ACTIVE);
                    let pieces = position.occupied().count_ones() as usize;
                    assert!(seen.len() >= 2 * pieces, "{position}");
                    assert!(seen.last() < Some(&layout.inputs()), "{position}");
                    let moves = position.legal_moves();
                    let context = position.move_context();
                    for &m in &moves {
                        let mut rows = Vec::new();
                        position.for_each_move_row(&context, m, |row| rows.push(row));
                        assert!(!rows.is_empty(), "{position}");
                        assert!(rows.iter().all(|&row| row < layout.move_rows()), "{position}");
                    }
                    let Some(m) = position.random_move(&mut rng) else { break };
                    if position.won().is_some() {
                        break;
                    }
                    position.play(m);
                }
            }
        }
    }

    #[test]
    fn black_sees_what_white_would_see() {
        let start = seeing(Chosen::of_name("variant:chess").unwrap());
        let pairs = [
            (
                "r3k2r/pp3ppp/2n5/3pP3/8/8/PPP2PPP/RNBQK2R w KQk - 0 9",
                "rnbqk2r/ppp2ppp/8/8/3Pp3/2N5/PP3PPP/R3K2R b Kkq - 0 9",
            ),
            ("4k3/8/8/8/8/8/4r3/4K2Q w - - 0 40", "4k2q/4R3/8/8/8/8/8/4K3 b - - 0 40"),
        ];
        for (white, black) in pairs {
            let seen = [white, black].map(|text| start.parse_board(text).unwrap());
            let black_input = Layout::of(start.rules).input_starts().black;
            let [of_white, mut of_black] = seen.map(|position| inputs(&position));
            assert!(of_black.contains(&black_input));
            of_black.retain(|&input| input != black_input);
            assert_eq!(of_white, of_black, "{white}");
            let rows = seen.map(|position| {
                let moves = position.legal_moves();
                let context = position.move_context();
                let mut rows: Vec<Vec<usize>> = Vec::new();
                for &m in &moves {
                    rows.push(Vec::new());
                    let last = rows.last_mut().unwrap();
                    position.for_each_move_row(&context, m, |row| last.push(row));
                }
                rows.sort_unstable();
                rows
            });
            assert_eq!(rows[0], rows[1], "{white}");
        }
    }

    #[test]
    fn marks_say_what_attacks_and_what_defends() {
        let start = seeing(Chosen::of_name("variant:chess").unwrap());
        let layout = Layout::of(start.rules);
        let starts = layout.input_starts();
        let kind = |letter| start.rules.definition.kind_of_letter(letter).unwrap();
        let marked = |text: &str, own: bool, letter| {
            let number = if own { 0 } else { layout.kinds } + kind(letter);
            let first = starts.marked + number * MARKS;
            let position = start.parse_board(text).unwrap();
            let seen = inputs(&position).into_iter();
            seen.filter_map(|input| input.checked_sub(first).filter(|&marks| marks < MARKS))
                .collect::<Vec<usize>>()
        };
        // The knight is attacked by a pawn and a rook, and not defended; the pawn defends the rook.
        let text = "4k3/8/3p4/2N5/8/8/8/2R1K3 b - - 0 40";
        assert_eq!(marked(text, false, 'n'), [1]);
        let text = "2r1k3/8/3p4/2N5/8/8/8/4K3 b - - 0 40";
        assert_eq!(marked(text, false, 'n'), [5]);
        assert_eq!(marked(text, true, 'p'), [4]);
        let text = "2r1k3/8/8/2N5/8/8/8/4K3 b - - 0 40";
        assert_eq!(marked(text, false, 'n'), [6]);
        assert_eq!(marked(text, true, 'r'), [4]);
    }
}
