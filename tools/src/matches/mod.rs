//! `alesia-lab match`: a match of two engines in this process, under fastchess's grammar, progress
//! on standard error, and fastchess's result block on standard output.
//!
//! The one idea: a round is a pair of games that follows from the seed and the round's number, and
//! the results count in the order of the rounds; so where the engines are limited by nodes on one
//! thread each, neither `-concurrency` nor the machine changes what is printed.

mod entrant;
mod options;
mod result;
mod rounds;

use std::io::{IsTerminal, Write, stderr, stdout};
use std::ops::ControlFlow;

use alesia::with_game;
use clap::Args;

use crate::CommandError;
use crate::statistics::{Tally, Verdict};
use options::Options;

const GRAMMAR: &str = "\
Options, with one dash or two, in any order:
  -game GAME         murus, hadron, hadron5, hadron7, hadronRxC, loa or voidrider
  -engine KEY=VALUE …
                     one of the two engines; given twice
  -each KEY=VALUE …  the same for both, where an engine does not say otherwise
  -rounds N          pairs of games to play, each pair an opening with both colours
  -games 2           games of a round: always two
  -openings plies=N  random legal moves that open a game [default: 4]
  -srand S           seed of the openings [default: 0]
  -concurrency C     rounds played at once, each with two engines of its own [default: 1]
  -sprt elo0=E elo1=E [alpha=P] [beta=P] [model=normalized|logistic]
                     ends the match when the sequential test decides [default: 0.05, normalized]

Keys of -engine and -each:
  name=NAME          in the result; -engine only
  nodes=N            iterations or positions a move
  st=SECONDS         seconds a move, instead of nodes
  option.engine=mcts|alphabeta|random      [default: mcts]
  option.threads=N  option.trees=R         [default: 1, 1]
  option.memory=SIZE                       of each engine [default: 64MiB]
  option.seed=N                            [default: 0]
  option.PARAMETER=VALUE                   of the tree search, such as option.exploration=1.3

With nodes and one thread to an engine, the same command prints the same result everywhere.";

/// The arguments of `alesia-lab match`.
#[derive(Args)]
#[command(after_help = GRAMMAR)]
pub struct Match {
    /// In the grammar of fastchess, see below.
    #[arg(value_name = "-OPTION VALUE …", allow_hyphen_values = true, trailing_var_arg = true)]
    words: Vec<String>,
}

impl Match {
    /// Whether help is asked for anywhere among the words.
    pub fn asks_for_help(&self) -> bool {
        self.words.iter().any(|word| matches!(word.as_str(), "-h" | "-help" | "--help"))
    }

    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let options = Options::read(&self.words)?;
        let mut progress = Progress::new(options.rounds);
        let tally = with_game!(options.game, start => {
            rounds::play(start, &options, |tally| {
                progress.show(tally, &options);
                let verdict = options.test.map(|test| {
                    test.verdict(tally.pairs.log_likelihood_ratio(&test))
                });
                match verdict {
                    Some(Verdict::H0 | Verdict::H1) => ControlFlow::Break(()),
                    Some(Verdict::Undecided) | None => ControlFlow::Continue(()),
                }
            })
        });
        progress.end();
        write!(stdout().lock(), "{}", result::block(&tally?, &options))?;
        Ok(())
    }
}

/// The progress on standard error: on a terminal one line that is written again after each round,
/// elsewhere a line after each tenth of them.
struct Progress {
    rounds: u32,
    terminal: bool,
}

impl Progress {
    fn new(rounds: u32) -> Progress {
        Progress { rounds, terminal: stderr().is_terminal() }
    }

    /// Shows the results after another round. A standard error that is gone is no error.
    fn show(&self, tally: &Tally, options: &Options) {
        let done = tally.pairs.pairs();
        let tenths = |done: u64| 10 * done / u64::from(self.rounds);
        let line = || result::progress(tally, options);
        if self.terminal {
            // Back to the first column, and from the end of the text on nothing.
            let _ = write!(stderr(), "\r{}\x1b[K", line());
        } else if tenths(done) > tenths(done - 1) {
            let _ = writeln!(stderr(), "{}", line());
        }
    }

    /// Leaves the line.
    fn end(&mut self) {
        if self.terminal {
            let _ = writeln!(stderr());
        }
    }
}
