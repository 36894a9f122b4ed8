//! A worker: all that one thread needs to grow a tree.
//!
//! The one idea: a worker borrows the tree and owns the rest, its path, its random numbers and the
//! nodes it has reserved; what it does with them is in the files named after the four steps of an
//! [iteration](super::iteration).

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use arrayvec::ArrayVec;

use super::batch::Batch;
use super::expansion_policy::ExpansionPolicy;
use super::history::MoveHistory;
use super::node::Node;
use super::prove_root::RootProver;
use super::rank::Ranking;
use super::transpositions::{Key, Transpositions};
use super::tree::Tree;
use crate::eval::Evaluate;
use crate::eval::parameters::Parameters;
use crate::game::{GameState, MAX_PLIES};

/// Batches under way, one within the other. The models of loom need few, and have small stacks.
const MAX_BATCHES: usize = if cfg!(loom) { 16 } else { MAX_PLIES + 1 };

/// Searches one tree from one position. `OWNED`: no other worker has the tree.
pub struct Worker<'a, G: Evaluate, const OWNED: bool> {
    pub(super) nodes: &'a [Node],
    pub(super) tree: &'a Tree,
    /// The index of the root, the node of `start`.
    pub(super) root: usize,
    pub(super) parameters: &'a Parameters,
    pub(super) start: GameState<G>,
    /// The current position, with the history that leads to it.
    pub(super) state: GameState<G>,
    pub(super) rng: fastrand::Rng,
    /// The nodes from the root to the current one.
    pub(super) path: [u32; MAX_PLIES + 1],
    pub(super) depth: usize,
    /// The batches on the path, the deepest one last.
    pub(super) batches: ArrayVec<Batch<G>, MAX_BATCHES>,
    /// Finds the node that has a position's children already.
    pub(super) transpositions: Transpositions<'a>,
    /// Nodes reserved and not used.
    pub(super) block: Range<u32>,
    pub(super) policy: ExpansionPolicy,
    pub(super) ranking: Ranking,
    pub(super) history: MoveHistory,
    pub(super) contention: Contention,
    pub(super) oracle: &'a mut G::Oracle,
    root_prover: RootProver,
}

/// How often a worker came to what it shares with others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contention {
    /// Blocks of the pool that it has taken.
    pub blocks: u64,
    /// Places where it wanted to make children and another worker was at it.
    pub lost_claims: u64,
}

impl<'a, G: Evaluate, const OWNED: bool> Worker<'a, G, OWNED> {
    /// A worker on a tree with the root position `start`.
    pub fn new(
        (nodes, tree): (&'a [Node], &'a Tree),
        parameters: &'a Parameters,
        oracle: &'a mut G::Oracle,
        start: &GameState<G>,
        seed: u64,
    ) -> Self {
        Worker {
            nodes,
            tree,
            root: tree.root(),
            parameters,
            start: *start,
            state: *start,
            rng: fastrand::Rng::with_seed(seed),
            path: [0; MAX_PLIES + 1],
            depth: 0,
            batches: ArrayVec::new(),
            transpositions: Transpositions::new(&[]),
            block: 0..0,
            policy: ExpansionPolicy::of(tree, parameters),
            ranking: Ranking::new(),
            history: MoveHistory::new(parameters.history_factor),
            contention: Contention::default(),
            oracle,
            root_prover: RootProver::new(),
        }
    }

    /// Has the oracle try to prove the moves of the root, for a time that is fair after this many
    /// iterations.
    pub fn prove_root(&mut self, iterations: u64, stop: &AtomicBool) {
        let root = (&self.nodes[self.root], self.nodes);
        self.root_prover.advance(self.oracle, root, &self.start, iterations, stop);
    }

    /// Begins at another root than the tree's present one.
    pub fn use_root(&mut self, root: usize) {
        self.root = root;
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

    /// Whether more iterations cannot change anything: the root is proven.
    pub fn finished(&self) -> bool {
        self.nodes[self.root].bounds().proven()
    }

    /// The key of the current position in the transposition table.
    #[inline(always)]
    pub(super) fn key(&self) -> Key {
        let position = &self.state.position;
        Key::of_position(position.key(), position.ply(), self.tree.generation())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::proof::Bounds;
    use super::super::stats::{REWARD_OF_DRAW, REWARD_OF_WIN};
    use super::*;
    use crate::eval::oracle::NoOracle;
    use crate::game::{Game, MoveList, Side};
    use crate::games::{BuiltIn, Variant, Voidrider, variant};

    fn worker<'a, G: Evaluate<Oracle = NoOracle>>(
        nodes: &'a [Node],
        tree: &'a Tree,
        parameters: &'a Parameters,
        start: &GameState<G>,
    ) -> Worker<'a, G, true> {
        // Of no size, so that nothing is leaked.
        let oracle: &mut NoOracle = Box::leak(Box::default());
        Worker::new((nodes, tree), parameters, oracle, start, 1)
    }

    #[test]
    fn each_side_learns_how_much_better_than_expected_its_moves_were() {
        let start = GameState::new(Voidrider::start());
        let mut moves = MoveList::new();
        start.position.moves(&mut moves);
        let [whites, blacks] = [moves[0], moves[1]];
        let nodes: Vec<Node> = (0..4).map(|_| Node::default()).collect();
        let tree = Tree::new(1..4, 1);
        let parameters = Parameters { history_factor: 50.0, ..Voidrider::TUNING };
        nodes[2].reset(Some(whites), 0.5);
        nodes[3].reset(Some(blacks), 0.5);
        // White expects three quarters at the root, Black half after White's move.
        nodes[1].raise_iterations(4, u64::from(REWARD_OF_WIN) * 3);
        nodes[2].raise_iterations(2, u64::from(REWARD_OF_WIN));
        let mut worker = worker(&nodes, &tree, &parameters, &start);
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
        let (tree, parameters) = (Tree::new(1..2000, 1), Voidrider::TUNING);
        let worker_from = |root: &GameState<Voidrider>| worker(&nodes, &tree, &parameters, root);
        let mut worker = worker_from(&start);
        (worker.state, worker.depth) = (back, 4);
        for visits_before in [0, 1, 100] {
            let reward = worker.visit_leaf(&nodes[2], visits_before);
            assert_eq!(reward, Some(REWARD_OF_DRAW));
        }
        // The rule's draw at a third occurrence is certain only if no other way from the root can
        // avoid it.
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
        assert_eq!(later.repeats_with_children(&nodes[2]), None);
        assert_eq!(worker.repeats_with_children(&nodes[2]), Some(REWARD_OF_DRAW));
        assert!(!nodes[2].bounds().proven());
        assert_eq!(last.repeats_with_children(&nodes[2]), Some(REWARD_OF_DRAW));
        assert_eq!(nodes[2].bounds(), Bounds::DRAWN);
    }

    /// White repeats within the search: where that wins for Black, it is no draw, and not proven.
    #[test]
    fn a_repetition_that_wins_counts_as_a_win_once_it_ends_the_game() {
        for (keys, expected) in [
            ("nFoldRule = 2\nnFoldValue = win", Some(REWARD_OF_WIN)),
            ("nFoldRule = 2\nnFoldValue = loss", Some(0)),
            ("nFoldRule = 2", Some(REWARD_OF_DRAW)),
            ("nFoldRule = 3\nnFoldValue = win", None),
            ("nFoldRule = 3", Some(REWARD_OF_DRAW)),
        ] {
            let text = format!("[x:chess]\n{keys}\n");
            let start = Variant::set_up(variant::load("worker.ini", text).unwrap()[0]);
            let board = "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1";
            let start = GameState::new(start.parse_board(board).unwrap());
            let mut state = start;
            state.play_text("g8h8 g1f1 h8g8 f1g1").unwrap();
            let nodes: Vec<Node> = (0..100).map(|_| Node::default()).collect();
            let (tree, parameters) = (Tree::new(1..100, 1), Variant::TUNING);
            let mut worker = worker(&nodes, &tree, &parameters, &start);
            (worker.state, worker.depth) = (state, 4);
            assert_eq!(worker.comes_back(), expected, "{keys}");
            let reward = worker.visit_leaf(&nodes[2], 0);
            assert!(expected.is_none() || reward == expected, "{keys}");
            assert!(!nodes[2].bounds().proven(), "{keys}");
        }
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
            let parameters = Parameters { batch_visits, ..Voidrider::TUNING };
            let mut block = tree.clear();
            let root = &nodes[block.next().expect("room for a root") as usize];
            root.reset(None, 1.0);
            root.claim();
            let without_past = GameState::new(state.position);
            let mut moves = MoveList::new();
            state.position.moves(&mut moves);
            let mut earlier = worker(&nodes, &tree, &parameters, &without_past);
            earlier.use_block(block);
            assert!(earlier.make_children(root, &moves, moves.len()));
            earlier.iterate(2000);
            let children = root.children(&nodes).unwrap();
            let child = children.nodes().find(|child| child.to_here() == Some(again)).unwrap();
            assert!(child.stats().visits > 1 && !child.bounds().proven());
            worker(&nodes, &tree, &parameters, &state).iterate(2000);
            assert_eq!(child.bounds(), Bounds::DRAWN);
            assert!(root.bounds().is_drawn_at_least());
        }
    }
}
