//! `-quick`: two programs and a book, and all else as one would type it.
//!
//! The one idea: the words are turned into the options that they stand for, so nothing else knows
//! of them. What is given beside `-quick` stays as it is.

use std::borrow::Cow;
use std::path::Path;
use std::thread::available_parallelism;

use alesia::game::ParseError;

use crate::players::limit::Limit;
use crate::words::grammar::{Group, groups};

/// What stands for the programs' limit, where neither `-each` nor an `-engine` has one.
const TIME: &str = "tc=10+0.1";
/// Pairs of games, where neither `-rounds` nor `-pairs` is given.
const ROUNDS: &str = "25000";

/// The words without `-quick`, and with what it stands for.
///
/// # Errors
/// An unusable word.
pub fn expanded(words: &[String]) -> Result<Cow<'_, [String]>, ParseError> {
    let groups = groups(words)?;
    let Some(quick) = groups.iter().find(|group| group.place == "-quick") else {
        return Ok(Cow::Borrowed(words));
    };
    let Quick { programs, book } = Quick::read(quick)?;
    let mut options: Vec<String> = Vec::new();
    let mut add = |place: &str, values: &[&str]| {
        options.push(place.to_owned());
        options.extend(values.iter().map(|&value| value.to_owned()));
    };
    for (number, program) in (1..).zip(programs) {
        let name = format!("name={number} {}", file_name(program));
        add("-engine", &[&name, &format!("cmd={program}")]);
    }
    let given = |places: &[&str]| groups.iter().any(|group| places.contains(&&*group.place));
    let is_limited = has_limit(&groups)?;
    if !is_limited && !given(&["-each"]) {
        add("-each", &[TIME]);
    }
    if !given(&["-rounds", "-pairs"]) {
        add("-rounds", &[ROUNDS]);
    }
    if !given(&["-concurrency"]) {
        let cores = available_parallelism().map_or(1, usize::from);
        add("-concurrency", &[&cores.to_string()]);
    }
    match book {
        Some(_) if given(&["-openings"]) => {
            return Err(quick.error("book and -openings", "only one of them"));
        }
        Some(book) => add("-openings", &[&format!("file={book}"), "order=random"]),
        None => {}
    }
    for group in groups.iter().filter(|group| group.place != "-quick") {
        let time = (!is_limited && group.place == "-each").then_some(TIME);
        let values: Vec<&str> = time.into_iter().chain(group.values().iter().copied()).collect();
        add(&group.place, &values);
    }
    Ok(Cow::Owned(options))
}

/// Whether a limit is given for all programs or for one of them.
fn has_limit(groups: &[Group]) -> Result<bool, ParseError> {
    for group in groups.iter().filter(|group| ["-each", "-engine"].contains(&&*group.place)) {
        if group.pairs()?.iter().any(|(key, _)| Limit::KEYS.contains(key)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The values of `-quick`.
struct Quick<'a> {
    programs: [&'a str; 2],
    book: Option<&'a str>,
}

impl<'a> Quick<'a> {
    fn read(group: &Group<'a>) -> Result<Quick<'a>, ParseError> {
        let (mut programs, mut book) = (Vec::new(), None);
        for (key, value) in group.pairs()? {
            match key {
                "cmd" => programs.push(value),
                "book" if book.is_none() => book = Some(value),
                _ => return Err(group.error(key, "cmd=PROGRAM twice, and book=FILE once")),
            }
        }
        let found = format!("cmd {} times", programs.len());
        let programs = programs.try_into().map_err(|_| group.error(found, "cmd=PROGRAM twice"))?;
        Ok(Quick { programs, book })
    }
}

fn file_name(program: &str) -> Cow<'_, str> {
    Path::new(program).file_stem().unwrap_or_default().to_string_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(text: &str) -> Result<String, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let words = expanded(&words).map_err(|error| error.to_string())?;
        let quoted = words.iter().map(|word| word.replace(' ', "_"));
        Ok(quoted.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn two_programs_and_a_book_are_a_whole_match() {
        let found = expand("-quick cmd=./old cmd=./new book=b.txt -game loa -concurrency 2");
        let expected = "-engine name=1_old cmd=./old -engine name=2_new cmd=./new -each tc=10+0.1 \
                        -rounds 25000 -openings file=b.txt order=random -game loa -concurrency 2";
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn keeps_options_given_beside_it() {
        let found = expand("-quick cmd=a cmd=b -each nodes=9 -rounds 3 -concurrency 1 -game loa");
        let expected = "-engine name=1_a cmd=a -engine name=2_b cmd=b -each nodes=9 -rounds 3 \
                        -concurrency 1 -game loa";
        assert_eq!(found.unwrap(), expected);
        assert_eq!(expand("-game loa -rounds 3").unwrap(), "-game loa -rounds 3");
        let found = expand("-quick cmd=a cmd=b -each option.Threads=1 -rounds 3 -concurrency 1");
        let expected = "-engine name=1_a cmd=a -engine name=2_b cmd=b \
                        -each tc=10+0.1 option.Threads=1 -rounds 3 -concurrency 1";
        assert_eq!(found.unwrap(), expected, "a limit is added where there is none");
    }

    #[test]
    fn names_missing_options() {
        let error = |text| expand(text).unwrap_err();
        assert_eq!(error("-quick cmd=a"), "-quick: found cmd 1 times, expected cmd=PROGRAM twice");
        let both = "-quick: found book and -openings, expected only one of them";
        assert_eq!(error("-quick cmd=a cmd=b book=c -openings plies=2"), both);
    }
}
