//! `alesia-lab tune`: trains the evaluation of a game on games of the player against itself, and
//! writes the weights that are compiled into the player.
//!
//! The one idea: the result is reproducible with any number of threads: games follow from their
//! numbers, the held-out games from the number of the game, the weights from games, seed and
//! initial weights. Held-out games are never trained on (but initial weights may have been), so the
//! loss there, compared with that of the compiled evaluation, shows whether the new one is better.

mod fit;
mod games;
mod loss;
mod model;
pub mod record;
mod samples;
pub mod shape;
mod subject;
mod symmetry;

use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use alesia::chance::Chance;
use alesia::eval::network::NetworkGame;
use alesia::eval::weights_file::WeightsFile;
use alesia::eval::{Evaluate, expectation};
use alesia::game::{ParseError, counted, quoted};
use alesia::games::variant::{self, Chosen};
use alesia::games::{BuiltIn, GameSpec, Loa, Murus, Variant, Voidrider};
use alesia::search::EngineKind;
use alesia_match::error::CommandError;
use alesia_match::seeds::seed_of;
use alesia_report::run::{Begin, Epoch, TuneRow};
use clap::Args;

use crate::files::{place_of, write_whole};
use crate::json_file::{JsonFile, JsonOption};
use fit::{Course, fit, loss_on};
use games::Play;
use loss::Loss;
use record::SelfPlayRecord;
use samples::{Samples, Situation, each_situation};
use shape::Shape;
use subject::Subject;

/// One in this many games is held out for validation.
const HELD_OUT: usize = 20;

/// The random streams for turning the boards and for fitting; each game has the stream of its
/// number.
const TURNING_STREAM: u64 = u64::MAX;
const FITTING_STREAM: u64 = u64::MAX - 1;

const FILES: &str = "\
The first line of the file of games has the settings. Each other line is a game: its result (w, b
or d), its random first moves, a bar, and the other moves, each with its expected result in
thousandths of a point. With `--engine mcts`, if the result is not proven, the most visited moves
follow after a slash, each with its share of the visits in thousandths. The priors learn these
shares, or the move played where there are none. The same command continues an interrupted run.

The weights are 16-bit integers, low byte first. They are compiled in: build again, and test the new
player against the old one (`alesia-lab match`) before you keep them. The games are played with the
compiled evaluation, so other weights give other games.

The loss is three numbers. `value` is the mean cross entropy of the result and the expected result,
in nats (in voidrider only where no capture or promotion was played and no king was in check).
`moves` is the mean cross entropy of the shares of the moves and their priors, in nats. `first` is
how often the move with the largest share had the largest prior. Without recorded visits, the move
played has the whole share.

Defaults of each game (in loa and voidrider, the compiled weights were trained on games of both
engines):
  murus      44000 games of mcts,      1500 nodes, 14 epochs, result share 0.6
  loa        40000 games of mcts,      1500 nodes, 12 epochs, result share 1
  voidrider  26000 games of mcts,      1000 nodes,  7 epochs, result share 0.5
  a variant   3000 games of mcts,       100 nodes, 20 epochs, result share 0.5

The weights of a chess variant are a file of their own beside its definition, which engines read
with `--weights FILE`. They correct the evaluation that is computed from the definition. The first
line of the file says to which definition they belong; they are refused for any other.";

/// The arguments of `alesia-lab tune`.
#[derive(Args)]
#[command(after_help = FILES)]
pub struct Tune {
    /// Game whose evaluation is a network: murus, loa, voidrider, or a chess variant.
    #[arg(value_parser = game)]
    game: GameSpec,
    /// Number of games; one in twenty is held out for validation [default: see below].
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
    /// File of the games [default: GAME.games; of a variant, beside its definition].
    #[arg(long, value_name = "FILE", help_heading = "Games")]
    data: Option<PathBuf>,
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
        let games = GameSpec::ALL.into_iter().filter(|&game| learning(game).is_some());
        let games: Vec<GameSpec> = games.collect();
        let expected = format!("{}, or {}", GameSpec::names_of(&games), variant::FORMS.join(", "));
        ParseError::new("game", quoted(name), expected)
    };
    let game = match variant::open(name) {
        Some(chosen) => Some(GameSpec::Variant(chosen?)),
        None => name.parse().ok(),
    };
    game.filter(|&game| learning(game).is_some()).ok_or_else(refused)
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
        GameSpec::Murus(()) => Some(|tune| {
            tune.tune::<Murus, { Murus::HIDDEN }>(Murus::standard_start(), Defaults::MURUS)
        }),
        GameSpec::Loa(_) => {
            Some(|tune| tune.tune::<Loa, { Loa::HIDDEN }>(Loa::standard_start(), Defaults::LOA))
        }
        GameSpec::Voidrider(()) => Some(|tune| {
            let start = Voidrider::standard_start();
            tune.tune::<Voidrider, { Voidrider::HIDDEN }>(start, Defaults::VOIDRIDER)
        }),
        GameSpec::Variant(_) => Some(|tune| {
            let GameSpec::Variant(chosen) = tune.game else { return Ok(()) };
            let start = Variant::set_up(chosen);
            tune.tune::<Variant, { variant::HIDDEN }>(start, Defaults::VARIANT)
        }),
        GameSpec::Hadron(_) => None,
    }
}

/// A file of a variant: beside its definition, if that is a file.
fn beside(chosen: Chosen, ending: &str) -> PathBuf {
    let name = chosen.rules().name();
    match chosen.file() {
        Some(file) => PathBuf::from(file).with_extension(format!("{name}.{ending}")),
        None => PathBuf::from(format!("{name}.{ending}")),
    }
}

/// The samples of games.
#[derive(Default)]
struct Divided {
    learned: Samples,
    held_out: Samples,
    /// The loss of the compiled evaluation on the held-out samples.
    current: Loss,
}

impl Tune {
    pub fn run(&self) -> Result<(), CommandError> {
        let learn = learning(self.game).expect("others are refused where the arguments are read");
        learn(self)
    }

    fn tune<G: Subject, const HIDDEN: usize>(
        &self,
        start: G,
        defaults: Defaults,
    ) -> Result<(), CommandError> {
        let epochs = self.epochs.unwrap_or(defaults.epochs) as usize;
        let result_share = self.result_share.unwrap_or(defaults.result_share);
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = self.threads.map_or(cores, usize::from);
        // Before hours of games.
        let out = match epochs {
            0 => None,
            _ => Some(place_of(self.out.as_ref(), || self.default_out())?),
        };
        let (weights, player) = self.playing(start)?;
        let mut fitting = fastrand::Rng::with_seed(seed_of(self.seed, FITTING_STREAM));
        if let Some(from) = &self.from {
            let known = start.before_learning(Some(from), &[], result_share)?;
            self.first_numbers(known, shape_of::<G, HIDDEN>(&known), &mut fitting.clone())?;
        }
        let play = Play {
            engine: self.engine.unwrap_or(defaults.engine),
            nodes: self.nodes.unwrap_or(defaults.nodes),
            games: self.games.unwrap_or(defaults.games) as usize,
            threads,
            seed: self.seed,
            weights,
        };
        let mut json = self.json.begin("tune")?;
        let data = self.data.clone().unwrap_or_else(|| self.default_data());
        let records = games::read_and_play(start, &data, &self.header(play), play)?;
        let start = start.before_learning(self.from.as_deref(), &records, result_share)?;
        let divided = self.divide(start, player, &records, result_share);
        self.report(&records, &divided, &mut json)?;
        let Some(out) = out else { return Ok(()) };
        let course = Course { epochs, rate: self.rate.unwrap_or(defaults.rate), threads };
        self.learn::<G, HIDDEN>(start, &divided, course, &mut fitting, &out, &mut json)
    }

    /// The weights that play, if they are of a file, and the start as they evaluate it.
    fn playing<G: Subject>(
        &self,
        start: G,
    ) -> Result<(Option<&'static WeightsFile>, G), CommandError> {
        let Some(path) = &self.weights else { return Ok((None, start)) };
        let outer = |error: ParseError| error.within("--weights");
        let file = WeightsFile::open(path).map_err(outer)?;
        Ok((Some(file), start.with_weights(file).map_err(outer)?))
    }

    /// Prints what there is to learn from.
    fn report(
        &self,
        records: &[SelfPlayRecord],
        divided: &Divided,
        json: &mut JsonFile,
    ) -> Result<(), CommandError> {
        let Divided { learned, held_out, current } = divided;
        let games = counted(records.len(), "game");
        writeln!(stdout(), "{games}: {} samples, {} held out", learned.len(), held_out.len())?;
        if learned.len() == 0 || held_out.len() == 0 {
            return Err(CommandError::Failed(
                "found too few samples, expected more --games".into(),
            ));
        }
        writeln!(stdout(), "{}: held out {current}", self.player_name())?;
        json.add(&TuneRow::Begin(Begin {
            game: self.game.to_string(),
            games: records.len() as u64,
            samples: learned.len() as u64,
            current: current.row(),
        }))
    }

    /// Fits the network, and writes it.
    fn learn<G: Subject, const HIDDEN: usize>(
        &self,
        start: G,
        Divided { learned, held_out, .. }: &Divided,
        course: Course,
        fitting: &mut fastrand::Rng,
        out: &Path,
        json: &mut JsonFile,
    ) -> Result<(), CommandError> {
        let Course { epochs, threads, .. } = course;
        let shape = shape_of::<G, HIDDEN>(&start);
        let first = self.first_numbers(start, shape, fitting)?;
        let numbers = fit(shape, first, learned, course, fitting, |epoch, numbers, loss| {
            let unseen = loss_on(shape, numbers, held_out, threads);
            writeln!(stdout(), "epoch {epoch} of {epochs}: {loss}; held out {unseen}")?;
            let epoch = epoch as u64;
            json.add(&TuneRow::Epoch(Epoch { epoch, learned: loss.row(), held_out: unseen.row() }))
        })?;
        if !shape.fits(&numbers, start.max_active()) {
            let what = "sums of the weights may exceed 16 bits, expected a smaller --rate";
            return Err(CommandError::Failed(what.into()));
        }
        write_whole(out, &start.file_of(shape.bytes(&numbers)))?;
        let loss = loss_on(shape, &shape.rounded(&numbers), held_out, threads);
        writeln!(stdout(), "{} written: held out {loss}", out.display())?;
        Ok(())
    }

    /// Where the weights go without `--out`.
    fn default_out(&self) -> PathBuf {
        match self.game {
            GameSpec::Variant(chosen) => beside(chosen, "weights"),
            game => PathBuf::from(format!("src/games/{game}/weights.bin")),
        }
    }

    /// Where the games are without `--data`.
    fn default_data(&self) -> PathBuf {
        match self.game {
            GameSpec::Variant(chosen) => beside(chosen, "games"),
            game => PathBuf::from(format!("{game}.games")),
        }
    }

    /// What has played the games.
    fn player_name(&self) -> &'static str {
        match (self.game, &self.weights) {
            (GameSpec::Variant(_), None) => "computed",
            (GameSpec::Variant(_), Some(_)) => "--weights",
            _ => "compiled in",
        }
    }

    /// Turns games into samples.
    fn divide<G: Subject>(
        &self,
        start: G,
        player: G,
        records: &[SelfPlayRecord],
        result_share: f32,
    ) -> Divided {
        let mut rng = fastrand::Rng::with_seed(seed_of(self.seed, TURNING_STREAM));
        let mut divided = Divided::default();
        for (number, record) in records.iter().enumerate() {
            let is_held_out = number % HELD_OUT == 0;
            each_situation(start, record, result_share, |situation| {
                let symmetry = if is_held_out { 0 } else { rng.index(..start.symmetries()) };
                let set = if is_held_out { &mut divided.held_out } else { &mut divided.learned };
                let (input, row) = (|at| start.input(at, symmetry), |at| start.row(at, symmetry));
                set.add(&situation, input, row);
                if is_held_out {
                    let position = situation.position.evaluated_like(&player);
                    let loss = loss_of_current(&Situation { position, ..situation });
                    divided.current = divided.current + loss;
                }
            });
        }
        divided
    }

    /// The numbers that fitting begins with.
    fn first_numbers<G: Subject, const HIDDEN: usize>(
        &self,
        start: G,
        shape: Shape<HIDDEN>,
        rng: &mut fastrand::Rng,
    ) -> Result<Vec<f32>, CommandError> {
        let Some(path) = &self.from else { return Ok(shape.random(rng)) };
        let bytes = start.numbers_of(path)?;
        shape.grown(&bytes, rng).ok_or_else(|| {
            let found = format!("{} bytes", bytes.len());
            let game = self.game;
            let expected =
                format!("weights of {game}, with a hidden layer of the same size or smaller");
            ParseError::new(format!("--from: {}", path.display()), found, expected).into()
        })
    }

    /// The first line of a file of games.
    fn header(&self, Play { engine, nodes, seed, weights, .. }: Play) -> String {
        let game = match self.game {
            GameSpec::Variant(chosen) => {
                let rules = chosen.rules();
                format!("variant {} {:016x}", rules.name(), rules.definition.fingerprint)
            }
            game => game.to_string(),
        };
        let weights = weights.map(|file| format!(" weights={:016x}", file.sum()));
        let weights = weights.unwrap_or_default();
        format!("{game} {engine} nodes={nodes} seed={seed}{weights}")
    }
}

/// The dimensions of the network of a game.
fn shape_of<G: Subject, const HIDDEN: usize>(start: &G) -> Shape<HIDDEN> {
    let (inputs, rows) = start.sizes();
    Shape { inputs, rows, value_one: G::VALUE_ONE }
}

/// What the evaluation of a position loses.
fn loss_of_current<G: Evaluate>(situation: &Situation<G>) -> Loss {
    let Situation { position, moves, shares, target } = situation;
    let mut priors = vec![0.0; moves.len()];
    position.weigh(moves, &mut priors);
    Loss::of(*target, expectation(position.evaluate()), &priors, shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::loss::Share;
    use alesia::game::{Game, MoveList};

    #[test]
    fn what_is_compiled_in_loses_as_its_evaluation_says() {
        let position = Loa::start(Default::default());
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        let shares = vec![Share { number: 3, share: 0.75 }, Share { number: 5, share: 0.25 }];
        let situation = Situation { position, moves: moves.clone(), shares, target: Some(1.0) };
        let loss = loss_of_current(&situation);
        let expected = -f64::from(expectation(position.evaluate())).ln();
        assert!((loss.value() - expected).abs() < 1e-6, "{loss}");
        let mut weights = vec![0.0; moves.len()];
        position.weigh(&moves, &mut weights);
        let all: f32 = weights.iter().sum();
        let expected = -0.75 * (weights[3] / all).ln() - 0.25 * (weights[5] / all).ln();
        assert!((loss.moves() - f64::from(expected)).abs() < 1e-5, "{loss}");
    }
}
