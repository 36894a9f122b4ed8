//! The memory of all trees: one block of nodes, taken at start, never grown.
//!
//! The one idea: all nodes that a search will ever have exist before the first move. Node 0 is
//! never used, so that index 0 can mean "none".

use std::ops::Deref;

use super::node::Node;
use crate::search::EngineError;
use crate::search::memory::{Block, Element};

/// Fewest nodes that a search can work with.
const FEWEST_NODES: usize = 2048;

// SAFETY: a node is made of atomics, and any bytes are one.
unsafe impl Element for Node {}

/// All nodes of an engine.
pub struct Arena {
    nodes: Block<Node>,
}

impl Arena {
    /// Takes and touches an arena of `bytes` bytes (rounded down to whole nodes).
    pub fn new(bytes: usize) -> Result<Arena, EngineError> {
        if u32::try_from(bytes / size_of::<Node>()).is_err() {
            let most = u32::MAX as usize * size_of::<Node>();
            return Err(EngineError::MemoryTooLarge { bytes, most });
        }
        Ok(Arena { nodes: Block::new(bytes, FEWEST_NODES)? })
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
        assert_eq!(Arena::new(64 << 10).unwrap().len(), 2048);
        assert_eq!(Arena::new((3 << 20) + 31).unwrap().len(), (3 << 20) / 32);
    }

    #[test]
    fn too_little_memory_and_absurdly_much_are_refused() {
        assert!(matches!(Arena::new(1000), Err(EngineError::MemoryTooSmall { .. })));
        assert!(Arena::new(usize::MAX).is_err());
    }
}
