//! The course of `alesia-lab train tune`: games are played or found, become samples, and a network
//! is fitted to these.
//!
//! The one idea: games are read one at a time, and samples a group at a time, so memory does not
//! grow with the number of games.

use std::io::{Write, stderr, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use alesia::eval::weights_file::WeightsFile;
use alesia::eval::{Evaluate, expectation};
use alesia::game::chance::Chance;
use alesia::game::{ParseError, counted};
use alesia::games::{GameSpec, Origin};
use alesia::words::command_error::CommandError;
use alesia_match::run::seeds::seed_of;
use alesia_report::run::{Begin, Epoch, TuneRow};

use super::data::{Data, Found, is_shard};
use super::fit::{Course, fit, loss_on};
use super::games::{Play, play_missing};
use super::games_file::head;
use super::loss::Loss;
use super::sample_file::{SampleFile, SampleWriter};
use super::samples::{Situation, situations};
use super::shape::Shape;
use super::shard::Shard;
use super::subject::Subject;
use super::{Defaults, Tune};
use crate::files::{folder_of, place_of, write_whole};
use crate::shell::in_shell;
use alesia::words::json_file::JsonFile;

/// One in this many games is held out for validation.
const HELD_OUT: u64 = 20;

/// The random streams for turning the boards and for fitting; each game has the stream of its
/// number.
const TURNING_STREAM: u64 = u64::MAX;
const FITTING_STREAM: u64 = u64::MAX - 1;

/// The samples of games.
struct Divided {
    learned: SampleWriter,
    held_out: SampleWriter,
    /// The loss of the evaluation that played, on the held-out samples.
    current: Loss,
    found: Found,
}

impl Tune {
    /// Runs the command for a game.
    pub(super) fn tune<G: Subject, const HIDDEN: usize>(
        &self,
        start: G,
        defaults: Defaults,
    ) -> Result<(), CommandError> {
        let epochs = self.epochs.unwrap_or(defaults.epochs) as usize;
        let result_share = self.result_share.unwrap_or(defaults.result_share);
        // Before hours of games.
        let out = match epochs {
            _ if self.shard.is_some() => None,
            0 => None,
            _ => Some(place_of(self.out.as_ref(), || self.default_out())?),
        };
        let (weights, player) = self.playing(start)?;
        let mut fitting = fastrand::Rng::with_seed(seed_of(self.seed, FITTING_STREAM));
        let known = match &self.from {
            Some(from) => {
                let known = start.beginning_with(from)?;
                self.first_numbers(known, shape_of::<G, HIDDEN>(&known), &mut fitting.clone())?;
                Some(known)
            }
            None => None,
        };
        let play = self.play(&defaults, weights);
        let mut json = self.json.begin(crate::PROGRAM, "tune")?;
        if let Some(shard) = self.shard {
            return self.play_shard(start, play, shard);
        }
        let data = self.data(start, play)?;
        let start = match known {
            Some(known) => known,
            None => start.beginning(&data, result_share)?,
        };
        let folder = out.as_deref().map(folder_of);
        let divided = self.divide(start, player, &data, result_share, folder)?;
        self.report(&divided, &mut json)?;
        let (learned, held_out) = (divided.learned.end()?, divided.held_out.end()?);
        let (Some(out), Some(learned), Some(held_out)) = (out, learned, held_out) else {
            return Ok(());
        };
        let rate = self.rate.unwrap_or(defaults.rate);
        let course = Course { epochs, rate, threads: play.threads };
        self.learn::<G, HIDDEN>(start, [&learned, &held_out], course, &mut fitting, &out, &mut json)
    }

    /// How games are played.
    fn play(&self, defaults: &Defaults, weights: Option<&'static WeightsFile>) -> Play {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        Play {
            engine: self.engine.unwrap_or(defaults.engine),
            nodes: self.nodes.unwrap_or(defaults.nodes),
            games: self.games.unwrap_or(defaults.games) as usize,
            shard: self.shard,
            threads: self.threads.map_or(cores, usize::from),
            seed: self.seed,
            weights,
        }
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

    /// Plays a shard, and prints how to fit to all of them.
    fn play_shard<G: Subject>(
        &self,
        start: G,
        play: Play,
        shard: Shard,
    ) -> Result<(), CommandError> {
        let path = match &*self.data {
            [] => self.default_data(),
            [path] => path.clone(),
            several => {
                let found = format!("{} files", several.len());
                return Err(ParseError::new("--data", found, "one file with --shard").into());
            }
        };
        play_missing(start, &path, &head(&self.settings(play), self.shard), play)?;
        let games = counted(play.wanted(), "game");
        writeln!(stdout(), "{games} of shard {shard} in {}", path.display())?;
        let others = if shard.count() == 1 { "" } else { " FILE …" };
        let command = self.fit_command(play, &path.display().to_string());
        writeln!(stdout(), "nothing is fitted; when all shards are played: {command}{others}")?;
        Ok(())
    }

    /// The command that fits to a file of games.
    fn fit_command(&self, Play { engine, nodes, seed, .. }: Play, file: &str) -> String {
        let [game, engine, nodes, seed] =
            [self.game.to_string(), engine.to_string(), nodes.to_string(), seed.to_string()];
        let mut words = vec!["alesia-lab", "train", "tune", &game, "--engine", &engine];
        words.extend(["--nodes", &nodes, "--seed", &seed]);
        let weights = self.weights.as_ref().map(|path| path.display().to_string());
        words.extend(weights.iter().flat_map(|path| ["--weights", path]));
        words.extend(["--data", file]);
        in_shell(words)
    }

    /// The games to learn from. A file of all games gets those that it lacks.
    fn data<G: Subject>(&self, start: G, play: Play) -> Result<Data<G>, CommandError> {
        let settings = self.settings(play);
        let paths =
            if self.data.is_empty() { vec![self.default_data()] } else { self.data.clone() };
        let mut end = self.games.map(u64::from);
        if let [path] = &*paths
            && !is_shard(path, &settings)?
        {
            play_missing(start, path, &settings, play)?;
            end = Some(play.games as u64);
        }
        Data::open(start, &settings, &paths, end)
    }

    /// Turns games into samples; they are only counted where there is no folder for them.
    fn divide<G: Subject>(
        &self,
        start: G,
        player: G,
        data: &Data<G>,
        result_share: f32,
        folder: Option<&Path>,
    ) -> Result<Divided, CommandError> {
        let mut rng = fastrand::Rng::with_seed(seed_of(self.seed, TURNING_STREAM));
        let (mut learned, mut held_out) = (SampleWriter::new(folder)?, SampleWriter::new(folder)?);
        let mut current = Loss::default();
        let found = data.each(|number, record| {
            for situation in situations(start, record, result_share) {
                if number % HELD_OUT != 0 {
                    let symmetry = rng.index(..start.symmetries());
                    let input = |at| start.input(at, symmetry);
                    learned.add(&situation, input, |at| start.row(at, symmetry))?;
                    continue;
                }
                held_out.add(&situation, |at| start.input(at, 0), |at| start.row(at, 0))?;
                let position = situation.position.evaluated_like(&player);
                current = current + loss_of_current(&Situation { position, ..situation });
            }
            Ok(())
        })?;
        Ok(Divided { learned, held_out, current, found })
    }

    /// Prints what there is to learn from.
    fn report(&self, divided: &Divided, json: &mut JsonFile) -> Result<(), CommandError> {
        let Divided { learned, held_out, current, found } = divided;
        // If standard error is gone, nothing is lost.
        for place in &found.cut {
            let _ = writeln!(stderr(), "{place} is incomplete; it is left out");
        }
        if let Some(first) = found.first_missing {
            let (missing, all) = (found.missing, found.games + found.missing);
            let _ = writeln!(stderr(), "{missing} of {all} games are missing, first game {first}");
        }
        let games = counted(found.games as usize, "game");
        writeln!(stdout(), "{games}: {} samples, {} held out", learned.len(), held_out.len())?;
        if learned.len() == 0 || held_out.len() == 0 {
            return Err(CommandError::Failed(
                "found too few samples, expected more --games".into(),
            ));
        }
        writeln!(stdout(), "{}: held out {current}", self.player_name())?;
        json.add(&TuneRow::Begin(Begin {
            game: self.game.to_string(),
            games: found.games,
            samples: learned.len() as u64,
            current: current.row(),
        }))
    }

    /// Fits the network, and writes it.
    fn learn<G: Subject, const HIDDEN: usize>(
        &self,
        start: G,
        [learned, held_out]: [&SampleFile; 2],
        course: Course,
        fitting: &mut fastrand::Rng,
        out: &Path,
        json: &mut JsonFile,
    ) -> Result<(), CommandError> {
        let Course { epochs, threads, .. } = course;
        let shape = shape_of::<G, HIDDEN>(&start);
        let first = self.first_numbers(start, shape, fitting)?;
        let numbers = fit(shape, first, learned, course, fitting, |epoch, numbers, loss| {
            let unseen = loss_on(shape, numbers, held_out, threads)?;
            writeln!(stdout(), "epoch {epoch} of {epochs}: {loss}; held out {unseen}")?;
            let epoch = epoch as u64;
            json.add(&TuneRow::Epoch(Epoch { epoch, learned: loss.row(), held_out: unseen.row() }))
        })?;
        if !shape.fits(&numbers, start.max_active()) {
            let what = "sums of the weights may exceed 16 bits, expected a smaller --rate";
            return Err(CommandError::Failed(what.into()));
        }
        write_whole(out, &start.file_of(shape.bytes(&numbers)))?;
        let loss = loss_on(shape, &shape.rounded(&numbers), held_out, threads)?;
        writeln!(stdout(), "{} written: held out {loss}", out.display())?;
        Ok(())
    }

    /// Where the weights go without `--out`.
    fn default_out(&self) -> PathBuf {
        match (self.game.origin(), self.game) {
            (Some(origin), _) => beside(origin, "weights"),
            // Boards of all sizes share them.
            (None, GameSpec::Hadron(_)) => PathBuf::from("src/games/hadron/weights.bin"),
            (None, game) => PathBuf::from(format!("src/games/{game}/weights.bin")),
        }
    }

    /// Where the games are without `--data`.
    fn default_data(&self) -> PathBuf {
        let shard = self.shard.map_or(String::new(), |shard| format!("{}.", shard.in_name()));
        match self.game.origin() {
            Some(origin) => beside(origin, &format!("{shard}games")),
            None => PathBuf::from(format!("{}.{shard}games", self.game)),
        }
    }

    /// What has played the games.
    fn player_name(&self) -> &'static str {
        match (self.game.origin(), &self.weights) {
            (Some(_), None) => "computed",
            (Some(_), Some(_)) => "--weights",
            (None, _) => "compiled in",
        }
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

    /// What the first line of a file of games begins with.
    fn settings(&self, Play { engine, nodes, seed, weights, .. }: Play) -> String {
        let game = match self.game.origin() {
            Some(Origin { name, fingerprint, .. }) => format!("variant {name} {fingerprint:016x}"),
            None => self.game.to_string(),
        };
        let weights = weights.map(|file| format!(" weights={:016x}", file.sum()));
        let weights = weights.unwrap_or_default();
        format!("{game} {engine} nodes={nodes} seed={seed}{weights}")
    }
}

/// A file of a game by definition: beside its definition, if that is a file.
fn beside(Origin { name, file, .. }: Origin, ending: &str) -> PathBuf {
    match file {
        Some(file) => PathBuf::from(file).with_extension(format!("{name}.{ending}")),
        None => PathBuf::from(format!("{name}.{ending}")),
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
    use alesia::game::Game;
    use alesia::games::Loa;

    #[test]
    fn compiled_weights_have_the_loss_of_their_evaluation() {
        let position = Loa::start(Default::default());
        let moves = position.legal_moves();
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
