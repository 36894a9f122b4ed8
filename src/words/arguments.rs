//! Unusable arguments in one plain line: where, what was found, what was expected.
//!
//! The one idea: the parser of arguments passes on what the standard library says of a number
//! (`number would be zero for non-zero type`), and knows nothing of the habits of other commands.
//! The line is made from the parts of its error instead.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::game::{ParseError, quoted};
use crate::games::GameSpec;

/// Options that mean the same in different commands.
const TIMES: [&str; 3] = ["move-time", "tt", "time"];

/// The error of a command line in one line, where there is a better one than the parser's. `words`
/// are those of the command line, `command` is its parser.
pub fn explain(error: &Error, words: &[String], command: &Command) -> Option<ParseError> {
    match error.kind() {
        ErrorKind::ValueValidation => wrong_number(error),
        ErrorKind::UnknownArgument => unknown(error, words, command),
        _ => None,
    }
}

/// A part of an error as text.
fn part(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// A value that is no number, or none within the limits.
fn wrong_number(error: &Error) -> Option<ParseError> {
    let expected = expected_number(&error.source()?.to_string())?;
    let place = part(error, ContextKind::InvalidArg)?.split(' ').next()?;
    let place = place.trim_matches(['[', ']', '<', '>']);
    let found = quoted(part(error, ContextKind::InvalidValue)?);
    Some(ParseError::new(place, found, expected))
}

/// What was expected where a number was refused with these words.
fn expected_number(reason: &str) -> Option<String> {
    if let Some((value, limits)) = reason.rsplit_once(" is not in ") {
        let (least, most) = limits.split_once("..")?;
        let most = most.trim_start_matches('=');
        let is_above = value.parse::<i128>().ok()? >= least.parse().ok()?;
        // A limit that nobody would type matters only where it is passed.
        return Some(match !most.is_empty() && (is_above || most.len() < 10) {
            true => format!("a whole number from {least} to {most}"),
            false => format!("a whole number from {least}"),
        });
    }
    Some(match reason {
        "number would be zero for non-zero type" => "a whole number from 1".to_owned(),
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "a whole number".to_owned()
        }
        "invalid float literal" | "cannot parse float from empty string" => "a number".to_owned(),
        "number too large to fit in target type" => "a smaller number".to_owned(),
        "number too small to fit in target type" => "a larger number".to_owned(),
        _ => return None,
    })
}

/// A word that the command does not know: a negative number, a game without its option or an option
/// without need, or the name of a time in another command.
fn unknown(error: &Error, words: &[String], command: &Command) -> Option<ParseError> {
    let word = part(error, ContextKind::InvalidArg)?;
    if word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let at = words.iter().position(|own| own == word)?;
        let place = words[..at].last().filter(|place| place.starts_with('-'))?;
        return Some(ParseError::new(place, quoted(word), "a number without a sign"));
    }
    let mut command = words.iter().skip(1).find_map(|name| command.find_subcommand(name))?;
    while let Some(part) = words.iter().find_map(|name| command.find_subcommand(name)) {
        command = part;
    }
    let place = command.get_name();
    let has = |id: &str| command.get_arguments().find(|own| own.get_id() == id);
    let has_long = |name: &str| command.get_arguments().any(|own| own.get_long() == Some(name));
    if has_long("game") && word.parse::<GameSpec>().is_ok() {
        let expected = format!("--game {word}");
        return Some(ParseError::new(place, quoted(word), expected));
    }
    let name = word.strip_prefix("--")?;
    if name == "game" && has("game").is_some_and(clap::Arg::is_positional) {
        let expected = format!("the game without an option: {place} GAME …");
        return Some(ParseError::new(place, quoted(word), expected));
    }
    let other =
        TIMES.into_iter().find(|other| has_long(other)).filter(|_| TIMES.contains(&name))?;
    let dashes = if other == "tt" { "-" } else { "--" };
    Some(ParseError::new(place, quoted(word), format!("{dashes}{other} MS, the time per move")))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use clap::{Arg, value_parser};

    use super::*;

    fn command() -> Command {
        let number = |name: &'static str| Arg::new(name).long(name).value_name("N");
        Command::new("program")
            .subcommand(
                Command::new("referee")
                    .arg(number("games").value_parser(value_parser!(NonZeroUsize)))
                    .arg(number("threads").value_parser(value_parser!(u16).range(1..=1024)))
                    .arg(number("depth").value_parser(value_parser!(u64).range(1..)))
                    .arg(Arg::new("port").value_name("PORT").value_parser(value_parser!(u16)))
                    .arg(number("share").value_parser(value_parser!(f64)))
                    .arg(number("wt"))
                    .arg(number("game"))
                    .arg(number("tt")),
            )
            .subcommand(Command::new("perft").arg(Arg::new("game")))
            .subcommand(Command::new("manual").arg(number("move-time")))
    }

    #[test]
    fn wrong_arguments_are_explained_in_plain_words() {
        for (line, expected) in [
            ("referee --games 0", "--games: found `0`, expected a whole number from 1"),
            ("referee --games x", "--games: found `x`, expected a whole number"),
            ("referee --share x", "--share: found `x`, expected a number"),
            ("referee --threads 0", "--threads: found `0`, expected a whole number from 1 to 1024"),
            ("referee 70000", "PORT: found `70000`, expected a whole number from 0 to 65535"),
            ("referee --depth 0", "--depth: found `0`, expected a whole number from 1"),
            ("referee 8901x", "PORT: found `8901x`, expected a whole number"),
            ("referee --wt -5", "--wt: found `-5`, expected a number without a sign"),
            ("referee 1 murus", "referee: found `murus`, expected --game murus"),
            (
                "referee --move-time 5",
                "referee: found `--move-time`, expected -tt MS, the time per move",
            ),
            (
                "manual --time 5",
                "manual: found `--time`, expected --move-time MS, the time per move",
            ),
            (
                "perft --game murus 3",
                "perft: found `--game`, expected the game without an option: perft GAME …",
            ),
        ] {
            let words: Vec<String> =
                ["program"].into_iter().chain(line.split(' ')).map(str::to_owned).collect();
            let error = command().try_get_matches_from(&words).unwrap_err();
            let explained = explain(&error, &words, &command()).map(|error| error.to_string());
            assert_eq!(explained.as_deref(), Some(expected), "{line}: {error}");
        }
    }

    #[test]
    fn keeps_the_parsers_clear_messages() {
        for line in ["referee --gamse 1", "no-such-command"] {
            let words: Vec<String> =
                ["program"].into_iter().chain(line.split(' ')).map(str::to_owned).collect();
            let error = command().try_get_matches_from(&words).unwrap_err();
            assert!(explain(&error, &words, &command()).is_none(), "{line}");
        }
    }
}
