//! What a worker does: one iteration after another, from the root to a leaf and back.
//!
//! The one idea: an iteration owns nothing but its path. It goes down by visits, makes children
//! where nobody else does, evaluates, and adds the result on the way back; every step is a single
//! atomic operation on one node, so no thread ever waits for another.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::endgame::Endgames;
use super::node::{Children, Node, REWARD_OF_WIN, Stats};
use super::proof::Bounds;
use super::quiescence::quiesce;
use super::rank::Ranking;
use super::select::select;
use super::sync::{Ordering, fence};
use super::transpositions::{Key, Transpositions};
use super::tree::Tree;
use crate::eval::{Evaluate, expectation};
use crate::game::{GameState, MAX_PLIES, Move, MoveList, Outcome};
use crate::processor::with_v3_instructions;
use crate::search::hadron_sums::Solver;
use crate::search::parameters::Parameters;

/// Searches one tree from one position. `OWNED`: no other worker has the tree.
pub struct Worker<'a, G, const OWNED: bool> {
    nodes: &'a [Node],
    tree: &'a Tree,
    parameters: &'a Parameters,
    start: GameState<G>,
    /// The current position, with the history that leads to it.
    state: GameState<G>,
    rng: fastrand::Rng,
    /// The nodes from the root to the current one.
    path: [u32; MAX_PLIES + 1],
    depth: usize,
    /// Finds the node that has a position's children already.
    transpositions: Transpositions<'a>,
    /// Nodes reserved and not used.
    block: Range<u32>,
    thrift: Thrift,
    ranking: Ranking,
    contention: Contention,
    endgames: Endgames<'a>,
}

/// How often a worker came to what it shares with others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contention {
    /// Blocks of the pool that it has taken.
    pub blocks: u64,
    /// Places where it wanted to make children and another worker was about it.
    pub lost_claims: u64,
}

/// How sparing a search is with nodes: the fuller the pool, the fewer children a node gets at
/// first, which costs some time but nothing of what is learned; and at last, the more visits it
/// must have had before.
#[derive(Clone, Copy)]
struct Thrift {
    first_children: usize,
    expand_visits: u32,
}

impl Thrift {
    /// First children are halved when an eighth of the pool is used, a quarter, and a half;
    /// visits are doubled when but a sixteenth is left, a thirty-second, and so on.
    fn of(tree: &Tree, parameters: &Parameters) -> Thrift {
        let fewer = [8, 4, 2].into_iter().filter(|&one_in| tree.fuller_than(one_in)).count();
        Thrift {
            first_children: (parameters.first_children >> fewer).max(1) as usize,
            expand_visits: parameters
                .expand_visits
                .saturating_mul(1 << tree.halvings().saturating_sub(3)),
        }
    }
}

/// What the position of a node says by itself: a finished game, or one that is decided. A
/// side without a legal move is only found where the moves are generated, unless a draw rule
/// applies, which it comes before.
#[inline(always)]
pub fn bounds_of<G: Evaluate>(state: &GameState<G>) -> Bounds {
    let position = &state.position;
    let ending = position.won().or_else(|| position.drawn(&state.history));
    match ending.map(|ending| ending.outcome) {
        Some(Outcome::Draw) if position.count_moves() == 0 => bounds_without_moves(position),
        Some(outcome) => bounds_of_outcome(position, outcome),
        None => match position.decided() {
            Some((winner, plies)) if winner == position.side() => Bounds::win(plies as u16),
            Some((_, plies)) => Bounds::loss(plies as u16),
            None => Bounds::UNKNOWN,
        },
    }
}

/// The bounds of a position without a legal move.
pub fn bounds_without_moves<G: Evaluate>(position: &G) -> Bounds {
    bounds_of_outcome(position, position.without_moves().outcome)
}

/// The bounds of a finished game for its side to move.
#[inline(always)]
fn bounds_of_outcome<G: Evaluate>(position: &G, outcome: Outcome) -> Bounds {
    match outcome {
        Outcome::Draw => Bounds::DRAWN,
        Outcome::Win(side) if side == position.side() => Bounds::win(0),
        Outcome::Win(_) => Bounds::loss(0),
    }
}

/// The reward of a proven result for its side to move.
#[inline(always)]
fn reward_of(bounds: Bounds) -> u32 {
    bounds.halves() * (REWARD_OF_WIN / 2)
}

impl<'a, G: Evaluate, const OWNED: bool> Worker<'a, G, OWNED> {
    /// A worker on a tree whose root stands for `start`.
    pub fn new(
        nodes: &'a [Node],
        tree: &'a Tree,
        parameters: &'a Parameters,
        start: &GameState<G>,
        seed: u64,
    ) -> Self {
        Worker {
            nodes,
            tree,
            parameters,
            start: *start,
            state: *start,
            rng: fastrand::Rng::with_seed(seed),
            path: [0; MAX_PLIES + 1],
            depth: 0,
            transpositions: Transpositions::new(&[]),
            block: 0..0,
            thrift: Thrift::of(tree, parameters),
            ranking: Ranking::new(),
            contention: Contention::default(),
            endgames: Endgames::new(None),
        }
    }

    /// Gives it a solver of endgames, if there is one.
    pub fn use_solver(&mut self, solver: Option<&'a mut Solver>) {
        self.endgames = Endgames::new(solver);
    }

    /// Tries to prove the moves of the root, for a time that is fair after so many iterations.
    pub fn try_root(&mut self, iterations: u64, stop: &AtomicBool) {
        let root = &self.nodes[self.tree.root()];
        self.endgames.try_root((root, self.nodes), &self.start, iterations, stop);
    }

    /// Gives it a table of the positions that the tree knows.
    pub fn use_transpositions(&mut self, transpositions: Transpositions<'a>) {
        self.transpositions = transpositions;
    }

    /// Gives it nodes to use first.
    pub fn use_block(&mut self, block: Range<u32>) {
        self.block = block;
    }

    /// How often it came to what it shares with others.
    pub fn contention(&self) -> Contention {
        self.contention
    }

    /// Whether more iterations cannot change anything: the root is proven, or its statistics are
    /// full.
    pub fn finished(&self) -> bool {
        let root = &self.nodes[self.tree.root()];
        root.bounds().proven() || root.stats().full()
    }

    /// So many iterations from the root.
    pub fn iterate(&mut self, count: u32) {
        self.state.position = self.start.position;
        self.state.history.truncate(self.start.history.len());
        self.depth = 0;
        self.run(self.tree.root(), count);
    }

    /// `count` iterations from a node, whose position is the current one; answers the sum of their
    /// rewards for the node's side to move.
    ///
    /// The node is written twice, when the iterations begin and when they end, and its statistics
    /// are kept here meanwhile: each write takes it from the other threads' caches.
    fn run(&mut self, at: usize, count: u32) -> u64 {
        let here = self.state.position;
        let past = self.state.history.len();
        let depth = self.depth;
        self.path[depth] = at as u32;
        let nodes = self.nodes;
        let node = &nodes[at];
        let mut stats = node.begin::<OWNED>(count);
        let mut sum = 0;
        let mut left = count;
        while left > 0 {
            let bounds = node.bounds();
            let (times, reward) = if bounds.proven() && depth > 0 {
                self.tell_parent();
                (left, u64::from(left) * u64::from(reward_of(bounds)))
            } else if let Some(children) = node.children(nodes) {
                self.list(node, &children);
                let child = self.choose(node, stats.plus_visit(), &children);
                // One at a time where a draw is certain, as then every second one is to go
                // elsewhere.
                let most = if bounds.is_drawn_at_least() { 1 } else { left };
                let of_child = nodes[child].stats();
                let share = (of_child.visits / self.parameters.batch_visits).clamp(1, most);
                let for_child = if of_child.full() {
                    u64::from(share) * u64::from(REWARD_OF_WIN - of_child.mean_reward())
                } else if share == 1 {
                    u64::from(self.iterate_once(child))
                } else {
                    self.run(child, share)
                };
                (share, u64::from(share) * u64::from(REWARD_OF_WIN) - for_child)
            } else if let Some(reward) = self.visit_leaf(node, stats.visits) {
                // Without a playout the next evaluation would say the same.
                let times = if self.parameters.playout_plies == 0 { left } else { 1 };
                (times, u64::from(times) * u64::from(reward))
            } else {
                continue;
            };
            stats = stats.plus(times, reward);
            sum += reward;
            left -= times;
            self.state.position = here;
            self.state.history.truncate(past);
            self.depth = depth;
        }
        node.end::<OWNED>(count, sum);
        sum
    }

    /// One iteration from a node, whose position is the current one; answers the reward for the
    /// node's side to move.
    ///
    /// Below the first node visits and rewards are added together, on the way back.
    #[inline(always)]
    fn iterate_once(&mut self, first: usize) -> u32 {
        let nodes = self.nodes;
        let top = self.depth;
        let mut at = first;
        let mut stats = nodes[first].begin::<OWNED>(1);
        let mut reward = loop {
            self.path[self.depth] = at as u32;
            let node = &nodes[at];
            let bounds = node.bounds();
            if bounds.proven() {
                self.tell_parent();
                break reward_of(bounds);
            }
            let children = match node.children(nodes) {
                Some(children) => children,
                None => match self.visit_leaf(node, stats.visits) {
                    Some(reward) => break reward,
                    None => node.children(nodes).expect("just made by this worker"),
                },
            };
            self.list(node, &children);
            at = self.choose(node, stats.plus_visit(), &children);
            stats = nodes[at].stats();
            if stats.full() {
                self.depth -= 1;
                break stats.mean_reward();
            }
        };
        for &index in self.path[top + 1..=self.depth].iter().rev() {
            nodes[index as usize].add_iterations::<OWNED>(1, u64::from(reward));
            reward = REWARD_OF_WIN - reward;
        }
        nodes[first].end::<OWNED>(1, u64::from(reward));
        reward
    }

    /// Steps to the child that selection prefers, where the statistics of the node are these, the
    /// visit under way included.
    #[inline(always)]
    fn choose(&mut self, node: &Node, stats: Stats, children: &Children) -> usize {
        let choice = select(self.nodes, node, stats, children, self.parameters);
        let mut child = choice.child;
        if choice.more {
            let more = with_v3_instructions(
                #[inline(always)]
                || self.make_more(children),
            );
            child = more.map_or(child, |first| first as usize);
        }
        if let Some(m) = self.nodes[child].to_here() {
            self.state.play(m);
        }
        self.depth += 1;
        child
    }

    /// Deals with a node without children: answers the reward for its side to move, or none if it
    /// has children now.
    fn visit_leaf(&mut self, node: &Node, visits_before: u32) -> Option<u32> {
        with_v3_instructions(
            #[inline(always)]
            || self.look_at_leaf(node, visits_before),
        )
    }

    #[inline(always)]
    fn look_at_leaf(&mut self, node: &Node, visits_before: u32) -> Option<u32> {
        let expands = visits_before + 1 >= self.thrift.expand_visits;
        // Before it gets children as well: another worker, the first here, may not have told yet,
        // and nothing is to be played on after the end.
        if visits_before == 0 || expands {
            let mut bounds = bounds_of(&self.state);
            if !bounds.proven() {
                bounds = self.endgames.try_leaf(&self.state.position);
            }
            if bounds.proven() {
                return Some(self.prove(node, bounds));
            }
        }
        let key = self.key();
        let twin = self.transpositions.find(key).map(|index| &self.nodes[index]);
        // Where repetitions count, proofs and what is known below depend on the way to here.
        let equal = twin.filter(|_| !G::REPETITION);
        if let Some(twin) = equal.filter(|twin| twin.children(self.nodes).is_some()) {
            let bounds = twin.bounds();
            // Sharing takes no nodes of the pool, however full it is.
            let shares = visits_before + 1 >= self.parameters.expand_visits || bounds.proven();
            if shares && self.claims(node.claim()) {
                node.share_children_of(twin);
                return bounds.proven().then(|| self.prove(node, bounds));
            }
        }
        if expands && self.claims(node.claim()) {
            let mut moves = MoveList::new();
            self.state.position.moves(&mut moves);
            if moves.is_empty() {
                return Some(self.prove(node, bounds_without_moves(&self.state.position)));
            }
            if self.make_children(node, &moves, self.thrift.first_children) {
                self.transpositions.store(key, self.path[self.depth] as usize);
                return None;
            }
            node.unclaim();
        }
        // The mean of the other node says more than the evaluation.
        if visits_before == 0
            && let Some(stats) = twin.map(Node::stats).filter(|stats| stats.visits > 0)
        {
            return Some(REWARD_OF_WIN - stats.mean_reward());
        }
        Some(self.evaluate(node))
    }

    /// Gives a claimed node its first children, up to `most`, those with the largest priors; false
    /// when the pool is full.
    #[inline(always)]
    pub fn make_children(&mut self, node: &Node, moves: &MoveList, most: usize) -> bool {
        let count = moves.len().min(most);
        let Some(first) = self.take(count) else { return false };
        self.rank(moves);
        self.fill(first, self.ranking.moves(moves).take(count));
        node.publish(first, count, moves.len());
        true
    }

    /// Gives the current position's node, which has these children, the next group of them, and
    /// answers the index of the first; none when there are all, the pool is full or another worker
    /// is about it.
    #[inline(always)]
    pub fn make_more(&mut self, children: &Children) -> Option<u32> {
        let mut groups = children.groups();
        let last_group = groups.by_ref().last().expect("there is a group");
        let size = groups.next_size();
        let last = &self.nodes[last_group.start];
        if size == 0 || !self.claims(last.claim_next()) {
            return None;
        }
        let Some(start) = self.take(size) else {
            last.unclaim_next();
            return None;
        };
        let mut moves = MoveList::new();
        self.state.position.moves(&mut moves);
        let known = |m: Move| children.nodes().any(|child| child.to_here() == Some(m));
        self.rank(&moves);
        self.fill(start, self.ranking.moves(&moves).filter(|&(m, _)| !known(m)).take(size));
        last.publish_next(start);
        Some(start)
    }

    /// Whether a claim has succeeded; counts those that another worker was quicker with.
    #[inline(always)]
    fn claims(&mut self, succeeded: bool) -> bool {
        self.contention.lost_claims += u64::from(!succeeded);
        succeeded
    }

    /// Takes so many nodes of the pool, in one piece; none when it is full.
    #[inline(always)]
    fn take(&mut self, count: usize) -> Option<u32> {
        let count = count as u32;
        if self.block.end - self.block.start < count {
            let block = self.tree.take_block();
            self.contention.blocks += u64::from(block.is_some());
            // Of a full pool as well: then hardly a leaf asks again.
            self.thrift = Thrift::of(self.tree, self.parameters);
            self.block = block?;
            if self.block.end - self.block.start < count {
                return None;
            }
        }
        let first = self.block.start;
        self.block.start += count;
        Some(first)
    }

    /// Ranks the moves of the current position.
    #[inline(always)]
    fn rank(&mut self, moves: &MoveList) {
        let noise = self.parameters.prior_noise;
        self.ranking.rank(&self.state.position, moves, noise, &mut self.rng);
    }

    /// Makes nodes from an index on fresh children.
    #[inline(always)]
    fn fill(&self, first: u32, ranked: impl Iterator<Item = (Move, f32)>) {
        for (child, (m, prior)) in self.nodes[first as usize..].iter().zip(ranked) {
            child.reset(Some(m), prior);
        }
    }

    /// What the current position is found by in the table of positions.
    #[inline(always)]
    fn key(&self) -> Key {
        let position = &self.state.position;
        Key::of_position(position.key(), position.ply(), self.tree.epoch())
    }

    /// Tells the table of positions of the current node, if it does not know it since the tree was
    /// copied.
    #[inline(always)]
    fn list(&self, node: &Node, children: &Children) {
        if children.unlisted() {
            self.transpositions.store(self.key(), self.path[self.depth] as usize);
            node.mark_as_listed();
        }
    }

    /// Has the parent of the current node, which is proven, know of it: the proof may have come by
    /// another parent of the same children.
    #[inline(always)]
    fn tell_parent(&self) {
        if self.depth > 0 && self.nodes[self.path[self.depth - 1] as usize].shares_children() {
            self.tell_above();
        }
    }

    /// Notes at the nodes above the current one what their children prove, as far as it decides.
    #[inline(never)]
    fn tell_above(&self) {
        for &above in self.path[..self.depth].iter().rev() {
            // Two workers may prove the last two children of a node at the same time. With a
            // fence between each one's proof and its look at the siblings, at least one of them
            // sees both.
            fence(Ordering::SeqCst);
            let above = &self.nodes[above as usize];
            let Some(children) = above.children(self.nodes) else { break };
            if !above.tighten(children.bounds_of_parent()) {
                break;
            }
        }
    }

    /// Notes a proven result at the current node and above, as far as it decides; answers the
    /// reward for the node's side to move.
    #[inline(never)]
    fn prove(&self, node: &Node, bounds: Bounds) -> u32 {
        node.tighten(bounds);
        node.set_minimax((bounds.halves() * (u32::from(u16::MAX) / 2)) as u16 | 1);
        self.tell_above();
        reward_of(bounds)
    }

    /// The score of a position for its side to move, in games with noisy moves after these.
    #[inline(always)]
    fn score(&self, position: &G) -> i32 {
        if G::NOISY {
            quiesce(position, self.parameters.quiescence_plies)
        } else {
            position.evaluate()
        }
    }

    /// The reward of a leaf for its side to move: a short random playout, then the evaluation.
    #[inline(always)]
    fn evaluate(&mut self, node: &Node) -> u32 {
        if self.parameters.minimax_weight > 0.0 && node.minimax() == 0 {
            let value = expectation(self.score(&self.state.position));
            node.set_minimax((value * f32::from(u16::MAX)) as u16 | 1);
        }
        let side = self.state.position.side();
        let won = |outcome| match outcome {
            Outcome::Draw => REWARD_OF_WIN / 2,
            Outcome::Win(winner) if winner == side => REWARD_OF_WIN,
            Outcome::Win(_) => 0,
        };
        // On copies, which live in registers rather than behind `self`.
        let mut position = self.state.position;
        let mut rng = self.rng.clone();
        let mut end = None;
        for _ in 0..self.parameters.playout_plies {
            let Some(m) = position.random_move(&mut rng) else {
                end = Some(position.without_moves());
                break;
            };
            if G::REPETITION {
                self.state.history.push(&position);
                position.play(m);
            } else {
                position.play_unkeyed(m);
            }
            end = position.won().or_else(|| position.drawn(&self.state.history));
            if end.is_some() {
                break;
            }
        }
        self.rng = rng;
        if let Some(end) = end {
            return won(end.outcome);
        }
        let expected = expectation(self.score(&position));
        let expected = if position.side() == side { expected } else { 1.0 - expected };
        (expected * REWARD_OF_WIN as f32 + 0.5) as u32
    }
}
