//! What a batch does: a match, or self-play.
//!
//! The one idea: both fall into parts that depend on nothing but their numbers. The games of a part
//! of a match are lines, which all parts add to one file; a shard of self-play has a file of its
//! own, as it may be continued.

use std::ops::Range;
use std::path::Path;

use alesia::game::{ParseError, quoted};
use alesia::words::command_error::CommandError;
use alesia_match::command::options::Options;
use alesia_match::words::grammar::groups;

use super::File;
use crate::shell::in_shell;
use crate::tune::Tune;

/// What a part of a match says itself, and what would be written on another machine.
const NOT_IN_A_BATCH: [&str; 7] =
    ["-pairs", "-jsonl", "-config", "-pgnout", "-jsonlout", "-log", "-board"];

/// What a part is given in addition to the match. Each part has other pairs.
const OF_A_PART: [&str; 3] = ["-pairs", "0..1", "-jsonl"];

/// What falls into parts.
#[derive(Debug)]
pub enum Work {
    Match(Match),
    SelfPlay(SelfPlay),
}

/// A match that has been checked.
#[derive(Debug)]
pub struct Match {
    words: Vec<String>,
    /// Pairs of games in all, and in each part.
    pairs: u32,
    part: u32,
}

/// Self-play that has been checked.
#[derive(Debug)]
pub struct SelfPlay {
    words: Vec<String>,
    shards: u32,
    /// What a shard has beside them: one thread, if they say nothing else.
    threads: &'static str,
}

impl Work {
    /// The work of a file; `place` is its name.
    pub fn read(file: &File, place: &str) -> Result<Work, CommandError> {
        let at = |key: &str| format!("{place}, {key}");
        let without = |key: &str, is_there: bool, owner: &str| match is_there {
            false => Ok(()),
            true => Err(ParseError::new(at(key), key, format!("only {owner} to have it"))),
        };
        match (&file.words, &file.tune) {
            (Some(words), None) => {
                without("shards", file.shards.is_some(), "tune")?;
                let part = file.part.unwrap_or(10);
                Ok(Work::Match(Match::read(words, from_one(part, at("part"))?, at("match"))?))
            }
            (None, Some(words)) => {
                without("part", file.part.is_some(), "match")?;
                let shards = from_one(file.shards.unwrap_or(10), at("shards"))?;
                Ok(Work::SelfPlay(SelfPlay::read(words, shards, at("tune"))?))
            }
            (words, _) => {
                let found = if words.is_some() { "both" } else { "neither" };
                Err(ParseError::new(place, found, "one of match and tune").into())
            }
        }
    }

    /// A line for each part, as the commands want it.
    pub fn list_of_parts(&self) -> String {
        match self {
            Work::Match(of) => {
                of.parts().map(|Range { start, end }| format!("{start}..{end}\n")).collect()
            }
            Work::SelfPlay(of) => (0..of.shards).map(|index| format!("{index}\n")).collect(),
        }
    }
}

/// A number that must not be zero.
fn from_one(number: u32, place: String) -> Result<u32, ParseError> {
    let refused = || ParseError::new(place, "0", "a whole number from 1");
    Some(number).filter(|&number| number > 0).ok_or_else(refused)
}

/// The words of a text.
fn split(text: &str, place: &str) -> Result<Vec<String>, ParseError> {
    shlex::split(text)
        .ok_or_else(|| ParseError::new(place, quoted(text), "words, with quotes closed"))
}

/// A command of the lab in a shell. A brace of a word is no mark of GNU parallel, such as `{}`.
fn command(program: &str, names: &[&str], words: &[String]) -> String {
    let word = |word: &str| word.split('{').map(|part| in_shell([part])).collect::<Vec<_>>();
    let words =
        [program].into_iter().chain(names.iter().copied()).chain(words.iter().map(String::as_str));
    // Between the brace and what follows stands an empty word in quotes.
    words.map(|text| word(text).join("{''")).collect::<Vec<_>>().join(" ")
}

impl Match {
    fn read(text: &str, part: u32, place: String) -> Result<Match, CommandError> {
        let words = split(text, &place)?;
        let all = groups(&words).map_err(|error| error.within(&place))?;
        if let Some(group) = all.iter().find(|group| NOT_IN_A_BATCH.contains(&&*group.place)) {
            let expected = "a match without it, as each part has its own";
            return Err(ParseError::new(place, group.place.clone(), expected).into());
        }
        if all.iter().any(|group| group.place == "-sprt") {
            let expected = "a match without it, and `alesia-lab match sprt --stdin`, as each part would \
                            end where its own games decide";
            return Err(ParseError::new(place, "-sprt", expected).into());
        }
        let read = |words: &[String]| {
            Options::read(words).map_err(|error| match error {
                CommandError::Usage(text) => CommandError::Usage(format!("{place}, {text}")),
                other => other,
            })
        };
        let options = read(&words)?;
        // What a part could not do is refused now.
        read(&[&words[..], &OF_A_PART.map(str::to_owned)].concat())?;
        let pairs = options.terms.schedule.pairs();
        Ok(Match { words, pairs, part })
    }

    fn parts(&self) -> impl Iterator<Item = Range<u32>> {
        let (part, pairs) = (self.part, self.pairs);
        (0..pairs.div_ceil(part))
            .map(move |number| number * part..(number + 1).saturating_mul(part).min(pairs))
    }

    /// The command of a part; `pairs` is as the shell sees it.
    pub fn part_command(&self, program: &str, pairs: &str) -> String {
        format!("{} -pairs {pairs} -jsonl", command(program, &["match"], &self.words))
    }

    /// The last task of a job array, and what each does: a part into a file of its own.
    pub fn slurm_task(&self, program: &str, file: &Path) -> (u32, String) {
        let Match { pairs, part, .. } = self;
        let games = stem(file);
        let script = format!(
            "first=$((SLURM_ARRAY_TASK_ID * {part}))\n\
             end=$((first + {part} < {pairs} ? first + {part} : {pairs}))\n\
             # Whole or not at all, so that a part that was cut off is played again.\n\
             {} > {games}.$first.new &&\n    mv {games}.$first.new {games}.$first.jsonl\n",
            self.part_command(program, "$first..$end"),
        );
        (pairs.div_ceil(*part) - 1, script)
    }
}

impl SelfPlay {
    fn read(text: &str, shards: u32, place: String) -> Result<SelfPlay, CommandError> {
        let words = split(text, &place)?;
        let tune = Tune::of_words(&words).map_err(|error| match error {
            CommandError::Usage(text) => CommandError::Usage(format!("{place}, {text}")),
            other => other,
        })?;
        if let Some(option) = tune.not_of_a_batch() {
            let expected = "self-play without it, as each shard has its own and nothing is fitted";
            return Err(ParseError::new(place, option, expected).into());
        }
        let threads = if tune.has_threads() { "" } else { " --threads 1" };
        Ok(SelfPlay { words, shards, threads })
    }

    /// The file of a shard beside that of the batch; `index` is as the shell sees it.
    pub fn file_of_part(&self, file: &Path, index: &str) -> String {
        format!("{}.{index}of{}.games", stem(file), self.shards)
    }

    /// The command of a part.
    pub fn part_command(&self, program: &str, file: &Path, index: &str) -> String {
        let words = command(program, &["train", "tune"], &self.words);
        let data = self.file_of_part(file, index);
        format!("{words}{} --shard {index}/{} --data {data}", self.threads, self.shards)
    }

    /// The command that fits to the games of all shards.
    pub fn fit_command(&self, file: &Path) -> String {
        let words = command("alesia-lab", &["train", "tune"], &self.words);
        format!("{words} --data {}", self.file_of_part(file, "*"))
    }

    /// The last task of a job array, and what each does. One that was cut off continues.
    pub fn slurm_task(&self, program: &str, file: &Path) -> (u32, String) {
        let script = format!(
            "{}\n# When all have ended: {}\n",
            self.part_command(program, file, "${SLURM_ARRAY_TASK_ID}"),
            self.fit_command(file),
        );
        (self.shards - 1, script)
    }
}

/// The name of a file without its end, in a shell.
fn stem(file: &Path) -> String {
    in_shell([&*file.with_extension("").display().to_string()])
}
