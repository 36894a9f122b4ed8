//! The children of a node, as far as they have been made.
//!
//! The one idea: many moves are never searched, so children are made in groups, best priors first;
//! the first node of a group links to the next group.

use std::ops::Range;

use super::node::{Link, Node};
use super::proof::Bounds;
use super::stats::{MAX_VISITS, REWARD_OF_WIN};
use crate::eval::processor::prefetch;

impl Node {
    /// The children, if any have been published.
    #[inline(always)]
    pub fn children<'a>(&self, nodes: &'a [Node]) -> Option<Children<'a>> {
        self.link().map(|link| Children { nodes, link })
    }

    /// Gives a root the statistics of its children together, as far as they are more than its own:
    /// some came by way of other nodes. If that is more than a node has room for, the root gets a
    /// half, a quarter or less of it, and its children are to be halved.
    pub fn take_stats_of(&self, children: &Children) {
        let (mut visits, mut reward) =
            children.nodes().map(Node::stats).fold((0, 0), |(visits, sum), child| {
                (visits + u64::from(child.visits), sum + child.reward)
            });
        while visits >= u64::from(MAX_VISITS) {
            (visits, reward) = (visits / 2, reward / 2);
            self.mark_children_unhalved();
        }
        self.raise_iterations(visits as u32, reward.min(visits * u64::from(REWARD_OF_WIN)));
    }
}

/// The children that a node has. They lie in groups, in the order of the priors that they had when
/// a group was made. Each group doubles the number of children, as far as there are moves, and the
/// first node of one leads to the next.
#[derive(Clone, Copy)]
pub struct Children<'a> {
    nodes: &'a [Node],
    link: Link,
}

impl<'a> Children<'a> {
    /// The index of the child that had the largest prior when it was made.
    #[inline(always)]
    pub fn first(&self) -> usize {
        self.link.first as usize
    }

    /// Has the processor fetch the first group, which is soon looked at.
    #[inline(always)]
    pub fn prefetch(&self) {
        let first = self.first();
        // Every second node, as two lie in a cache line.
        for node in self.nodes[first..first + usize::from(self.link.count)].iter().step_by(2) {
            prefetch(node);
        }
    }

    /// Whether the transposition table does not know their parent yet, or they are to be halved.
    #[inline(always)]
    pub fn marked(&self) -> bool {
        self.link.marked
    }

    /// The groups that there are, at least one.
    #[inline(always)]
    pub fn groups(&self) -> Groups<'a> {
        let (next, size) = (self.link.first as usize, usize::from(self.link.count));
        Groups { nodes: self.nodes, next, size, made: 0, moves: usize::from(self.link.moves) }
    }

    /// The indices of all children there are.
    pub fn indices(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.groups().flatten()
    }

    /// All children there are.
    pub fn nodes(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        let nodes = self.nodes;
        self.groups().flat_map(move |group| &nodes[group])
    }

    /// Moves of the parent's position.
    pub fn moves(&self) -> usize {
        usize::from(self.link.moves)
    }

    /// Moves for which there is no child yet.
    pub fn missing(&self) -> usize {
        let mut groups = self.groups();
        while groups.next().is_some() {}
        groups.missing()
    }

    /// What the children there are prove about their parent: where some are missing, never that
    /// it is lost.
    pub fn bounds_of_parent(&self) -> Bounds {
        let missing = (self.missing() > 0).then_some(Bounds::UNKNOWN);
        Bounds::of_parent(self.nodes().map(Node::bounds).chain(missing))
    }
}

/// Goes through the groups of a node's children; each is a range of indices.
pub struct Groups<'a> {
    nodes: &'a [Node],
    /// The first index of the next group; 0 where there is none.
    next: usize,
    /// Nodes of the next group.
    size: usize,
    made: usize,
    moves: usize,
}

impl Groups<'_> {
    /// Moves for which no child has come so far.
    #[inline(always)]
    pub fn missing(&self) -> usize {
        self.moves - self.made
    }

    /// How many children belong to the next group: as many as have come so far, or are missing.
    #[inline(always)]
    pub fn next_size(&self) -> usize {
        self.made.min(self.missing())
    }
}

impl Iterator for Groups<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        if self.next == 0 {
            return None;
        }
        let group = self.next..self.next + self.size;
        self.made += self.size;
        self.size = self.next_size();
        self.next = if self.size == 0 { 0 } else { self.nodes[group.start].next_group() };
        Some(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_of_children_is_made_once_and_doubles_their_number() {
        let nodes: Vec<Node> = (0..40).map(|_| Node::default()).collect();
        let parent = &nodes[1];
        assert!(parent.claim());
        parent.publish(7, 3, 11);
        let starts_and_missing = || {
            let children = parent.children(&nodes).unwrap();
            (children.groups().map(|group| group.start).collect::<Vec<_>>(), children.missing())
        };
        assert_eq!(starts_and_missing(), (vec![7], 8));
        assert!(nodes[7].claim_next() && !nodes[7].claim_next());
        assert_eq!(starts_and_missing(), (vec![7], 8), "not before it is published");
        nodes[7].unclaim_next();
        assert!(nodes[7].claim_next());
        nodes[7].publish_next(20);
        assert_eq!(starts_and_missing(), (vec![7, 20], 5));
        assert!(!nodes[7].claim_next() && nodes[20].claim_next());
        nodes[20].publish_next(30);
        assert_eq!(starts_and_missing(), (vec![7, 20, 30], 0));
        let indices = [7, 8, 9, 20, 21, 22, 30, 31, 32, 33, 34];
        assert!(parent.children(&nodes).unwrap().indices().eq(indices));
    }

    #[test]
    fn a_root_gets_as_much_of_its_childrens_visits_as_there_is_room_for() {
        let nodes: Vec<Node> = (0..4).map(|_| Node::default()).collect();
        nodes[0].publish(1, 3, 3);
        let visits = MAX_VISITS - 1;
        for child in &nodes[1..] {
            child.raise_iterations(visits, u64::from(visits) * 300);
        }
        nodes[0].take_stats_of(&nodes[0].children(&nodes).unwrap());
        let of_root = nodes[0].stats();
        assert_eq!(of_root.visits, (3 * u64::from(visits) / 4) as u32);
        // The children's rewards are for the side to move at the root.
        assert!((of_root.mean() - 300.0 / 1022.0).abs() < 1e-4, "{}", of_root.mean());
        assert!(nodes[0].has_unhalved_children());
    }

    #[test]
    fn a_node_with_missing_children_is_not_lost() {
        let nodes: Vec<Node> = (0..4).map(|_| Node::default()).collect();
        nodes.iter().for_each(|node| assert!(node.tighten(Bounds::win(1))));
        let bounds = |moves| {
            let parent = Node::default();
            parent.publish(1, 3, moves);
            parent.children(&nodes).unwrap().bounds_of_parent()
        };
        assert!(bounds(3).is_loss());
        assert_eq!(bounds(4).proof(), None);
    }
}
