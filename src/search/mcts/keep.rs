//! What is kept of a tree after a move: its reachable part, copied to the free part of the ring.
//!
//! The one idea: a copying collector (Cheney 1970). Nodes are copied breadth-first, children in
//! one piece as they were; the copies not yet looked at are themselves the queue. The old tree is
//! only read and stays good until the tree is settled on the copy, so that a copy can be given up
//! at any moment; and as the queue is breadth-first, one that ends early (for want of time or
//! room) has lost the deepest nodes only.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::node::Node;
use super::tree::Tree;

/// Nodes looked at between two looks at the clock.
const POLL: u64 = 1024;

/// Copies the reachable part of a tree, and settles the tree on the copy. Copies no deeper once
/// `until` has come; gives up, nothing changed, when `stop` is raised. No worker may be at work.
pub fn keep_reachable(nodes: &[Node], tree: &Tree, until: Option<Instant>, stop: &AtomicBool) {
    let free = tree.free();
    let start = free.start;
    let mut end = start + 1;
    nodes[tree.node_at(start)].copy_from(&nodes[tree.root()]);
    let mut late = false;
    let mut scanned = start;
    while scanned < end {
        if (scanned - start) % POLL == POLL - 1 {
            // Relaxed: nothing but the flag itself matters.
            if stop.load(Ordering::Relaxed) {
                return;
            }
            late = late || until.is_some_and(|until| Instant::now() >= until);
        }
        let node = &nodes[tree.node_at(scanned)];
        scanned += 1;
        let Some(children) = node.children() else { continue };
        let place = tree.place_for(children.count(), end);
        let after = place + children.count() as u64;
        if late || after > free.end {
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
}
