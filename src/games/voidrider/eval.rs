//! Voidrider Chess: material, and a network whose inputs are pieces, the void, attacks, and the
//! number of plies left.

use super::position::{Kind, TOURNAMENT_PLIES, Voidrider};
use crate::eval::network::{Network, NetworkGame};
use crate::eval::nodes::Nodes;
use crate::eval::oracle::NoOracle;
use crate::eval::parameters::Parameters;
use crate::eval::quiescence::quiesce;
use crate::eval::{Evaluate, Exchange, LateMoves};
use crate::game::bitboard::{Grid, cells};
use crate::game::{Game, Move, MoveList, Side};

type Board = Grid<9, 7>;

/// Pawn, knight, bishop, rook, voidrider, king.
const VALUE: [i32; 6] = [100, 280, 260, 430, 380, 0];
/// The kinds that can be lost, the least valuable first.
const BY_VALUE: [Kind; 5] = [Kind::Pawn, Kind::Bishop, Kind::Knight, Kind::Voidrider, Kind::Rook];
const _: () = {
    let mut i = 1;
    while i < BY_VALUE.len() {
        assert!(VALUE[BY_VALUE[i - 1] as usize] < VALUE[BY_VALUE[i] as usize]);
        i += 1;
    }
};
/// A pawn by the ranks left to its promotion.
const PAWN_BY_RANKS_LEFT: [i32; 9] = [0, 150, 90, 55, 35, 20, 10, 5, 0];
/// A piece other than king and pawn one step from the enemy king, or up to three; the first
/// counts twice.
const NEAR_KING: i32 = 8;
/// Being on turn.
const TEMPO: i32 = 10;

/// The cells of the board, squares and void.
const CELLS: usize = 63;
/// The input of each void cell; before them, one for each cell and kind of own piece, then of
/// enemy's.
const VOID_INPUTS: usize = 12 * CELLS;
/// The rights to castle.
const RIGHT_INPUTS: usize = VOID_INPUTS + CELLS;
/// The side to move is in check.
const CHECK_INPUT: usize = RIGHT_INPUTS + 4;
/// Pieces of each side and kind that are attacked or undefended, by marks: 1 attacked by a pawn, 2
/// by a knight or bishop, 4 by a rook or voidrider, 8 undefended.
const MARKED_INPUTS: usize = CHECK_INPUT + 1;
const MARKS: usize = 16;
/// Pieces of each side and kind by the number of squares they attack, two to a bucket.
const REACH_INPUTS: usize = MARKED_INPUTS + 12 * MARKS;
const REACH_BUCKETS: usize = 8;
/// Pieces of each side and kind that attack a square beside the enemy king.
const RING_INPUTS: usize = REACH_INPUTS + 12 * REACH_BUCKETS;
/// By the plies left to the longest game, ten to a bucket; before the first move as after it.
const LEFT_INPUTS: usize = RING_INPUTS + 12;
const LEFT_BUCKETS: usize = TOURNAMENT_PLIES / PLIES_TO_A_BUCKET;
const PLIES_TO_A_BUCKET: usize = 10;
/// Rows of moves by kind and the cell left; before them, by kind and the cell reached.
const FROM_ROWS: usize = 6 * CELLS;
/// By kind and the kind captured, undefended or defended.
const CAPTURE_ROWS: usize = FROM_ROWS + 6 * CELLS;
/// By what a pawn becomes.
const PROMOTION_ROWS: usize = CAPTURE_ROWS + 2 * 36;
/// By the kind that gives check.
const CHECK_ROWS: usize = PROMOTION_ROWS + 6;
/// By the kind that steps into the void.
const SPACE_ROWS: usize = CHECK_ROWS + 6;
/// By kind and the danger where it comes from.
const LEFT_DANGER_ROWS: usize = SPACE_ROWS + 6;
/// By kind and the danger where it goes to, as the board stands before the move; none in the void.
const DANGER_ROWS: usize = LEFT_DANGER_ROWS + 6 * DANGERS;
/// By kind and the kind that it then attacks: one of them undefended, or all defended.
const THREAT_ROWS: usize = DANGER_ROWS + 6 * DANGERS;
/// By kind and the kind, attacked and not defended, that it then defends; a king in check too.
const DEFENCE_ROWS: usize = THREAT_ROWS + 2 * 36;
/// By kind and the kind, attacked, that it alone has defended (or pawns alone, if it is one).
const DESERTION_ROWS: usize = DEFENCE_ROWS + 36;
/// By the kind that then attacks a square beside the enemy king.
const ASSAULT_ROWS: usize = DESERTION_ROWS + 36;
/// Whether enemy pawns attack a cell (1), knights or bishops (2), others (4), and whether it is
/// defended (8).
const DANGERS: usize = 16;

static NETWORK: Network<{ Voidrider::HIDDEN }, { Voidrider::INPUTS }, { Voidrider::MOVE_ROWS }> =
    Network::from_bytes(include_bytes!("weights.bin"));

impl Evaluate for Voidrider {
    type Oracle = NoOracle;

    const TUNING: Parameters = Parameters {
        exploration: 0.8,
        ahead_discount: 0.9,
        history_factor: 50.0,
        quiescence_plies: 16,
        ..Parameters::DEFAULT
    };

    const LATE_MOVES: LateMoves = LateMoves { tried: &[4, 7, 12, 19], ..LateMoves::DEFAULT };

    fn touch_weights() {
        NETWORK.touch();
    }

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        NETWORK.score(self, &NETWORK.hidden(self))
    }

    const NOISY: bool = true;

    #[inline(always)]
    fn quiet_score(&self, plies: u32, nodes: &mut Nodes<'_>) -> i32 {
        quiesce(self, plies, nodes)
    }

    /// Captures and promotions.
    #[inline(always)]
    fn is_noisy(&self, m: Move) -> bool {
        let m = self.describe(m);
        m.captured.is_some() || m.promoted.is_some()
    }

    #[inline(always)]
    fn noisy_moves(&self, list: &mut MoveList) -> bool {
        self.captures_and_promotions(list)
    }

    #[inline(always)]
    fn exchange(&self, m: Move) -> Exchange {
        let m = self.describe(m);
        let of = |kind: Kind| VALUE[kind as usize];
        let made = m.promoted.map_or(0, |kind| of(kind) - of(Kind::Pawn));
        // The king is never lost, but is the last to capture.
        let risk = if m.moved == Kind::King { u16::MAX } else { of(m.moved) as u16 };
        Exchange { gain: (m.captured.map_or(0, of) + made) as u16, risk }
    }

    #[inline(always)]
    fn gains(&self, m: Move, least: i32) -> bool {
        self.exchange_gains(m, least, &VALUE, BY_VALUE)
    }

    #[inline(always)]
    fn is_urgent(&self) -> bool {
        self.in_check()
    }

    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        NETWORK.weigh(self, &NETWORK.hidden(self), moves, weights);
    }
}

/// A cell as the side to move sees it: black turns the board round.
#[inline(always)]
fn seen_cell(cell: usize, side: Side) -> usize {
    if side == Side::White { cell } else { CELLS - 1 - cell }
}

/// The kind of a piece as the side to move sees it: its own kinds first.
#[inline(always)]
fn seen_kind(me: Side, side: Side, kind: Kind) -> usize {
    if side == me { kind as usize } else { 6 + kind as usize }
}

/// The squares that the pieces of a side attack.
#[derive(Default)]
struct Attacked {
    by_pawns: u64,
    /// By knights and bishops.
    by_minor: u64,
    /// By rooks and voidriders.
    by_major: u64,
    by_king: u64,
}

impl NetworkGame for Voidrider {
    const HIDDEN: usize = 128;
    const INPUTS: usize = LEFT_INPUTS + LEFT_BUCKETS;
    const MOVE_ROWS: usize = ASSAULT_ROWS + 6;
    // Material makes up most of the value, and the network's weights are small.
    const VALUE_ONE: i32 = 128;

    #[inline(always)]
    fn for_each_input(&self, mut see: impl FnMut(usize)) {
        let me = self.side();
        // Not by `map` of an array, which the compiler leaves a call, without vector instructions.
        let attacked = [self.see_attacks(me, &mut see), self.see_attacks(!me, &mut see)];
        // Black turns the board round.
        let turned = |set: u64| if me == Side::White { set } else { set.reverse_bits() >> 1 };
        for (index, side) in [me, !me].into_iter().enumerate() {
            let (own, enemy) = (&attacked[index], &attacked[1 - index]);
            let bare = !(own.by_pawns | own.by_minor | own.by_major | own.by_king);
            let marked = enemy.by_pawns | enemy.by_minor | enemy.by_major | bare;
            for kind in Kind::ALL {
                let seen_kind = seen_kind(me, side, kind);
                let pieces = self.pieces_of(side, kind);
                for cell in cells(turned(pieces)) {
                    see(seen_kind * CELLS + cell);
                }
                for cell in cells(pieces & marked) {
                    let bit = |set: u64| (set >> cell & 1) as usize;
                    let marks = bit(enemy.by_pawns)
                        + 2 * bit(enemy.by_minor)
                        + 4 * bit(enemy.by_major)
                        + 8 * bit(bare);
                    see(MARKED_INPUTS + seen_kind * MARKS + marks);
                }
            }
        }
        for cell in cells(turned(Board::BOARD & !self.squares())) {
            see(VOID_INPUTS + cell);
        }
        for right in cells(u64::from(self.seen_rights())) {
            see(RIGHT_INPUTS + right);
        }
        if self.in_check() {
            see(CHECK_INPUT);
        }
        let plies_left = self.ply_limit().saturating_sub(self.ply());
        see(LEFT_INPUTS + (plies_left / PLIES_TO_A_BUCKET).min(LEFT_BUCKETS - 1));
    }

    type MoveContext = MoveContext;

    #[inline(always)]
    fn move_context(&self) -> MoveContext {
        let me = self.side();
        let mut context = MoveContext { checking: self.checking_cells(), ..MoveContext::default() };
        self.each_attack(me, |_, attacked| {
            context.defended_twice |= context.defended & attacked;
            context.defended |= attacked;
        });
        self.each_attack(!me, |kind, attacked| {
            let of_kind = match kind {
                Kind::Pawn => 0,
                Kind::Knight | Kind::Bishop => 1,
                _ => 2,
            };
            context.attacked[of_kind] |= attacked;
        });
        let contested = self.pieces(me) & context.attacked.iter().fold(0, |all, one| all | one);
        context.hanging = contested & !context.defended;
        context.defended_once = contested & context.defended & !context.defended_twice;
        context.ring = Board::dilate(self.pieces_of(!me, Kind::King));
        context
    }

    #[inline(always)]
    fn base(&self) -> i32 {
        self.strength(self.side()) - self.strength(!self.side()) + TEMPO
    }

    #[inline(always)]
    fn for_each_move_row(&self, context: &MoveContext, m: Move, mut see: impl FnMut(usize)) {
        let me = self.side();
        let from = Voidrider::source(m);
        let m = self.describe(m);
        let moved = m.moved as usize;
        let enemy_attacks = context.attacked[0] | context.attacked[1] | context.attacked[2];
        see(moved * CELLS + seen_cell(m.to, me));
        see(FROM_ROWS + moved * CELLS + seen_cell(from, me));
        if let Some(captured) = m.captured {
            let defended = (enemy_attacks >> m.to & 1) as usize;
            see(CAPTURE_ROWS + defended * 36 + moved * 6 + captured as usize);
        }
        if let Some(promoted) = m.promoted {
            see(PROMOTION_ROWS + promoted as usize);
        }
        let placed = m.promoted.unwrap_or(m.moved) as usize;
        if context.checking[placed] >> m.to & 1 != 0 {
            see(CHECK_ROWS + placed);
        }
        if self.squares() >> m.to & 1 == 0 {
            see(SPACE_ROWS + moved);
        }
        see(LEFT_DANGER_ROWS + moved * DANGERS + context.danger(from, context.defended));
        // What it defends itself it leaves.
        let goes_where_it_captures = m.moved != Kind::Pawn || m.captured.is_some();
        let defended =
            if goes_where_it_captures { context.defended_twice } else { context.defended };
        see(DANGER_ROWS + moved * DANGERS + context.danger(m.to, defended));
        let attacked = self.attacked_from(Kind::ALL[placed], from, m.to);
        for kind in Kind::ALL {
            let attacked = attacked & self.pieces_of(!me, kind);
            if attacked != 0 {
                let defended = usize::from(attacked & !enemy_attacks == 0);
                see(THREAT_ROWS + defended * 36 + placed * 6 + kind as usize);
            }
        }
        self.each_kind_of(attacked & context.hanging & !(1 << from), |kind| {
            see(DEFENCE_ROWS + placed * 6 + kind as usize);
        });
        if context.defended_once != 0 {
            let left = self.attacked_from(m.moved, from, from) & context.defended_once & !attacked;
            self.each_kind_of(left, |kind| see(DESERTION_ROWS + moved * 6 + kind as usize));
        }
        if attacked & context.ring != 0 {
            see(ASSAULT_ROWS + placed);
        }
    }
}

/// What the moves of a position are looked at with.
#[derive(Default)]
pub struct MoveContext {
    /// The cells from which each kind gives check.
    checking: [u64; 6],
    /// What enemy pawns attack, knights and bishops, others.
    attacked: [u64; 3],
    /// What the side to move attacks.
    defended: u64,
    /// The same, by two pieces or more, all pawns being one.
    defended_twice: u64,
    /// Pieces of the side to move that are attacked, and not defended.
    hanging: u64,
    /// Those that are attacked, and defended by one piece, all pawns being one.
    defended_once: u64,
    /// The enemy king's square and those beside it.
    ring: u64,
}

impl MoveContext {
    /// The danger at a cell.
    #[inline(always)]
    fn danger(&self, cell: usize, defended: u64) -> usize {
        let bit = |set: u64| (set >> cell & 1) as usize;
        let [pawns, minor, others] = self.attacked.map(bit);
        pawns + 2 * minor + 4 * others + 8 * bit(defended)
    }
}

impl Voidrider {
    /// Shows the kinds of which there are pieces of the side to move on these squares.
    #[inline(always)]
    fn each_kind_of(&self, squares: u64, mut see: impl FnMut(Kind)) {
        if squares == 0 {
            return;
        }
        for kind in Kind::ALL {
            if squares & self.pieces_of(self.side(), kind) != 0 {
                see(kind);
            }
        }
    }

    /// Shows what each piece of a side attacks, and collects it.
    #[inline(always)]
    fn see_attacks(&self, side: Side, mut see: impl FnMut(usize)) -> Attacked {
        let ring = Board::dilate(self.pieces_of(!side, Kind::King));
        let mut all = Attacked::default();
        self.each_attack(side, |kind, attacked| {
            let of_kind = match kind {
                Kind::Pawn => &mut all.by_pawns,
                Kind::Knight | Kind::Bishop => &mut all.by_minor,
                Kind::Rook | Kind::Voidrider => &mut all.by_major,
                Kind::King => &mut all.by_king,
            };
            *of_kind |= attacked;
            let seen_kind = seen_kind(self.side(), side, kind);
            // All pawns come at once.
            if kind != Kind::Pawn {
                let reach = (attacked.count_ones() as usize / 2).min(REACH_BUCKETS - 1);
                see(REACH_INPUTS + seen_kind * REACH_BUCKETS + reach);
            }
            if attacked & ring != 0 {
                see(RING_INPUTS + seen_kind);
            }
        });
        all
    }

    #[inline(always)]
    fn strength(&self, side: Side) -> i32 {
        let of = |kind: Kind| self.pieces_of(side, kind);
        let mut score: i32 =
            Kind::ALL.map(|kind| VALUE[kind as usize] * of(kind).count_ones() as i32).iter().sum();
        for pawn in cells(of(Kind::Pawn)) {
            let row = pawn / 7;
            let left = if side == Side::White { row } else { 8 - row };
            score += PAWN_BY_RANKS_LEFT[left];
        }
        let ring = Board::dilate(self.pieces_of(!side, Kind::King));
        let attackers = self.pieces(side) & !(of(Kind::Pawn) | of(Kind::King));
        let near = (attackers & ring).count_ones()
            + (attackers & Board::dilate(Board::dilate(ring))).count_ones();
        score + NEAR_KING * near as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;

    #[test]
    fn noisy_moves_are_the_captures_and_promotions_of_all() {
        let mut promotions = 0;
        for seed in 0..60 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Voidrider::start());
            while state.ending().is_none() {
                let position = state.position;
                let (mut all, mut noisy) = (MoveList::new(), MoveList::new());
                position.moves(&mut all);
                assert_eq!(position.noisy_moves(&mut noisy), !all.is_empty(), "{position}");
                all.retain(|&mut m| position.is_noisy(m));
                assert_eq!(noisy, all, "{position}");
                promotions += noisy.iter().filter(|&&m| position.exchange(m).gain > 600).count();
                state.play(position.random_move(&mut rng).expect("the game is not over"));
            }
        }
        assert!(promotions > 0, "a promotion that captures");
    }

    /// What the rows of a move say of defending, leaving and the enemy king, as sections and
    /// numbers.
    fn said_of(board: &str, m: &str) -> Vec<(usize, usize)> {
        let position = Voidrider::start().parse_board(board).unwrap();
        let m = position.parse_move(m).unwrap();
        let mut rows = Vec::new();
        position.for_each_move_row(&position.move_context(), m, |row| rows.push(row));
        let section = |row: usize| {
            let sections = [ASSAULT_ROWS, DESERTION_ROWS, DEFENCE_ROWS];
            sections.into_iter().find(|&first| row >= first).map(|first| (first, row - first))
        };
        rows.into_iter().filter_map(section).collect()
    }

    #[test]
    fn rows_tell_what_a_move_defends_and_leaves() {
        // The bishop is attacked by the rook on d6.
        const HANGING: &str =
            "#.###.#/.....k./#.....#/#..r..#/#.....#/#.....#/#..B..#/R.....K/#.###.# w 40 - 0";
        const HELD: &str =
            "#.###.#/.....k./#.....#/#..r..#/#.....#/#.....#/#..B..#/...R..K/#.###.# w 40 - 0";
        const HELD_TWICE: &str =
            "#.###.#/.....k./#.....#/#..r..#/#.....#/#.....#/#..B..#/..KR.../#.###.# w 40 - 0";
        let pair = |moved: Kind, other: Kind| moved as usize * 6 + other as usize;
        let defends_bishop = (DEFENCE_ROWS, pair(Kind::Rook, Kind::Bishop));
        let leaves_bishop = (DESERTION_ROWS, pair(Kind::Rook, Kind::Bishop));
        let attacks_ring = (ASSAULT_ROWS, Kind::Rook as usize);
        for (board, m, expected) in [
            (HANGING, "a2-b2", vec![]),
            (HANGING, "a2-d2", vec![defends_bishop]),
            (HANGING, "a2-f2", vec![attacks_ring]),
            (HANGING, "d3-e4", vec![]),
            (HELD, "d2-a2", vec![leaves_bishop]),
            (HELD, "d2-e2", vec![leaves_bishop, attacks_ring]),
            (HELD_TWICE, "d2-g2", vec![]),
        ] {
            assert_eq!(said_of(board, m), expected, "{board} {m}");
        }
    }
}
