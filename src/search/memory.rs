//! Memory for a whole search: mappings taken and touched at start, never grown.
//!
//! The one idea: a search that allocates can be late; so all it will ever need exists before the
//! first move, in aligned blocks for which huge pages are asked, every page touched.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::slice::ChunksMut;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use super::{EngineError, system};

pub use super::system::{at_most_half_of_available, available_memory};

/// The smallest page that needs touching.
const PAGE: usize = 4096;

/// What a thread touches at a time: whole huge pages.
const PIECE: usize = 16 << 20;

/// Max stack of a thread of ours, in bytes: several times the need of the deepest search, and half
/// of the smallest stack of a main thread on any system (1 MiB, Windows).
const STACK: usize = 512 << 10;

/// Prepares this thread for a game: from now on it waits at a mutex without allocating, and the
/// system provides no more pages for its stack. For the beginning of a thread, when nearly all of
/// its stack is free.
pub fn prepare_thread() {
    touch_stack();
    // What a thread needs in order to wait is allocated when it first waits.
    let mutex = Mutex::new(());
    let _held = mutex.lock();
    drop(mutex.try_lock_for(Duration::ZERO));
}

/// Has the system provide this thread's stack at once, as it else does page by page while the stack
/// grows.
#[inline(never)]
fn touch_stack() {
    let mut pages = [const { MaybeUninit::<u8>::uninit() }; STACK];
    // From the top downwards, as a stack grows.
    for page in pages.chunks_mut(PAGE).rev() {
        // SAFETY: a valid exclusive reference; volatile, as the written value is never read.
        unsafe { std::ptr::from_mut(&mut page[0]).write_volatile(MaybeUninit::new(0)) };
    }
}

#[cfg(target_family = "wasm")]
use allocated::Memory;
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut as Memory;

/// Where there is no system to map memory, the allocator's.
#[cfg(any(target_family = "wasm", test))]
mod allocated {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::io;
    use std::ops::{Deref, DerefMut};

    /// Bytes that are zero at first, from the beginning of a page.
    pub struct Memory {
        first: *mut u8,
        layout: Layout,
    }

    impl Memory {
        /// Allocates at least one byte.
        pub fn map_anon(bytes: usize) -> io::Result<Memory> {
            let layout = Layout::from_size_align(bytes.max(1), super::PAGE);
            let layout = layout.map_err(|_| io::ErrorKind::OutOfMemory)?;
            // SAFETY: not of no size.
            let first = unsafe { alloc_zeroed(layout) };
            if first.is_null() {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            Ok(Memory { first, layout })
        }
    }

    impl Deref for Memory {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            // SAFETY: allocated with this size, initialised, and owned.
            unsafe { std::slice::from_raw_parts(self.first, self.layout.size()) }
        }
    }

    impl DerefMut for Memory {
        fn deref_mut(&mut self) -> &mut [u8] {
            // SAFETY: as above.
            unsafe { std::slice::from_raw_parts_mut(self.first, self.layout.size()) }
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: allocated with this layout, once.
            unsafe { dealloc(self.first, self.layout) };
        }
    }
}

/// What a [`Block`] may consist of.
///
/// # Safety
/// Any bytes are a valid value, and values change through shared references (they are made of
/// atomics).
pub unsafe trait Element: Send + Sync {}

/// A fixed number of elements that are all zero bytes at first.
pub struct Block<T> {
    /// Owns the memory; `first` points into it.
    _memory: Memory,
    first: *const T,
    length: usize,
    _elements: PhantomData<T>,
}

// SAFETY: a block is a slice of elements, which may be shared, and owns its memory.
unsafe impl<T: Element> Send for Block<T> {}
// SAFETY: as above; shared access goes through the elements only.
unsafe impl<T: Element> Sync for Block<T> {}

impl<T: Element> Block<T> {
    /// Allocates a block of `bytes` bytes, rounded down to whole elements, of which there must be
    /// at least `fewest`, and has it touched by up to `threads` threads.
    ///
    /// # Errors
    /// The amount is too small, or more than there is.
    pub fn new(bytes: usize, fewest: usize, threads: usize) -> Result<Block<T>, EngineError> {
        const { assert!(align_of::<T>() <= PAGE) };
        let length = bytes / size_of::<T>();
        if length < fewest {
            return Err(EngineError::MemoryTooSmall { bytes, least: fewest * size_of::<T>() });
        }
        // Before anything is touched: where the system promises more than it has, the promise is
        // broken by ending the program.
        if let Some(most) = system::available_memory().filter(|&most| most < bytes) {
            return Err(EngineError::MemoryNotThere { bytes, most });
        }
        let given = Memory::map_anon(bytes);
        let mut memory = given.map_err(|error| EngineError::NoMemory { bytes, error })?;
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::info!("no huge pages: {error}");
        }
        touch(&mut memory, threads);
        let first = memory.as_mut_ptr().cast::<T>().cast_const();
        if log::log_enabled!(log::Level::Info) {
            let huge = match system::huge_pages(first.addr()) {
                Some(huge) => format!("{} MiB of it in huge pages", huge >> 20),
                None => "huge pages unknown here".to_string(),
            };
            log::info!("memory: {} KiB allocated and touched, {huge}", bytes >> 10);
        }
        Ok(Block { _memory: memory, first, length, _elements: PhantomData })
    }
}

/// Has the system provide all pages of a mapping: it clears each, which takes one thread seconds
/// for many GiB.
fn touch(memory: &mut [u8], threads: usize) {
    let pieces = Mutex::new(memory.chunks_mut(PIECE));
    thread::scope(|scope| {
        let helpers = threads.min(pieces.lock().len()).saturating_sub(1);
        // Without a thread the others do its work.
        let start =
            |_| thread::Builder::new().spawn_scoped(scope, || touch_pieces(&pieces)).is_ok();
        let _all_started = (0..helpers).all(start);
        touch_pieces(&pieces);
    });
}

/// Touches pieces of memory until none is left; for several threads at once.
fn touch_pieces(pieces: &Mutex<ChunksMut<u8>>) {
    // The lock is held while a piece is taken, not while it is touched.
    let next = || pieces.lock().next();
    while let Some(piece) = next() {
        for page in piece.chunks_mut(PAGE) {
            // SAFETY: a valid exclusive reference; volatile, so that the write that makes the
            // system provide the page is not taken for a write of the zero that is there.
            unsafe { std::ptr::from_mut(&mut page[0]).write_volatile(0) };
        }
    }
}

impl<T: Element> Deref for Block<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `first` points to `length` elements inside the mapping, which lives as long as
        // `self` and is aligned to a page. All bytes are initialised (zero) and a valid element.
        // After construction they are accessed through these shared elements alone.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    // SAFETY: an atomic integer.
    unsafe impl Element for AtomicU64 {}

    #[test]
    fn a_block_holds_as_many_elements_as_fit_and_begins_with_zeros() {
        for bytes in [8, 100, 64 << 10, (3 << 20) + 31, 2 * PIECE + 100] {
            let block = Block::<AtomicU64>::new(bytes, 1, 3).unwrap();
            assert_eq!(block.len(), bytes / 8);
            assert!(block.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        }
    }

    #[test]
    fn the_allocator_gives_whole_pages_of_zeros_or_an_error() {
        let mut memory = allocated::Memory::map_anon((1 << 20) + 5).unwrap();
        assert!(memory.len() >= (1 << 20) + 5 && memory.iter().all(|&byte| byte == 0));
        assert!(memory.as_ptr().addr().is_multiple_of(PAGE));
        memory.fill(1);
        assert!(allocated::Memory::map_anon(usize::MAX).is_err());
        assert!(allocated::Memory::map_anon(isize::MAX as usize - PAGE).is_err());
    }

    #[test]
    fn too_little_memory_and_absurdly_much_are_refused() {
        let too_small = Block::<AtomicU64>::new(1000, 126, 2);
        assert!(matches!(too_small, Err(EngineError::MemoryTooSmall { least: 1008, .. })));
        assert!(matches!(
            Block::<AtomicU64>::new(usize::MAX, 1, 2),
            Err(EngineError::MemoryNotThere { .. } | EngineError::NoMemory { .. })
        ));
    }
}
