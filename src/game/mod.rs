//! What a search, a referee or a command may know of a game: the trait [`Game`] and its words.
//!
//! The one idea: a position is a small `Copy` value that plays a legal [`Move`] in place; all
//! that a position alone cannot know (repetition) is in a fixed-size [`History`] beside it.

pub mod bitboard;
pub mod chance;
#[doc(hidden)]
pub mod check;
mod ending;
pub(crate) mod free_form;
mod moves;
pub(crate) mod named;
mod parse_error;
pub mod perft;
#[doc(hidden)]
pub mod plain_file;
#[doc(hidden)]
pub mod screen;
#[doc(hidden)]
pub mod shape;

use std::borrow::Cow;
use std::fmt;

pub use self::ending::{Ending, Outcome, Rule, Score, Side};
pub use self::moves::{MAX_MOVES, Move, MoveList};
pub use self::parse_error::{ParseError, alternatives, counted, quoted, without_bom};
use self::shape::MoveShape;
use crate::game::chance::Chance;

/// Max plies of any game: 200 of the tournament's, 1,000 of a chess variant. The models of loom
/// have small stacks.
pub const MAX_PLIES: usize = if cfg!(loom) { 200 } else { 1_000 };

/// The keys of the positions a game has passed through, oldest first, for rules on repetition.
///
/// Fixed size, so that search and referee share it and a search allocates nothing. Games
/// without such a rule ([`Game::REPETITION`] false) leave it empty.
#[derive(Clone, Copy)]
pub struct History {
    keys: [u64; MAX_PLIES],
    length: usize,
}

impl History {
    /// No earlier positions.
    pub const fn new() -> History {
        History { keys: [0; MAX_PLIES], length: 0 }
    }

    /// The number of positions.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Notes the position that is about to be left by a move.
    #[inline(always)]
    pub fn push<G: Game>(&mut self, left: &G) {
        if left.has_repetition() {
            self.keys[self.length] = left.key();
            self.length += 1;
        }
    }

    /// Forgets the position noted last: its move is taken back.
    #[inline(always)]
    pub fn pop<G: Game>(&mut self) {
        if G::REPETITION {
            // Stays empty where this very game has no such rule.
            self.length = self.length.saturating_sub(1);
        }
    }

    /// Forgets all but the oldest `length` positions.
    #[inline(always)]
    pub fn truncate(&mut self, length: usize) {
        debug_assert!(length <= self.length);
        self.length = length;
    }

    /// The keys of the last `reach` positions.
    #[inline(always)]
    pub fn latest(&self, reach: usize) -> &[u64] {
        &self.keys[self.length - reach.min(self.length)..self.length]
    }

    /// How often `key` occurs among the last `reach` positions with the same side to move.
    #[inline(always)]
    pub fn occurrences(&self, key: u64, reach: usize) -> usize {
        // The position before the last has the same side to move as the current one.
        self.latest(reach).rchunks_exact(2).filter(|pair| pair[0] == key).count()
    }
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.keys[..self.length] == other.keys[..other.length]
    }
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(&self.keys[..self.length]).finish()
    }
}

/// The rules of a game, on a small `Copy` position.
///
/// The result after a move is decided in this order, also on the last ply of a limit. First comes a
/// win that the move itself makes ([`Game::won`]); then the side to move having no legal move
/// ([`Game::without_moves`]); then the draw rules ([`Game::drawn`]). `loa:standard` alone draws
/// first, as OpenSpiel does. Legal moves are generated whether or not the game is already over.
pub trait Game: Copy + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The game's name in plain text.
    const TITLE: &'static str;
    /// A move as an example and its parts, such as `G4,NE (cell, direction)`.
    const MOVE_FORM: &'static str;
    /// Max plies of a game, in the setup in which it may last longest.
    const PLY_LIMIT: usize;
    /// Whether a rule depends on earlier positions, so that [`History`] must be kept.
    const REPETITION: bool = false;

    /// The same, of the very game that is played where one type has several.
    fn title(&self) -> Cow<'static, str> {
        Self::TITLE.into()
    }

    /// [`Game::MOVE_FORM`] of the very game.
    fn move_form(&self) -> &'static str {
        Self::MOVE_FORM
    }

    /// [`Game::PLY_LIMIT`] of the very game.
    #[inline(always)]
    fn ply_limit(&self) -> usize {
        Self::PLY_LIMIT
    }

    /// [`Game::REPETITION`] of the very game.
    #[inline(always)]
    fn has_repetition(&self) -> bool {
        Self::REPETITION
    }

    /// The side to move.
    fn side(&self) -> Side;
    /// Plies played since the start of the game.
    fn ply(&self) -> usize;
    /// Zobrist key (Zobrist 1970) of all that legal moves and repetition depend on, side
    /// included, plies and history not.
    fn key(&self) -> u64;

    /// All codes of moves in a game from here are below this, for tables with a place for each.
    fn codes(&self) -> usize {
        u16::MAX.into()
    }

    /// The legal moves, in a fixed order. For all that is not done for every position of a search:
    /// of this there is one copy a game.
    #[inline(never)]
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }

    /// The number of legal moves.
    fn count_moves(&self) -> usize {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.len()
    }
    /// Replaces the contents of `list` by the legal moves, in a fixed order.
    fn moves(&self, list: &mut MoveList);
    /// A uniformly random legal move, or none where there is none.
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        if list.is_empty() { None } else { Some(list[rng.index(..list.len())]) }
    }
    /// Plays a legal move. An illegal one leaves an unspecified, but never unsafe, position.
    fn play(&mut self, m: Move);

    /// The position after a legal move: for all that is off the hot path, as `legal_moves` is.
    #[inline(never)]
    fn after(&self, m: Move) -> Self {
        let mut after = *self;
        after.play(m);
        after
    }
    /// The same without the key, which is wrong from then on: for games played out at random,
    /// where nothing asks for it ([`Game::REPETITION`] false).
    fn play_unkeyed(&mut self, m: Move) {
        self.play(m);
    }

    /// A win or loss that the last move itself made.
    fn won(&self) -> Option<Ending>;
    /// What it means that the side to move has no legal move: by default its loss.
    fn without_moves(&self) -> Ending {
        Ending::win(!self.side(), Rule::NO_MOVE)
    }
    /// The end by a rule that counts plies or positions, provided no side has won and a legal move
    /// exists: a draw, but for chess variants in which a repetition wins or loses.
    fn drawn(&self, history: &History) -> Option<Ending> {
        let _ = history;
        (self.ply() >= self.ply_limit()).then_some(Ending::draw(Rule::PLY_LIMIT))
    }

    /// Whether the position is among the last `reach` ones, as a rule on repetition understands it.
    #[inline(always)]
    fn came_before(&self, history: &History, reach: usize) -> bool {
        history.occurrences(self.key(), reach) > 0
    }

    /// Whether a repetition is a draw, where a rule deals with it.
    #[inline(always)]
    fn repetition_draws(&self) -> bool {
        true
    }

    /// Whether and how the game is over.
    fn ending(&self, history: &History) -> Option<Ending> {
        self.ending_with(history, || self.count_moves())
    }

    /// The same, where the number of legal moves may be known already.
    #[inline(always)]
    fn ending_with(&self, history: &History, count: impl FnOnce() -> usize) -> Option<Ending> {
        if let Some(ending) = self.won() {
            return Some(ending);
        }
        if count() == 0 {
            return Some(self.without_moves());
        }
        self.drawn(history)
    }

    /// Writes a move in the game's notation.
    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result;
    /// Reads a move's notation, in any case, without asking whether it is legal.
    fn read_notation(&self, text: &str) -> Result<Move, ParseError>;
    /// Reads a full text board of the same game (for Hadron: of the same size).
    fn parse_board(&self, text: &str) -> Result<Self, ParseError>;
    /// Writes the rows of the text board alone, without side, plies or rights.
    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result;
    /// The names of rows (top to bottom) and columns (left to right), for drawing a board.
    fn labels(&self) -> (Vec<String>, Vec<String>);

    /// The names of all cells, by row from top to bottom.
    fn cells(&self) -> Vec<Vec<String>> {
        shape::cells_by_labels(self)
    }

    /// A legal move as it is drawn on a board; by default what its notation says.
    fn shape(&self, m: Move) -> MoveShape {
        MoveShape::of_notation(self, m)
    }

    /// The cell of a king in check.
    fn checked_cell(&self) -> Option<String> {
        None
    }

    /// The move for display in the game's notation.
    fn notation(&self, m: Move) -> Notation<'_, Self> {
        Notation { position: self, m }
    }

    /// The rows of the text board alone, for display.
    fn rows(&self) -> Rows<'_, Self> {
        Rows { position: self }
    }

    /// What was most likely meant by a move that is not legal, where the game knows that.
    fn hint(&self, wrong: Move, legal: &MoveList) -> Option<String> {
        let _ = (wrong, legal);
        None
    }

    /// Reads a legal move in the game's notation, in any case.
    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let m = self.read_notation(text)?;
        let mut legal = MoveList::new();
        self.moves(&mut legal);
        if legal.contains(&m) {
            return Ok(m);
        }
        if let Some(hint) = self.hint(m, &legal) {
            return Err(ParseError::new("move", quoted(text), hint));
        }
        let expected = match legal.first() {
            Some(&example) => {
                format!("a legal move of {} such as {}", self.side(), self.notation(example))
            }
            None => format!("nothing, as {} has no legal move", self.side()),
        };
        Err(ParseError::new("move", quoted(text), expected))
    }

    /// A legal move as people write it who play games of this kind: in chess variants standard
    /// algebraic notation, else the game's own.
    fn standard_notation(&self, m: Move) -> String {
        self.notation(m).to_string()
    }

    /// The legal move that a person or another program means by a text: its notation may differ in
    /// small things from the game's own, or be the standard one.
    ///
    /// # Errors
    /// It means none, or several.
    fn understand(&self, text: &str) -> Result<Move, ParseError> {
        free_form::legal_move(self, text)
    }
}

/// A move that knows its position, for display.
pub struct Notation<'a, G> {
    position: &'a G,
    m: Move,
}

impl<G: Game> fmt::Display for Notation<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.position.write_move(self.m, f)
    }
}

/// The rows of a text board, for display.
pub struct Rows<'a, G> {
    position: &'a G,
}

impl<G: Game> fmt::Display for Rows<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.position.write_rows(f)
    }
}

/// A position with the history that belongs to it: what a whole game carries along.
#[derive(Clone, Copy, Debug)]
pub struct GameState<G> {
    /// The current position.
    pub position: G,
    /// The positions before it.
    pub history: History,
}

impl<G: Game> GameState<G> {
    /// A game that begins here.
    pub fn new(position: G) -> GameState<G> {
        GameState { position, history: History::new() }
    }

    /// Plays a legal move and notes the position it leaves.
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        self.history.push(&self.position);
        self.position.play(m);
    }

    /// The game after a legal move: for all that is off the hot path, of which this is one copy.
    #[inline(never)]
    pub fn after(&self, m: Move) -> GameState<G> {
        let mut after = *self;
        after.play(m);
        after
    }

    /// Whether and how the game is over.
    pub fn ending(&self) -> Option<Ending> {
        self.position.ending(&self.history)
    }

    /// The legal moves; none where the game is over.
    pub fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if self.ending().is_none() {
            self.position.moves(&mut moves);
        }
        moves
    }

    /// Whether this is the same position with the same history.
    pub fn same_as(&self, other: &GameState<G>) -> bool {
        self.position == other.position && self.history == other.history
    }

    /// Plays moves written in the game's notation, separated by blanks.
    pub fn play_text(&mut self, moves: &str) -> Result<(), ParseError> {
        for (number, text) in moves.split_whitespace().enumerate() {
            let place = format!("move {}", number + 1);
            if let Some(ending) = self.ending() {
                return Err(ParseError::new(
                    place,
                    quoted(text),
                    format!("nothing after {ending}"),
                ));
            }
            let m = self.position.parse_move(text).map_err(|e| e.within(place))?;
            self.play(m);
        }
        Ok(())
    }
}
