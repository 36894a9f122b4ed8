//! The result of the captures on one cell (static exchange evaluation).
//!
//! The one idea: both sides capture alternately on the same cell, the least valuable piece first,
//! and either may stop. No move is played for it: a piece that has captured only opens the line
//! behind it. Pins are ignored, and so is a promotion by a recapturing piece.

use super::position::{Kind, Voidrider, decode};
use crate::game::Move;

impl Voidrider {
    /// Whether a legal capture or promotion gains at least the given amount after the captures that
    /// follow on its cell. `values` are the values of the kinds of pieces, in rising order for
    /// `by_value`. The king, worth 0, is never lost and captures last.
    #[inline(always)]
    pub fn exchange_gains(
        &self,
        m: Move,
        least: i32,
        values: &[i32; 6],
        by_value: [Kind; 5],
    ) -> bool {
        let worth = |kind: Kind| values[kind as usize];
        let described = self.describe(m);
        let (from, to) = (decode(m).0, described.to);
        let placed = described.promoted.unwrap_or(described.moved);
        let made = worth(placed) - worth(described.moved);
        // What the side that has just taken has above what it needs; from the first answer on, with
        // its piece lost as well.
        let mut balance = described.captured.map_or(0, worth) + made - least;
        if balance < 0 {
            return false;
        }
        balance -= worth(placed);
        if balance >= 0 {
            return true;
        }
        let me = self.side;
        // A promotion may bring its square along.
        let moves_square = !self.squares >> to & 1;
        let squares = (self.squares | 1 << to) & !(moves_square << from);
        let mut occupied = (self.pieces(me) | self.pieces(!me)) & !(1 << from);
        let mut taker = !me;
        loop {
            let taking = self.attackers(taker, to, occupied, squares);
            if taking == 0 {
                break;
            }
            let kind = by_value.into_iter().find(|&kind| taking & self.kinds[kind as usize] != 0);
            let Some(kind) = kind else {
                // Only the king can capture, if no piece recaptures.
                if self.attackers(!taker, to, occupied, squares) == 0 {
                    taker = !taker;
                }
                break;
            };
            let pieces = taking & self.kinds[kind as usize];
            occupied &= !(pieces & pieces.wrapping_neg());
            // The side that began needs `least`, the other one less than that for it: hence 1.
            balance = -balance - 1 - worth(kind);
            taker = !taker;
            if balance >= 0 {
                break;
            }
        }
        taker != me
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::bitboard::cells;
    use crate::game::{Game, GameState, MoveList, Side};
    use crate::games::voidrider::moves::attacks;

    const VALUES: [i32; 6] = [100, 280, 260, 430, 380, 0];
    const BY_VALUE: [Kind; 5] =
        [Kind::Pawn, Kind::Bishop, Kind::Knight, Kind::Voidrider, Kind::Rook];

    /// The pieces of a side among those left that attack a cell, asked one by one.
    fn takers(position: &Voidrider, side: Side, cell: usize, left: u64) -> Vec<(Kind, usize)> {
        let squares = position.squares();
        let mut found = Vec::new();
        for kind in BY_VALUE.into_iter().chain([Kind::King]) {
            for at in cells(position.pieces_of(side, kind) & left) {
                if attacks(kind, side, at, left | !squares, squares) >> cell & 1 != 0 {
                    found.push((kind, at));
                }
            }
        }
        found
    }

    /// The gain of a side by capturing the piece on a cell, or by leaving it.
    fn gain(position: &Voidrider, side: Side, cell: usize, left: u64, stands: i32) -> i32 {
        let Some(&(kind, at)) = takers(position, side, cell, left).first() else { return 0 };
        let left = left & !(1 << at);
        if kind == Kind::King && !takers(position, !side, cell, left).is_empty() {
            return 0;
        }
        (stands - gain(position, !side, cell, left, VALUES[kind as usize])).max(0)
    }

    /// What a legal move gains by the captures on its cell, asked of the board that it leads to.
    fn plainly(position: &Voidrider, m: Move) -> i32 {
        let described = position.describe(m);
        let of = |kind: Kind| VALUES[kind as usize];
        let placed = described.promoted.unwrap_or(described.moved);
        let first = described.captured.map_or(0, of) + of(placed) - of(described.moved);
        let mut after = *position;
        after.play(m);
        let left = (after.pieces(Side::White) | after.pieces(Side::Black)) & !(1 << described.to);
        first - gain(&after, after.side(), described.to, left, of(placed))
    }

    #[test]
    fn the_sign_of_what_is_gained_is_that_of_all_captures_in_turn() {
        let mut lost = 0;
        for seed in 0..30 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Voidrider::start());
            while state.ending().is_none() {
                let position = state.position;
                let mut moves = MoveList::new();
                position.captures_and_promotions(&mut moves);
                for &m in &moves {
                    let expected = plainly(&position, m);
                    for least in [expected - 1, expected, expected + 1, 0] {
                        let found = position.exchange_gains(m, least, &VALUES, BY_VALUE);
                        assert_eq!(
                            found,
                            expected >= least,
                            "{position} {} {least}",
                            position.notation(m)
                        );
                    }
                    lost += usize::from(expected < 0);
                }
                state.play(position.random_move(&mut rng).expect("the game is not over"));
            }
        }
        assert!(lost > 100, "{lost}");
    }

    #[test]
    fn pieces_take_in_turn_until_one_side_had_better_stop() {
        // What, ranks 9 to 3 of a board with the white king on a2, the move, and what it gains.
        const CASES: [(&str, &str, &str, i32); 10] = [
            ("undefended", "#.###.#/......k/#.....#/#..p..#/#.....#/#..R..#/#.....#", "d4-d6", 100),
            ("defended", "#.###.#/......k/#.p...#/#..p..#/#.....#/#..R..#/#.....#", "d4-d6", -330),
            (
                "taken back",
                "#.###.#/......k/#.p...#/#..p..#/#.....#/#..R..#/#..R..#",
                "d4-d6",
                -230,
            ),
            ("evened out", "#.###.#/......k/#..r..#/#..b..#/#.....#/#..R..#/#..R..#", "d4-d6", 260),
            (
                "across void",
                "#v###n#/..k..../#.....#/#.....#/#.....#/#....R#/#.....#",
                "f4-f9",
                -150,
            ),
            ("no void", "#v...n#/..k..../#.....#/#.....#/#.....#/#....R#/#.....#", "f4-f9", 280),
            (
                "by the king",
                "#.###.#/...k.../#..p..#/#.....#/#.....#/#..R..#/#.....#",
                "d4-d7",
                -330,
            ),
            ("not by him", "#.###.#/...k.../#..p..#/#.....#/#.....#/#..R..#/#..R..#", "d4-d7", 100),
            ("promoted", "#.###.#/.P....k/#.....#/#.....#/#.....#/#.....#/#.....#", "b8-b9=R", 330),
            (
                "over its square",
                ".####.#/.P....k/##....#/##....#/##....#/#v....#/#.....#",
                "b8-b9=R",
                -100,
            ),
        ];
        for (what, rows, m, expected) in CASES {
            let board = format!("{rows}/K....../#.###.# w 40 - 0");
            let position = Voidrider::start().parse_board(&board).unwrap();
            let m = position.parse_move(m).unwrap();
            let gains = |least| position.exchange_gains(m, least, &VALUES, BY_VALUE);
            assert!(gains(expected) && !gains(expected + 1), "{what}: {}", plainly(&position, m));
        }
    }
}
