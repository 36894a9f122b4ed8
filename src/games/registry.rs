//! The registration of a game, beside its rules and its evaluation, and the one `match` that turns
//! a game's name into its type.
//!
//! The one idea: the list of the games is a macro ([`games!`](crate::games!)), so that all code for
//! each of them is generated from the list, and no other place names them all.

use std::borrow::Cow;
use std::fmt;

use super::language::Language;
use super::symmetry::Symmetry;
use crate::eval::Evaluate;
use crate::game::{ParseError, Side, alternatives};

/// A start for players of different strength: one side begins with less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// The setup in the name of the game, such as `white-wall`.
    pub word: &'static str,
    /// What is different, in a word: the piece that is missing. Each side has the same names.
    pub name: &'static str,
    /// The side that begins with less.
    pub side: Side,
    /// The text board.
    pub board: &'static str,
}

/// A game of the list.
pub trait BuiltIn: Evaluate {
    /// The name on the command line, in lower case, which is also that of the game's folder.
    const NAME: &'static str;
    /// What can be chosen about the start of a game; `()` where there is nothing.
    type Setup: Setup;
    /// Whether a game may be drawn; else the protocol of its course has no word for a tie.
    const HAS_DRAWS: bool = true;
    /// The text of the opening book; empty where there is none.
    const BOOK: &'static str = "";
    /// The symmetries of the board that change neither the standard start nor the rules.
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::IDENTITY];

    /// The rules for people, a page in each language (see [`rulebook`](super::rulebook)); empty
    /// where there are none.
    const RULES: [&'static str; Language::ALL.len()] = [""; Language::ALL.len()];

    /// The page of rules in a language; empty where there is none.
    fn page_of_rules(&self, language: Language) -> Cow<'static, str> {
        Self::RULES[language as usize].into()
    }

    /// How a cell with this character in the text board is drawn for people.
    fn drawing(character: char) -> Drawing {
        match character {
            'w' => Drawing::Piece(Side::White, '○'),
            'b' => Drawing::Piece(Side::Black, '●'),
            _ => Drawing::Empty,
        }
    }

    /// The characters of the text board that stand for pieces, White's first.
    fn pieces(&self) -> Vec<char> {
        let of = |side| {
            let own =
                move |c: &char| matches!(Self::drawing(*c), Drawing::Piece(of, _) if of == side);
            ('!'..='~').filter(own)
        };
        of(Side::White).chain(of(Side::Black)).collect()
    }

    /// The position in which a game begins.
    fn set_up(setup: Self::Setup) -> Self;

    /// The position in which a game begins where nothing else is said.
    fn standard_start() -> Self {
        Self::set_up(Self::Setup::STANDARD)
    }
}

/// Where the rules of a game are written, if they are a text that people write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name of the game there.
    pub name: String,
    /// The file as it was opened; none of a text that is built in.
    pub file: Option<String>,
    /// A hash of the rules, wherever they are written.
    pub fingerprint: u64,
}

/// What is drawn on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// A cell without a piece.
    Empty,
    /// No cell.
    Void,
    /// A piece of a side as a symbol of one column. White's symbols are outlines and Black's are
    /// filled, so that they differ without colours too.
    Piece(Side, char),
}

/// How a game is set up: on which board, with which layout, to which limit. It is written behind
/// the name of the game: `5` in `hadron5`, `:files` in `loa:files`, nothing where it is as usual.
pub trait Setup: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The setups that lists of games show, the usual one first; none of a game that has only what
    /// people define.
    const LISTED: &'static [Self];
    /// The setups with a text of rules that is built in, which no list of games shows.
    const DEFINED: &'static [Self] = &[];
    /// What holds where nothing else is said.
    const STANDARD: Self = Self::LISTED[0];
    /// How the names of games with other setups look, such as `hadronRxC`; empty where there are
    /// none.
    const UNLISTED: &'static [&'static str] = &[];

    /// Starts for players of different strength, where the game has natural ones; each for both
    /// sides.
    fn handicaps() -> Vec<Self> {
        Vec::new()
    }

    /// What one side begins with less.
    fn handicap(self) -> Option<&'static Handicap> {
        None
    }

    /// What follows the name of the game.
    fn suffix(self) -> String {
        String::new()
    }

    /// Reads what follows the name of the game, in lower case.
    fn from_suffix(suffix: &str) -> Option<Self> {
        let all = Self::LISTED.iter().copied().chain(Self::handicaps());
        all.into_iter().find(|setup| setup.suffix() == suffix)
    }

    /// What could have been meant by a suffix that is none, as the expected part of an error;
    /// `NAME` is the name of the game.
    fn expected(name: &str, suffix: &str) -> String {
        let _ = suffix;
        let all = Self::LISTED.iter().copied().chain(Self::handicaps());
        let named = all.map(|setup| format!("{name}{}", setup.suffix()));
        let names: Vec<String> =
            named.chain(Self::UNLISTED.iter().map(ToString::to_string)).collect();
        alternatives(&names.iter().map(String::as_str).collect::<Vec<&str>>())
    }

    /// The setup with a board of this size, in a game that is played on boards of any size.
    fn of_size(rows: usize, columns: usize) -> Option<Self> {
        let _ = (rows, columns);
        None
    }

    /// The setups with the same board among which a player chooses, the usual one first.
    fn alternatives(self) -> Vec<Self> {
        match Self::of_size(1, 1) {
            Some(_) => vec![self],
            None => Self::LISTED.iter().copied().chain(Self::handicaps()).collect(),
        }
    }

    /// The title of the game where the setup gives it another.
    fn title(self) -> Option<&'static str> {
        None
    }

    /// The setup of a whole name that is no name of the game with a suffix, such as one of a file
    /// that is open.
    fn of_name(name: &str) -> Option<Self> {
        let _ = name;
        None
    }

    /// The same where the name may be that of a file, which is then read.
    ///
    /// # Errors
    /// The file is wrong.
    fn open(name: &str) -> Option<Result<Self, ParseError>> {
        let _ = name;
        None
    }

    /// All setups of a text of rules, as if a file of this name had it; none of a game whose rules
    /// are not written so.
    ///
    /// # Errors
    /// The text is wrong.
    fn of_text(file: &str, text: &str) -> Option<Result<Vec<Self>, ParseError>> {
        let _ = (file, text);
        None
    }

    /// All setups of a file that are right, whatever its name, and all that is wrong in it.
    ///
    /// # Errors
    /// The file cannot be read.
    #[allow(clippy::type_complexity)] // two lists, of which each may be empty
    fn of_file(file: &str) -> Option<Result<(Vec<Self>, Vec<ParseError>), ParseError>> {
        let _ = file;
        None
    }

    /// The whole name, where it is not that of the game with the suffix.
    fn own_name(self) -> Option<String> {
        None
    }

    /// Where the rules are written, if they are a text that people write.
    fn origin(self) -> Option<Origin> {
        None
    }

    /// That text: the part that defines the game, with what it inherits.
    fn source(self) -> Option<String> {
        None
    }

    /// What is read over in it, or allowed and yet seldom meant: `FILE:LINE: …` each.
    fn notices(self) -> Vec<String> {
        Vec::new()
    }
}

/// Nothing can be chosen.
impl Setup for () {
    const LISTED: &'static [()] = &[()];
}

/// Runs an expression for a position of [`AnyGame`](crate::games::AnyGame) as one of its own type,
/// bound to a name. For what is compiled for each game; everything else takes any.
///
/// ```
/// use alesia::game::Game;
/// use alesia::games::AnyGame;
/// let start = AnyGame::start("hadron5".parse().unwrap());
/// let moves = alesia::with_game!(start, start => start.count_moves());
/// assert_eq!(moves, 25);
/// ```
#[macro_export]
macro_rules! with_game {
    ([$($module:ident::$game:ident,)+] $any:expr, $position:ident => $body:expr) => {
        match $any {
            $($crate::games::AnyGame::$game($position) => $body,)+
        }
    };
    ($any:expr, $position:ident => $body:expr) => {
        $crate::games!($crate::with_game, $any, $position => $body)
    };
}

/// Runs an expression for each game of the list, whose type gets a name.
///
/// ```
/// use alesia::games::BuiltIn;
/// let mut names = Vec::new();
/// alesia::for_each_game!(G => names.push(G::NAME));
/// assert_eq!(names[..2], ["murus", "hadron"]);
/// ```
#[macro_export]
macro_rules! for_each_game {
    ([$($module:ident::$game:ident,)+] $type:ident => $body:expr) => {
        $({
            type $type = $crate::games::$game;
            $body;
        })+
    };
    ($type:ident => $body:expr) => {
        $crate::games!($crate::for_each_game, $type => $body)
    };
}
