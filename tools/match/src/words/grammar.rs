//! The grammar of fastchess and cutechess: options with one dash or two, each followed by its
//! values, usually `key=value`.

use std::ops::RangeInclusive;

use alesia::game::{ParseError, alternatives, quoted};

/// All options there are.
pub const OPTIONS: [&str; 31] = [
    "-game",
    "-variant",
    "-quick",
    "-engine",
    "-each",
    "-rounds",
    "-games",
    "-repeat",
    "-openings",
    "-srand",
    "-concurrency",
    "-sprt",
    "-tournament",
    "-seeds",
    "-maxmoves",
    "-resign",
    "-draw",
    "-recover",
    "-ratinginterval",
    "-scoreinterval",
    "-output",
    "-testEnv",
    "-pgnout",
    "-jsonlout",
    "-event",
    "-site",
    "-config",
    "-log",
    "-pairs",
    "-jsonl",
    "-board",
];

/// Options of fastchess that are not there, and what comes nearest.
const REFUSED: [(&str, &str); 22] = [
    ("-autosaveinterval", "-config file=FILE, which keeps each game as soon as it ends"),
    ("-check-mate-pvs", "-log file=FILE, which has the lines of the players"),
    ("-compliance", "`alesia-lab stress deadline`, or a match of a few games"),
    ("-crc32", "-pgnout file=FILE, and a program such as cksum"),
    ("-epdout", "-pgnout file=FILE, from which other programs make positions"),
    ("-force-concurrency", "-concurrency N alone, which the processors do not limit"),
    ("-noswap", "nothing: each opening is played with both colours, as pairs are counted"),
    ("-ping-ms", "nothing: a player that does not answer stalls after a fixed time"),
    ("-report", "nothing: the counts of pairs (penta=true) are always printed"),
    ("-reverse", "the -engine options in the other order"),
    ("-show-latency", "-log file=FILE, which has the time of each line"),
    ("-startup-ms", "nothing: a program that does not start in a fixed time loses"),
    ("-strict", "no -recover: a program that cannot be started then ends the match"),
    ("-tb", "-draw and -resign: there are no endgame tables"),
    ("-tbadjudicate", "-draw and -resign: there are no endgame tables"),
    ("-tbignore50", "-draw and -resign: there are no endgame tables"),
    ("-tbpieces", "-draw and -resign: there are no endgame tables"),
    ("-ucinewgame-ms", "nothing: a player that does not answer stalls after a fixed time"),
    ("-use-affinity", "-concurrency N, and taskset before the whole command"),
    ("-version", "`alesia-lab --version`"),
    ("-wait", "nothing: the next game begins at once"),
    ("-affinity", "-concurrency N, and taskset before the whole command"),
];

/// An option with its values.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// With one dash.
    pub place: String,
    values: Vec<&'a str>,
}

impl<'a> Group<'a> {
    /// Values that stand elsewhere than on a command line.
    pub fn of(place: String, values: &'a [String]) -> Group<'a> {
        Group { place, values: values.iter().map(String::as_str).collect() }
    }

    /// The same option under another name in errors.
    pub fn named(&self, place: String) -> Group<'a> {
        Group { place, ..self.clone() }
    }

    pub fn values(&self) -> &[&'a str] {
        &self.values
    }

    pub fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> ParseError {
        ParseError::new(&self.place, found, expected)
    }

    pub fn value(&self) -> Result<&'a str, ParseError> {
        match self.values[..] {
            [value] => Ok(value),
            [] => Err(self.error("nothing", "a value")),
            [_, next, ..] => Err(self.error(quoted(next), "one value")),
        }
    }

    /// The only value, a text of one line that is not empty.
    pub fn text(&self) -> Result<String, ParseError> {
        match self.value()? {
            "" => Err(self.error("nothing", "a text")),
            text if text.chars().any(char::is_control) => {
                Err(self.error(quoted(text), "a text on one line"))
            }
            text => Ok(text.to_owned()),
        }
    }

    /// Checks that there are no values.
    pub fn alone(&self) -> Result<(), ParseError> {
        match self.values.first() {
            None => Ok(()),
            Some(value) => Err(self.error(quoted(value), "no value")),
        }
    }

    /// The only value, a number.
    pub fn number(&self, range: RangeInclusive<u64>) -> Result<u64, ParseError> {
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

    /// The same where only some keys are known, each at most once.
    pub fn only(&self, keys: &[&str]) -> Result<Vec<(&'a str, &'a str)>, ParseError> {
        let pairs = self.pairs()?;
        for (index, (key, _)) in pairs.iter().enumerate() {
            if !keys.contains(key) || pairs[..index].iter().any(|(other, _)| other == key) {
                return Err(self.error(quoted(key), format!("{}, each once", keys.join(", "))));
            }
        }
        Ok(pairs)
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
pub fn groups<'a>(words: &'a [String]) -> Result<Vec<Group<'a>>, ParseError> {
    let mut groups: Vec<Group> = Vec::new();
    for word in words {
        let name = word.strip_prefix("--").or(word.strip_prefix('-'));
        let Some(name) = name.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        else {
            let error = || ParseError::new("match", quoted(word), alternatives(&OPTIONS));
            groups.last_mut().ok_or_else(error)?.values.push(word);
            continue;
        };
        let (name, value) =
            name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        let place = match name {
            "seed" => "-srand".to_owned(),
            name => format!("-{name}"),
        };
        if let Some((_, instead)) = REFUSED.iter().find(|(name, _)| *name == place) {
            return Err(ParseError::new("match", quoted(word), *instead));
        }
        if !OPTIONS.contains(&place.as_str()) {
            let expected = match nearest(&place) {
                Some(option) => {
                    format!("{option} (the nearest), or another of {}", alternatives(&OPTIONS))
                }
                None => alternatives(&OPTIONS),
            };
            return Err(ParseError::new("match", quoted(word), expected));
        }
        if name != "engine" && groups.iter().any(|group| group.place == place) {
            return Err(ParseError::new(place, "it twice", "it once"));
        }
        groups.push(Group { place, values: value.into_iter().collect() });
    }
    Ok(groups)
}

/// The option whose name is most like that, if one is like it at all.
fn nearest(place: &str) -> Option<&'static str> {
    /// As like as clap's suggestions are.
    const LIKE: f64 = 0.7;
    let likeness = OPTIONS.iter().map(|&option| (strsim::jaro(place, option), option));
    let (likeness, option) = likeness.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (likeness > LIKE).then_some(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(word: &str) -> String {
        groups(&[word.to_owned()]).unwrap_err().to_string()
    }

    #[test]
    fn a_text_is_one_line() {
        let read = |text: &str| Group::of("-event".into(), &[text.to_owned()]).text();
        assert_eq!(read("A cup, 2026"), Ok("A cup, 2026".to_owned()));
        for text in ["a\nb", "a\rb", "a\tb", "\0"] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.ends_with(", expected a text on one line"), "{error}");
        }
    }

    #[test]
    fn an_option_of_fastchess_that_is_not_there_is_told_what_comes_nearest() {
        for (option, instead) in REFUSED {
            assert!(!OPTIONS.contains(&option));
            assert_eq!(error(option), format!("match: found `{option}`, expected {instead}"));
        }
        let of_its_value = error("-tb=/tables");
        assert!(of_its_value.starts_with("match: found `-tb=/tables`, expected -draw and -resign"));
    }

    #[test]
    fn an_unknown_option_is_told_the_nearest() {
        for (word, option) in [
            ("-round", "-rounds"),
            ("-opening", "-openings"),
            ("-maxmove", "-maxmoves"),
            ("-ratingintervall", "-ratinginterval"),
        ] {
            let expected = format!("match: found `{word}`, expected {option} (the nearest), or ");
            assert!(error(word).starts_with(&expected), "{}", error(word));
        }
        assert!(error("-xyz").starts_with("match: found `-xyz`, expected -game, "));
    }
}
