//! Monte Carlo tree search in fixed memory, on one tree or several.
//!
//! `--trees R --threads N`: the threads are divided among R trees, each with its own range of the
//! arena. R = N is root parallelism (no sharing), R = 1 one shared tree; the code is the same. At
//! the root the trees' visits are added up, and a proof in any of them counts.
//!
//! The default is one shared tree for any number of threads: its proofs, and the part that is kept
//! after a move, serve all of them.
//!
//! Nodes of the same position share their children (`transpositions.rs`), so that a tree is a graph
//! without cycles; each node counts its own visits.
//!
//! One iteration (`iteration.rs`) is four steps, in files of their names. The calling thread is the
//! watcher (`player.rs`): it prepares the roots, wakes the workers, parks until the deadline, and
//! reads the best move at the roots, whose children exist from the start. So a legal move is known
//! at any moment.
//!
//! A worker that gets no core may still be in the previous search when the next one is to begin.
//! The others begin it beside the late one: roots move, but no node is used again until it has
//! come. Where nobody can begin, the watcher plays what the trees know of the position, or else the
//! best move one ply ahead.

mod arena;
mod backup;
mod batch;
mod best_move;
mod children;
mod compaction;
mod evaluate;
mod expand;
mod expansion_limits;
mod halving;
mod history;
#[doc(hidden)]
pub mod inspect;
mod iteration;
#[cfg(test)]
mod loom_tests;
mod node;
mod player;
mod proof;
mod prove_root;
mod rank;
mod repetition;
mod roots;
mod select;
mod standing;
mod stats;
mod sync;
#[cfg(all(test, not(loom)))]
mod tests;
mod transpositions;
mod tree;
mod tree_search;
mod worker;

pub use self::player::MonteCarlo;
pub use self::tree_search::max_memory;
