//! The grammar of fastchess, as far as it applies: options with one dash or two, each followed by
//! its values, most of them `key=value`.

use std::ops::RangeInclusive;

use alesia::game::{MAX_PLIES, ParseError, quoted};
use alesia::games::GameSpec;

use super::entrant::Entrant;
use crate::CommandError;
use crate::statistics::{Model, SequentialTest};

/// All options there are.
const OPTIONS: &str = "-game, -engine, -each, -rounds, -games, -openings, -srand, -concurrency or \
                       -sprt";

/// A match as the command line describes it.
#[derive(Debug)]
pub struct Options {
    /// What is played.
    pub game: GameSpec,
    /// Who plays; the results are those of the first.
    pub entrants: [Entrant; 2],
    /// Pairs of games, at least 1.
    pub rounds: u32,
    /// Random moves that open a game.
    pub plies: usize,
    /// What the openings follow from.
    pub seed: u64,
    /// Rounds played at once, at least 1.
    pub concurrency: usize,
    /// What ends the match early.
    pub test: Option<SequentialTest>,
}

/// An option with its values.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// With one dash.
    pub place: String,
    values: Vec<&'a str>,
}

impl<'a> Group<'a> {
    /// What is wrong here.
    fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> ParseError {
        ParseError::new(&self.place, found, expected)
    }

    /// The only value.
    fn value(&self) -> Result<&'a str, ParseError> {
        match self.values[..] {
            [value] => Ok(value),
            [] => Err(self.error("nothing", "a value")),
            [_, next, ..] => Err(self.error(quoted(next), "one value")),
        }
    }

    /// The only value, a number.
    fn number(&self, range: RangeInclusive<u64>) -> Result<u64, ParseError> {
        number(&self.place, self.value()?, range)
    }

    /// The values as keys and values, of which there is at least one.
    pub fn pairs(&self) -> Result<Vec<(&'a str, &'a str)>, ParseError> {
        if self.values.is_empty() {
            return Err(self.error("nothing", "KEY=VALUE"));
        }
        let pair = |text: &&'a str| {
            text.split_once('=').ok_or_else(|| self.error(quoted(text), "KEY=VALUE"))
        };
        self.values.iter().map(pair).collect()
    }
}

impl Options {
    /// Reads the words of the command line.
    ///
    /// # Errors
    /// What is unusable, in one line.
    pub fn read(words: &[String]) -> Result<Options, CommandError> {
        let groups = groups(words)?;
        let missing = |place: &str, expected: &str| ParseError::new(place, "nothing", expected);
        let find = |place: &str| groups.iter().find(|group| group.place == place);
        let number_or = |place: &str, range, default| {
            find(place).map_or(Ok(default), |group| group.number(range))
        };
        let game: GameSpec = match find("-game") {
            Some(group) => group.value()?.parse()?,
            None => return Err(missing("-game", "a game such as murus").into()),
        };
        let engines = groups.iter().filter(|group| group.place == "-engine");
        // Errors say which of them.
        let numbered = (1..).zip(engines).map(|(number, group)| {
            let place = format!("-engine {number}");
            Group { place, ..group.clone() }
        });
        let engines: Vec<Group> = numbered.collect();
        let [first, second] = &engines[..] else {
            let found = format!("{} of them", engines.len());
            return Err(ParseError::new("-engine", found, "two").into());
        };
        let each = find("-each");
        let entrants = [Entrant::read(first, each, game)?, Entrant::read(second, each, game)?];
        if entrants[0].name == entrants[1].name {
            let found = format!("{} twice", quoted(&entrants[0].name));
            return Err(ParseError::new("-engine, name", found, "two different names").into());
        }
        let rounds = match find("-rounds") {
            // So that games, too, are counted in 32 bits.
            Some(group) => group.number(1..=1_000_000_000)? as u32,
            None => return Err(missing("-rounds", "the number of pairs of games").into()),
        };
        number_or("-games", 2..=2, 2)?;
        Ok(Options {
            game,
            entrants,
            rounds,
            plies: find("-openings").map_or(Ok(4), opening_plies)?,
            seed: number_or("-srand", 0..=u64::MAX, 0)?,
            concurrency: number_or("-concurrency", 1..=1024, 1)? as usize,
            test: find("-sprt").map(sequential_test).transpose()?,
        })
    }
}

/// A whole number within a range.
pub fn number(place: &str, text: &str, range: RangeInclusive<u64>) -> Result<u64, ParseError> {
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let expected = match (range.start(), range.end()) {
            (least, most) if least == most => least.to_string(),
            (least, &u64::MAX) => format!("a whole number from {least}"),
            (least, most) => format!("a whole number from {least} to {most}"),
        };
        ParseError::new(place, quoted(text), expected)
    })
}

/// The options of a command line, in its order.
fn groups(words: &[String]) -> Result<Vec<Group<'_>>, ParseError> {
    let mut groups: Vec<Group> = Vec::new();
    for word in words {
        let name = word.strip_prefix("--").or(word.strip_prefix('-'));
        let Some(name) = name.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        else {
            let error = || ParseError::new("match", quoted(word), OPTIONS);
            groups.last_mut().ok_or_else(error)?.values.push(word);
            continue;
        };
        let (name, value) =
            name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        let place = format!("-{name}");
        if !OPTIONS.split([',', ' ']).any(|option| option == place) {
            return Err(ParseError::new("match", quoted(word), OPTIONS));
        }
        if name != "engine" && groups.iter().any(|group| group.place == place) {
            return Err(ParseError::new(place, "it twice", "it once"));
        }
        groups.push(Group { place, values: value.into_iter().collect() });
    }
    Ok(groups)
}

/// The plies of `-openings`.
fn opening_plies(group: &Group) -> Result<usize, ParseError> {
    let mut plies = None;
    for (key, value) in group.pairs()? {
        if key != "plies" || plies.is_some() {
            return Err(group.error(quoted(key), "plies=N, once"));
        }
        plies = Some(number("-openings, plies", value, 0..=MAX_PLIES as u64)? as usize);
    }
    Ok(plies.expect("there is at least one pair"))
}

/// The test of `-sprt`.
fn sequential_test(group: &Group) -> Result<SequentialTest, CommandError> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = Model::Normalized;
    for (key, value) in group.pairs()? {
        let place = format!("-sprt, {key}");
        let error = |expected| ParseError::new(&place, quoted(value), expected);
        let real = || value.parse::<f64>().map_err(|_| error("a number"));
        match key {
            "elo0" => elo0 = Some(real()?),
            "elo1" => elo1 = Some(real()?),
            "alpha" => alpha = real()?,
            "beta" => beta = real()?,
            "model" => {
                model = match value {
                    "normalized" => Model::Normalized,
                    "logistic" => Model::Logistic,
                    _ => return Err(error("normalized or logistic").into()),
                }
            }
            _ => return Err(group.error(quoted(key), "elo0, elo1, alpha, beta or model").into()),
        }
    }
    let given = |elo: Option<f64>| elo.ok_or(group.error("only a part", "both elo0 and elo1"));
    SequentialTest::new(model, given(elo0)?, given(elo1)?, alpha, beta)
        .map_err(|error| CommandError::Usage(format!("-sprt: {error}")))
}
