//! Options that several commands share: the game, the position, the engine.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;

use alesia::book::WithBook;
use alesia::eval::parameters::{Entry, Parameters};
use alesia::eval::weights_file::WeightsFile;
use alesia::game::{Game, GameState, ParseError, quoted};
use alesia::games::loa::Layout;
use alesia::games::rulebook::Language;
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::search::clock::MoveTime;
use alesia::search::levels::{Level, Strength};
use alesia::search::memory::at_most_half_of_available;
use alesia::search::size::Size;
use alesia::search::{Engine, EngineKind, EngineOptions};
use alesia::words::time_span::{milliseconds, some_milliseconds};
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::terminal::progress::{Progress, taking_memory};
use alesia::words::command_error::CommandError;

/// The parser of an option with a fixed set of names, which help and errors list.
fn one_of<T, const N: usize>(
    names: [(&'static str, &'static str); N],
) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = ParseError> + Clone + Send + Sync + 'static,
{
    let values = names.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<T>())
}

/// The parser of an engine's name.
pub fn engine_parser() -> impl TypedValueParser<Value = EngineKind> {
    one_of(EngineKind::ALL.map(|kind| (kind.name(), kind.description())))
}

/// The parser of a language.
pub fn language_parser() -> impl TypedValueParser<Value = Language> {
    one_of(Language::ALL.map(|language| (language.code(), language.name())))
}

/// The parser of a starting layout.
fn layout_parser() -> impl TypedValueParser<Value = Layout> {
    one_of([Layout::Rows, Layout::Files].map(|layout| (layout.name(), layout.description())))
}

/// The setup of Lines of Action by an option of its own, as before a game's word had it.
#[derive(Clone, Default, Args)]
pub struct LayoutOption {
    /// The same as `--game loa:LAYOUT`.
    #[arg(long, value_name = "LAYOUT", value_parser = layout_parser(), hide = true)]
    pub loa_layout: Option<Layout>,
}

impl LayoutOption {
    /// Refuses the layout of another game.
    pub fn check(&self, game: GameSpec) -> Result<(), ParseError> {
        match (self.loa_layout, game) {
            (None, _) | (_, GameSpec::Loa(_)) => Ok(()),
            (Some(layout), game) => {
                let found = format!("{layout} with {game}");
                Err(ParseError::new("--loa-layout", found, "Lines of Action (loa)"))
            }
        }
    }

    /// The game with the layout filled in.
    pub fn apply(&self, game: GameSpec) -> GameSpec {
        match (self.loa_layout, game) {
            (Some(layout), GameSpec::Loa(_)) => GameSpec::Loa(layout),
            (_, other) => other,
        }
    }
}

/// The game, for commands where it is an option.
#[derive(Clone, Args)]
pub struct GameOptions {
    #[arg(long, value_name = "GAME", default_value = "murus", help = game_help(),
          help_heading = "Game", value_parser = GameSpec::open)]
    pub game: GameSpec,
    #[command(flatten)]
    pub layout: LayoutOption,
}

/// The help of `--game`.
fn game_help() -> &'static str {
    static HELP: LazyLock<String> = LazyLock::new(|| format!("Game: {}", GameSpec::names()));
    &HELP
}

impl GameOptions {
    /// The game with its layout.
    pub fn game(&self) -> GameSpec {
        self.layout.apply(self.game)
    }
}

/// The position to start from.
#[derive(Clone, Args)]
#[command(next_help_heading = "Game")]
pub struct PositionOptions {
    /// Text board to start from, in a chess variant a position in the Forsyth-Edwards notation
    /// [default: the start of the game].
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Moves to play first, in the game's notation, separated by spaces.
    #[arg(long, value_name = "\"M M …\"", default_value = "", hide_default_value = true)]
    pub moves: String,
}

impl PositionOptions {
    /// The position before the moves.
    pub fn start(&self, start: AnyGame) -> Result<AnyGame, ParseError> {
        self.position.as_ref().map_or(Ok(start), |text| {
            start.parse_board(text).map_err(|error| error.within("--position"))
        })
    }

    /// The state after the moves.
    pub fn state(&self, start: AnyGame) -> Result<AnyState, ParseError> {
        let mut state = GameState::new(self.start(start)?);
        state.play_text(&self.moves).map_err(|error| error.within("--moves"))?;
        Ok(state)
    }
}

/// Something on or off.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

impl Switch {
    /// Whether it is enabled.
    fn is_on(self) -> bool {
        self == Switch::On
    }
}

/// Pondering, where there is an opponent.
#[derive(Clone, Args)]
pub struct PonderOption {
    /// Also searches in the opponent's time and before the game.
    #[arg(
        long,
        value_enum,
        value_name = "on|off",
        hide_possible_values = true,
        default_value = "on",
        help_heading = "Engine"
    )]
    ponder: Switch,
}

impl PonderOption {
    /// Whether the engine ponders.
    pub fn is_on(&self) -> bool {
        self.ponder.is_on()
    }
}

/// The opening book, where a game is played.
#[derive(Clone, Args)]
pub struct BookOption {
    /// Plays openings from the built-in book: a random good move, without a search.
    #[arg(
        long,
        value_enum,
        value_name = "on|off",
        hide_possible_values = true,
        default_value = "off",
        help_heading = "Engine"
    )]
    book: Switch,
}

impl BookOption {
    /// Whether the book is used.
    pub fn is_on(&self) -> bool {
        self.book.is_on()
    }
}

/// The options of an engine, wherever one plays.
#[derive(Clone, PartialEq, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArguments {
    /// Search engine.
    #[arg(long, default_value = "mcts", value_parser = engine_parser())]
    pub engine: EngineKind,
    /// Search threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Number of search trees: from 1 (shared by all threads) to one per thread.
    #[arg(long, value_name = "R", default_value = "1")]
    pub trees: NonZeroUsize,
    /// Memory for the tree or the transposition table, allocated at the start [default: 512MiB, or
    /// half of the free memory where that is less].
    #[arg(long, value_name = "SIZE", default_value_t = default_memory(), hide_default_value = true)]
    pub memory: Size,
    /// Random seed [default: 0; with --book on: random].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Max iterations (alpha-beta: positions) per move; moves are reproducible with --threads 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Sets a parameter of the tree search, such as exploration=0.9; repeatable (`--help set` lists
    /// them, docs/parameters.md says where games differ).
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub parameters: Vec<String>,
    /// File of learned weights, for a chess variant (made by `alesia-lab train tune`).
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(Weights::from))]
    pub weights: Option<Weights>,
}

/// A file of weights that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    pub path: PathBuf,
    /// What was read of it; none: it is read when an engine is built.
    file: Option<&'static WeightsFile>,
}

impl From<PathBuf> for Weights {
    fn from(path: PathBuf) -> Weights {
        Weights { path, file: None }
    }
}

impl Weights {
    /// Reads the file now; whatever becomes of it later, these are its weights.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(path: PathBuf) -> Result<Weights, ParseError> {
        Ok(Weights { file: Some(WeightsFile::open(&path)?), path })
    }

    fn file(&self) -> Result<&'static WeightsFile, ParseError> {
        self.file.map_or_else(|| WeightsFile::open(&self.path), Ok)
    }
}

/// The default of `--memory`: half of the available memory where that is less than 512 MiB.
fn default_memory() -> Size {
    Size::of(at_most_half_of_available(512 << 20))
}

/// The table of parameters, which `--help set` prints.
pub fn parameters_help() -> String {
    let mut text = "Parameters of the tree search, for --set NAME=VALUE. Some games have other \
                    defaults, see docs/parameters.md.\n"
        .to_owned();
    for Entry { name, about, range, default, .. } in Parameters::table() {
        text += &format!("\n{name} ({range}) [default: {default}]\n    {about}");
    }
    text
}

impl EngineArguments {
    /// The number of search threads.
    pub fn threads(&self) -> usize {
        let cores = || available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(cores, usize::from)
    }

    /// Refuses options that would do nothing. Without --threads their number is the machine's: a
    /// command must then be usable on another one too.
    pub fn check(&self) -> Result<(), ParseError> {
        let trees = self.trees.get();
        if let Some(threads) = self.threads.filter(|&threads| trees > usize::from(threads)) {
            let expected = format!("at most one for each thread, and --threads is {threads}");
            return Err(ParseError::new("--trees", trees.to_string(), expected));
        }
        if trees > 1 && self.engine != EngineKind::MonteCarlo {
            let found = format!("--engine {}", self.engine);
            return Err(ParseError::new("--trees", found, "--engine mcts: others have no trees"));
        }
        if let Some(set) = self.parameters.first().filter(|_| self.engine != EngineKind::MonteCarlo)
        {
            let expected = format!("--engine mcts: the engine {} has no parameters", self.engine);
            return Err(ParseError::new("--set", quoted(set), expected));
        }
        Ok(())
    }

    /// The options that the engine of a game is built with.
    pub fn options(&self, start: &AnyGame) -> Result<EngineOptions, ParseError> {
        let threads = self.threads();
        let mut parameters = start.tuning();
        for assignment in &self.parameters {
            parameters.set(assignment).map_err(|error| error.within("--set"))?;
        }
        Ok(EngineOptions {
            threads,
            trees: self.trees.get().min(threads),
            memory: self.memory.bytes(),
            seed: self.seed.unwrap_or(0),
            parameters: Some(parameters),
            weights: self.weights.as_ref().map(Weights::file).transpose()?,
        })
    }

    /// Builds the engine: allocates its memory and starts its threads.
    pub fn build(&self, start: AnyGame) -> Result<Box<dyn Engine>, CommandError> {
        let options = self.options(&start)?;
        let _shown = Progress::start(taking_memory(options.memory));
        Ok(self.engine.build(start, &options)?)
    }

    /// The same with the book in front of it if `book`; the random engine never uses one.
    pub fn build_with_book(
        &self,
        start: AnyGame,
        book: bool,
    ) -> Result<Box<dyn Engine>, CommandError> {
        let engine = self.build(start)?;
        if !book || self.engine == EngineKind::Random {
            return Ok(engine);
        }
        let mut engine = WithBook::new(engine, &start, 0);
        engine.new_game(self.seed_of_game(book));
        Ok(Box::new(engine))
    }

    /// Builds the engine that plays at a level: with few iterations, on one thread, without a book.
    pub fn build_at_level(
        &self,
        start: AnyGame,
        level: &'static Level,
    ) -> Result<Box<dyn Engine>, CommandError> {
        Ok(Strength::Level(level).build(start, &self.options(&start)?)?)
    }

    /// The seed of the next game. With a book it is random, unless --seed or --nodes is given.
    pub fn seed_of_game(&self, book: bool) -> u64 {
        let chance = || if book && self.nodes.is_none() { fastrand::u64(..) } else { 0 };
        self.seed.unwrap_or_else(chance)
    }
}

/// The time for a move on a server.
#[derive(Clone, Args)]
#[command(next_help_heading = "Time")]
pub struct TimeArguments {
    /// Time per move in ms, from the server's YOUR_TURN to the arrival of our answer.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = some_milliseconds)]
    pub move_time: u64,
    /// Safety margin for the network in ms (at most a quarter of --move-time); `safe` keeps 30 %,
    /// enough for one lost packet.
    #[arg(long, value_name = "MS|safe", default_value = "150")]
    pub margin: Margin,
}

/// The part of a move's time that is reserved for the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    /// This many ms, but at most a quarter of the move time.
    Milliseconds(u64),
    /// 30 % of the move time.
    Safe,
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Margin::Milliseconds(ms) => write!(f, "{ms}"),
            Margin::Safe => f.write_str("safe"),
        }
    }
}

impl FromStr for Margin {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Margin, ParseError> {
        match text {
            "safe" => Ok(Margin::Safe),
            _ => milliseconds(text).map(Margin::Milliseconds).map_err(|_| {
                let expected = "a time such as 150, 150ms or 0.2s, or `safe`";
                ParseError::new("margin", quoted(text), expected)
            }),
        }
    }
}

impl TimeArguments {
    /// The time for a move, with its margin.
    pub fn move_time(&self) -> MoveTime {
        self.of_total(self.move_time)
    }

    /// The same margin with another move time, in ms.
    pub fn of_total(&self, total: u64) -> MoveTime {
        let total = Duration::from_millis(total);
        match self.margin {
            Margin::Milliseconds(margin) => MoveTime::new(total, Duration::from_millis(margin)),
            Margin::Safe => MoveTime::safe(total),
        }
    }
}
