//! The memory of all trees: one mapping, taken and touched at start, never grown.
//!
//! The one idea: a search that allocates can be late; so all nodes it will ever have exist before
//! the first move, in one aligned block for which huge pages are asked, every page touched. Node
//! 0 is never used, so that index 0 can mean "none".

use std::ops::Deref;

use memmap2::MmapMut;

use super::node::Node;
use crate::search::EngineError;

/// The size of a huge page, to which the arena is aligned.
const HUGE_PAGE: usize = 2 << 20;

/// The smallest page that needs touching.
const PAGE: usize = 4096;

/// Fewest nodes that a search can work with.
const FEWEST_NODES: usize = 2048;

/// All nodes of an engine.
pub struct Arena {
    /// Owns the memory; `first` points into it.
    _memory: MmapMut,
    first: *const Node,
    length: usize,
}

// SAFETY: an arena is a slice of nodes, which are made of atomics, and owns its memory.
unsafe impl Send for Arena {}
// SAFETY: as above; shared access goes through the atomics of the nodes only.
unsafe impl Sync for Arena {}

impl Arena {
    /// Takes and touches an arena of `bytes` bytes (rounded down to whole nodes).
    pub fn new(bytes: usize) -> Result<Arena, EngineError> {
        let length = bytes / size_of::<Node>();
        if length < FEWEST_NODES {
            let least = FEWEST_NODES * size_of::<Node>();
            return Err(EngineError::MemoryTooSmall { bytes, least });
        }
        if u32::try_from(length).is_err() {
            let most = u32::MAX as usize * size_of::<Node>();
            return Err(EngineError::MemoryTooLarge { bytes, most });
        }
        // Small arenas gain nothing from alignment; larger ones lose less than one huge page.
        let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        let mapped = bytes.checked_add(slack).map(MmapMut::map_anon);
        let mut memory = match mapped {
            Some(Ok(memory)) => memory,
            Some(Err(error)) => return Err(EngineError::NoMemory { bytes, error }),
            None => {
                return Err(EngineError::NoMemory {
                    bytes,
                    error: std::io::ErrorKind::OutOfMemory.into(),
                });
            }
        };
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::info!("no huge pages for the arena: {error}");
        }
        let start = memory.as_mut_ptr();
        let skip = if slack > 0 { start.align_offset(HUGE_PAGE) } else { 0 };
        debug_assert!(skip <= slack);
        for page in memory[skip..skip + bytes].chunks_mut(PAGE) {
            // SAFETY: a valid exclusive reference; volatile, so that the write that makes the
            // system provide the page is not taken for a write of the zero that is there.
            unsafe { std::ptr::from_mut(&mut page[0]).write_volatile(0) };
        }
        let first = memory[skip..].as_ptr().cast::<Node>();
        Ok(Arena { _memory: memory, first, length })
    }
}

impl Deref for Arena {
    type Target = [Node];

    #[inline(always)]
    fn deref(&self) -> &[Node] {
        // SAFETY: `first` points to `length` nodes inside the mapping, which lives as long as
        // `self` and is aligned to a page; all bytes are initialised (zero), any bytes are a valid
        // node, and after construction they are accessed through these shared nodes alone.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
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
