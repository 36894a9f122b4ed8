//! Levels between random moves and full strength, for people who want to win now and then.
//!
//! The one idea: a level has a number of iterations and a temperature. Without temperature it plays
//! what the tree search finds in its iterations. With one, every legal move is searched by that many
//! iterations, and is drawn with a probability in proportion to exp(value / temperature), values
//! being counted in standard deviations of those of the position, so that a level means as much in
//! every game; a weak level errs everywhere a little, and a large loss is rarer than a small one.

use std::str::FromStr;

use alesia::eval::Evaluate;
use alesia::game::{GameState, Move, MoveList, Outcome, ParseError, quoted};
use alesia::search::clock::Budget;
use alesia::search::report::Report;
use alesia::search::{Engine, EngineError, EngineKind, EngineOptions};

/// Bytes of a level's tree: it is small.
const MEMORY: usize = 16 << 20;

/// How strong a player is.
#[derive(Debug, PartialEq)]
pub struct Level {
    /// The name, as in requests.
    pub name: &'static str,
    /// The same for people.
    pub title: &'static str,
    /// Iterations of the tree search: for a move, or with a temperature for each legal move.
    pub iterations: u64,
    /// How readily a worse move is drawn, in standard deviations of the values; 0 plays the best.
    pub temperature: f32,
}

/// All levels, the weakest first. Each is measured by `alesia-lab levels`.
pub static LEVELS: [Level; 6] = [
    Level { name: "recruit", title: "Recruit", iterations: 1, temperature: 1.2 },
    Level { name: "legionary", title: "Legionary", iterations: 4, temperature: 0.4 },
    Level { name: "optio", title: "Optio", iterations: 8, temperature: 0.1 },
    Level { name: "centurion", title: "Centurion", iterations: 40, temperature: 0.0 },
    Level { name: "tribune", title: "Tribune", iterations: 200, temperature: 0.0 },
    Level { name: "legate", title: "Legate", iterations: 1000, temperature: 0.0 },
];

/// A player of the page: an engine at full strength, or a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    Full(EngineKind),
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

    /// Builds the player; a level has one thread and a small memory, whatever the options say.
    ///
    /// # Errors
    /// The system refuses memory or threads.
    pub fn build<G: Evaluate>(
        self,
        start: G,
        options: &EngineOptions,
    ) -> Result<Box<dyn Engine<G>>, EngineError> {
        let level = match self {
            Strength::Full(kind) => return kind.build(start, options),
            Strength::Level(level) => level,
        };
        let (seed, small) = (options.seed, EngineOptions { threads: 1, trees: 1, ..*options });
        let small = EngineOptions { memory: MEMORY.min(options.memory), ..small };
        let engine = EngineKind::MonteCarlo.build(start, &small)?;
        Ok(Box::new(Levelled { level, engine, random: fastrand::Rng::with_seed(seed) }))
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
struct Levelled<G> {
    level: &'static Level,
    engine: Box<dyn Engine<G>>,
    random: fastrand::Rng,
}

impl<G: Evaluate> Engine<G> for Levelled<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let own = Budget { nodes: Some(self.level.iterations), ..*budget };
        if self.level.temperature == 0.0 {
            return self.engine.think(state, &own, progress);
        }
        let valued = self.valued(state, &own);
        let (best, value) = valued[self.draw(&valued)];
        let nodes = self.level.iterations * valued.len() as u64;
        Report { value, nodes, depth: 1, ..Report::of_move(best) }
    }

    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
        self.random = fastrand::Rng::with_seed(seed);
    }
}

impl<G: Evaluate> Levelled<G> {
    /// All legal moves with their values for the side to move, 0 to 1.
    fn valued(&mut self, state: &GameState<G>, budget: &Budget) -> Vec<(Move, f32)> {
        let side = state.position.side();
        let mut moves = MoveList::new();
        state.position.moves(&mut moves);
        let value = |m: Move| {
            let mut after = *state;
            after.play(m);
            match after.ending().map(|ending| ending.outcome) {
                Some(Outcome::Win(winner)) => f32::from(u8::from(winner == side)),
                Some(Outcome::Draw) => 0.5,
                None => 1.0 - self.engine.think(&after, budget, &mut |_| {}).value,
            }
        };
        let values: Vec<f32> = moves.iter().copied().map(value).collect();
        moves.iter().copied().zip(values).collect()
    }

    /// Draws one of the moves, with a probability in proportion to exp(value / temperature).
    fn draw(&mut self, valued: &[(Move, f32)]) -> usize {
        let values = || valued.iter().map(|(_, value)| *value);
        let (count, most) = (valued.len() as f32, values().fold(0.0, f32::max));
        let mean = values().sum::<f32>() / count;
        let variance = values().map(|value| (value - mean).powi(2)).sum::<f32>() / count;
        // Where all moves are worth the same, any will do.
        let unit = self.level.temperature * variance.sqrt().max(f32::MIN_POSITIVE);
        let weight = |&(_, value): &(Move, f32)| ((value - most) / unit).exp();
        let weights: Vec<f32> = valued.iter().map(weight).collect();
        let mut left = self.random.f32() * weights.iter().sum::<f32>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.unwrap_or(weights.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use alesia::game::Game;
    use alesia::games::Hadron;

    use super::*;

    #[test]
    fn every_level_has_a_name_of_its_own_and_plays_a_legal_move() {
        let state = GameState::new(Hadron::start(4, 4));
        for level in &LEVELS {
            let strength: Strength = level.name.parse().unwrap();
            assert_eq!(strength, Strength::Level(level));
            let mut engine = strength.build(state.position, &EngineOptions::default()).unwrap();
            let report = engine.think(&state, &Budget::default(), &mut |_| {});
            let mut moves = MoveList::new();
            state.position.moves(&mut moves);
            assert!(moves.contains(&report.best), "{}", level.name);
        }
        assert_eq!("mcts".parse(), Ok(Strength::Full(EngineKind::MonteCarlo)));
        let error = "general".parse::<Strength>().unwrap_err().to_string();
        assert!(error.contains("`general`") && error.contains("mcts") && error.contains("legate"));
    }

    #[test]
    fn a_better_move_is_drawn_more_often_and_a_worse_one_now_and_then() {
        let engine = EngineKind::Random.build(Hadron::start(2, 2), &EngineOptions::default());
        let (level, random) = (&LEVELS[0], fastrand::Rng::with_seed(1));
        let mut levelled = Levelled { level, engine: engine.unwrap(), random };
        let mut moves = MoveList::new();
        Hadron::start(2, 2).moves(&mut moves);
        // Two values are two standard deviations apart, however near they are.
        for step in [0.001, 0.3] {
            let valued = [(moves[0], 0.5 - step), (moves[1], 0.5)];
            let drawn = (0..1000).filter(|_| levelled.draw(&valued) == 0).count();
            // 1 / (1 + exp(2 / 1.2)) = 0.159.
            assert!((110..210).contains(&drawn), "{drawn} of 1000");
        }
    }
}
