//! The first plies of a board, proved position by position, so that what is proved can be kept.

use alesia::eval::stop::Stop;
use alesia::game::{Game, Move};
use alesia::games::Hadron;
use alesia::games::hadron::endgame::boards::{BoardSolver, key};
use alesia::words::command_error::CommandError;

use super::proved_file::Kept;
use super::status::Status;

/// Plies of which proved positions are kept.
const PLIES: usize = 3;

/// Moves after which the same is left to play, up to symmetry.
pub struct Class {
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after the first of them.
    pub after: Hadron,
    key: u128,
}

impl Class {
    /// The moves in the game's notation, in the order of the board.
    pub fn names(&self, before: &Hadron) -> Vec<String> {
        self.moves.iter().map(|&m| before.notation(m).to_string()).collect()
    }
}

/// Proves positions of the first plies.
pub struct FirstPlies<'a> {
    solver: BoardSolver,
    kept: Kept,
    status: &'a Status,
}

impl<'a> FirstPlies<'a> {
    /// Begins with what was kept, if a file was named.
    pub fn new(solver: BoardSolver, kept: Option<Kept>, status: &'a Status) -> FirstPlies<'a> {
        FirstPlies { solver, kept: kept.unwrap_or_default(), status }
    }

    /// The classes of a position's moves, the most promising first.
    pub fn classes(&mut self, position: &Hadron) -> Vec<Class> {
        let moves = position.legal_moves();
        let mut classes: Vec<Class> = Vec::new();
        for &m in &moves {
            let after = position.after(m);
            let key = key(&after);
            match classes.iter_mut().find(|class| class.key == key) {
                Some(class) => class.moves.push(m),
                None => classes.push(Class { moves: vec![m], after, key }),
            }
        }
        classes.sort_by_cached_key(|class| self.solver.promise(&class.after));
        classes
    }

    /// Whether the opponent wins after a first move, the `number`th of `count`.
    ///
    /// # Errors
    /// No room, or the system's.
    pub fn wins_after(
        &mut self,
        class: &Class,
        (number, count): (usize, usize),
        name: &str,
    ) -> Result<bool, CommandError> {
        self.status.enter(name, number, count);
        self.status.show();
        let wins = self.wins(&class.after, PLIES - 1);
        self.status.leave();
        wins
    }

    /// Whether the side to move wins, this many plies before the last whose positions are kept.
    fn wins(&mut self, position: &Hadron, plies: usize) -> Result<bool, CommandError> {
        if let Some(wins) = self.solver.seen_board(position).or_else(|| self.kept.find(position)) {
            return Ok(wins);
        }
        let wins = match plies {
            0 => self.solver.wins_board(position, Stop::NEVER).ok_or_else(|| {
                CommandError::Failed(format!("no room for the regions after {position}"))
            })?,
            _ => self.has_winning_move(position, plies)?,
        };
        self.kept.add(position, wins)?;
        Ok(wins)
    }

    fn has_winning_move(&mut self, position: &Hadron, plies: usize) -> Result<bool, CommandError> {
        let classes = self.classes(position);
        if classes.iter().any(|class| self.kept.find(&class.after) == Some(false)) {
            return Ok(true);
        }
        for (index, class) in classes.iter().enumerate() {
            let name = position.notation(class.moves[0]).to_string();
            self.status.enter(&name, index + 1, classes.len());
            let lost = !self.wins(&class.after, plies - 1)?;
            self.status.leave();
            if lost {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
