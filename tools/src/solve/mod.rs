//! `alesia-lab train solve`: who wins a board of Hadron, and by which first moves.
//!
//! The one idea: first moves that a symmetry makes equal are one, and each is proved for itself,
//! the most promising first (`plies`). What is proved of the first plies is kept in a file, if one
//! is named, so that the work can be continued (`kept`).

mod plies;
mod proved_file;
mod status;

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use alesia::game::{Game, Move, ParseError, quoted};
use alesia::games::hadron::endgame::boards::{BoardSolver, LEAST_MEMORY};
use alesia::games::hadron::{self, MAX_ROWS, MAX_SIZE};
use alesia::games::{GameSpec, Hadron};
use alesia::search::size::Size;
use alesia::words::command_error::CommandError;
use clap::Args;

use plies::{Class, FirstPlies};
use proved_file::Kept;
use status::Status;

const LINES: &str = "\
A line for each first move that was examined, with those that are equal to it by a symmetry:
`C3: wins` or `A1 A5 C1 C5: loses`. At the end the number of nodes (sums of regions that were
searched), the first moves that were not examined, and two lines for scripts:
`result: first` (the first player wins) or `result: second`, and `winning first moves: …`. Without
--moves the search ends with the first move that wins; there may be others. With --move, where that
move loses and others are left, the result is `unknown`.

A board with 10 to 12 columns is the same as with rows and columns exchanged, and is solved so: a
line at the start says it, and all moves are those of the exchanged board.

The file of --resume has a line for each proved position of the first three plies: the text board,
and whether the side to move wins. The same command with the same file continues.";

/// Cells of a board that is solved within a moment.
const SMALL_BOARD: usize = 25;

/// The arguments of `alesia-lab train solve`.
#[derive(Args)]
#[command(after_help = LINES)]
pub struct Solve {
    /// The board: hadronRxC, such as hadron4x5, or hadron5 for 5 × 5; one side up to 9, the other
    /// up to 12.
    #[arg(value_name = "hadronRxC", value_parser = board)]
    board: hadron::Size,
    /// Memory, of which the most is for the table of results; at least 16MiB [default: 1GiB, on
    /// boards of up to 25 cells 16MiB].
    #[arg(long, value_name = "SIZE", help_heading = "Search")]
    memory: Option<Size>,
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

/// A board of the game, or one that is larger than those in play.
fn board(name: &str) -> Result<hadron::Size, ParseError> {
    let size = match name.parse() {
        Ok(GameSpec::Hadron(size)) => Some(size),
        _ => large_board(&name.to_ascii_lowercase()),
    };
    size.ok_or_else(|| {
        let expected = format!("hadronRxC, one side 1 to {MAX_SIZE}, the other 1 to {MAX_ROWS}");
        ParseError::new("board", quoted(name), expected)
    })
}

fn large_board(name: &str) -> Option<hadron::Size> {
    let (rows, columns) = name.strip_prefix("hadron")?.split_once('x')?;
    // Neither a sign nor a leading zero.
    let number = |text: &str| text.parse().ok().filter(|n: &usize| n.to_string() == text);
    let (rows, columns) = (number(rows)?, number(columns)?);
    let fits = (1..=MAX_SIZE).contains(&rows.min(columns)) && rows.max(columns) <= MAX_ROWS;
    fits.then_some(hadron::Size { rows, columns })
}

/// Memory is touched at the start: a small board, solved at once, needs little.
fn usual_memory(hadron::Size { rows, columns }: hadron::Size) -> Size {
    Size::of(if rows * columns <= SMALL_BOARD { LEAST_MEMORY } else { 1 << 30 })
}

/// The empty board, its rows and columns exchanged if it is too wide for a position.
fn start(hadron::Size { rows, columns }: hadron::Size) -> Hadron {
    if columns > MAX_SIZE { Hadron::tall(columns, rows) } else { Hadron::tall(rows, columns) }
}

/// What is said of a board whose rows and columns are exchanged.
fn exchanged(hadron::Size { rows, columns }: hadron::Size) -> Option<String> {
    let said = || format!("hadron{rows}x{columns} is solved as hadron{columns}x{rows}");
    (columns > MAX_SIZE).then(said)
}

/// What is known of the first moves.
#[derive(Default)]
struct Found {
    wins: Vec<String>,
    not_examined: Vec<String>,
}

impl Solve {
    pub fn run(&self) -> Result<(), CommandError> {
        let start = start(self.board);
        let exchanged = exchanged(self.board);
        let only = match &self.first_move {
            Some(text) => Some(start.parse_move(text).map_err(|error| match &exchanged {
                Some(exchanged) => error.within(exchanged),
                None => error,
            })?),
            None => None,
        };
        let memory = self.memory.unwrap_or_else(|| usual_memory(self.board));
        if memory.bytes() < LEAST_MEMORY {
            let least = format!("a size from {}MiB", LEAST_MEMORY >> 20);
            return Err(ParseError::new("--memory", quoted(&memory.to_string()), least).into());
        }
        let kept = self.resume.as_ref().map(|path| Kept::open(path, start)).transpose()?;
        let solver = BoardSolver::with_memory(memory.bytes())
            .map_err(|error| CommandError::Failed(format!("--memory {memory}: {error}")))?;
        let nodes = solver.nodes();
        if let Some(exchanged) = exchanged {
            writeln!(stdout(), "{exchanged}")?;
        }
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
            (false, true) => ["first", &found.wins.join(" ")],
            (false, false) => ["first", &format!("{} (at least)", found.wins.join(" "))],
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
