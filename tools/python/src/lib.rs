//! Alesia as a Python module: `alesia._native`, which the package `alesia` (in `python/`) shows.
//!
//! The one idea: all that a class does is done by the library, over
//! [`AnyGame`](alesia::games::AnyGame). What may take long runs without Python's lock and ends at
//! Ctrl-C (`unlocked`).
//!
//! `docs/python.md` explains the package; `python/alesia/_native.pyi` has the types.

mod analysis;
mod engine;
mod error;
mod evaluate;
mod matches;
mod picture;
mod planes;
mod playouts;
mod position;
mod record;
mod unlocked;
mod vector;

use pyo3::prelude::*;

/// The part of the package that is written in Rust.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::analysis::{Analysis, MoveInfo, Proof};
    #[pymodule_export]
    use super::engine::Engine;
    #[pymodule_export]
    use super::error::AlesiaError;
    #[pymodule_export]
    use super::matches::{elo, elo_in_words, game_seed, opening};
    #[pymodule_export]
    use super::position::{Position, Result, games, load_variants, variants};
    #[pymodule_export]
    use super::record::{Record, RecordedMove, read_records, write_records};
    #[pymodule_export]
    use super::vector::VectorGames;

    /// The version of the program.
    #[pymodule_export]
    const __VERSION__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let end = wrap_pyfunction!(super::unlocked::end_of_interpreter, module)?;
        module.py().import("atexit")?.call_method1("register", (end,))?;
        Ok(())
    }
}
