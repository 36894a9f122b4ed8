//! The search of one worker from the root: iterative deepening in aspiration windows.
//!
//! The one idea: each iteration searches one ply deeper than the last and begins with its best move
//! and score; the table has the rest. So the shallow iterations cost little and an answer is known
//! at any moment (Slate and Atkin 1977). Scores usually change little from one iteration to the
//! next, so a narrow window around the last score saves work (Marsland 1983).

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use arrayvec::ArrayVec;

use super::best::{Best, Finding, Line};
use super::lines::{DeepestLines, Lines};
use super::order::Ranked;
use super::score::{self, INFINITE, WIN_SCORE};
use super::search::Search;

use crate::eval::{Evaluate, MAX_SCORE};
use crate::game::{MAX_MOVES, Move};
use crate::search::report::MAX_LINES;

/// Half of the first aspiration window.
const WINDOW: i32 = 25;

/// Iterations less deep than this have scores too unsteady for a window.
const FIRST_WINDOW_DEPTH: usize = 5;

/// Once a window has grown to this, it is opened.
const WIDEST_WINDOW: i32 = 1000;

/// Keeps the table's entries of exact searches apart.
const EXACT_SALT: u64 = 0x5f3a_91c4_77be_08d3;

/// Nodes that the search for shorter proofs may always use.
const PROOF_NODES: u64 = 20_000;

/// A move at the root.
#[derive(Clone, Copy)]
struct RootMove {
    m: Move,
    /// Nodes below it in the last iteration: what was hard to refute is tried earlier.
    effort: u64,
}

/// The moves at the root, best first.
type RootMoves = ArrayVec<RootMove, MAX_MOVES>;

/// What is searched for at the root, and where what is found is published.
pub struct Wanted<'a> {
    /// The moves that may be played; none: all of them.
    pub only: &'a [Move],
    /// Lines of play, at least 1.
    pub lines: usize,
    /// The best result.
    pub best: &'a Best,
    /// All lines, where there are several.
    pub deepest: &'a DeepestLines,
}

/// One search from the root.
struct Iteration<'a> {
    depth: usize,
    improvements: u8,
    /// Where the best line is published; none where it is another one.
    best: Option<&'a Best>,
    /// Whether all legal moves are searched.
    all: bool,
}

impl Iteration<'_> {
    fn finding(&self, best: Move, score: i32, complete: bool) -> Finding {
        let improvements = self.improvements;
        Finding { best, score, depth: self.depth, complete, improvements }
    }

    fn offer(&self, finding: &Finding, line: &Line) {
        if let Some(best) = self.best {
            best.offer(finding, line);
        }
    }
}

impl<G: Evaluate> Search<'_, G> {
    /// Searches to one depth after the other until the search is stopped or the result is proven,
    /// and offers all that is found. Returns whether nothing is left to search.
    pub fn deepen(&mut self, depths: RangeInclusive<usize>, wanted: &Wanted) -> bool {
        let mut moves = self.root_moves();
        moves.retain(|root| wanted.only.is_empty() || wanted.only.contains(&root.m));
        if moves.is_empty() {
            return true;
        }
        let count = wanted.lines.clamp(1, moves.len().min(MAX_LINES));
        let plies_left = self.root.ply_limit().saturating_sub(self.root.ply());
        let last = plies_left.min(*depths.end());
        // Once the longest game has been searched to its end, only lines omitted before it can
        // still hide anything.
        let exact = (last == plies_left && self.features.are_selective()).then_some(last + 1);
        let mut last_scores = [0; MAX_LINES];
        for depth in (last.min(*depths.start())..=last).chain(exact) {
            if depth > last {
                self.be_exact();
            }
            let mut lines = Lines::new();
            let mut is_proven = true;
            for (number, last_score) in last_scores[..count].iter_mut().enumerate() {
                let best = (number == 0).then_some(wanted.best);
                let all = number == 0 && wanted.only.is_empty();
                let mut iteration = Iteration { depth, improvements: 0, best, all };
                let moves = &mut moves[number..];
                let score = self.aspire(&mut iteration, moves, *last_score);
                if self.nodes.stopped() {
                    return false;
                }
                *last_score = score;
                let finding = iteration.finding(moves[0].m, score, true);
                iteration.offer(&finding, &self.memory.lines[0]);
                is_proven &= finding.is_proven() && score::distance(score) <= depth;
                if count > 1 {
                    lines.push((finding, self.line_from(moves[0].m)));
                } else if is_proven {
                    self.shorten(&mut iteration, moves, score);
                }
            }
            if count > 1 {
                wanted.deepest.offer(&lines);
            }
            if is_proven {
                return true;
            }
            moves[count..].sort_unstable_by_key(|other| (Reverse(other.effort), other.m));
        }
        true
    }

    /// The line of play found last, if it begins with this move, as it may not where nothing was
    /// better than what was known; else the move alone.
    fn line_from(&self, m: Move) -> Line {
        let line = &self.memory.lines[0];
        if line.first() == Some(&m) { line.clone() } else { Line::from_iter([m]) }
    }

    /// The legal moves, ordered as those of any position.
    fn root_moves(&mut self) -> RootMoves {
        let entry = if self.features.table { self.table.probe(self.key(&self.root)) } else { None };
        let mut ranked = Ranked::new();
        self.memory.order.rank(&self.root, entry.and_then(|e| e.best), 0, &mut ranked);
        std::iter::from_fn(|| ranked.next()).map(|m| RootMove { m, effort: 0 }).collect()
    }

    /// The score of an iteration, searched in windows around the last score.
    fn aspire(&mut self, iteration: &mut Iteration, moves: &mut [RootMove], last: i32) -> i32 {
        let mut width = WINDOW;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if iteration.depth >= FIRST_WINDOW_DEPTH && !score::is_proven(last) {
            (alpha, beta) = (last - width, last + width);
        }
        loop {
            let score = self.search_root(iteration, moves, alpha, beta);
            if self.nodes.stopped() {
                return score;
            }
            width *= 3;
            let open = width > WIDEST_WINDOW || score::is_proven(score);
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if open { -INFINITE } else { score - width };
            } else if score >= beta {
                beta = if open { INFINITE } else { score + width };
            } else {
                return score;
            }
        }
    }

    /// Searches all moves of the root in a window. A move that turns out best comes first in
    /// `moves` and is offered at once.
    fn search_root(
        &mut self,
        iteration: &mut Iteration,
        moves: &mut [RootMove],
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let root = self.root;
        let depth = iteration.depth as i32;
        let floor = alpha;
        let mut best_score = -INFINITE;
        self.history.push(&root);
        for index in 0..moves.len() {
            let m = moves[index].m;
            let mut child = root;
            child.play(m);
            let before = self.nodes.visited();
            let score = if index == 0 {
                -self.search::<true>(&child, depth - 1, 1, -beta, -alpha)
            } else {
                let reduction = self.reduction::<true>(&root, m, depth, index, best_score);
                self.try_to_refute::<true>(&child, depth - 1, reduction, 0, alpha, beta)
            };
            if self.nodes.stopped() {
                self.history.pop::<G>();
                return best_score;
            }
            moves[index].effort = self.nodes.visited() - before;
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                moves[..=index].rotate_right(1);
                self.extend_line(0, m);
                iteration.improvements = iteration.improvements.saturating_add(1);
                let finding = iteration.finding(m, score, false);
                iteration.offer(&finding, &self.memory.lines[0]);
                if score >= beta {
                    break;
                }
            }
            // A move not yet searched is better than one known to lose.
            if score::is_loss(best_score)
                && let Some(next) = moves.get(index + 1)
            {
                iteration.improvements = iteration.improvements.saturating_add(1);
                let finding = iteration.finding(next.m, -MAX_SCORE, false);
                iteration.offer(&finding, &ArrayVec::from_iter([next.m]));
            }
        }
        self.history.pop::<G>();
        let best = (best_score > floor).then(|| moves[0].m);
        if iteration.all {
            self.store(self.key(&root), best, best_score, [floor, beta], depth, 0);
        }
        best_score
    }

    /// From here on nothing is reduced or left out, and nothing found by searches that do is used.
    fn be_exact(&mut self) {
        self.features = self.features.exact();
        self.salt = EXACT_SALT;
    }

    /// Looks for a shorter proof of a proven result: a quicker win, of either side, may have been
    /// overlooked. Searches everything that could be quicker, exactly, for at most as many nodes as
    /// the search has taken so far.
    fn shorten(&mut self, iteration: &mut Iteration, moves: &mut [RootMove], proven: i32) {
        if !self.features.are_selective() {
            return;
        }
        self.nodes.allow(self.nodes.visited().max(PROOF_NODES));
        self.be_exact();
        let distance = score::distance(proven);
        let (alpha, beta) =
            if score::is_win(proven) { (proven, WIN_SCORE) } else { (-WIN_SCORE, proven) };
        let mut shorter = Iteration { depth: distance.saturating_sub(1), ..*iteration };
        if shorter.depth == 0 {
            return;
        }
        let score = self.search_root(&mut shorter, moves, alpha, beta);
        if !self.nodes.stopped() && score > alpha && score < beta {
            shorter.depth = iteration.depth;
            let finding = shorter.finding(moves[0].m, score, true);
            iteration.offer(&finding, &self.memory.lines[0]);
        }
    }
}
