//! The built-in games: a folder for each, which holds all that is known of it, and its line in the
//! list below. Names, help, options, dispatch and all lists of games follow from that line. The
//! chess variants by definition ([`variant`]) are one game of the list, whose setups people write.

pub mod hadron;
pub mod loa;
pub mod murus;
pub mod variant;
pub mod voidrider;

mod any;
mod language;
mod registry;
#[doc(hidden)]
pub mod rulebook;
mod spec;
mod symmetry;
pub mod text;
pub mod zobrist;

pub use any::{AnyGame, AnyState, Listed};
pub use registry::{BuiltIn, Drawing, Handicap, Origin, Setup};
pub use spec::GameSpec;
pub use symmetry::Symmetry;

/// The list of the built-in games, in the order in which they are always shown: the module of each
/// and its type. Passes the list to another macro, with further arguments of that macro.
#[macro_export]
macro_rules! games {
    ($($macro:tt)::+ $(, $($argument:tt)*)?) => {
        $($macro)::+! {
            [
                murus::Murus,
                hadron::Hadron,
                loa::Loa,
                voidrider::Voidrider,
                variant::Variant,
            ]
            $($($argument)*)?
        }
    };
}

macro_rules! export {
    ([$($module:ident::$game:ident,)+]) => { $(pub use $module::$game;)+ };
}

games!(export);
