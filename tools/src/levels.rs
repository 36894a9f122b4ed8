//! `alesia-lab train levels`: measures the levels of the page against each other.
//!
//! The one idea: each level plays the one below it, in pairs from random openings with the sides
//! exchanged, so that the differences add up from random moves to full strength.

use std::io::{Write, stderr, stdout};

use alesia::game::counted;
use alesia::games::{AnyGame, GameSpec};
use alesia::search::duel::{Contestant, Limit, play_pair, random_opening};
use alesia::search::levels::{LEVELS, Level, Strength};
use alesia::search::{EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia_match::statistics::{PairCounts, Tally};
use clap::Args;

/// Random plies before a game.
const OPENING_PLIES: usize = 4;

/// The Elo difference that a level should have to the one below.
const WANTED: f64 = 100.0;

/// The arguments of `alesia-lab train levels`.
#[derive(Args)]
pub struct Levels {
    /// The game; all four where none is given.
    #[arg(long, value_name = "GAME", value_parser = GameSpec::open)]
    game: Option<GameSpec>,
    /// Levels to measure instead of the page's, the weakest first: iterations and temperature of
    /// each, such as 20:2,80:0.5,500:0.
    #[arg(long, value_name = "N:T,…", value_delimiter = ',', value_parser = level)]
    ladder: Vec<(u64, f32)>,
    /// Pairs of games for each level against the one below.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Iterations of the player above all levels, which stands for full strength.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Fewer pairs say nothing about the error.
const FEWEST_PAIRS: u64 = 10;

/// An Elo difference in words: a dash stands where there is no number.
fn said(pairs: &PairCounts) -> String {
    let elo = pairs.elo();
    let error = match elo.error.is_finite() && pairs.pairs() >= FEWEST_PAIRS {
        true => format!("{:.0}", elo.error),
        false => "-".to_owned(),
    };
    match elo.value {
        value if value.is_finite() => format!("{value:+.0} ± {error}"),
        value if value == f64::INFINITY => "- (all games won)".to_owned(),
        value if value == f64::NEG_INFINITY => "- (all games lost)".to_owned(),
        _ => "-".to_owned(),
    }
}

/// Reads iterations and temperature.
fn level(text: &str) -> Result<(u64, f32), String> {
    let read = || {
        let (iterations, temperature) = text.split_once(':')?;
        let (iterations, temperature) = (iterations.parse().ok()?, temperature.parse().ok()?);
        (iterations > 0 && (0.0..=100.0).contains(&temperature))
            .then_some((iterations, temperature))
    };
    read().ok_or_else(|| "expected iterations and a temperature, such as 80:0.5".to_owned())
}

impl Levels {
    pub fn run(&self) -> Result<(), CommandError> {
        let games = self.game.map_or_else(GameSpec::all, |game| vec![game]);
        // Each level meets the one below, the lowest random moves, and full strength the highest.
        let steps = self.levels().len() + 1;
        let each = steps as u64 * u64::from(self.pairs) * 2;
        let names: Vec<String> = games.iter().map(GameSpec::to_string).collect();
        writeln!(
            stderr(),
            "{} games of each of {} ({steps} steps, {}); --game and --pairs choose fewer",
            each,
            names.join(", "),
            counted(self.pairs as usize, "pair"),
        )?;
        for game in games {
            self.measure(game, AnyGame::start(game))?;
        }
        Ok(())
    }

    fn measure(&self, game: GameSpec, start: AnyGame) -> Result<(), CommandError> {
        let levels = self.levels().into_iter().map(Strength::Level);
        let random = Strength::Full(EngineKind::Random);
        let full = Strength::Full(EngineKind::MonteCarlo);
        let ladder: Vec<Strength> = [random].into_iter().chain(levels).chain([full]).collect();
        for pair in ladder.windows(2) {
            let tally = self.play(start, pair[1], pair[0])?;
            let Tally { wins, losses, draws, pairs, .. } = tally;
            let elo = pairs.elo();
            let said = said(&pairs);
            let enough = if elo.value >= WANTED { "" } else { ", too little" };
            let (level, below) = (pair[1].name(), pair[0].name());
            writeln!(
                stdout(),
                "{game}: {level} against {below}: {wins} won, {draws} drawn, {losses} lost, \
                 Elo {said}{enough}"
            )?;
        }
        Ok(())
    }

    /// The levels to measure.
    fn levels(&self) -> Vec<&'static Level> {
        if self.ladder.is_empty() {
            return LEVELS.iter().collect();
        }
        let given = self.ladder.iter().map(|&(iterations, temperature)| {
            let name = format!("{iterations}:{temperature}").leak();
            // For as long as the program runs: it ends with the measurement.
            &*Box::leak(Box::new(Level { name, title: name, iterations, temperature }))
        });
        given.collect()
    }

    fn play(
        &self,
        start: AnyGame,
        upper: Strength,
        lower: Strength,
    ) -> Result<Tally, CommandError> {
        let options = EngineOptions { threads: 1, memory: 64 << 20, ..EngineOptions::default() };
        let build = |strength: Strength| {
            let built = strength.build(start, &options);
            built.map_err(|error| CommandError::Failed(error.to_string()))
        };
        let (mut above, mut below) = (build(upper)?, build(lower)?);
        let limit = Limit::Nodes(self.nodes);
        let mut rng = fastrand::Rng::with_seed(self.seed);
        let mut tally = Tally::default();
        for _ in 0..self.pairs {
            let opening = random_opening(start, OPENING_PLIES, &mut rng)
                .ok_or_else(|| CommandError::Failed("no opening that is not decided".into()))?;
            let seed = rng.u64(..);
            tally.add(play_pair(
                &opening.state,
                [
                    Contestant { engine: &mut *above, limit, seed },
                    Contestant { engine: &mut *below, limit, seed: !seed },
                ],
            ));
        }
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_stands_where_there_is_no_number() {
        for (counts, expected) in [
            ([0, 0, 0, 0, 0], "-"),
            ([0, 0, 0, 0, 5], "- (all games won)"),
            ([5, 0, 0, 0, 0], "- (all games lost)"),
            // The interval goes beyond all games won.
            ([0, 0, 1, 0, 9], "+512 ± -"),
            ([1, 1, 4, 1, 1], "+0 ± -"),
            ([2, 2, 8, 2, 2], "+0 ± 98"),
        ] {
            assert_eq!(said(&PairCounts(counts)), expected, "{counts:?}");
        }
    }
}
