//! The lines of a file of game records, one after the other.

use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

use super::disk::{self, LOST, next_line};
use crate::words::logging::warn;
use alesia::game::ParseError;
use alesia::record::game_record::{GameRecord, after_piece, read};
use alesia::words::command_error::CommandError;
use alesia_answers::formats::{Content, is_finished};

/// Hands each game of a file, or of standard input for `-`, to `take`, as soon as it is read; what
/// is no record comes as the error with its place.
///
/// # Errors
/// The system's, that of `take`, or a file that begins as something else.
pub fn for_each(
    path: &Path,
    mut take: impl FnMut(&str, Result<GameRecord, ParseError>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let name = path.display();
    let failed = |error| CommandError::Failed(format!("{name}: {error}"));
    let mut stream: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(stdin().lock())
    } else {
        Box::new(BufReader::new(disk::open(path).map_err(failed)?))
    };
    let beginning = String::from_utf8_lossy(stream.fill_buf().map_err(failed)?).into_owned();
    check_beginning(&name.to_string(), &beginning)?;
    let (mut number, mut line) = (0, Vec::new());
    while next_line(&mut stream, &mut line).map_err(failed)? {
        number += 1;
        // A line that is cut short may end within a character.
        let line = String::from_utf8_lossy(&line);
        // The first line of a match that can be resumed.
        if line.trim().is_empty() || line.starts_with(r#"{"match":"#) {
            continue;
        }
        let place = format!("{name}, line {number}");
        // A match that continued has played its game again.
        if line.contains(LOST) && after_piece(&line).is_none() {
            warn(&format!("{place} was lost by the disk; skipped"));
            continue;
        }
        let record = read(&place, &line);
        let after = if record.is_err() { after_piece(&line) } else { None };
        take(&place, record)?;
        if let Some(after) = after {
            take(&place, read(&place, after))?;
        }
    }
    Ok(())
}

/// Refuses a text that is known to be something else, in which every line would be wrong.
fn check_beginning(name: &str, text: &str) -> Result<(), CommandError> {
    let (found, expected) = match Content::of(text) {
        Content::Records => return Ok(()),
        Content::Table => ("CSV", "game records (CSV is written, and not read)"),
        Content::Games(format) => match format.title() {
            Some(title) => (title, "game records, which `alesia-lab games import` makes of it"),
            None => return Ok(()),
        },
    };
    Err(ParseError::new(name, found, expected).into())
}

/// The result of a record, and why: `White (checkmate)`, or that there is none.
pub fn result_of(record: &GameRecord) -> String {
    let GameRecord { result, reason, .. } = record;
    match is_finished(record) {
        true => format!("{} ({reason})", result.outcome()),
        false => reason.clone(),
    }
}
