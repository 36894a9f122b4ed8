//! Which game is meant: the names of the command line, and the one `match` on them.

use std::fmt;
use std::str::FromStr;

use super::hadron::MAX_SIZE;
use super::loa::Layout;
use crate::game::{ParseError, quoted};

/// A game with the parameters of its start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameSpec {
    /// Murus Gallicus.
    Murus,
    /// Hadron on a board of so many rows and columns.
    Hadron {
        /// 1 to 9.
        rows: usize,
        /// 1 to 9.
        columns: usize,
    },
    /// Lines of Action from one of its two layouts.
    Loa(Layout),
    /// Voidrider Chess.
    Voidrider,
}

impl GameSpec {
    /// The four games, on their largest boards.
    pub const ALL: [GameSpec; 4] = [
        GameSpec::Murus,
        GameSpec::Hadron { rows: MAX_SIZE, columns: MAX_SIZE },
        GameSpec::Loa(Layout::Rows),
        GameSpec::Voidrider,
    ];
}

impl FromStr for GameSpec {
    type Err = ParseError;

    /// Reads `murus`, `hadron` (9 × 9), `hadron5`, `hadron7`, `hadronRxC`, `loa` or `voidrider`.
    fn from_str(name: &str) -> Result<GameSpec, ParseError> {
        let error = || {
            let expected =
                "murus, hadron, hadron5, hadron7, hadronRxC (such as hadron4x5), loa or voidrider";
            ParseError::new("game", quoted(name), expected)
        };
        match name {
            "murus" => return Ok(GameSpec::Murus),
            "loa" => return Ok(GameSpec::Loa(Layout::default())),
            "voidrider" => return Ok(GameSpec::Voidrider),
            "hadron" => return Ok(GameSpec::Hadron { rows: MAX_SIZE, columns: MAX_SIZE }),
            _ => {}
        }
        let size = name.strip_prefix("hadron").ok_or_else(error)?;
        let (rows, columns) = size.split_once('x').unwrap_or((size, size));
        // One digit, so neither a sign nor a leading zero.
        let number = |text: &str| {
            let number: usize = text.parse().ok()?;
            (text.len() == 1 && (1..=MAX_SIZE).contains(&number)).then_some(number)
        };
        match (number(rows), number(columns)) {
            (Some(rows), Some(columns)) => Ok(GameSpec::Hadron { rows, columns }),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for GameSpec {
    /// The name on the command line.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GameSpec::Murus => f.write_str("murus"),
            GameSpec::Hadron { rows: MAX_SIZE, columns: MAX_SIZE } => f.write_str("hadron"),
            GameSpec::Hadron { rows, columns } if rows == columns => write!(f, "hadron{rows}"),
            GameSpec::Hadron { rows, columns } => write!(f, "hadron{rows}x{columns}"),
            GameSpec::Loa(_) => f.write_str("loa"),
            GameSpec::Voidrider => f.write_str("voidrider"),
        }
    }
}

/// Runs an expression for the game that a [`GameSpec`] names, with its start position, of that
/// game's own type, bound to a name: the one place where a game's name becomes a type.
///
/// ```
/// use alesia::game::Game;
/// let spec: alesia::games::GameSpec = "hadron5".parse().unwrap();
/// let moves = alesia::with_game!(spec, start => start.count_moves());
/// assert_eq!(moves, 25);
/// ```
#[macro_export]
macro_rules! with_game {
    ($spec:expr, $start:ident => $body:expr) => {
        match $spec {
            $crate::games::GameSpec::Murus => {
                let $start = $crate::games::Murus::start();
                $body
            }
            $crate::games::GameSpec::Hadron { rows, columns } => {
                let $start = $crate::games::Hadron::start(rows, columns);
                $body
            }
            $crate::games::GameSpec::Loa(layout) => {
                let $start = $crate::games::Loa::start(layout);
                $body
            }
            $crate::games::GameSpec::Voidrider => {
                let $start = $crate::games::Voidrider::start();
                $body
            }
        }
    };
}
