//! A position of any game: the form in which everything above the search knows a game.
//!
//! The one idea: rules, evaluation and search are compiled for each game, and everything else once,
//! over this value, which passes each question on to the game inside. It is made from the list of
//! games.

use std::borrow::Cow;
use std::fmt;

use super::language::Language;
use super::symmetry::Symmetry;
use super::{BuiltIn, Drawing, GameSpec, Setup};
use crate::eval::Evaluate;
use crate::eval::parameters::Parameters;
use crate::eval::weights_file::WeightsFile;
use crate::game::shape::MoveShape;
use crate::game::{Ending, Game, GameState, History, MAX_PLIES, Move, MoveList, ParseError, Side};

/// A position of any game with its history.
pub type AnyState = GameState<AnyGame>;

/// A game that [`AnyGame`] can hold.
pub trait Listed: BuiltIn + Into<AnyGame> {
    /// The position inside, if it is one of this game.
    fn of(any: &AnyGame) -> Option<&Self>;
}

macro_rules! define_any {
    ([$($module:ident::$game:ident,)+]) => {
        /// A position of any game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum AnyGame {
            $(
                #[doc = concat!("[`", stringify!($game), "`](super::", stringify!($game), ").")]
                $game(super::$game),
            )+
        }

        /// Evaluates an expression for the position inside.
        macro_rules! inside {
            ($any:expr, $position:ident => $body:expr) => {
                match $any { $(AnyGame::$game($position) => $body,)+ }
            };
        }

        /// The same for a position of the same game, which is put back inside.
        macro_rules! within {
            ($any:expr, $position:ident => $body:expr) => {
                match $any { $(AnyGame::$game($position) => $body.map(AnyGame::$game),)+ }
            };
        }

        /// Evaluates an expression for the type of the game inside.
        macro_rules! of_kind {
            ($any:expr, $kind:ident => $body:expr) => {
                match $any {
                    $(AnyGame::$game(_) => {
                        type $kind = super::$game;
                        $body
                    })+
                }
            };
        }

        $(
            impl From<super::$game> for AnyGame {
                fn from(position: super::$game) -> AnyGame {
                    AnyGame::$game(position)
                }
            }

            impl Listed for super::$game {
                fn of(any: &AnyGame) -> Option<&Self> {
                    match any {
                        AnyGame::$game(position) => Some(position),
                        _ => None,
                    }
                }
            }
        )+

        impl AnyGame {
            /// The start of a game with its setup.
            pub fn start(spec: GameSpec) -> AnyGame {
                match spec { $(GameSpec::$game(setup) => super::$game::set_up(setup).into(),)+ }
            }

            /// The same game on a board of this size, where it is played on boards of any size,
            /// else as it is usually played.
            pub fn on_board_of(&self, rows: usize, columns: usize) -> GameSpec {
                match self {
                    $(AnyGame::$game(_) => {
                        type Setups = <super::$game as BuiltIn>::Setup;
                        let sized = Setups::of_size(rows, columns);
                        GameSpec::$game(sized.unwrap_or(Setups::STANDARD))
                    })+
                }
            }
        }
    };
}

crate::games!(define_any);

impl AnyGame {
    /// The start of the game of a word, such as `hadron5`; no file is opened.
    ///
    /// # Errors
    /// There is no such game.
    pub fn named(word: &str) -> Result<AnyGame, ParseError> {
        word.parse().map(AnyGame::start)
    }

    /// The name of the game on the command line, without a setup.
    pub fn name(&self) -> &'static str {
        of_kind!(self, G => G::NAME)
    }

    /// The position in which the game begins where nothing else is said.
    pub fn standard_start(&self) -> AnyGame {
        of_kind!(self, G => G::standard_start().into())
    }

    /// The tree search's parameters for the game.
    pub fn tuning(&self) -> Parameters {
        of_kind!(self, G => G::TUNING)
    }

    /// The text of the opening book; empty where there is none.
    pub fn book(&self) -> &'static str {
        of_kind!(self, G => G::BOOK)
    }

    /// The symmetries of the board that change neither the standard start nor the rules.
    pub fn symmetries(&self) -> &'static [Symmetry] {
        of_kind!(self, G => G::SYMMETRIES)
    }

    /// How a cell with this character in the text board is drawn for people.
    pub fn drawing(&self, character: char) -> Drawing {
        of_kind!(self, G => G::drawing(character))
    }

    /// The characters of the text board that stand for pieces, White's first.
    pub fn pieces(&self) -> Vec<char> {
        inside!(self, position => BuiltIn::pieces(position))
    }

    /// Whether the game has a page of rules that is written beforehand.
    pub fn has_rules(&self) -> bool {
        of_kind!(self, G => !G::RULES[0].is_empty())
    }

    /// The page of rules in a language; empty where there is none.
    pub fn page_of_rules(&self, language: Language) -> Cow<'static, str> {
        inside!(self, position => position.page_of_rules(language))
    }

    /// Whether a game may be drawn ([`BuiltIn::HAS_DRAWS`]).
    pub fn has_draws(&self) -> bool {
        of_kind!(self, G => G::HAS_DRAWS)
    }

    /// Where a game begins: at a text board of this game if there is one, else here.
    ///
    /// # Errors
    /// It is no board of this game.
    pub fn begin(self, board: Option<&str>) -> Result<AnyGame, ParseError> {
        board.map_or(Ok(self), |board| self.parse_board(board))
    }

    /// The static score for the side to move ([`Evaluate::evaluate`]).
    pub fn evaluate(&self) -> i32 {
        inside!(self, position => position.evaluate())
    }

    /// The same position, evaluated with the weights of a file ([`Evaluate::with_weights`]).
    ///
    /// # Errors
    /// The game reads none, or these are not its own.
    pub fn with_weights(self, file: &'static WeightsFile) -> Result<AnyGame, ParseError> {
        within!(self, position => position.with_weights(file))
    }
}

impl Game for AnyGame {
    const TITLE: &'static str = "any game";
    const MOVE_FORM: &'static str = "a move";
    const PLY_LIMIT: usize = MAX_PLIES;
    const REPETITION: bool = true;

    fn title(&self) -> Cow<'static, str> {
        inside!(self, position => position.title())
    }

    fn move_form(&self) -> &'static str {
        inside!(self, position => position.move_form())
    }

    fn ply_limit(&self) -> usize {
        inside!(self, position => position.ply_limit())
    }

    fn has_repetition(&self) -> bool {
        inside!(self, position => position.has_repetition())
    }

    fn side(&self) -> Side {
        inside!(self, position => position.side())
    }

    fn ply(&self) -> usize {
        inside!(self, position => position.ply())
    }

    fn key(&self) -> u64 {
        inside!(self, position => position.key())
    }

    fn codes(&self) -> usize {
        inside!(self, position => position.codes())
    }

    fn count_moves(&self) -> usize {
        inside!(self, position => position.count_moves())
    }

    fn moves(&self, list: &mut MoveList) {
        inside!(self, position => position.moves(list));
    }

    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        inside!(self, position => position.random_move(rng))
    }

    fn play(&mut self, m: Move) {
        inside!(self, position => position.play(m));
    }

    fn play_unkeyed(&mut self, m: Move) {
        inside!(self, position => position.play_unkeyed(m));
    }

    fn won(&self) -> Option<Ending> {
        inside!(self, position => position.won())
    }

    fn without_moves(&self) -> Ending {
        inside!(self, position => position.without_moves())
    }

    fn drawn(&self, history: &History) -> Option<Ending> {
        inside!(self, position => position.drawn(history))
    }

    fn came_before(&self, history: &History, reach: usize) -> bool {
        inside!(self, position => position.came_before(history, reach))
    }

    fn repetition_draws(&self) -> bool {
        inside!(self, position => position.repetition_draws())
    }

    fn ending_with(&self, history: &History, count: impl FnOnce() -> usize) -> Option<Ending> {
        inside!(self, position => position.ending_with(history, count))
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        inside!(self, position => position.write_move(m, f))
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        inside!(self, position => position.read_notation(text))
    }

    fn parse_board(&self, text: &str) -> Result<AnyGame, ParseError> {
        within!(self, position => position.parse_board(text))
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        inside!(self, position => position.write_rows(f))
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        inside!(self, position => position.labels())
    }

    fn cells(&self) -> Vec<Vec<String>> {
        inside!(self, position => position.cells())
    }

    fn shape(&self, m: Move) -> MoveShape {
        inside!(self, position => position.shape(m))
    }

    fn checked_cell(&self) -> Option<String> {
        inside!(self, position => position.checked_cell())
    }

    fn hint(&self, wrong: Move, legal: &MoveList) -> Option<String> {
        inside!(self, position => position.hint(wrong, legal))
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        inside!(self, position => position.parse_move(text))
    }

    fn standard_notation(&self, m: Move) -> String {
        inside!(self, position => position.standard_notation(m))
    }

    fn understand(&self, text: &str) -> Result<Move, ParseError> {
        inside!(self, position => position.understand(text))
    }
}

impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        inside!(self, position => position.fmt(f))
    }
}
