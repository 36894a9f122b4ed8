//! The search: alpha-beta with iterative deepening, as the textbooks have it.
//!
//! The one idea: a position's score is the best of the negated scores after its moves, and moves
//! that cannot change the score at the root are left out. Principal variation search, a
//! transposition table, killer moves, a history of moves, late move reductions, extensions where a
//! side is in check, and captures beyond the horizon (quiescence).

use std::time::Instant;

use super::Limits;
use super::board::{Board, MOVE_CODES, Move, history_code};
use super::table::{Bound, Table};

/// The score of a game that is won now; a win in n plies is n less.
const WIN: i32 = 30_000;
/// Scores beyond this are those of forced ends.
const FORCED: i32 = WIN - 1_000;
/// Above all scores.
const INFINITE: i32 = WIN + 1;
/// Max plies from the root, quiescence included.
const MAX_PLY: usize = 128;
/// Max depth of an iteration.
const MAX_DEPTH: u32 = 100;
/// Positions between two looks at the clock.
const POLL: u64 = 128;

/// Ranks of moves in the order in which they are tried; a history counts less than any of them.
const RANK_TABLE: i32 = 1 << 30;
const RANK_GAIN: i32 = 1 << 28;
const RANK_KILLER: i32 = 1 << 27;
const MAX_HISTORY: i32 = 1 << 26;

/// Reductions: the first moves are searched in full, later ones a ply less, the last two less.
const FULL_MOVES: usize = 4;
const LATE_MOVES: usize = 16;
const FEWEST_PLIES: i32 = 3;

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub best: Move,
    pub score: i32,
    pub depth: u32,
    pub nodes: u64,
}

/// The plies to the forced end that a score stands for; below 0 if the side to move loses.
pub fn plies_to_end(score: i32) -> Option<i32> {
    (score.abs() > FORCED).then(|| (WIN - score.abs()) * score.signum())
}

/// A search with its memory.
pub struct Search {
    table: Table,
    killers: [[Option<Move>; 2]; MAX_PLY],
    /// Cut-offs by each move of the side at the root, then of its opponent, weighted by depth.
    history: Vec<i32>,
    /// The moves with their ranks at each ply of the current line.
    lists: Vec<Vec<(i32, Move)>>,
    /// Empty but while moves are ranked: its memory is used again.
    moves: Vec<Move>,
    /// The keys of all positions before the current one, from the start of the game.
    past: Vec<u64>,
    limits: Limits,
    nodes: u64,
    stopped: bool,
    /// Plies of the current iteration.
    depth: u32,
    /// The best move at the root in the current iteration.
    best: Option<(Move, i32)>,
    /// Whether late moves are searched less deep.
    pub reduces: bool,
}

impl Search {
    /// A search with a table of at most `memory` bytes.
    pub fn new(memory: usize) -> Search {
        Search {
            table: Table::new(memory),
            killers: [[None; 2]; MAX_PLY],
            history: vec![0; 2 * MOVE_CODES],
            lists: vec![Vec::new(); MAX_PLY],
            moves: Vec::new(),
            past: Vec::new(),
            limits: Limits::default(),
            nodes: 0,
            stopped: false,
            depth: 0,
            best: None,
            reduces: true,
        }
    }

    /// Forgets earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Searches a position that is not over; `past` has the keys of the positions before it. None
    /// without a legal move.
    pub fn think<B: Board>(&mut self, root: &B, past: Vec<u64>, limits: &Limits) -> Option<Found> {
        self.table.begin_search();
        self.killers = [[None; 2]; MAX_PLY];
        self.history.fill(0);
        (self.past, self.limits, self.nodes, self.stopped) = (past, *limits, 0, false);
        let legal = root.legal_moves();
        let mut found = Found { best: *legal.first()?, score: root.evaluate(), depth: 0, nodes: 0 };
        for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) {
            (self.depth, self.best) = (depth, None);
            let score = self.alpha_beta(root, depth as i32, 0, -INFINITE, INFINITE);
            // An iteration that is cut short begins with the best move of the one before.
            if let Some((best, score)) = self.best {
                (found.best, found.score) = (best, score);
            }
            if self.stopped {
                break;
            }
            found.depth = depth;
            let is_proven = plies_to_end(score).is_some_and(|plies| plies.unsigned_abs() <= depth);
            if is_proven || legal.len() == 1 {
                break;
            }
        }
        found.nodes = self.nodes;
        Some(found)
    }

    /// Counts a position, and looks whether the search must end.
    fn count(&mut self) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        let Limits { deadline, nodes, .. } = self.limits;
        if nodes.is_some_and(|limit| self.nodes >= limit)
            || self.nodes.is_multiple_of(POLL) && deadline.is_some_and(|end| Instant::now() >= end)
        {
            self.stopped = true;
        }
    }

    /// The score of a position for its side to move, searched to a depth: exact between `alpha` and
    /// `beta`, else a bound. Without meaning after a stop.
    fn alpha_beta<B: Board>(
        &mut self,
        position: &B,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.count();
        if self.stopped {
            return 0;
        }
        if let Some(score) = self.ended(position, ply) {
            return score;
        }
        let threatened = position.is_threatened();
        let extends = threatened && ply < 2 * self.depth as usize;
        let depth = depth + i32::from(extends);
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiescence(position, ply, alpha, beta);
        }
        let key = position.key();
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| ply > 0 && i32::from(entry.depth) >= depth) {
            let score = from_table(entry.score.into(), ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::AtLeast if score >= beta => return score,
                Bound::AtMost if score <= alpha => return score,
                Bound::AtLeast | Bound::AtMost => {}
            }
        }
        let mut list = self.ranked(position, ply, entry.map(|entry| entry.best));
        self.past.push(key);
        let (lowest, mut best, mut best_move, mut searched) = (alpha, -INFINITE, 0, 0);
        for next in 0..list.len() {
            let (rank, m) = pick(&mut list, next);
            let mut after = position.clone();
            after.play(m);
            if after.was_illegal() {
                continue;
            }
            searched += 1;
            let is_late = searched > FULL_MOVES && depth >= FEWEST_PLIES && rank < RANK_KILLER;
            let reduction = match self.reduces && is_late && !threatened {
                true => 1 + i32::from(searched > LATE_MOVES),
                false => 0,
            };
            let score = if searched == 1 {
                -self.alpha_beta(&after, depth - 1, ply + 1, -beta, -alpha)
            } else {
                self.compare(&after, [depth - 1, reduction], ply + 1, alpha, beta)
            };
            if self.stopped {
                break;
            }
            if score > best {
                (best, best_move) = (score, m);
                if ply == 0 {
                    self.best = Some((m, score));
                }
                alpha = alpha.max(score);
                if score >= beta {
                    self.note_cutoff(m, rank, depth, ply);
                    break;
                }
            }
        }
        self.past.pop();
        list.clear();
        self.lists[ply] = list;
        if self.stopped {
            return 0;
        }
        if searched == 0 {
            return without_moves(position, ply);
        }
        let bound = match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best > lowest => Bound::Exact,
            _ => Bound::AtMost,
        };
        self.table.put(key, to_table(best, ply), best_move, depth, bound);
        best
    }

    /// The score after a move that is expected to be worse than `alpha`: first with an empty window
    /// and less deep, then as exactly as needed.
    fn compare<B: Board>(
        &mut self,
        after: &B,
        [depth, reduction]: [i32; 2],
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mut score = -self.alpha_beta(after, depth - reduction, ply, -alpha - 1, -alpha);
        if score > alpha && reduction > 0 {
            score = -self.alpha_beta(after, depth, ply, -alpha - 1, -alpha);
        }
        if score > alpha && score < beta {
            score = -self.alpha_beta(after, depth, ply, -beta, -alpha);
        }
        score
    }

    /// The score where the rules end the game, or a position comes again.
    fn ended<B: Board>(&self, position: &B, ply: usize) -> Option<i32> {
        if let Some(won) = position.decided() {
            let score = WIN - ply as i32;
            return Some(if won { score } else { -score });
        }
        if position.is_drawn() {
            let stuck = position.legal_moves().is_empty();
            return Some(if stuck { without_moves(position, ply) } else { 0 });
        }
        let recent = self.past.iter().rev().take(position.reversible_plies());
        let key = position.key();
        let repeats = ply > 0 && recent.skip(1).step_by(2).any(|&past| past == key);
        repeats.then_some(0)
    }

    /// The score with captures alone, each of which a side may leave.
    fn quiescence<B: Board>(&mut self, position: &B, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        let mut best = position.evaluate();
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = self.noisy_list(position, ply);
        for next in 0..moves.len() {
            let (_, m) = pick(&mut moves, next);
            let mut after = position.clone();
            after.play(m);
            if after.was_illegal() {
                continue;
            }
            self.count();
            if self.stopped {
                break;
            }
            let score = match after.decided() {
                Some(won) => (if won { -1 } else { 1 }) * (WIN - ply as i32 - 1),
                None => -self.quiescence(&after, ply + 1, -beta, -alpha),
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        moves.clear();
        self.lists[ply] = moves;
        best
    }

    /// The moves of a position with their ranks: the table's, what gains most, killers, the others
    /// by their history.
    fn ranked<B: Board>(
        &mut self,
        position: &B,
        ply: usize,
        first: Option<Move>,
    ) -> Vec<(i32, Move)> {
        let mut moves = std::mem::take(&mut self.moves);
        position.add_moves(&mut moves);
        let history = ply % 2 * MOVE_CODES;
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.extend(moves.drain(..).map(|m| {
            let rank = if first == Some(m) {
                RANK_TABLE
            } else {
                match position.gain(m) {
                    0 if self.killers[ply].contains(&Some(m)) => RANK_KILLER,
                    0 => self.history[history + history_code(m)],
                    gain => RANK_GAIN + gain,
                }
            };
            (rank, m)
        }));
        self.moves = moves;
        list
    }

    /// The noisy moves of a position with their gains.
    fn noisy_list<B: Board>(&mut self, position: &B, ply: usize) -> Vec<(i32, Move)> {
        let mut moves = std::mem::take(&mut self.moves);
        position.add_noisy_moves(&mut moves);
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.extend(moves.drain(..).map(|m| (position.gain(m), m)));
        self.moves = moves;
        list
    }

    /// A move made a search end: it is tried early at this ply, and wherever it can be played.
    fn note_cutoff(&mut self, m: Move, rank: i32, depth: i32, ply: usize) {
        if (RANK_GAIN..RANK_TABLE).contains(&rank) {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let counted = &mut self.history[ply % 2 * MOVE_CODES + history_code(m)];
        *counted = (*counted + depth * depth).min(MAX_HISTORY);
    }
}

/// The score without a legal move.
fn without_moves(position: &impl Board, ply: usize) -> i32 {
    if position.loses_without_moves() { ply as i32 - WIN } else { 0 }
}

/// The move of the highest rank from `next` on, which it puts there.
fn pick(list: &mut [(i32, Move)], next: usize) -> (i32, Move) {
    let mut highest = next;
    for other in next + 1..list.len() {
        if list[other].0 > list[highest].0 {
            highest = other;
        }
    }
    list.swap(next, highest);
    list[next]
}

/// A score as the table keeps it: forced ends by their distance from the position itself.
fn to_table(score: i32, ply: usize) -> i32 {
    plies_to_end(score).map_or(score, |_| score + score.signum() * ply as i32)
}

/// The same in the other direction.
fn from_table(score: i32, ply: usize) -> i32 {
    plies_to_end(score).map_or(score, |_| score - score.signum() * ply as i32)
}
