//! Levels between random moves and full strength, for people who want to win now and then.
//!
//! The one idea: a level has a number of iterations and a temperature T, as in the self-play of
//! AlphaZero (Silver et al. 2017): after a search with few iterations a move is drawn in
//! proportion to visits^(1/T), where each legal move counts one visit more. So a weak level errs
//! now and then, the less the clearer the best move is, also where the search has a proof.

use std::str::FromStr;

use crate::game::{Game, Move, ParseError, quoted};
use crate::games::{AnyGame, AnyState};
use crate::search::clock::Budget;
use crate::search::report::Report;
use crate::search::{Engine, EngineError, EngineKind, EngineOptions};

/// Bytes of a level's tree: it is small.
const MEMORY: usize = 16 << 20;

/// How strong a player is.
#[derive(Debug, PartialEq)]
pub struct Level {
    /// The name, as in requests.
    pub name: &'static str,
    /// The same for people.
    pub title: &'static str,
    /// Iterations of the tree search.
    pub iterations: u64,
    /// How readily a worse move is drawn; 0 plays the best.
    pub temperature: f32,
}

/// All levels, the weakest first: those of the page, of UGI and of play by hand. Each is measured
/// by `alesia-lab train levels`.
pub static LEVELS: [Level; 6] = [
    Level { name: "recruit", title: "Recruit", iterations: 25, temperature: 1.3 },
    Level { name: "legionary", title: "Legionary", iterations: 50, temperature: 0.9 },
    Level { name: "optio", title: "Optio", iterations: 200, temperature: 0.4 },
    Level { name: "centurion", title: "Centurion", iterations: 500, temperature: 0.2 },
    Level { name: "tribune", title: "Tribune", iterations: 1200, temperature: 0.0 },
    Level { name: "legate", title: "Legate", iterations: 3500, temperature: 0.0 },
];

impl Level {
    /// The level of a name, or of its number from 1 on.
    ///
    /// # Errors
    /// There is no such level.
    pub fn named(text: &str) -> Result<&'static Level, ParseError> {
        let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let named = || LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(text));
        number.and_then(|index| LEVELS.get(index)).or_else(named).ok_or_else(|| {
            let names: Vec<&str> = LEVELS.iter().map(|level| level.name).collect();
            let expected = format!("1 to {} or a name: {}", LEVELS.len(), names.join(", "));
            ParseError::new("level", quoted(text), expected)
        })
    }

    /// Its number, from 1 on; none of a level that is not in the list.
    pub fn number(&self) -> Option<usize> {
        LEVELS.iter().position(|level| level.name == self.name).map(|index| index + 1)
    }
}

/// How strong an engine plays: as it can, or at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// At full strength.
    Full(EngineKind),
    /// At a level.
    Level(&'static Level),
}

impl Strength {
    /// As in requests.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Full(kind) => kind.name(),
            Strength::Level(level) => level.name,
        }
    }

    /// Builds the player; a level has one thread at most and a small memory, whatever the options
    /// say.
    ///
    /// # Errors
    /// The system refuses memory or threads.
    pub fn build(
        self,
        start: AnyGame,
        options: &EngineOptions,
    ) -> Result<Box<dyn Engine>, EngineError> {
        let level = match self {
            Strength::Full(kind) => return kind.build(start, options),
            Strength::Level(level) => level,
        };
        let memory = MEMORY.min(options.memory);
        let small = EngineOptions { threads: options.threads.min(1), trees: 1, memory, ..*options };
        let engine = EngineKind::MonteCarlo.build(start, &small)?;
        let random = fastrand::Rng::with_seed(options.seed);
        Ok(Box::new(Levelled { level, engine, random }))
    }
}

impl From<EngineKind> for Strength {
    fn from(kind: EngineKind) -> Strength {
        Strength::Full(kind)
    }
}

impl FromStr for Strength {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Strength, ParseError> {
        if let Some(level) = LEVELS.iter().find(|level| level.name == name) {
            return Ok(Strength::Level(level));
        }
        name.parse().map(Strength::Full).map_err(|_: ParseError| {
            let engines = EngineKind::ALL.map(EngineKind::name);
            let names: Vec<&str> =
                engines.into_iter().chain(LEVELS.iter().map(|level| level.name)).collect();
            ParseError::new("engine", quoted(name), names.join(", "))
        })
    }
}

/// A tree search that plays at a level.
struct Levelled {
    level: &'static Level,
    engine: Box<dyn Engine>,
    random: fastrand::Rng,
}

impl Engine for Levelled {
    fn think(
        &mut self,
        state: &AnyState,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let own = Budget { nodes: Some(self.level.iterations), ..*budget };
        let report = self.engine.think(state, &own, progress);
        // Some reports are of the only move.
        let is_searched = report.proof.is_some() || !report.top_moves.is_empty();
        if self.level.temperature == 0.0 || !is_searched {
            return report;
        }
        let mut moves = state.position.legal_moves();
        moves.retain(|m| budget.allows(*m));
        let visits: Vec<f32> =
            moves.iter().map(|&m| visits(m, &report, self.level.iterations)).collect();
        let drawn = moves[draw(&visits, self.level.temperature, &mut self.random)];
        if drawn == report.best {
            return report;
        }
        let known = report.top_moves.iter().find(|top| top.m == drawn);
        let value = known.map_or(report.value, |top| top.value);
        let Report { nodes, elapsed, top_moves, .. } = report;
        Report { value, nodes, elapsed, top_moves, depth: 1, ..Report::of_move(drawn) }
    }

    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
        self.random = fastrand::Rng::with_seed(seed);
    }
}

/// The visits of a move, and one more. A search that has found a proof ends early: the iterations
/// that it did not need count for its move, so that a weak level overlooks proven moves too.
fn visits(m: Move, report: &Report, iterations: u64) -> f32 {
    let top = report.top_moves.iter().find(|top| top.m == m);
    let own = top.map_or(0, |top| top.visits);
    let unused = match report.proof.is_some() && m == report.best {
        true => iterations.saturating_sub(report.top_moves.iter().map(|top| top.visits).sum()),
        false => 0,
    };
    1.0 + (own + unused) as f32
}

/// Draws one of the numbers of visits, with a probability in proportion to visits^(1/temperature).
fn draw(visits: &[f32], temperature: f32, random: &mut fastrand::Rng) -> usize {
    let most = visits.iter().copied().fold(0.0, f32::max);
    let weights: Vec<f32> =
        visits.iter().map(|visits| (visits / most).powf(1.0 / temperature)).collect();
    let mut left = random.f32() * weights.iter().sum::<f32>();
    let drawn = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    drawn.unwrap_or(weights.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameState};
    use crate::games::Hadron;
    use crate::search::report::Proof;

    #[test]
    fn a_level_is_chosen_by_its_number_or_its_name() {
        for (index, level) in LEVELS.iter().enumerate() {
            let number = index + 1;
            assert_eq!(Level::named(&number.to_string()), Ok(level));
            assert_eq!(Level::named(&level.name.to_uppercase()), Ok(level));
            assert_eq!(level.number(), Some(number));
        }
        for text in ["0", "7", "-1", "mcts", ""] {
            let error = Level::named(text).unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "level: found `{text}`, expected 1 to 6 or a name: recruit, legionary, optio, \
                     centurion, tribune, legate"
                )
            );
        }
    }

    #[test]
    fn every_level_has_a_name_of_its_own_and_plays_a_legal_move() {
        let state = GameState::new(AnyGame::named("hadron4").unwrap());
        for level in &LEVELS {
            let strength: Strength = level.name.parse().unwrap();
            assert_eq!(strength, Strength::Level(level));
            let mut engine = strength.build(state.position, &EngineOptions::default()).unwrap();
            let report = engine.think(&state, &Budget::default(), &mut |_| {});
            let moves = state.position.legal_moves();
            assert!(moves.contains(&report.best), "{}", level.name);
        }
        assert_eq!("mcts".parse(), Ok(Strength::Full(EngineKind::MonteCarlo)));
        let error = "general".parse::<Strength>().unwrap_err().to_string();
        assert!(error.contains("`general`") && error.contains("mcts") && error.contains("legate"));
    }

    #[test]
    fn a_proof_counts_as_much_as_all_iterations_of_its_level() {
        let position = Hadron::start(2, 2);
        let moves = position.legal_moves();
        let best = moves[0];
        let proven = Report { proof: Some(Proof::Win(3)), ..Report::of_move(best) };
        assert_eq!([best, moves[1]].map(|m| visits(m, &proven, 20)), [21.0, 1.0]);
        let open = Report { proof: None, ..proven };
        assert_eq!(visits(best, &open, 20), 1.0);
        // Of moves that are proven a weak level plays any, a strong one the best.
        let played = |iterations, temperature| {
            let level = Level { name: "", title: "", iterations, temperature };
            let strength = Strength::Level(Box::leak(Box::new(level)));
            let state = GameState::new(AnyGame::named("hadron3").unwrap());
            let mut engine = strength.build(state.position, &EngineOptions::default()).unwrap();
            let mut think = || engine.think(&state, &Budget::default(), &mut |_| {});
            assert!(think().proof.is_some() || temperature > 0.0);
            std::iter::repeat_with(|| think().best).take(50).collect::<Vec<Move>>()
        };
        let best = played(500, 0.0)[0];
        let count = |moves: Vec<Move>| moves.into_iter().filter(|&m| m == best).count();
        assert_eq!(count(played(500, 0.0)), 50);
        assert!((5..45).contains(&count(played(20, 2.0))));
    }

    #[test]
    fn a_better_move_is_drawn_more_often_and_more_so_at_a_low_temperature() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut worse = |temperature| {
            (0..1000).filter(|_| draw(&[1.0, 4.0], temperature, &mut random) == 0).count()
        };
        // 1 / (1 + 4), 1 / (1 + 2), 1 / (1 + 16).
        assert!((150..250).contains(&worse(1.0)));
        assert!((270..400).contains(&worse(2.0)));
        assert!((30..90).contains(&worse(0.5)));
    }
}
