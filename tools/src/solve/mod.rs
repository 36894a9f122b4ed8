//! `alesia-lab solve`: who wins a board of Hadron, and by which first moves.
//!
//! The one idea: first moves that a symmetry makes equal are one, and each is proved for itself,
//! the most promising first (`plies`). What is proved of the first plies is kept in a file, if one
//! is named, so that the work can be continued (`kept`).

mod kept;
mod plies;
mod status;

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use alesia::game::{Game, Move, ParseError, quoted};
use alesia::games::hadron::endgame::boards::{BoardSolver, LEAST_MEMORY};
use alesia::games::{BuiltIn, GameSpec, Hadron};
use alesia::size::Size;
use alesia_match::error::CommandError;
use clap::Args;

use kept::Kept;
use plies::{Class, FirstPlies};
use status::Status;

const LINES: &str = "\
A line for each first move that was examined, with those that are equal to it by a symmetry:
`C3: wins` or `A1 A5 C1 C5: loses`. At the end the number of nodes (sums of regions that were
searched), the first moves that were not examined, and two lines for scripts:
`result: first` (the first player wins) or `result: second`, and `winning first moves: …`. Without
--moves the search ends with the first move that wins; there may be others. With --move, where that
move loses and others are left, the result is `unknown`.

The file of --resume has a line for each proved position of the first three plies: the text board,
and whether the side to move wins. The same command with the same file continues.";

/// The arguments of `alesia-lab solve`.
#[derive(Args)]
#[command(after_help = LINES)]
pub struct Solve {
    /// The board: hadronRxC, such as hadron4x5, or hadron5 for 5 × 5.
    #[arg(value_name = "hadronRxC", value_parser = board)]
    board: GameSpec,
    /// Memory, of which the most is for the table of results; at least 16MiB.
    #[arg(long, value_name = "SIZE", default_value = "1GiB", help_heading = "Search")]
    memory: Size,
    /// Examine all first moves, not only until one wins.
    #[arg(long, help_heading = "Search", conflicts_with = "first_move")]
    moves: bool,
    /// Examine this first move alone.
    #[arg(long = "move", value_name = "MOVE", help_heading = "Search")]
    first_move: Option<String>,
    /// File of what is proved of the first plies: continued if it exists.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    resume: Option<PathBuf>,
}

/// A board of Hadron.
fn board(name: &str) -> Result<GameSpec, ParseError> {
    let spec = name.parse().ok().filter(|spec| matches!(spec, GameSpec::Hadron(_)));
    spec.ok_or_else(|| {
        ParseError::new("board", quoted(name), "hadronRxC with 1 to 9 rows and columns")
    })
}

/// What is known of the first moves.
#[derive(Default)]
struct Found {
    wins: Vec<String>,
    not_examined: Vec<String>,
}

impl Solve {
    pub fn run(&self) -> Result<(), CommandError> {
        let GameSpec::Hadron(size) = self.board else {
            return Err(CommandError::Usage("a board of Hadron is solved".into()));
        };
        let start = Hadron::set_up(size);
        let only = self.first_move.as_ref().map(|text| start.parse_move(text)).transpose()?;
        if self.memory.bytes() < LEAST_MEMORY {
            let least = format!("a size from {}MiB", LEAST_MEMORY >> 20);
            return Err(ParseError::new("--memory", quoted(&self.memory.to_string()), least).into());
        }
        let kept =
            self.resume.as_ref().map(|path| Kept::open(path, self.board, start)).transpose()?;
        let solver = BoardSolver::with_memory(self.memory.bytes())
            .map_err(|error| CommandError::Failed(format!("--memory {}: {error}", self.memory)))?;
        let nodes = solver.nodes();
        let status = Status::new(nodes.clone());
        let mut plies = FirstPlies::new(solver, kept, &status);
        let found = self.examine(&mut plies, &start, only)?;
        status.end();
        let mut out = stdout();
        // Relaxed: no other thread counts.
        writeln!(out, "nodes {}", nodes.load(Ordering::Relaxed))?;
        if !found.not_examined.is_empty() {
            writeln!(out, "not examined: {}", found.not_examined.join(" "))?;
        }
        let [result, moves] = match (found.wins.is_empty(), found.not_examined.is_empty()) {
            (false, _) => ["first", &found.wins.join(" ")],
            (true, true) => ["second", "none"],
            (true, false) => ["unknown"; 2],
        };
        writeln!(out, "result: {result}\nwinning first moves: {moves}")?;
        Ok(())
    }

    /// Proves the first moves that are asked for, and prints each result.
    fn examine(
        &self,
        plies: &mut FirstPlies,
        start: &Hadron,
        only: Option<Move>,
    ) -> Result<Found, CommandError> {
        let classes = plies.classes(start);
        let is_asked_for = |class: &Class| only.is_none_or(|m| class.moves.contains(&m));
        let asked_for = classes.iter().filter(|class| is_asked_for(class)).count();
        let mut found = Found::default();
        let mut number = 0;
        for class in &classes {
            let names = class.names(start);
            if !is_asked_for(class) || (!self.moves && !found.wins.is_empty()) {
                found.not_examined.extend(names);
                continue;
            }
            number += 1;
            let wins = !plies.wins_after(class, (number, asked_for), &names[0])?;
            let result = if wins { "wins" } else { "loses" };
            writeln!(stdout(), "{}: {result}", names.join(" "))?;
            if wins {
                found.wins.extend(names);
            }
        }
        found.wins.sort();
        found.not_examined.sort();
        Ok(found)
    }
}
