//! The value of a position: principal variation search over the shared table.
//!
//! The one idea: if moves are well ordered, the first one is best. For every other it is enough to
//! show, with a window of width zero, that it is not better (Marsland and Campbell 1982, Reinefeld
//! 1983). Only a move that refutes this is searched again with the full window. Late moves get a
//! shallower search first (late move reductions) and are omitted near the horizon (late move
//! pruning). There is no null move (Donninger 1993), which gains nothing beside these.
//!
//! Scores are fail-soft, for the side to move. The result of a position is checked in the order of
//! [`Game`](crate::game::Game): a win made by the last move, no legal move, draws. Only beyond the
//! horizon a stalemate may be overlooked.

use super::best::Line;
use super::order::{Order, Ranked};
use super::score::{self, INFINITE, MAX_HEIGHT, WIN_SCORE};
use super::table::{Bound, Entry, Table};
use crate::eval::nodes::Nodes;
use crate::eval::oracle::{Oracle, Proof};
use crate::eval::processor::with_v3_instructions;
use crate::eval::{Evaluate, MAX_SCORE};
use crate::game::{History, Move};

/// Iterative deepening ends here at the latest, in plies.
pub const MAX_DEPTH: usize = 64;

/// What tests switch off to compare the search with simpler ones.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Moves are ordered.
    pub order: bool,
    /// The transposition table is used.
    pub table: bool,
    /// Entries of a deeper search than needed are used as well, and proven ones of any depth.
    pub deeper_entries: bool,
    /// Late moves are reduced.
    pub reductions: bool,
    /// Late moves near the horizon are left out, and beyond it captures that lose; a side that
    /// stands well enough there is believed to have a move.
    pub pruning: bool,
    /// Use of the game's oracle.
    pub oracle: bool,
}

impl Features {
    /// Everything on.
    pub const ALL: Features = Features {
        order: true,
        table: true,
        deeper_entries: true,
        reductions: true,
        pruning: true,
        oracle: true,
    };

    /// The same without what may overlook something, were it a quicker win.
    pub const fn exact(self) -> Features {
        Features { reductions: false, pruning: false, oracle: false, ..self }
    }

    /// Whether something may be overlooked.
    pub const fn are_selective(self) -> bool {
        self.reductions || self.pruning
    }
}

/// What a worker keeps from one search to the next.
pub struct Memory<G: Evaluate> {
    /// Killers and histories.
    pub order: Box<Order>,
    /// For each height the line of play found from there on.
    pub lines: Box<[Line]>,
    /// The game's own proofs.
    pub oracle: G::Oracle,
}

impl<G: Evaluate> Memory<G> {
    /// Fresh memory.
    pub fn new() -> Memory<G> {
        let lines = std::iter::repeat_with(Line::new).take(MAX_HEIGHT + 2).collect();
        Memory { order: Order::new(), lines, oracle: G::Oracle::default() }
    }
}

/// The result of a lookup in the table.
enum Probe {
    /// A score that ends the search of the position.
    Score(i32),
    /// The best move, if known.
    Move(Option<Move>),
}

/// The search of one worker from one root.
pub struct Search<'a, G: Evaluate> {
    /// The position to think about.
    pub root: G,
    /// The positions before the current one.
    pub history: History,
    /// Shared with the other workers.
    pub table: &'a Table,
    /// The worker's own.
    pub memory: &'a mut Memory<G>,
    /// Counts and stops.
    pub nodes: Nodes<'a>,
    /// The enabled techniques.
    pub features: Features,
    /// Mixed into all table keys; entries of searches that must not mix differ in it.
    pub salt: u64,
}

impl<G: Evaluate> Search<'_, G> {
    /// The score of a position whose result or immediate win needs no search.
    #[inline(always)]
    pub fn known_score(&self, position: &G, height: usize) -> Option<i32> {
        if let Some(ending) = position.won() {
            return Some(score::of_ending(ending, position.side(), height));
        }
        if let Some(ending) = position.drawn(&self.history) {
            if position.count_moves() == 0 {
                return Some(self.stuck(position, height));
            }
            let score = score::of_ending(ending, position.side(), height);
            // Other paths to the position may not repeat it, so that nothing is proven.
            let proves = score == 0 || !position.came_before(&self.history, height);
            return Some(if proves { score } else { score.clamp(-MAX_SCORE, MAX_SCORE) });
        }
        // The usual practice of chess programs: a position that comes back within the search
        // counts as a draw at once, since the side that brought it back can do so again.
        if position.has_repetition()
            && position.repetition_draws()
            && position.came_before(&self.history, height)
        {
            return Some(0);
        }
        let (winner, plies) = position.decided()?;
        let score = WIN_SCORE - (height + plies) as i32;
        Some(if winner == position.side() { score } else { -score })
    }

    /// The score of a position that the game's oracle proves: no play to a win or loss lasts longer
    /// than it says.
    #[inline(always)]
    fn proven(&mut self, position: &G, depth: i32, height: usize) -> Option<i32> {
        if !self.features.oracle {
            return None;
        }
        let score = |plies| WIN_SCORE - (height as i32 + i32::from(plies));
        Some(match self.memory.oracle.prove_node(position, depth, self.nodes.stop())? {
            Proof::Win(plies) => score(plies),
            Proof::Draw => 0,
            Proof::Loss(plies) => -score(plies),
        })
    }

    /// The score of a position without legal moves.
    #[inline(always)]
    pub fn stuck(&self, position: &G, height: usize) -> i32 {
        score::of_ending(position.without_moves(), position.side(), height)
    }

    /// The position's key in the table.
    #[inline(always)]
    pub fn key(&self, position: &G) -> u64 {
        key(position, self.salt)
    }

    /// Whether an entry decides a window of width zero at a depth.
    #[inline(always)]
    fn cuts_off(&self, entry: &Entry, depth: i32, score: i32, beta: i32) -> bool {
        let bound_fits = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
        };
        if !self.features.deeper_entries {
            return bound_fits && entry.depth == depth;
        }
        // A proven win stays one at any depth, and so does a loss.
        let proven = if score >= beta { score::is_win(score) } else { score::is_loss(score) };
        bound_fits && (entry.depth >= depth || proven)
    }

    /// The value of a position `height` plies below the root, searched `depth` plies deep, if it
    /// is between `alpha` and `beta`, and otherwise a bound on that side of the window. `PV`: the
    /// window is wider than zero. Meaningless once the search is stopped.
    pub fn search<const PV: bool>(
        &mut self,
        position: &G,
        depth: i32,
        height: usize,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        if depth <= 0 || height >= MAX_HEIGHT {
            return self.quiesce::<PV>(position, height, alpha, beta);
        }
        if PV {
            self.memory.lines[height].clear();
        }
        if !self.nodes.visit() {
            return 0;
        }
        let known = with_v3_instructions(
            #[inline(always)]
            || self.known_score(position, height),
        );
        if let Some(score) = known {
            return score;
        }
        // Nothing here can be better than winning at the next ply, or worse than having lost.
        alpha = alpha.max(height as i32 - WIN_SCORE);
        beta = beta.min(WIN_SCORE - (height as i32 + 1));
        if alpha >= beta {
            return alpha;
        }
        let key = self.key(position);
        let table_move = match self.probe::<PV>(key, depth, height, beta) {
            Probe::Score(score) => return score,
            Probe::Move(table_move) => table_move,
        };
        if let Some(score) = self.proven(position, depth, height) {
            return score;
        }
        let mut moves = Ranked::new();
        self.memory.order.rank(position, table_move, height, &mut moves);
        if moves.is_empty() {
            return self.stuck(position, height);
        }
        self.history.push(position);
        let found = self.search_moves::<PV>(position, &mut moves, depth, height, alpha, beta);
        self.history.pop::<G>();
        let Some((best, score)) = found else { return 0 };
        self.store(key, best, score, [alpha, beta], depth, height);
        score
    }

    /// Looks a position up in the table: its score, if that ends the search of the position, or
    /// else its best move.
    #[inline(always)]
    fn probe<const PV: bool>(&self, key: u64, depth: i32, height: usize, beta: i32) -> Probe {
        if !self.features.table {
            return Probe::Move(None);
        }
        let Some(entry) = self.table.probe(key) else { return Probe::Move(None) };
        let score = score::from_root(entry.score, height);
        if !PV && self.cuts_off(&entry, depth, score, beta) {
            return Probe::Score(score);
        }
        Probe::Move(entry.best)
    }

    /// Stores the result of a position that was searched in the window from `floor` to `beta`.
    #[inline(always)]
    pub fn store(
        &mut self,
        key: u64,
        best: Option<Move>,
        score: i32,
        [floor, beta]: [i32; 2],
        depth: i32,
        height: usize,
    ) {
        if !self.features.table {
            return;
        }
        let bound = match score {
            _ if score >= beta => Bound::Lower,
            _ if score > floor => Bound::Exact,
            _ => Bound::Upper,
        };
        let score = score::from_here(score, height);
        self.table.store(key, Entry { best, score, bound, depth });
    }

    /// Searches the moves of a position in order: the best one, if it raises `alpha`, and the best
    /// score; none if the search was stopped.
    #[inline(always)]
    fn search_moves<const PV: bool>(
        &mut self,
        position: &G,
        moves: &mut Ranked,
        depth: i32,
        height: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Option<(Option<Move>, i32)> {
        let mut best_score = -INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        let enough = if PV { usize::MAX } else { self.enough(position, depth, beta) };
        while let Some(m) = moves.next() {
            // While everything so far loses, each move may be the one that saves the game.
            let needless = tried >= enough && !score::is_loss(best_score);
            if needless && !position.is_noisy(m) {
                break;
            }
            let mut child = *position;
            child.play(m);
            let score = if PV && tried == 0 {
                -self.search::<true>(&child, depth - 1, height + 1, -beta, -alpha)
            } else {
                let reduction = self.reduction::<PV>(position, m, depth, tried, best_score);
                self.try_to_refute::<PV>(&child, depth - 1, reduction, height, alpha, beta)
            };
            if self.nodes.stopped() {
                return None;
            }
            tried += 1;
            if score <= best_score {
                continue;
            }
            best_score = score;
            if score <= alpha {
                continue;
            }
            alpha = score;
            best_move = Some(m);
            if PV {
                self.extend_line(height, m);
            }
            if score >= beta {
                self.memory.order.reward(position, moves, depth, height);
                break;
            }
        }
        Some((best_move, best_score))
    }

    /// The score, for the parent at `height`, of a move that is expected not to be better than
    /// `alpha`. It is first searched less deep by `reduction` and with a window of width zero, then
    /// again as far as it turns out better.
    #[inline(always)]
    pub fn try_to_refute<const PV: bool>(
        &mut self,
        child: &G,
        depth: i32,
        reduction: i32,
        height: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if PV {
            // Without a search in the full window, nothing is known to follow the move.
            self.memory.lines[height + 1].clear();
        }
        let null = (-alpha - 1, -alpha);
        let mut score = -self.search::<false>(child, depth - reduction, height + 1, null.0, null.1);
        if reduction > 0 && score > alpha && !self.nodes.stopped() {
            score = -self.search::<false>(child, depth, height + 1, null.0, null.1);
        }
        if PV && score > alpha && score < beta && !self.nodes.stopped() {
            score = -self.search::<true>(child, depth, height + 1, -beta, -alpha);
        }
        score
    }

    /// By how many plies the move that comes after `tried` others is searched less deep.
    #[inline(always)]
    pub fn reduction<const PV: bool>(
        &self,
        position: &G,
        m: Move,
        depth: i32,
        tried: usize,
        best_score: i32,
    ) -> i32 {
        // While everything so far loses, each move may be the one that saves the game.
        let reducible = self.features.reductions
            && depth >= 3
            && tried >= 2 + usize::from(PV)
            && !score::is_loss(best_score)
            && !position.is_noisy(m);
        if !reducible {
            return 0;
        }
        let table = const { &reductions(G::LATE_MOVES.reduction_quarters) };
        let base = table[depth as usize % 64][tried % 64];
        let history = self.memory.order.history(position.side(), m);
        (i32::from(base) - i32::from(PV) - history / 4096).clamp(0, depth - 2)
    }

    /// How many moves are tried in a window of width zero: the rest are as good as certain not to
    /// be better.
    #[inline(always)]
    fn enough(&self, position: &G, depth: i32, beta: i32) -> usize {
        match G::LATE_MOVES.tried.get(depth as usize - 1) {
            // In a search for a win, or for an escape from a loss, no move may be omitted.
            Some(&enough)
                if self.features.pruning && !score::is_proven(beta) && !position.is_urgent() =>
            {
                enough
            }
            _ => usize::MAX,
        }
    }

    /// Notes that the line from `height` on is `m` and then the line found below it.
    #[inline(always)]
    pub fn extend_line(&mut self, height: usize, m: Move) {
        let (above, below) = self.memory.lines.split_at_mut(height + 1);
        let (line, rest) = (&mut above[height], &below[0]);
        line.clear();
        line.push(m);
        line.extend(rest.iter().copied().take(line.remaining_capacity()));
    }
}

/// The key under which the table knows a position.
///
/// Near the end of the longest game the value of a position depends on the plies that are left,
/// so they are mixed in where a search could reach that end. Earlier occurrences and quiet plies
/// are not part of the key, as in most chess programs: draws by them can be missed far below a
/// transposition.
#[inline(always)]
pub fn key<G: Evaluate>(position: &G, salt: u64) -> u64 {
    let left = position.ply_limit().saturating_sub(position.ply());
    let key = position.key() ^ salt;
    if left > MAX_HEIGHT {
        return key;
    }
    // The multiples of an odd constant near 2^64 / golden ratio are far apart (Knuth, TAOCP 6.4).
    key ^ (left as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// 256 log₂ `n`, exact at powers of two and linear between them (Mitchell 1962).
const fn log2_fixed(n: usize) -> usize {
    let whole = n.ilog2() as usize;
    256 * whole + (256 * (n - (1 << whole))) / (1 << whole)
}

/// Plies of reduction by depth and number of moves tried before: `quarters` quarters of the product
/// of their natural logarithms.
const fn reductions(quarters: usize) -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut tried = 1;
        while tried < 64 {
            // ln 2 squared is 0.48, about a half.
            let eighths = log2_fixed(depth) * log2_fixed(tried) * quarters / 8;
            table[depth][tried] = ((eighths + (1 << 15)) >> 16) as u8;
            tried += 1;
        }
        depth += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::{Hadron, Loa, Murus, Voidrider};

    #[test]
    fn a_side_in_check_tries_every_move() {
        let board =
            "#.###.#/.bp.k../#.p...#/#.p...#/#.....#/#...R.#/#.....#/#..K..#/#.###.# b 41 - 3";
        let position = Voidrider::start().parse_board(board).unwrap();
        assert!(position.in_check() && position.is_urgent());
        assert!(!Voidrider::start().is_urgent());
    }

    /// More depth may need more moves, and the table's move and killers are always tried.
    #[test]
    fn deeper_searches_leave_out_fewer_moves() {
        fn check<G: Evaluate>() {
            assert!(G::LATE_MOVES.tried.is_sorted());
            assert!(G::LATE_MOVES.tried.iter().all(|&enough| enough > 3));
        }
        check::<Murus>();
        check::<Hadron>();
        check::<Loa>();
        check::<Voidrider>();
        assert!(Hadron::LATE_MOVES.tried.is_empty());
        assert!(Features::ALL.are_selective() && !Features::ALL.exact().are_selective());
    }

    #[test]
    fn reductions_are_quarters_of_a_product_of_logarithms() {
        for quarters in [2, 4] {
            let table = reductions(quarters);
            for (depth, row) in table.iter().enumerate().skip(1) {
                for (tried, &plies) in row.iter().enumerate().skip(1) {
                    let product = (depth as f64).ln() * (tried as f64).ln();
                    assert!((f64::from(plies) - quarters as f64 / 4.0 * product).abs() < 1.3);
                }
            }
        }
    }
}
