//! What is kept of a tree after a move: its reachable part, copied to the free part of the ring.
//!
//! The one idea: a copying collector (Cheney 1970). Nodes are copied breadth-first, children in
//! one piece as they were; the copies not yet looked at are themselves the queue. The old tree is
//! only read and stays good until the tree is settled on the copy, so that a copy can be given up
//! at any moment; and as the queue is breadth-first, one that ends early (for want of time or
//! room) has lost the deepest nodes only. A full pool is emptied in the same way: most nodes were
//! visited a few times and are made again when they are needed, so the children of those with few
//! visits are left behind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::node::Node;
use super::tree::Tree;

/// Nodes looked at between two looks at the clock.
const POLL: u64 = 1024;

/// What is to be kept of a tree, and when to end.
pub struct Keeping<'a> {
    /// Nodes with fewer visits become leaves again.
    pub least_visits: u32,
    /// At most so many nodes.
    pub most_nodes: u64,
    /// Copies no deeper from then on.
    pub until: Option<Instant>,
    /// Gives up, nothing changed, once it is raised.
    pub stop: &'a AtomicBool,
}

/// Copies the reachable part of a tree, and settles the tree on the copy; answers whether it has.
/// No worker may be at work.
pub fn keep_reachable(nodes: &[Node], tree: &Tree, keeping: &Keeping) -> bool {
    let free = tree.free();
    let start = free.start;
    let limit = free.end.min(start.saturating_add(keeping.most_nodes));
    let mut end = start + 1;
    nodes[tree.node_at(start)].copy_from(&nodes[tree.root()]);
    let mut late = false;
    let mut scanned = start;
    while scanned < end {
        if (scanned - start) % POLL == POLL - 1 {
            // Relaxed: nothing but the flag itself matters.
            if keeping.stop.load(Ordering::Relaxed) {
                return false;
            }
            late = late || keeping.until.is_some_and(|until| Instant::now() >= until);
        }
        let at_root = scanned == start;
        let node = &nodes[tree.node_at(scanned)];
        scanned += 1;
        let Some(children) = node.children() else { continue };
        let place = tree.place_for(children.count(), end);
        let after = place + children.count() as u64;
        let rare = node.stats().visits < keeping.least_visits;
        // There is always room for the moves of the root.
        if (late || rare || after > limit) && !at_root {
            node.forget_children();
            continue;
        }
        // At the end of the ring, the nodes in between are as good as leaves.
        for skipped in end..place {
            nodes[tree.node_at(skipped)].reset(None, 0.0);
        }
        let first = tree.node_at(place);
        for (copy, child) in nodes[first..].iter().zip(children.nodes(nodes)) {
            copy.copy_from(child);
        }
        node.forget_children();
        node.publish(first as u32, children.count(), children.count() + children.missing);
        end = after;
    }
    tree.settle(start, end);
    true
}
