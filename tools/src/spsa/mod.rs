//! `alesia-lab train spsa`: tunes parameters of the tree search by games against itself.
//!
//! The one idea: in each step a player with all parameters moved at random meets its mirror image,
//! and the values move towards the winner (`method`). Everything follows from the settings and the
//! seed, so a run that was stopped goes on (`run_file`), and runs with other seeds, on other
//! machines, are averaged.

mod method;
mod run_file;

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use alesia::eval::parameters::Parameters;
use alesia::game::{ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::search::duel::{Contestant, Limit, play_pair, random_opening};
use alesia::search::size::Size;
use alesia::search::{EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia_match::run::seeds::seed_of;
use alesia_match::words::progress::Progress;
use clap::Args;

use method::{TunedParameter, Tuner};
use run_file::{Kept, RunFile, Settings};

/// Random plies before a game.
const OPENING_PLIES: usize = 4;

/// If nothing else is said, a parameter is tried its value divided by this away.
const STEPS_TO_ZERO: f64 = 5.0;

/// What `--mean` does not use.
const OF_A_RUN: [&str; 11] = [
    "game",
    "file",
    "tune",
    "set",
    "nodes",
    "pairs",
    "steps",
    "gain",
    "seed",
    "concurrency",
    "memory",
];

const OUTPUT: &str = "\
Prints a line for each parameter, `NAME: from VALUE to VALUE`, then the options that set the new
values. Only a match shows whether they are better: the last line is its command.

The file has the settings, then a line for each step. The same command continues an interrupted run.
To share the work, run the command on each machine with another --seed and FILE, then average:
`alesia-lab train spsa --mean FILE FILE …`.";

/// The arguments of `alesia-lab train spsa`.
#[derive(Args)]
#[command(after_help = OUTPUT)]
pub struct Spsa {
    /// The game.
    #[arg(value_parser = GameSpec::open, required_unless_present = "mean")]
    game: Option<GameSpec>,
    /// Parameters to tune, each with the distance to try (exploration:0.1) or without (a fifth of
    /// its value) [default: all that are not whole numbers and not 0 in the game].
    #[arg(long, value_name = "NAME[:STEP],…", value_delimiter = ',')]
    tune: Vec<String>,
    /// Sets a parameter of both players; one that is tuned begins there.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Iterations of each move.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Pairs of games in each step.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Steps of the whole run.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: u32,
    /// How far a value moves in the last step if one side wins every game, as a share of its STEP.
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = gain)]
    gain: f64,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played at once.
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Memory of each player.
    #[arg(long, value_name = "SIZE", default_value = "64MiB")]
    memory: Size,
    /// File of the run: continued if it exists.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    file: Option<PathBuf>,
    /// Averages the results of runs that differ in their seeds alone, and plays nothing.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Output", conflicts_with_all = OF_A_RUN)]
    mean: Vec<PathBuf>,
}

fn gain(text: &str) -> Result<f64, String> {
    let gain = text.parse().ok().filter(|gain| *gain > 0.0 && *gain <= 10.0);
    gain.ok_or_else(|| "expected a number above 0, at most 10".to_owned())
}

impl Spsa {
    pub fn run(&self) -> Result<(), CommandError> {
        match self.game {
            Some(game) => self.tune(game, AnyGame::start(game)),
            None => self.average(),
        }
    }

    fn tune(&self, game: GameSpec, start: AnyGame) -> Result<(), CommandError> {
        let mut common = start.tuning();
        self.set.iter().try_for_each(|assignment| common.set(assignment))?;
        let settings = Settings {
            spsa: game.to_string(),
            set: self.set.clone(),
            nodes: self.nodes,
            pairs: self.pairs,
            steps: self.steps,
            gain: self.gain,
            seed: self.seed,
            memory: self.memory.bytes(),
            parameters: tuned_parameters(&self.tune, &common)?,
        };
        let opened = self.file.as_ref().map(|path| RunFile::open(path, &settings)).transpose()?;
        let (mut file, kept) = opened.unzip();
        let mut tuner = kept.unwrap_or_else(|| settings.tuner());
        let mut progress = Progress::new("Steps", u64::from(self.steps));
        while !tuner.is_done() {
            progress.show(u64::from(tuner.done()), || tuner.said(tuner.values()).join(" "));
            let points = self.play(start, &common, &tuner)?;
            tuner.learn(points / f64::from(self.pairs) - 1.0);
            if let Some(file) = &mut file {
                file.add(&tuner, points)?;
            }
        }
        progress.end();
        print(&settings, &tuner.result())
    }

    /// Plays the games of a step: the points of the first side.
    fn play(
        &self,
        start: AnyGame,
        common: &Parameters,
        tuner: &Tuner,
    ) -> Result<f64, CommandError> {
        let sides = tuner.trial().map(|values| tuner.said(&values));
        let parameters = sides.map(|said| {
            let mut parameters = *common;
            said.iter().try_for_each(|assignment| parameters.set(assignment)).map(|()| parameters)
        });
        let [first, second] = parameters;
        let parameters = [first?, second?];
        let (next, seed) = (AtomicU32::new(0), tuner.seed());
        let threads = self.concurrency.get().min(self.pairs as usize);
        // Points are halves, whose sum does not depend on the order.
        thread::scope(|scope| {
            let work = || self.play_pairs(start, &parameters, &next, seed);
            let others: Vec<_> = (1..threads)
                .map(|_| thread::Builder::new().spawn_scoped(scope, work))
                .collect::<Result<_, _>>()
                .map_err(|error| CommandError::Failed(format!("--concurrency: {error}")))?;
            let own = work()?;
            others.into_iter().try_fold(own, |sum, other| {
                Ok(sum + other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
            })
        })
    }

    /// Plays pairs of games until none is left.
    fn play_pairs(
        &self,
        start: AnyGame,
        parameters: &[Parameters; 2],
        next: &AtomicU32,
        seed: u64,
    ) -> Result<f64, CommandError> {
        let build = |parameters: &Parameters| {
            let options = EngineOptions {
                memory: self.memory.bytes(),
                parameters: Some(*parameters),
                ..EngineOptions::default()
            };
            let built = EngineKind::MonteCarlo.build(start, &options);
            built
                .map_err(|error| CommandError::Failed(format!("--memory {}: {error}", self.memory)))
        };
        let (mut first, mut second) = (build(&parameters[0])?, build(&parameters[1])?);
        let limit = Limit::Nodes(self.nodes);
        let mut points = 0.0;
        loop {
            // Relaxed: a number to each thread.
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= self.pairs {
                return Ok(points);
            }
            let mut rng = fastrand::Rng::with_seed(seed_of(seed, u64::from(pair) + 1));
            let opening = random_opening(start, OPENING_PLIES, &mut rng)
                .ok_or_else(|| CommandError::Failed("no opening that is not decided".into()))?;
            let seed = rng.u64(..);
            let scores = play_pair(
                &opening.state,
                [
                    Contestant { engine: &mut *first, limit, seed },
                    Contestant { engine: &mut *second, limit, seed: !seed },
                ],
            );
            points += scores.iter().map(|score| f64::from(score.halves()) / 2.0).sum::<f64>();
        }
    }

    /// Prints the mean of several runs.
    fn average(&self) -> Result<(), CommandError> {
        let runs = self.mean.iter().map(|path| Kept::read(path)).collect::<Result<Vec<_>, _>>()?;
        let first = &runs[0].settings;
        let mut seeds = HashSet::new();
        for (run, path) in runs.iter().zip(&self.mean) {
            let place = path.display().to_string();
            if !run.tuner.is_done() {
                let found = format!("{} steps", run.tuner.done());
                return Err(ParseError::new(place, found, format!("{} steps", first.steps)).into());
            }
            let same_seed = Settings { seed: first.seed, ..run.settings.clone() };
            if let Some((found, expected)) = same_seed.difference(first) {
                return Err(ParseError::new(format!("{place}, line 1"), found, expected).into());
            }
            if !seeds.insert(run.settings.seed) {
                let found = format!("seed {} again", run.settings.seed);
                return Err(ParseError::new(place, found, "a seed for each run").into());
            }
        }
        let results: Vec<Vec<f64>> = runs.iter().map(|run| run.tuner.result()).collect();
        let mean = |index: usize| {
            results.iter().map(|result| result[index]).sum::<f64>() / results.len() as f64
        };
        print(first, &(0..first.parameters.len()).map(mean).collect::<Vec<f64>>())
    }
}

/// The parameters to tune.
fn tuned_parameters(
    asked: &[String],
    tuning: &Parameters,
) -> Result<Vec<TunedParameter>, ParseError> {
    let table = Parameters::table();
    let value = |name: &str| -> f64 {
        let said = tuning.values().find(|(known, _)| *known == name);
        said.and_then(|(_, said)| said.parse().ok()).expect("each parameter has a value")
    };
    let parameter = |name: &str, step: Option<&str>| {
        let place = format!("--tune {name}");
        let names = || format!("one of {}", Parameters::NAMES.join(", "));
        let entry = table.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| ParseError::new("--tune", quoted(name), names()))?;
        let [least, most] = entry.bounds;
        let (from, smallest) = (value(name), if entry.is_whole { 1.0 } else { 1e-6 });
        let step = match step {
            Some(text) => {
                let step =
                    text.parse().ok().filter(|step| (smallest..=most - least).contains(step));
                let expected = format!("a number from {smallest} to {}", most - least);
                step.ok_or_else(|| ParseError::new(place, quoted(text), expected))?
            }
            None if from == 0.0 => {
                let expected = format!("{name}:STEP, as its value here is 0");
                return Err(ParseError::new("--tune", quoted(name), expected));
            }
            None => (from / STEPS_TO_ZERO).max(smallest),
        };
        Ok(TunedParameter { name: name.to_owned(), from, step, least, most, whole: entry.is_whole })
    };
    if asked.is_empty() {
        let usual = table.iter().filter(|entry| !entry.is_whole && value(entry.name) != 0.0);
        return usual.map(|entry| parameter(entry.name, None)).collect();
    }
    let split = |text: &String| match text.split_once(':') {
        Some((name, step)) => parameter(name.trim(), Some(step.trim())),
        None => parameter(text.trim(), None),
    };
    let parameters = asked.iter().map(split).collect::<Result<Vec<TunedParameter>, _>>()?;
    for (index, TunedParameter { name, .. }) in parameters.iter().enumerate() {
        if parameters[..index].iter().any(|other| other.name == *name) {
            let found = format!("{} twice", quoted(name));
            return Err(ParseError::new("--tune", found, "different parameters"));
        }
    }
    Ok(parameters)
}

/// Prints the values that were found.
fn print(settings: &Settings, values: &[f64]) -> Result<(), CommandError> {
    let mut out = stdout().lock();
    let mut options = Vec::new();
    for (parameter, &value) in settings.parameters.iter().zip(values) {
        let said = parameter.said(value);
        let (name, to) = said.split_once('=').expect("a name and a value");
        writeln!(out, "{name}: from {} to {to}", parameter.from)?;
        options.push(said);
    }
    writeln!(out, "options: --set {}", options.join(" --set "))?;
    // The player of before has what was set; the tuned one the new values in its place.
    let name = |said: &str| said.split('=').next().unwrap_or_default().trim().to_owned();
    let is_other = |said: &&String| options.iter().all(|tuned| name(tuned) != name(said));
    let given = |said: &String| format!(" option.{}", said.replace(' ', ""));
    let Settings { spsa: game, set, nodes, memory, .. } = settings;
    let before: String = set.iter().map(given).collect();
    let tuned: String = set.iter().filter(is_other).chain(&options).map(given).collect();
    writeln!(
        out,
        "match: alesia-lab match -game {game} -engine name=tuned{tuned} -engine name=before{before} \
         -each nodes={nodes} option.memory={} -rounds 200",
        Size::of(*memory)
    )?;
    Ok(())
}
