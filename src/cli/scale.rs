//! `alesia scale`: how many trees the threads of this machine should share.
//!
//! Speed alone misleads: separate trees run more iterations per second, each in a smaller tree.
//! So every number of trees also plays games against one shared tree, at the same time per move.

use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use alesia::game::{GameState, counted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::measure::{doubled, medians};
use alesia::record::measurements::TreesRow;
use alesia::search::clock::Budget;
use alesia::search::duel::{Contestant, Limit, play_pair, random_opening};
use alesia::search::memory::at_most_half_of_available;
use alesia::search::size::Size;
use alesia::search::{EngineKind, EngineOptions};
use alesia::words::json_file::JsonOption;
use alesia::words::time_span::some_milliseconds;
use clap::Args;

use alesia::words::command_error::CommandError;

/// Random plies before each game.
const OPENING_PLIES: usize = 4;

/// Rounds in which the speeds are measured.
const SPEED_ROUNDS: usize = 5;

/// The arguments of `alesia scale`.
#[derive(Args)]
pub struct Scale {
    /// Game [default: all].
    #[arg(long, value_name = "GAME", help_heading = "Game", value_parser = GameSpec::open)]
    game: Option<GameSpec>,
    /// Search threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024),
          help_heading = "Engine")]
    threads: Option<u16>,
    /// Game pairs against one tree, for each number of trees.
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Game")]
    pairs: u32,
    /// Time per move of these games in ms.
    #[arg(long, value_name = "MS", default_value_t = 100, help_heading = "Time",
          value_parser = some_milliseconds)]
    move_time: u64,
    /// Memory for the trees of each player [default: 256MiB, or a quarter of the free memory where
    /// that is less].
    #[arg(long, value_name = "SIZE", default_value_t = default_memory(), help_heading = "Engine",
          hide_default_value = true)]
    memory: Size,
    #[command(flatten)]
    json: JsonOption,
}

/// The default of `--memory`, of which two players take as much each.
fn default_memory() -> Size {
    Size::of(at_most_half_of_available(512 << 20) / 2)
}

/// Fewer pairs of games recommend nothing.
const LEAST_PAIRS: u32 = 10;

/// Whether there are enough games to say by how much a score may err.
fn is_sure(games: u32) -> bool {
    games >= 2 * LEAST_PAIRS
}

/// The result of a number of trees against one tree.
struct TreesScore {
    games: u32,
    /// The mean share of the points, and its standard error.
    mean: f64,
    error: f64,
}

impl TreesScore {
    /// From the points of each pair of games, in halves.
    fn of(pairs: &[u32]) -> TreesScore {
        let count = pairs.len() as f64;
        let shares = pairs.iter().map(|&halves| f64::from(halves) / 4.0);
        let mean = shares.clone().sum::<f64>() / count;
        let squares = shares.map(|share| (share - mean).powi(2)).sum::<f64>();
        let error = (squares / (count - 1.0).max(1.0) / count).sqrt();
        TreesScore { games: 2 * pairs.len() as u32, mean, error }
    }

    /// Whether it is surely above one half by more than two standard errors.
    fn is_better(&self) -> bool {
        is_sure(self.games) && self.mean - 2.0 * self.error > 0.5
    }
}

/// Prints a row; `relative` is its speed in times of that of one tree.
fn print(row: &TreesRow, relative: f64, out: &mut impl Write) -> io::Result<()> {
    let TreesRow { game, trees, speed, games, score, error, .. } = row;
    write!(out, "{game:10} {trees:>5} {speed:>13.0} {relative:>8.2}")?;
    if let (Some(games), Some(score)) = (games, score) {
        write!(out, " {games:>6}  {:.1} %", 100.0 * score)?;
    }
    if let Some(error) = error.filter(|_| games.is_some_and(is_sure)) {
        write!(out, " ± {:.1}", 100.0 * error)?;
    }
    writeln!(out)
}

impl Scale {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let games = self.game.map_or_else(GameSpec::all, |game| vec![game]);
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = self.threads.map_or(cores, usize::from);
        let mut json = self.json.begin("alesia", "scale")?;
        let mut out = stdout().lock();
        let (on, of) = (counted(threads, "thread"), counted(cores, "core"));
        writeln!(out, "{on}, {of}, {} ms a move", self.move_time)?;
        let heads = ["trees", "iterations/s", "relative", "games", "score against 1 tree"];
        let [trees, speed, relative, played, score] = heads;
        writeln!(out, "{:10} {trees:>5} {speed:>13} {relative:>8} {played:>6}  {score}", "game")?;
        for game in games {
            let name = game.to_string();
            let mut each = |row: TreesRow, relative| {
                print(&row, relative, &mut out)?;
                json.add(&row)
            };
            let best = self.measure(game, threads, &mut each)?;
            match self.pairs >= LEAST_PAIRS || threads == 1 {
                true => writeln!(out, "{name:10} recommended: --trees {best}")?,
                false => {
                    writeln!(out, "{name:10} recommended: nothing, from fewer than 10 pairs")?;
                }
            }
        }
        Ok(())
    }

    /// Measures every number of trees; returns the one that is surely the best.
    fn measure(
        &self,
        game: GameSpec,
        threads: usize,
        each: &mut impl FnMut(TreesRow, f64) -> Result<(), CommandError>,
    ) -> Result<usize, CommandError> {
        let start = AnyGame::start(game);
        let numbers: Vec<usize> = doubled(threads).collect();
        let speeds = self.speeds(start, threads, &numbers)?;
        let mut best = (1, 0.5);
        for (&trees, &speed) in numbers.iter().zip(&speeds) {
            let score = match trees > 1 && self.pairs > 0 {
                true => Some(self.games(start, threads, trees)?),
                false => None,
            };
            if let Some(score) = score.as_ref().filter(|score| score.is_better())
                && score.mean > best.1
            {
                best = (trees, score.mean);
            }
            let row = TreesRow {
                game: game.to_string(),
                threads: threads as u32,
                trees: trees as u32,
                speed: speed.round(),
                games: score.as_ref().map(|score| score.games),
                score: score.as_ref().map(|score| score.mean),
                error: score.as_ref().map(|score| score.error),
            };
            each(row, speed / speeds[0])?;
        }
        Ok(best.0)
    }

    fn options(&self, threads: usize, trees: usize) -> EngineOptions {
        EngineOptions { threads, trees, memory: self.memory.bytes(), ..Default::default() }
    }

    /// Iterations per second from the start of the game, for each number of trees.
    fn speeds(
        &self,
        start: AnyGame,
        threads: usize,
        numbers: &[usize],
    ) -> Result<Vec<f64>, CommandError> {
        medians(
            numbers.len(),
            SPEED_ROUNDS,
            |&speed| speed,
            |number| {
                let options = self.options(threads, numbers[number]);
                let mut engine = EngineKind::MonteCarlo.build(start, &options)?;
                let budget = Budget::until(Instant::now() + Duration::from_millis(500));
                let report = engine.think(&GameState::new(start), &budget, &mut |_| {});
                Ok(report.nodes as f64 / report.elapsed.as_secs_f64())
            },
        )
    }

    /// Plays pairs of games of `trees` trees against one.
    fn games(
        &self,
        start: AnyGame,
        threads: usize,
        trees: usize,
    ) -> Result<TreesScore, CommandError> {
        let mut engines = Vec::new();
        for trees in [trees, 1] {
            engines.push(EngineKind::MonteCarlo.build(start, &self.options(threads, trees))?);
        }
        let [many, one] = &mut engines[..] else { unreachable!("two were built") };
        let limit = Limit::Time(Duration::from_millis(self.move_time));
        let mut rng = fastrand::Rng::with_seed(1);
        let mut pairs = Vec::new();
        for number in 1..=self.pairs {
            if stderr().is_terminal() {
                let _ = write!(stderr(), "\r{trees} trees: pair {number} of {} ", self.pairs);
            }
            let opening = random_opening(start, OPENING_PLIES, &mut rng).ok_or_else(|| {
                CommandError::Usage("--game: the board is too small for games".to_string())
            })?;
            let seed = u64::from(number);
            let players =
                [&mut **many, &mut **one].map(|engine| Contestant { engine, limit, seed });
            pairs.push(play_pair(&opening.state, players).map(|score| score.halves()).iter().sum());
        }
        if stderr().is_terminal() {
            let _ = write!(stderr(), "\r{:40}\r", "");
        }
        Ok(TreesScore::of(&pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_better_only_beyond_its_error() {
        let even = TreesScore::of(&[2, 2, 1, 3].repeat(3));
        assert_eq!((even.games, even.mean), (24, 0.5));
        assert!(even.error > 0.0 && !even.is_better());
        assert!(TreesScore::of(&[4, 4, 3, 4, 3].repeat(2)).is_better());
        assert!(!TreesScore::of(&[4, 0, 4, 1].repeat(3)).is_better());
        // Nine pairs say nothing.
        assert!(!TreesScore::of(&[4; 9]).is_better());
    }
}
