//! `alesia-lab book`: thinks about the openings of a game, and writes the book that the player is
//! compiled with.
//!
//! The one idea: the book grows best first, by drop-out expansion (Lincke 2000): the position
//! searched next is the one that is cheapest to reach, by moves that are little worse than the
//! best. Everything follows from the arguments and the program itself, as each position is searched
//! by one thread with a number of iterations, nothing kept from the last.

mod growth;

use std::io::{Write, stdout};
use std::path::PathBuf;

use alesia::game::{ParseError, quoted};
use alesia::games::BuiltIn;
use alesia::games::GameSpec;
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::{Engine, EngineOptions};
use alesia::with_game;
use alesia_match::error::CommandError;
use alesia_match::progress::Progress;
use clap::Args;

use crate::files::{place_of, write_whole};
use growth::Growth;

/// Bytes for the tree of a search: for the most iterations that are of use, with room to spare.
const MEMORY: usize = 256 << 20;

const FILES: &str = "\
The book: a line for each position, with the moves that lead to it from the start, a bar, and the good
answers, the best first, each with the result expected of it for whoever plays it, in thousandths of a
point. It is compiled in: build again, and have the new player meet the old one before you keep it
(`alesia-lab match` with cmd=alesia args=ugi option.Book=true). The positions are searched by the
evaluation that is compiled in.

The next position searched is the one that is reached at the least cost: 0.01 of a point for each ply,
and what each move of the opponent loses against its best; our own moves are those of the book, for
White or for Black. What the board looks like turned or mirrored is searched once.";

/// The arguments of `alesia-lab book`.
#[derive(Args)]
#[command(after_help = FILES)]
pub struct Book {
    /// The game, which begins from its standard start.
    #[arg(value_parser = game)]
    game: GameSpec,
    /// Positions to search.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Iterations of the tree search for each.
    #[arg(long, value_name = "N", default_value_t = 500_000,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    nodes: u64,
    /// By how much of a point, from 0 to 1, an answer may be worse than the best.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = margin)]
    margin: f32,
    /// Seed of all random choices.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Where the book goes [default: src/games/GAME/book.txt, at the root of the sources].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A game that has a book.
fn game(name: &str) -> Result<GameSpec, ParseError> {
    let game = name.parse().ok().filter(|game| GameSpec::ALL.contains(game));
    game.ok_or_else(|| ParseError::new("game", quoted(name), GameSpec::names_of(&GameSpec::ALL)))
}

fn margin(text: &str) -> Result<f32, String> {
    let margin = text.parse().ok().filter(|margin| (0.0..=1.0).contains(margin));
    margin.ok_or_else(|| "expected a number from 0 to 1, such as 0.02".to_owned())
}

impl Book {
    pub fn run(&self) -> Result<(), CommandError> {
        with_game!(self.game, start => self.make(start))
    }

    fn make<G: BuiltIn>(&self, start: G) -> Result<(), CommandError> {
        let compiled_in = || PathBuf::from(format!("src/games/{}/book.txt", self.game));
        let out = place_of(self.out.as_ref(), compiled_in)?;
        let options = EngineOptions { memory: MEMORY, seed: self.seed, ..Default::default() };
        let mut engine = MonteCarlo::new(start, &options)
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
        let mut text = self.header::<G>();
        for line in &lines {
            text += &line.text(start);
            text.push('\n');
        }
        write_whole(&out, text.as_bytes())?;
        writeln!(
            stdout(),
            "{} positions searched, {} of them in the book with {answers} answers, after at most \
             {deepest} plies; White expects {:.3} at the start\n{} written",
            growth.searched(),
            lines.len(),
            growth.value(),
            out.display()
        )?;
        Ok(())
    }

    /// What stands at the head of the text.
    fn header<G: BuiltIn>(&self) -> String {
        let Book { game, positions, nodes, margin, seed, .. } = self;
        format!(
            "# The book of {}, made by\n#   alesia-lab book {game} --positions {positions} --nodes \
             {nodes} --margin {margin} --seed {seed}\n# Moves from the start, a bar, and good answers \
             with the result expected of each, in thousandths of a\n# point for whoever plays it.\n",
            G::TITLE
        )
    }
}
