//! Who plays in a match: the keys of `-engine` and `-each`.

use std::time::Duration;

use alesia::duel::Limit;
use alesia::eval::Evaluate;
use alesia::game::{ParseError, quoted};
use alesia::games::GameSpec;
use alesia::search::parameters::Parameters;
use alesia::search::{EngineKind, EngineOptions};
use alesia::with_game;

use super::options::{Group, number};

/// The longest time for a move, in seconds: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// Bytes for each engine unless told otherwise.
const MEMORY: usize = 64 << 20;

/// One of the two players.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// In the result.
    pub name: String,
    /// Which engine.
    pub kind: EngineKind,
    /// What it is built with.
    pub options: EngineOptions,
    /// How long it may think about each move.
    pub limit: Limit,
}

impl Entrant {
    /// Reads the keys of an `-engine` and, for what it does not say, of `-each`.
    ///
    /// # Errors
    /// A key or a value that cannot be, no name, no limit, or more trees than threads.
    pub fn read(own: &Group, each: Option<&Group>, game: GameSpec) -> Result<Entrant, ParseError> {
        let mut name = None;
        let mut limit = None;
        let mut kind = EngineKind::MonteCarlo;
        let mut options = EngineOptions { memory: MEMORY, ..Default::default() };
        let mut parameters = with_game!(game, start => defaults(start));
        for (group, is_own) in each.map(|each| (each, false)).into_iter().chain([(own, true)]) {
            let pairs = group.pairs()?;
            if pairs.iter().filter(|(key, _)| matches!(*key, "nodes" | "st")).count() > 1 {
                let place = group.place.as_str();
                return Err(ParseError::new(place, "several limits", "one nodes=N or st=SECONDS"));
            }
            for (key, value) in pairs {
                let place = format!("{}, {key}", group.place);
                match (key, key.strip_prefix("option.")) {
                    ("name", _) if is_own && !value.is_empty() => name = Some(value),
                    ("nodes", _) => {
                        limit = Some(Limit::Nodes(number(&place, value, 1..=u64::MAX)?));
                    }
                    ("st", _) => limit = Some(Limit::Time(seconds(&place, value)?)),
                    (_, Some("engine")) => kind = engine(&place, value)?,
                    (_, Some("threads")) => {
                        options.threads = number(&place, value, 1..=1024)? as usize;
                    }
                    (_, Some("trees")) => {
                        options.trees = number(&place, value, 1..=1024)? as usize;
                    }
                    (_, Some("memory")) => options.memory = bytes(&place, value)?,
                    (_, Some("seed")) => options.seed = number(&place, value, 0..=u64::MAX)?,
                    (_, Some(parameter)) => parameters
                        .set(&format!("{parameter}={value}"))
                        .map_err(|error| of_option(error, &group.place))?,
                    _ => {
                        let name = if is_own { "name=NAME, " } else { "" };
                        let expected = format!("{name}nodes=N, st=SECONDS or option.NAME=VALUE");
                        let found = quoted(&format!("{key}={value}"));
                        return Err(ParseError::new(&group.place, found, expected));
                    }
                }
            }
        }
        options.parameters = Some(parameters);
        let no_name = || ParseError::new(&own.place, "no name", "name=NAME");
        let name = name.ok_or_else(no_name)?.to_string();
        let place = format!("-engine {name}");
        let limit =
            limit.ok_or_else(|| ParseError::new(&place, "no limit", "nodes=N or st=SECONDS"))?;
        if options.trees > options.threads {
            let EngineOptions { threads, trees, .. } = options;
            let plural = if threads == 1 { "" } else { "s" };
            let found = format!("{trees} trees on {threads} thread{plural}");
            return Err(ParseError::new(place, found, "at most a tree for each thread"));
        }
        Ok(Entrant { name, kind, options, limit })
    }
}

fn defaults<G: Evaluate>(_: G) -> Parameters {
    Parameters::of::<G>()
}

/// The error of a parameter, under the name that it has here, and the other options listed where
/// there is no such parameter.
fn of_option(error: ParseError, outer: &str) -> ParseError {
    if error.place == "parameter" {
        let expected = format!("engine, threads, trees, memory, seed, {}", error.expected);
        return ParseError::new(format!("{outer}, option"), error.found, expected);
    }
    let place = format!("{outer}, option.{}", error.place);
    ParseError { place, ..error }
}

/// The engine of a name.
fn engine(place: &str, text: &str) -> Result<EngineKind, ParseError> {
    match text {
        "mcts" => Ok(EngineKind::MonteCarlo),
        "alphabeta" => Ok(EngineKind::AlphaBeta),
        "random" => Ok(EngineKind::Random),
        _ => Err(ParseError::new(place, quoted(text), "mcts, alphabeta or random")),
    }
}

/// A time in seconds, more than none.
fn seconds(place: &str, text: &str) -> Result<Duration, ParseError> {
    let seconds = text.parse().ok().filter(|&s: &f64| s > 0.0 && s <= MOST_SECONDS);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| {
        let expected = format!("seconds, more than 0 and at most {MOST_SECONDS}");
        ParseError::new(place, quoted(text), expected)
    })
}

/// A whole number with an optional unit: B, KiB, MiB, GiB.
fn bytes(place: &str, text: &str) -> Result<usize, ParseError> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit {
        "" | "B" => Some(1),
        "KiB" => Some(1 << 10),
        "MiB" => Some(1 << 20),
        "GiB" => Some(1 << 30),
        _ => None,
    };
    let bytes = number.parse::<usize>().ok().zip(unit).and_then(|(n, unit)| n.checked_mul(unit));
    bytes.ok_or_else(|| ParseError::new(place, quoted(text), "a size such as 64MiB"))
}
