//! Compaction: copies the reachable part of a tree after a move to the free part of the ring.
//!
//! The one idea: a copying collector (Cheney 1970). Nodes are copied breadth-first, the children of
//! a node in one piece, without unvisited ones except at the root; the copies not yet scanned are
//! the queue. The old tree is only read and stays valid until the copy replaces it, so a copy can
//! be abandoned at any moment; and as the order is breadth-first, a copy that ends early (no time
//! or no room) has lost only the deepest nodes. Shared children are copied once, as long as the
//! table still has their place.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::node::Node;
use super::proof::Bounds;
use super::transpositions::{Key, Transpositions};
use super::tree::Tree;

/// Nodes looked at between two looks at the clock.
const POLL: u64 = 1024;

/// Whether a child holds more than what can be made again when it is needed.
pub fn says_something(child: &Node) -> bool {
    child.stats().visits > 0 || child.bounds() != Bounds::UNKNOWN
}

/// Copies the reachable part of a tree, and settles the tree on the copy. Copies no deeper once
/// `until` has come; gives up when `stop` is raised, after which only the transposition table has
/// forgotten the tree. No other worker may be at work on it.
pub fn compact(
    nodes: &[Node],
    tree: &Tree,
    transpositions: Transpositions,
    until: Option<Instant>,
    stop: &AtomicBool,
) {
    // Entries of a copy that was given up are not found.
    let generation = tree.begin_generation();
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
        let at_root = scanned == start;
        let node = &nodes[tree.node_at(scanned)];
        scanned += 1;
        let Some(children) = node.children(nodes) else { continue };
        let kept = || children.nodes().filter(|child| at_root || says_something(child));
        let count = kept().count();
        let unhalved = node.has_unhalved_children();
        let group = node.shares_children().then(|| Key::of_group(children.first(), generation));
        if let Some(copied) = group.and_then(|group| transpositions.find(group)) {
            node.forget_children();
            node.share_children_of(&nodes[copied]);
            node.mark_as_copied(true, unhalved);
            continue;
        }
        let place = tree.place_for(count, end);
        let after = place + count as u64;
        let moves = children.moves();
        node.forget_children();
        if late || count == 0 || after > free.end {
            continue;
        }
        // At the end of the ring, the nodes in between are as good as leaves.
        for skipped in end..place {
            nodes[tree.node_at(skipped)].reset(None, 0.0);
        }
        let first = tree.node_at(place);
        for (copy, child) in nodes[first..].iter().zip(kept()) {
            copy.copy_from(child);
        }
        node.publish(first as u32, count, moves);
        node.mark_as_copied(group.is_some(), unhalved);
        if let Some(group) = group {
            transpositions.store(group, tree.node_at(scanned - 1));
        }
        end = after;
    }
    tree.settle(start, end);
}
