//! Positions that come back: what the search takes a repetition for.
//!
//! The one idea: a position that occurred before on the path from the root counts as a draw at
//! once, as whoever could do better would have done so the first time. That is a reward and no
//! proof: other paths reach the same node for the first time.

use super::node::Node;
use super::proof::Bounds;
use super::stats::REWARD_OF_DRAW;
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::game::GameState;

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// The reward of the current position if it occurred before on the path from the root. It then
    /// counts as a draw, though not a proven one: other paths reach it for the first time, and its
    /// other moves are tried at the first occurrence. Once the root has moved beyond that place,
    /// the node is an ordinary one, and further rewards outweigh its draws. Where a repetition wins
    /// or loses, it counts only when it ends the game.
    #[inline(always)]
    pub(super) fn reward_of_repetition(&self) -> Option<u32> {
        let GameState { position, history } = &self.state;
        if !position.has_repetition() || !position.came_before(history, self.depth) {
            return None;
        }
        if position.repetition_draws() {
            return Some(REWARD_OF_DRAW);
        }
        let ending = position.drawn(history)?;
        (position.count_moves() > 0)
            .then(|| ending.outcome.for_side(position.side()).halves() * REWARD_OF_DRAW)
    }

    /// The same for an unproven node with children, whose position may also end the game by
    /// repetition now: it did not when the node got its children, on another path or earlier in the
    /// game. (Ends by other rules are proven before a node gets children.)
    #[inline(always)]
    pub(super) fn reward_of_inner_repetition(&self, node: &Node) -> Option<u32> {
        let position = &self.state.position;
        if !position.has_repetition() {
            return None;
        }
        if let Some(reward) = self.reward_of_repetition() {
            return Some(reward);
        }
        // All ways from the root have these earlier occurrences.
        let ending = position.drawn(&self.state.history)?;
        Some(self.prove(node, Bounds::of_outcome(position, ending.outcome)))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::stats::REWARD_OF_WIN;
    use super::super::tree::Tree;
    use super::super::worker::tests::worker;
    use super::*;
    use crate::eval::parameters::Parameters;
    use crate::game::Game;
    use crate::games::{BuiltIn, Loa, Variant, Voidrider, loa, variant};

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
        assert_eq!(later.reward_of_inner_repetition(&nodes[2]), None);
        assert_eq!(worker.reward_of_inner_repetition(&nodes[2]), Some(REWARD_OF_DRAW));
        assert!(!nodes[2].bounds().proven());
        assert_eq!(last.reward_of_inner_repetition(&nodes[2]), Some(REWARD_OF_DRAW));
        assert_eq!(nodes[2].bounds(), Bounds::DRAWN);
    }

    /// In `loa:standard` a board that comes back ends the game whoever is to move then, but on
    /// another way to the same node nothing may have come back.
    #[test]
    fn a_board_that_comes_back_on_the_other_sides_turn_is_drawn_and_not_proven() {
        let start = GameState::new(Loa::start(loa::Layout::Standard));
        let mut back = start;
        back.play_text("B1-B3 A3-C5 B3-D3 C5-A3 D3-B1").unwrap();
        assert!(back.ending().is_some());
        let nodes: Vec<Node> = (0..100).map(|_| Node::default()).collect();
        let (tree, parameters) = (Tree::new(1..100, 1), Loa::TUNING);
        let mut worker = worker(&nodes, &tree, &parameters, &start);
        (worker.state, worker.depth) = (back, 5);
        assert_eq!(worker.visit_leaf(&nodes[2], 0), Some(REWARD_OF_DRAW));
        assert!(!nodes[2].bounds().proven());
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
            assert_eq!(worker.reward_of_repetition(), expected, "{keys}");
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
            let moves = state.position.legal_moves();
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
