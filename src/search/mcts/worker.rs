//! What a worker does: one iteration after another, from the root to a leaf and back.
//!
//! The one idea: an iteration owns nothing but its path. It goes down by visits, makes children
//! where nobody else does, evaluates, and adds the result on the way back; every step is a single
//! atomic operation on one node, so no thread ever waits for another.

mod leaf;

pub use self::leaf::{bounds_of, bounds_without_moves};

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::children::Children;
use super::endgame::Endgames;
use super::history::MoveHistory;
use super::node::Node;
use super::proof::Bounds;
use super::rank::Ranking;
use super::select::select;
use super::stats::{REWARD_OF_DRAW, REWARD_OF_WIN, Stats};
use super::sync::{Ordering, fence};
use super::transpositions::{Key, Transpositions};
use super::tree::Tree;
use crate::eval::Evaluate;
use crate::game::{GameState, MAX_PLIES};
use crate::games::hadron::endgame::Solver;
use crate::processor::with_v3_instructions;
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
    history: MoveHistory,
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

/// The reward of a proven result for its side to move.
#[inline(always)]
fn reward_of(bounds: Bounds) -> u32 {
    bounds.halves() * REWARD_OF_DRAW
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
            history: MoveHistory::new(parameters.history_factor),
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
        if !node.bounds().proven()
            && node.children(nodes).is_some()
            && let Some(reward) = self.drawn_with_children(node)
        {
            sum = u64::from(count) * u64::from(reward);
            left = 0;
        }
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
        let of_first = nodes[first].begin::<OWNED>(1);
        let mut stats = of_first;
        let mut reward = loop {
            self.path[self.depth] = at as u32;
            let node = &nodes[at];
            let bounds = node.bounds();
            if bounds.proven() {
                self.tell_parent();
                break reward_of(bounds);
            }
            let children = match node.children(nodes) {
                Some(children) => match self.drawn_with_children(node) {
                    Some(reward) => break reward,
                    None => children,
                },
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
        if self.history.learns() {
            self.learn(top, of_first, reward);
        }
        for &index in self.path[top + 1..=self.depth].iter().rev() {
            nodes[index as usize].add_iterations::<OWNED>(1, u64::from(reward));
            reward = REWARD_OF_WIN - reward;
        }
        nodes[first].end::<OWNED>(1, u64::from(reward));
        reward
    }

    /// Notes for each move below a node of the path what came of it, less what was expected where it was
    /// made. `of_top` are that node's statistics without the visit under way (but with those of other
    /// workers, as losses); the reward is for the side to move in the current position. Moves above,
    /// which have many visits, are not noted.
    #[inline(always)]
    fn learn(&mut self, top: usize, of_top: Stats, mut reward: u32) {
        // Who moved to the current node.
        let root_side = self.start.position.side();
        let mut mover = if self.depth.is_multiple_of(2) { !root_side } else { root_side };
        for depth in (top + 1..=self.depth).rev() {
            reward = REWARD_OF_WIN - reward;
            let [above, node] = [depth - 1, depth].map(|at| &self.nodes[self.path[at] as usize]);
            let of_above = if depth - 1 == top { of_top } else { above.stats() };
            if let Some(m) = node.to_here() {
                let came = reward as f32 / REWARD_OF_WIN as f32;
                self.history.note(mover, m, came - (1.0 - of_above.mean()));
            }
            mover = !mover;
        }
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
        let chosen = &self.nodes[child];
        if let Some(m) = chosen.to_here() {
            self.state.play(m);
        }
        if chosen.link().is_none() {
            self.transpositions.prefetch(self.key());
        }
        self.depth += 1;
        child
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

    /// The reward for a node that has children and is not proven, where its position is drawn by repetition, as
    /// it was not when it got them: on another way, or before the game went on. (Other rules' draws are proven
    /// before a node gets children.)
    #[inline(always)]
    fn drawn_with_children(&self, node: &Node) -> Option<u32> {
        if !G::REPETITION {
            return None;
        }
        if self.comes_back() {
            return Some(REWARD_OF_DRAW);
        }
        // All ways from the root have these earlier occurrences.
        let drawn = self.state.position.drawn(&self.state.history).is_some();
        drawn.then(|| self.prove(node, Bounds::DRAWN))
    }

    /// Notes a proven result at the current node and above, as far as it decides; answers the
    /// reward for the node's side to move.
    #[inline(never)]
    fn prove(&self, node: &Node, bounds: Bounds) -> u32 {
        node.tighten(bounds);
        self.tell_above();
        reward_of(bounds)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::{Game, MoveList, Side};
    use crate::games::Voidrider;

    #[test]
    fn each_side_learns_how_much_better_than_expected_its_moves_were() {
        let start = GameState::new(Voidrider::start());
        let mut moves = MoveList::new();
        start.position.moves(&mut moves);
        let [whites, blacks] = [moves[0], moves[1]];
        let nodes: Vec<Node> = (0..4).map(|_| Node::default()).collect();
        let tree = Tree::new(1..4, 1);
        let parameters = Parameters { history_factor: 50.0, ..Parameters::of::<Voidrider>() };
        nodes[2].reset(Some(whites), 0.5);
        nodes[3].reset(Some(blacks), 0.5);
        // White expects three quarters at the root, Black half after White's move.
        nodes[1].set_iterations(4, u64::from(REWARD_OF_WIN) * 3);
        nodes[2].set_iterations(2, u64::from(REWARD_OF_WIN));
        let mut worker = Worker::<Voidrider, true>::new(&nodes, &tree, &parameters, &start, 1);
        worker.path[..3].copy_from_slice(&[1, 2, 3]);
        worker.depth = 2;
        // White, to move after both, wins.
        worker.learn(0, nodes[1].stats(), REWARD_OF_WIN);
        let mut expected = MoveHistory::new(50.0);
        expected.note(Side::White, whites, 0.25);
        expected.note(Side::Black, blacks, -0.5);
        for side in [Side::White, Side::Black] {
            let weights_by = |history: &MoveHistory| -> [f32; 2] {
                let mut weights = [1.0; 2];
                history.adjust(side, &[whites, blacks], &mut weights);
                weights
            };
            assert_eq!(weights_by(&worker.history), weights_by(&expected), "{side}");
        }
    }

    #[test]
    fn a_position_that_comes_back_below_the_root_counts_as_a_draw() {
        let start = GameState::new(Voidrider::start());
        let after = |moves: &[&str]| {
            let mut state = start;
            for m in moves {
                state.play(state.position.parse_move(m).unwrap());
            }
            state
        };
        let round = ["b2-c4", "b8-c6", "c4-b2", "c6-b8"];
        let back = after(&round);
        let nodes: Vec<Node> = (0..2000).map(|_| Node::default()).collect();
        let (tree, parameters) = (Tree::new(1..2000, 1), Parameters::of::<Voidrider>());
        let worker_from = |root: &GameState<Voidrider>| {
            Worker::<Voidrider, true>::new(&nodes, &tree, &parameters, root, 1)
        };
        let mut worker = worker_from(&start);
        (worker.state, worker.depth) = (back, 4);
        for visits_before in [0, 1, 100] {
            let reward = worker.visit_leaf(&nodes[2], visits_before);
            assert_eq!(reward, Some(REWARD_OF_DRAW));
        }
        // The rule's draw at a third occurrence is certain only if no other way from the root can avoid it.
        let thrice = after(&[&round[..], &round].concat());
        assert!(thrice.ending().is_some());
        (worker.state, worker.depth) = (thrice, 8);
        assert_eq!(worker.visit_leaf(&nodes[2], 1), Some(REWARD_OF_DRAW));
        assert!(!nodes[2].bounds().proven() && nodes[2].children(&nodes).is_none());
        let mut last = worker_from(&after(&[&round[..], &round[..3]].concat()));
        (last.state, last.depth) = (thrice, 1);
        assert_eq!(last.visit_leaf(&nodes[3], 1), Some(REWARD_OF_DRAW));
        assert_eq!(nodes[3].bounds(), Bounds::DRAWN);
        // What was played before the root says nothing.
        let mut later = worker_from(&after(&round[..2]));
        (later.state, later.depth) = (back, 2);
        assert_eq!(later.visit_leaf(&nodes[2], 1), None);
        assert!(nodes[2].children(&nodes).is_some());
        // With children it is drawn all the same where the position came before.
        assert_eq!(later.drawn_with_children(&nodes[2]), None);
        assert_eq!(worker.drawn_with_children(&nodes[2]), Some(REWARD_OF_DRAW));
        assert!(!nodes[2].bounds().proven());
        assert_eq!(last.drawn_with_children(&nodes[2]), Some(REWARD_OF_DRAW));
        assert_eq!(nodes[2].bounds(), Bounds::DRAWN);
    }

    #[test]
    fn a_node_with_children_is_drawn_once_the_game_makes_its_position_a_third_occurrence() {
        let mut state = GameState::new(Voidrider::start());
        state.play_text("b2-c4 b8-c6 c4-b2 c6-b8 b2-c4 b8-c6 c4-b2").unwrap();
        let again = state.position.parse_move("c6-b8").unwrap();
        // One iteration at a go, and many.
        for batch_visits in [u32::MAX, 1] {
            let nodes: Vec<Node> = (0..100_000).map(|_| Node::default()).collect();
            let tree = Tree::new(1..100_000, 1);
            let parameters = Parameters { batch_visits, ..Parameters::of::<Voidrider>() };
            let mut block = tree.clear();
            let root = &nodes[block.next().expect("room for a root") as usize];
            root.reset(None, 1.0);
            root.claim();
            let without_past = GameState::new(state.position);
            let mut moves = MoveList::new();
            state.position.moves(&mut moves);
            let mut worker = Worker::<_, true>::new(&nodes, &tree, &parameters, &without_past, 1);
            worker.use_block(block);
            assert!(worker.make_children(root, &moves, moves.len()));
            worker.iterate(2000);
            let children = root.children(&nodes).unwrap();
            let child = children.nodes().find(|child| child.to_here() == Some(again)).unwrap();
            assert!(child.stats().visits > 1 && !child.bounds().proven());
            Worker::<_, true>::new(&nodes, &tree, &parameters, &state, 1).iterate(2000);
            assert_eq!(child.bounds(), Bounds::DRAWN);
            assert!(root.bounds().is_drawn_at_least());
        }
    }
}
