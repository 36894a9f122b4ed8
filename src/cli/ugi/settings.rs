//! The options that a match runner may set, over those of the command line.
//!
//! The one idea: `setoption` changes the same values as the command line's options, so both mean
//! the same, and an engine is built from one set of values.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use alesia::game::{ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::search::levels::{LEVELS, Level};
use alesia::search::report::MAX_LINES;
use alesia::search::size::Size;
use alesia::search::{EngineKind, EngineOptions};
use alesia::ugi::Dialect;

use super::building::Configuration;
use crate::cli::options::{EngineArguments, GameOptions, Weights};

/// Max threads, as on the command line.
const MAX_THREADS: u16 = 1024;

/// Max overhead in ms.
pub const MAX_OVERHEAD: u64 = 10_000;

/// The option for the level, as chess programs know it.
const SKILL: &str = "Skill Level";

/// Its value for full strength, above those of the levels.
const FULL_SKILL: usize = LEVELS.len() + 1;

/// What stands for an empty value, as in UCI.
const EMPTY: &str = "<empty>";

/// The values of all options.
pub struct Settings {
    /// The protocol. In UCI the game is a chess variant.
    pub dialect: Dialect,
    /// The game, and the layout for Lines of Action.
    pub game: GameOptions,
    /// The variants of a file of definitions, which can be chosen beside the built-in ones.
    pub file: Vec<GameSpec>,
    /// The variant that was chosen last, if no file has it yet.
    pub awaited: Option<String>,
    /// What is wrong in the file beside those variants, until it is said.
    pub wrong: Vec<ParseError>,
    /// The options of the engine.
    pub engine: EngineArguments,
    /// Subtracted from every time limit, at most a quarter of a move's time.
    pub overhead: Duration,
    /// Whether the engine has a book.
    pub book: bool,
    /// Lines of play that are printed, at least 1.
    pub lines: usize,
    /// The level at which the engine plays; none: at full strength.
    pub level: Option<&'static Level>,
    /// Whether the runner ponders, and wants the expected reply with each move.
    pub ponder: bool,
    /// The most memory in bytes that an engine can have on this machine.
    pub max_memory: usize,
}

/// The consequence of a change.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// None: it holds from the next move on.
    Clock,
    /// Other random choices of the same engine.
    Seed,
    /// Another engine.
    Engine,
    /// Another game.
    Game,
}

impl Settings {
    /// The game with its layout.
    pub fn spec(&self) -> GameSpec {
        self.game.game()
    }

    /// How the engine is built.
    pub fn player(&self) -> Configuration {
        Configuration { arguments: self.engine.clone(), book: self.book, level: self.level }
    }

    /// Replaces what was tried in vain, where it still holds, by what is kept.
    pub fn keep(&mut self, [tried, kept]: &[Configuration; 2]) {
        fn mend<T: PartialEq + Clone>(now: &mut T, tried: &T, kept: &T) {
            if now == tried {
                now.clone_from(kept);
            }
        }
        mend(&mut self.book, &tried.book, &kept.book);
        mend(&mut self.level, &tried.level, &kept.level);
        let (now, tried, kept) = (&mut self.engine, &tried.arguments, &kept.arguments);
        mend(&mut now.engine, &tried.engine, &kept.engine);
        mend(&mut now.threads, &tried.threads, &kept.threads);
        mend(&mut now.trees, &tried.trees, &kept.trees);
        mend(&mut now.memory, &tried.memory, &kept.memory);
        mend(&mut now.parameters, &tried.parameters, &kept.parameters);
        mend(&mut now.weights, &tried.weights, &kept.weights);
    }

    /// The options that the engine is built with for the present game.
    pub fn engine_options(&self) -> Result<EngineOptions, ParseError> {
        self.engine.options(&AnyGame::start(self.spec()))
    }

    /// The `option` lines: all options with their present values. Numbers beyond 32 bits or with
    /// fractions are strings, as some runners read no other numbers.
    pub fn lines(&self) -> Result<Vec<String>, ParseError> {
        let options = self.engine_options()?;
        let max_threads = u64::from(MAX_THREADS);
        let hash = (options.memory >> 20).max(1);
        let mut lines = match self.dialect {
            Dialect::Ugi => vec![self.game_line()],
            Dialect::Uci => vec![self.variant_line(), text("VariantPath", self.path())],
        };
        lines.extend([
            choice("Engine", self.engine.engine, &EngineKind::ALL),
            number("Threads", options.threads, 1, max_threads),
            number("Trees", self.engine.trees, 1, max_threads),
            text("Memory", self.engine.memory),
            number("Hash", hash, 1, self.max_hash().max(hash) as u64),
            text("Seed", options.seed),
            text("Weights", self.weights()),
            number("MoveOverhead", self.overhead.as_millis(), 0, MAX_OVERHEAD),
            number("MultiPV", self.lines, 1, MAX_LINES as u64),
            number(SKILL, self.skill(), 1, FULL_SKILL as u64),
            match self.dialect {
                Dialect::Ugi => format!("option name Book type check default {}", self.book),
                Dialect::Uci => format!("option name Ponder type check default {}", self.ponder),
            },
        ]);
        let parameters = options.parameters.into_iter().flat_map(|set| set.values());
        lines.extend(parameters.map(|(name, value)| text(name, value)));
        Ok(lines)
    }

    /// The value of `Skill Level`.
    fn skill(&self) -> usize {
        self.level.and_then(Level::number).unwrap_or(FULL_SKILL)
    }

    /// The largest value of `Hash`, in MiB.
    fn max_hash(&self) -> usize {
        (self.max_memory >> 20).max(1)
    }

    /// The option for the game. It accepts setups that are not listed, such as `hadron4x5`.
    fn game_line(&self) -> String {
        let mut games = GameSpec::setups();
        games.extend(GameSpec::variants());
        let game = self.spec();
        if !games.contains(&game) {
            games.push(game);
        }
        let games: Vec<String> = games.iter().map(GameSpec::to_string).collect();
        combo("Game", game, &games)
    }

    /// The chess variants that can be chosen, those of the file first.
    fn variants(&self) -> Vec<GameSpec> {
        let mut all = self.file.clone();
        let is_other = |one: &GameSpec| {
            let name = one.short_name();
            !self.file.iter().any(|other| other.short_name().eq_ignore_ascii_case(&name))
        };
        all.extend(GameSpec::variants().filter(is_other));
        all
    }

    fn variant_line(&self) -> String {
        let names: Vec<String> = self.variants().iter().map(|one| one.short_name()).collect();
        combo("UCI_Variant", self.game.game.short_name(), &names)
    }

    /// The chess variant of a name, in any case.
    fn variant(&self, name: &str) -> Result<GameSpec, ParseError> {
        let all = self.variants();
        let found = all.iter().find(|one| one.short_name().eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| {
            let names: Vec<String> = all.iter().map(|one| one.short_name()).collect();
            ParseError::new("uci_variant", quoted(name), format!("one of {}", names.join(", ")))
        })
    }

    /// The path of the file of definitions.
    fn path(&self) -> String {
        let file = self.file.first().and_then(|one| one.origin()?.file);
        file.unwrap_or_else(|| EMPTY.to_owned())
    }

    /// The path of the file of weights.
    fn weights(&self) -> String {
        let weights = self.engine.weights.as_ref();
        weights.map_or_else(|| EMPTY.to_owned(), |weights| weights.path.display().to_string())
    }

    /// Sets an option by its name, in any case; returns the consequence.
    ///
    /// # Errors
    /// There is no such option, or it does not accept the value; nothing is changed. A variant
    /// that is not known is chosen as soon as a file has it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, ParseError> {
        let before = self.spec();
        let (shown, name) = (name, name.to_ascii_lowercase());
        let max_threads = usize::from(MAX_THREADS);
        let (max_memory, max_hash) = (self.max_memory, self.max_hash());
        let engine = &mut self.engine;
        let is_ugi = self.dialect == Dialect::Ugi;
        match name.as_str() {
            "game" if is_ugi => {
                self.game.game = GameSpec::open(value)?;
                // A word with a setup says it itself.
                self.game.layout.loa_layout.take_if(|_| value.contains(':'));
            }
            // As before the word of the game had its setup.
            "loalayout" if is_ugi => self.game.layout.loa_layout = Some(chosen(&name, value)?),
            "uci_variant" if !is_ugi => {
                let chosen = self.variant(value);
                self.awaited = chosen.is_err().then(|| value.to_owned());
                self.game.game = chosen?;
            }
            "variantpath" if !is_ugi => {
                let none = value.is_empty() || value == EMPTY;
                let found = if none { Ok(Default::default()) } else { GameSpec::of_file(value) };
                let (file, mut wrong) = found?;
                if file.is_empty() && !wrong.is_empty() {
                    return Err(wrong.swap_remove(0));
                }
                (self.file, self.wrong) = (file, wrong);
                if let Some(game) = self.awaited.as_ref().and_then(|name| self.variant(name).ok()) {
                    self.game.game = game;
                    self.awaited = None;
                }
            }
            "ponder" if !is_ugi => {
                self.ponder = is_checked(&name, value)?;
                return Ok(Change::Clock);
            }
            "moveoverhead" => {
                let ms = whole(&name, value, 0, MAX_OVERHEAD)?;
                self.overhead = Duration::from_millis(ms);
                return Ok(Change::Clock);
            }
            "multipv" => {
                self.lines = whole(&name, value, 1, MAX_LINES)?;
                return Ok(Change::Clock);
            }
            "skill level" => {
                let skill = whole(&name, value, 1, FULL_SKILL)?;
                self.level = LEVELS.get(skill - 1);
            }
            "engine" => engine.engine = chosen(&name, value)?,
            "threads" => engine.threads = Some(whole(&name, value, 1, MAX_THREADS)?),
            "trees" => {
                let least = NonZeroUsize::MIN;
                let most = least.saturating_add(max_threads - 1);
                engine.trees = whole(&name, value, least, most)?;
            }
            "memory" => match Size::from_str(value)? {
                memory if memory.bytes() <= max_memory => engine.memory = memory,
                _ => {
                    let expected = format!("at most {max_hash}MiB (free on this machine)");
                    return Err(ParseError::new(name, quoted(value), expected));
                }
            },
            "hash" => {
                let mebibytes = whole(&name, value, 1, max_hash)?;
                engine.memory = Size::from_str(&format!("{mebibytes}MiB"))?;
            }
            "weights" => {
                let path = Some(value).filter(|path| !path.is_empty() && *path != EMPTY);
                engine.weights = path.map(PathBuf::from).map(Weights::read).transpose()?;
            }
            "seed" => engine.seed = Some(whole(&name, value, 0, u64::MAX)?),
            "book" if is_ugi => self.book = is_checked(&name, value)?,
            _ if self.has_parameter(&name)? => self.set_parameter(&name, value)?,
            _ => return Err(self.unknown(shown)?),
        }
        Ok(match (name.as_str(), self.spec() == before) {
            (_, false) => Change::Game,
            ("game" | "loalayout" | "uci_variant" | "variantpath", true) => Change::Clock,
            ("seed", true) => Change::Seed,
            _ => Change::Engine,
        })
    }

    /// Whether this is the name of a parameter of the tree search.
    fn has_parameter(&self, name: &str) -> Result<bool, ParseError> {
        let listed = self.engine_options()?.parameters.map(|set| set.values());
        Ok(listed.into_iter().flatten().any(|(known, _)| known == name))
    }

    /// Sets a parameter of the tree search; it remains when the game changes.
    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        self.engine.parameters.push(format!("{name}={value}"));
        self.engine_options().map(drop).map_err(|mut error| {
            self.engine.parameters.pop();
            error.place = name.into();
            error
        })
    }

    /// The error for an unknown name.
    fn unknown(&self, name: &str) -> Result<ParseError, ParseError> {
        let lines = self.lines()?;
        let names = lines.iter().filter_map(|line| name_in(line));
        let expected = format!("one of {}", names.collect::<Vec<_>>().join(", "));
        Ok(ParseError::new("option", quoted(name), expected))
    }
}

/// The name in an `option` line; it may have blanks.
fn name_in(line: &str) -> Option<&str> {
    Some(line.strip_prefix("option name ")?.split_once(" type ")?.0)
}

fn text(name: &str, value: impl Display) -> String {
    format!("option name {name} type string default {value}")
}

fn number(name: &str, value: impl Display, least: u64, most: u64) -> String {
    format!("option name {name} type spin default {value} min {least} max {most}")
}

fn choice<T: Display>(name: &str, value: T, all: &[T]) -> String {
    let names: Vec<String> = all.iter().map(T::to_string).collect();
    combo(name, value, &names)
}

fn combo(name: &str, value: impl Display, values: &[String]) -> String {
    format!("option name {name} type combo default {value} var {}", values.join(" var "))
}

fn is_checked(name: &str, value: &str) -> Result<bool, ParseError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(ParseError::new(name, quoted(value), "true or false")),
    }
}

fn chosen<T: FromStr<Err = ParseError>>(name: &str, value: &str) -> Result<T, ParseError> {
    let chosen = value.to_ascii_lowercase().parse();
    chosen.map_err(|error: ParseError| ParseError::new(name, quoted(value), error.expected))
}

fn whole<T>(name: &str, value: &str, least: T, most: T) -> Result<T, ParseError>
where
    T: FromStr + PartialOrd + Display,
{
    let number = value.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| {
        let expected = format!("a whole number from {least} to {most}");
        ParseError::new(name, quoted(value), expected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        game: GameOptions,
        #[command(flatten)]
        engine: EngineArguments,
    }

    fn settings() -> Settings {
        let CommandLine { game, engine } =
            CommandLine::parse_from(["ugi", "--threads", "3", "--set", "exploration=2.5"]);
        Settings {
            dialect: Dialect::Ugi,
            game,
            file: Vec::new(),
            awaited: None,
            wrong: Vec::new(),
            engine,
            overhead: Duration::from_millis(10),
            book: false,
            lines: 1,
            level: None,
            ponder: false,
            max_memory: 2 << 30,
        }
    }

    #[test]
    fn defaults_come_from_the_command_line() {
        let lines = settings().lines().unwrap();
        for line in [
            "option name Game type combo default murus var murus var hadron var hadron5 var hadron7 \
             var loa var loa:files var loa:standard var voidrider var voidrider:thery var variant:chess ",
            "option name Engine type combo default mcts var mcts var alphabeta var random",
            "option name Threads type spin default 3 min 1 max 1024",
            "option name Memory type string default 512MiB",
            "option name Hash type spin default 512 min 1 max 2048",
            "option name MoveOverhead type spin default 10 min 0 max 10000",
            "option name MultiPV type spin default 1 min 1 max 16",
            "option name Skill Level type spin default 7 min 1 max 7",
            "option name Book type check default false",
            "option name exploration type string default 2.5",
        ] {
            assert!(lines.iter().any(|found| found.starts_with(line)), "{line}: {lines:?}");
        }
        assert!(lines[0].contains(" var variant:losalamos "), "{}", lines[0]);
    }

    /// The same for chess in UCI.
    fn settings_of_uci() -> Settings {
        let chess = GameSpec::variants().next().unwrap();
        let Settings { game: GameOptions { layout, .. }, .. } = settings();
        let game = GameOptions { game: chess, layout };
        Settings { dialect: Dialect::Uci, game, ..settings() }
    }

    #[test]
    fn every_option_can_be_set_to_its_default() {
        [settings(), settings_of_uci()].into_iter().for_each(set_to_defaults);
    }

    fn set_to_defaults(mut settings: Settings) {
        let lines = settings.lines().unwrap();
        for line in &lines {
            let words: Vec<_> = line.split(' ').collect();
            let name = name_in(line).unwrap_or_else(|| panic!("{line}"));
            let default = words.iter().position(|&word| word == "default").unwrap();
            let value = words[default + 1];
            assert_ne!(settings.set(&name.to_ascii_uppercase(), value), Ok(Change::Game), "{line}");
        }
        assert_eq!(settings.lines().unwrap(), lines);
    }

    #[test]
    fn options_are_set_by_name_in_any_case() {
        let mut settings = settings();
        assert_eq!(settings.set("hash", "64"), Ok(Change::Engine));
        assert_eq!(settings.engine.memory.bytes(), 64 << 20);
        assert_eq!(settings.set("memory", "96KiB"), Ok(Change::Engine));
        assert_eq!(settings.set("ENGINE", "AlphaBeta"), Ok(Change::Engine));
        assert_eq!(settings.set("Exploration", "1.5"), Ok(Change::Engine));
        assert_eq!(settings.set("Seed", "7"), Ok(Change::Seed));
        assert_eq!(settings.set("book", "True"), Ok(Change::Engine));
        assert!(settings.player().book);
        assert_eq!(settings.set("moveoverhead", "30"), Ok(Change::Clock));
        assert_eq!(settings.set("multipv", "3"), Ok(Change::Clock));
        assert_eq!(settings.lines, 3);
        assert_eq!(settings.set("skill level", "2"), Ok(Change::Engine));
        assert_eq!(settings.player().level.map(|level| level.name), Some("legionary"));
        assert_eq!(settings.set("Skill Level", "7"), Ok(Change::Engine));
        assert_eq!(settings.player().level, None);
        assert_eq!(settings.set("LoaLayout", "files"), Ok(Change::Clock));
        assert_eq!(settings.set("Game", "loa"), Ok(Change::Game));
        assert_eq!(settings.set("LoaLayout", "rows"), Ok(Change::Game));
        assert_eq!(settings.engine_options().unwrap().parameters.unwrap().exploration, 1.5);
    }

    #[test]
    fn each_protocol_has_its_own_options() {
        let (mut ugi, mut uci) = (settings(), settings_of_uci());
        assert_eq!(uci.set("UCI_Variant", "Shatranj"), Ok(Change::Game));
        assert_eq!(uci.set("ponder", "true"), Ok(Change::Clock));
        for (name, value) in [("Game", "loa"), ("LoaLayout", "rows"), ("Book", "true")] {
            assert!(ugi.set(name, value).is_ok(), "{name}");
            let error = uci.set(name, value).unwrap_err().to_string();
            assert!(error.contains("expected one of UCI_Variant, VariantPath, "), "{error}");
        }
        for name in ["UCI_Variant", "VariantPath", "Ponder"] {
            assert!(ugi.set(name, "").unwrap_err().to_string().contains(name), "{name}");
        }
    }

    #[test]
    fn refuses_impossible_values_and_changes_nothing() {
        let mut settings = settings();
        let lines = settings.lines().unwrap();
        for (name, value, reason) in [
            ("Game", "chess", "game: found `chess`, expected variant:chess, or murus"),
            ("Hash", "0", "hash: found `0`, expected a whole number from 1 to 2048"),
            ("Hash", "2049", "hash: found `2049`, expected a whole number from 1 to 2048"),
            ("Memory", "2049MiB", "memory: found `2049MiB`, expected at most 2048MiB"),
            ("Memory", "much", "size: found `much`, expected a size such as 512MiB"),
            ("Threads", "-1", "threads: found `-1`"),
            ("MultiPV", "0", "multipv: found `0`, expected a whole number from 1 to 16"),
            ("Skill Level", "8", "skill level: found `8`, expected a whole number from 1 to 7"),
            ("Book", "perhaps", "book: found `perhaps`, expected true or false"),
            ("Engine", "best", "engine: found `best`, expected mcts, alphabeta or random"),
            ("Exploration", "hot", "exploration: found `hot`, expected a number from 0 to 100"),
            ("Contempt", "3", "option: found `Contempt`, expected one of Game, Engine"),
        ] {
            let error = settings.set(name, value).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(settings.lines().unwrap(), lines);
    }
}
