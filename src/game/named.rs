//! Enums whose values are written and read by their names.
//!
//! The one idea: a value and its name stand on one line, and the list of all values, writing and
//! reading follow from these lines.

/// Defines such an enum: each value with its name, which the method `$name` returns, and what an
/// error calls the place of one that cannot be read.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $type:ident ($place:literal, $name:ident) {
            $($(#[$value_about:meta])* $value:ident = $text:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$value_about])* $value,)+
        }

        impl $type {
            /// All values, in the order in which people see them.
            pub const ALL: [$type; [$($text),+].len()] = [$($type::$value),+];

            /// Its name on command lines and in files.
            pub fn $name(self) -> &'static str {
                match self {
                    $($type::$value => $text,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.pad(self.$name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::game::ParseError;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                use $crate::game::{ParseError, alternatives, quoted};
                let found = $type::ALL.into_iter().find(|one| one.$name() == text);
                let expected = || alternatives(&[$($text),+]);
                found.ok_or_else(|| ParseError::new($place, quoted(text), expected()))
            }
        }
    };
}

pub(crate) use named;
