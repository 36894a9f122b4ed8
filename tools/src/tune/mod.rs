//! `alesia-lab train tune`: trains the evaluation of a game on games of the player against itself,
//! and writes the weights that are compiled into the player.
//!
//! The one idea: the result is reproducible with any number of threads: games follow from their
//! numbers, the held-out games from the number of the game, the weights from games, seed and
//! initial weights. Held-out games are never trained on (but initial weights may have been), so the
//! loss there, compared with that of the compiled evaluation, shows whether the new one is better.

mod data;
mod fit;
mod games;
mod games_file;
mod loss;
mod model;
pub mod record;
mod run;
mod sample_file;
mod samples;
pub mod shape;
mod shard;
mod subject;
mod symmetry;

use std::path::PathBuf;

use alesia::eval::network::NetworkGame;
use alesia::game::{ParseError, quoted};
use alesia::games::variant;
use alesia::games::{BuiltIn, GameSpec, Hadron, Loa, Murus, Setup, Variant, Voidrider};
use alesia::search::EngineKind;
use alesia::words::command_error::CommandError;
use clap::Args;

use alesia::words::json_file::JsonOption;
use shard::Shard;

const FILES: &str = "\
The first line of the file of games has the settings. Each other line is a game: its result (w, b
or d), its random first moves, a bar, and the other moves, each with its expected result in
thousandths of a point. With `--engine mcts`, if the result is not proven, the visited moves follow
after a slash, each with its visits. The priors learn the shares of the visits; in games of
alphabeta, the move played. The same command continues an interrupted run.

With `--shard I/N` the first line of the file has the shard too. The files of all shards, in any
order, give the same weights as one file of the same games.

While weights are fitted, the samples are in a temporary file beside `--out`, about 0.5 KB for each
move of the games; up to 128 MiB of them are in memory, for any number of games.

The weights are 16-bit integers, low byte first. They are compiled in: build again, and test the new
player against the old one (`alesia-lab match`) before you keep them. The games are played with the
compiled evaluation, so other weights give other games.

The loss is three numbers. `value` is the mean cross entropy of the result and the expected result,
in nats (in voidrider only where no capture or promotion was played and no king was in check).
`moves` is the mean cross entropy of the shares of the moves and their priors, in nats. `first` is
how often the move with the largest share had the largest prior.

Defaults of each game (in loa and voidrider, the compiled weights were trained on games of both
engines):
  murus      44000 games of mcts,      1500 nodes, 14 epochs, result share 0.6
  hadron     16000 games of mcts,       500 nodes,  6 epochs, result share 1
  loa        40000 games of mcts,      1500 nodes, 12 epochs, result share 1
  voidrider  26000 games of mcts,      1000 nodes,  7 epochs, result share 0.5
  a variant   3000 games of mcts,       100 nodes, 20 epochs, result share 0.5

The weights of a chess variant are a file of their own beside its definition, which engines read
with `--weights FILE`. They correct the evaluation that is computed from the definition. The first
line of the file says to which definition they belong; they are refused for any other.";

/// The arguments of `alesia-lab train tune`.
#[derive(Args)]
#[command(after_help = FILES)]
pub struct Tune {
    /// Game whose evaluation is a network: murus, hadron, loa, voidrider, or a chess variant.
    #[arg(value_parser = game)]
    game: GameSpec,
    /// Number of games in all; one in twenty is held out for validation [default: see below; with
    /// several files, all that they have].
    #[arg(long, value_name = "N", help_heading = "Games",
          value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    games: Option<u32>,
    /// Engine that plays the games [default: see below].
    #[arg(long, value_name = "mcts|alphabeta", value_parser = engine, help_heading = "Games")]
    engine: Option<EngineKind>,
    /// Iterations (alpha-beta: positions) per move [default: see below].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Games")]
    nodes: Option<u64>,
    /// Number of threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Weights that play the games of a chess variant [default: the computed evaluation plays].
    #[arg(long, value_name = "FILE", help_heading = "Games")]
    weights: Option<PathBuf>,
    /// Number of training epochs; 0: only play games, write no weights [default: see below].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000),
          help_heading = "Training")]
    epochs: Option<u32>,
    /// Learning rate at the start, at most 1; it falls linearly to zero [default: 0.002; of a
    /// variant, 0.01].
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Training")]
    rate: Option<f32>,
    /// Initial weights instead of random ones; use a smaller --rate, such as 0.0008.
    ///
    /// Their hidden layer may be smaller than that of the new weights.
    #[arg(long, value_name = "FILE", help_heading = "Training")]
    from: Option<PathBuf>,
    /// Weight of the game's result in the target, from 0 to 1 [default: see below].
    ///
    /// The rest of the target is the engine's expected result.
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Training")]
    result_share: Option<f32>,
    /// Plays only the games whose number is I modulo N, into a file of their own; fits nothing.
    ///
    /// Games and shards are numbered from 0: --shard 0/4 to --shard 3/4 together have the games of
    /// one run, wherever they are played.
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = "Games",
          conflicts_with_all = ["epochs", "rate", "from", "result_share", "out", "json"])]
    shard: Option<Shard>,
    /// File of the games, or several. Games missing in a single file are played; those of several
    /// files or of shards are only learned from [default: GAME.games, of a shard GAME.IofN.games;
    /// of a variant, beside its definition].
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Games")]
    data: Vec<PathBuf>,
    /// File of the weights [default: src/games/GAME/weights.bin, at the root of the sources; of a
    /// variant, NAME.weights, or FILE.NAME.weights beside FILE.ini].
    #[arg(long, value_name = "FILE", help_heading = "Training")]
    out: Option<PathBuf>,
    #[command(flatten)]
    json: JsonOption,
}

/// An engine that may play: one that searches.
fn engine(name: &str) -> Result<EngineKind, String> {
    match name.parse() {
        Ok(kind @ (EngineKind::MonteCarlo | EngineKind::AlphaBeta)) => Ok(kind),
        _ => Err("expected mcts or alphabeta".to_owned()),
    }
}

/// A game that has weights to learn.
fn game(name: &str) -> Result<GameSpec, ParseError> {
    let refused = || {
        let games = GameSpec::all().into_iter().filter(|&game| learning(game).is_some());
        let games: Vec<GameSpec> = games.collect();
        let variants = <Variant as BuiltIn>::Setup::UNLISTED.join(", ");
        let expected = format!("{}, or {variants}", GameSpec::names_of(&games));
        ParseError::new("game", quoted(name), expected)
    };
    let game = match GameSpec::in_file(name) {
        Some(game) => Some(game?),
        None => name.parse().ok(),
    };
    // Weights are those of all setups of a game.
    let is_whole = |game: GameSpec| game.origin().is_some() || GameSpec::all().contains(&game);
    game.filter(|&game| learning(game).is_some() && is_whole(game)).ok_or_else(refused)
}

/// A shard; its words alone, as the parser names the option.
fn shard(text: &str) -> Result<Shard, String> {
    text.parse().map_err(|error: ParseError| format!("expected {}", error.expected))
}

fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|&rate| rate > 0.0 && rate <= 1.0);
    rate.ok_or_else(|| "expected a number above 0, at most 1, such as 0.002".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1, such as 0.3".to_owned())
}

/// The defaults of a game.
struct Defaults {
    engine: EngineKind,
    games: u32,
    nodes: u64,
    epochs: u32,
    rate: f32,
    result_share: f32,
}

impl Defaults {
    const MURUS: Defaults = Defaults {
        engine: EngineKind::MonteCarlo,
        games: 44_000,
        nodes: 1500,
        epochs: 14,
        rate: 0.002,
        result_share: 0.6,
    };
    const HADRON: Defaults = Defaults {
        engine: EngineKind::MonteCarlo,
        games: 16_000,
        nodes: 500,
        epochs: 6,
        rate: 0.002,
        result_share: 1.0,
    };
    const LOA: Defaults = Defaults {
        engine: EngineKind::MonteCarlo,
        games: 40_000,
        nodes: 1500,
        epochs: 12,
        rate: 0.002,
        result_share: 1.0,
    };
    const VOIDRIDER: Defaults = Defaults {
        engine: EngineKind::MonteCarlo,
        games: 26_000,
        nodes: 1000,
        epochs: 7,
        rate: 0.002,
        result_share: 0.5,
    };
    const VARIANT: Defaults = Defaults {
        engine: EngineKind::MonteCarlo,
        games: 3000,
        nodes: 100,
        epochs: 20,
        rate: 0.01,
        result_share: 0.5,
    };
}

/// Runs the command for a game.
type Learning = fn(&Tune) -> Result<(), CommandError>;

/// How the network of a game learns; none where it has no network.
fn learning(game: GameSpec) -> Option<Learning> {
    match game {
        GameSpec::Murus(_) => Some(|tune| {
            tune.tune::<Murus, { Murus::HIDDEN }>(Murus::standard_start(), Defaults::MURUS)
        }),
        GameSpec::Loa(_) => {
            Some(|tune| tune.tune::<Loa, { Loa::HIDDEN }>(Loa::standard_start(), Defaults::LOA))
        }
        GameSpec::Voidrider(_) => Some(|tune| {
            let start = Voidrider::standard_start();
            tune.tune::<Voidrider, { Voidrider::HIDDEN }>(start, Defaults::VOIDRIDER)
        }),
        GameSpec::Variant(_) => Some(|tune| {
            let GameSpec::Variant(chosen) = tune.game else { return Ok(()) };
            let start = Variant::set_up(chosen);
            tune.tune::<Variant, { variant::HIDDEN }>(start, Defaults::VARIANT)
        }),
        GameSpec::Hadron(_) => Some(|tune| {
            let GameSpec::Hadron(size) = tune.game else { return Ok(()) };
            let start = Hadron::set_up(size);
            tune.tune::<Hadron, { Hadron::HIDDEN }>(start, Defaults::HADRON)
        }),
        // A game without a network needs no line here; so far every game has one.
        #[allow(unreachable_patterns)]
        _ => None,
    }
}

impl Tune {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let learn = learning(self.game).expect("others are refused where the arguments are read");
        learn(self)
    }

    /// The arguments in some words, which are not all of a command line.
    ///
    /// # Errors
    /// They are none, in one line.
    pub fn of_words(words: &[String]) -> Result<Tune, CommandError> {
        let command = ["alesia-lab", "train", "tune"].map(str::to_owned);
        match crate::read(command.iter().chain(words).cloned())? {
            crate::Command::Train(crate::Train::Tune(tune)) => Ok(tune),
            _ => unreachable!("the first word is its name"),
        }
    }

    /// The first option that each shard of a batch sets itself, or that is only of use when weights
    /// are fitted.
    pub fn not_of_a_batch(&self) -> Option<&'static str> {
        let options = [
            ("--shard", self.shard.is_some()),
            ("--data", !self.data.is_empty()),
            ("--epochs", self.epochs.is_some()),
            ("--rate", self.rate.is_some()),
            ("--from", self.from.is_some()),
            ("--result-share", self.result_share.is_some()),
            ("--out", self.out.is_some()),
            ("--json", self.json.is_given()),
        ];
        options.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// Whether the number of threads is given.
    pub fn has_threads(&self) -> bool {
        self.threads.is_some()
    }
}
