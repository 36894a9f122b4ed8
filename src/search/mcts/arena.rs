//! The memory of all trees: one block of nodes, taken at start, never grown.
//!
//! The one idea: all nodes that a search will ever have exist before the first move. Node 0 is
//! never used, so that index 0 can mean "none".

use std::ops::Deref;

use super::node::Node;
use crate::game::MAX_MOVES;
use crate::search::EngineError;
use crate::search::memory::{Block, Element};

/// The fewest nodes of an arena, and of each tree in it, that a search can work with: room for a
/// root and its moves in one block, and some more.
const MIN_NODES: usize = 2048;
const MIN_TREE_NODES: usize = 2 * MAX_MOVES;

/// Max nodes: all that an index can address.
const MAX_NODES: usize = u32::MAX as usize;

/// The most memory that an arena can use, in bytes.
pub const MAX_BYTES: usize = MAX_NODES.saturating_mul(size_of::<Node>());

// SAFETY: a node is made of atomics, and any bytes are one; of loom's atomics no arena is made.
unsafe impl Element for Node {}

/// All nodes of an engine.
pub struct Arena {
    nodes: Block<Node>,
}

impl Arena {
    /// Allocates and touches an arena of `bytes` bytes (rounded down to whole nodes) for `trees`
    /// trees, by up to `threads` threads.
    pub fn new(bytes: usize, trees: usize, threads: usize) -> Result<Arena, EngineError> {
        if cfg!(loom) {
            unimplemented!("an atomic of loom is more than its bytes");
        }
        if bytes / size_of::<Node>() > MAX_NODES {
            return Err(EngineError::MemoryTooLarge { bytes, most: MAX_BYTES });
        }
        let fewest = MIN_NODES.max(1 + trees * MIN_TREE_NODES);
        Ok(Arena { nodes: Block::new(bytes, fewest, threads)? })
    }
}

impl Deref for Arena {
    type Target = [Node];

    #[inline(always)]
    fn deref(&self) -> &[Node] {
        &self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arena_holds_as_many_nodes_as_fit() {
        assert_eq!(Arena::new(64 << 10, 3, 1).unwrap().len(), 2048);
        assert_eq!(Arena::new((3 << 20) + 31, 1, 2).unwrap().len(), (3 << 20) / 32);
    }

    #[test]
    fn too_little_memory_and_absurdly_much_are_refused() {
        assert!(matches!(Arena::new(1000, 1, 1), Err(EngineError::MemoryTooSmall { .. })));
        assert!(Arena::new(usize::MAX, 1, 1).is_err());
        let crowded = Arena::new(64 << 10, 100, 1);
        assert!(
            matches!(crowded, Err(EngineError::MemoryTooSmall { .. })),
            "too little for all trees"
        );
    }
}
