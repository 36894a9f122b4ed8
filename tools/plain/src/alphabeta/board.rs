//! What the search knows of a game.

/// A move as its game encodes it; `0` is one of the codes.
pub type Move = u16;

/// The codes of moves that may come in one game are below this.
pub const MOVE_CODES: usize = 1 << 14;

/// Moves that differ only in what a pawn becomes share a code for the history.
pub fn history_code(m: Move) -> usize {
    usize::from(m) % MOVE_CODES
}

/// A quick position. Playing a move changes it; the search keeps copies.
pub trait Board: Clone {
    /// Reads a full text board that is known to be valid; panics on some others.
    fn from_text(text: &str) -> Self;

    /// Adds the moves of the side to move, perhaps some that leave its king attacked.
    fn add_moves(&self, moves: &mut Vec<Move>);

    /// Adds those among them that the quiescence search tries: captures, promotions, and moves that
    /// win at once where these are quickly found.
    fn add_noisy_moves(&self, moves: &mut Vec<Move>) {
        let _ = moves;
    }

    /// Plays one of the moves.
    fn play(&mut self, m: Move);

    /// Whether the move that was played last was illegal, as it left the mover's king attacked.
    fn was_illegal(&self) -> bool {
        false
    }

    /// Whether the side to move has won (`true`) or lost (`false`) by the last move.
    fn decided(&self) -> Option<bool> {
        None
    }

    /// Whether a draw rule ends the game, unless there is no legal move.
    fn is_drawn(&self) -> bool {
        false
    }

    /// Whether the side to move is in check, or would lose at once if it passed. Such positions are
    /// searched a ply deeper.
    fn is_threatened(&self) -> bool {
        false
    }

    /// Whether the side to move has lost, rather than drawn, if it has no legal move.
    fn loses_without_moves(&self) -> bool {
        true
    }

    /// What a move wins at once, for the order of moves: 0 for most moves.
    fn gain(&self, m: Move) -> i32 {
        let _ = m;
        0
    }

    /// The number of last plies in which the position can have occurred before; 0 where repetition
    /// does not matter.
    fn reversible_plies(&self) -> usize {
        0
    }

    /// The hand-written evaluation for the side to move, at most 20,000 either way.
    fn evaluate(&self) -> i32;

    /// A hash of all that decides about the future, but for limits of plies.
    fn key(&self) -> u64;

    /// The move as the players write it.
    fn notation(&self, m: Move) -> String;

    /// The legal moves.
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.add_moves(&mut moves);
        moves.retain(|&m| {
            let mut after = self.clone();
            after.play(m);
            !after.was_illegal()
        });
        moves
    }
}

/// A random number for each thing on each cell (Zobrist hashing), by the finalizer of SplitMix64.
pub fn random_key(thing: usize, cell: usize) -> u64 {
    let mut x = (thing as u64 * 256 + cell as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The numbers of the set bits, the lowest first.
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then_some(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
