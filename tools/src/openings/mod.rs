//! `alesia-lab train book`: searches the openings of a game, and writes the book that is compiled
//! into the player.
//!
//! The one idea: the book grows best first, by drop-out expansion (Lincke 2000): the next position
//! searched is the cheapest to reach, by moves that are little worse than the best. The result is
//! reproducible, as one thread searches each position with a fixed number of iterations and an
//! empty tree.

mod growth;

use std::io::{Write, stdout};
use std::path::PathBuf;

use alesia::game::{Game, ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::search::clock::Budget;
use alesia::search::{EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia_match::words::progress::Progress;
use clap::Args;

use crate::files::{place_of, write_whole};
use growth::Growth;

/// Bytes for the tree of a search: more than the largest useful number of iterations needs.
const MEMORY: usize = 256 << 20;

const FILES: &str = "\
The book has a line for each position: the moves that lead to it from the start, a bar, and the
good answers, best first, each with the expected result for the side to move, in thousandths of a
point. The book is compiled in: build again, and play the new player against the old one before
you keep it (`alesia-lab match` with cmd=alesia args=ugi option.Book=true). The search uses the
evaluation that is compiled in.

The position with the lowest cost is searched next. The cost is 0.01 of a point per ply, plus what
each move of the opponent loses compared with its best move. Our moves are those of the book, for
White or for Black. Boards that are equal after a rotation or a reflection are searched once.";

/// The arguments of `alesia-lab train book`.
#[derive(Args)]
#[command(after_help = FILES)]
pub struct Book {
    /// Game; the book begins at its standard start.
    #[arg(value_parser = game)]
    game: GameSpec,
    /// Number of positions to search.
    #[arg(long, value_name = "N", default_value_t = 400, help_heading = "Search",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Iterations of the tree search per position.
    #[arg(long, value_name = "N", default_value_t = 500_000, help_heading = "Search",
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    nodes: u64,
    /// Max loss of an answer compared with the best one, in points from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = margin,
          help_heading = "Search")]
    margin: f32,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    seed: u64,
    /// File of the book [default: src/games/GAME/book.txt, at the root of the sources].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
}

/// A game that has a book.
fn game(name: &str) -> Result<GameSpec, ParseError> {
    let game = name.parse().ok().filter(|game| GameSpec::all().contains(game));
    game.ok_or_else(|| ParseError::new("game", quoted(name), GameSpec::names_of(&GameSpec::all())))
}

fn margin(text: &str) -> Result<f32, String> {
    let margin = text.parse().ok().filter(|margin| (0.0..=1.0).contains(margin));
    margin.ok_or_else(|| "expected a number from 0 to 1, such as 0.02".to_owned())
}

impl Book {
    pub fn run(&self) -> Result<(), CommandError> {
        self.make(AnyGame::start(self.game))
    }

    fn make(&self, start: AnyGame) -> Result<(), CommandError> {
        let compiled_in = || PathBuf::from(format!("src/games/{}/book.txt", self.game));
        let out = place_of(self.out.as_ref(), compiled_in)?;
        let options = EngineOptions { memory: MEMORY, seed: self.seed, ..Default::default() };
        let mut engine = EngineKind::MonteCarlo
            .build(start, &options)
            .map_err(|error| CommandError::Failed(error.to_string()))?;
        let mut growth = Growth::new(start, self.margin, |state| {
            engine.new_game(self.seed);
            engine.think(state, &Budget::nodes(self.nodes), &mut |_| {})
        });
        let positions = u64::from(self.positions);
        let mut progress = Progress::new("positions", positions);
        for done in 1..=positions {
            if !growth.grow() {
                break;
            }
            progress.show(done, || format!("{} plies deep", growth.plies()));
        }
        progress.end();
        let lines = growth.lines();
        let answers: usize = lines.iter().map(|line| line.answers.len()).sum();
        let deepest = lines.iter().map(|line| line.moves.len()).max().unwrap_or(0);
        let mut text = self.header(&start);
        for line in &lines {
            text += &line.text(start);
            text.push('\n');
        }
        write_whole(&out, text.as_bytes())?;
        writeln!(
            stdout(),
            "{} positions searched; {} in the book with {answers} answers, up to {deepest} plies \
             deep; expected result of White at the start {:.3}\n{} written",
            growth.searched(),
            lines.len(),
            growth.value(),
            out.display()
        )?;
        Ok(())
    }

    /// The first lines of the file.
    fn header(&self, start: &AnyGame) -> String {
        let Book { game, positions, nodes, margin, seed, .. } = self;
        format!(
            "# The book of {}, made by\n#   alesia-lab train book {game} --positions {positions} \
             --nodes {nodes} --margin {margin} --seed {seed}\n# Moves from the start, a bar, and good answers \
             with the result expected of each for the\n# side to move, in thousandths of a point.\n",
            start.title()
        )
    }
}
