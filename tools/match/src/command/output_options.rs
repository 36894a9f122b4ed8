//! The options of a match that say what is printed and written.

use std::path::PathBuf;

use alesia::game::{ParseError, quoted};
use log::LevelFilter;

use super::options::MAX_ROUNDS;
use crate::words::grammar::{Group, number};
use crate::words::logging::LogFile;

/// What is printed of the games of a match, besides the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameLines {
    /// Nothing.
    None,
    /// The beginning and the end of each, as fastchess prints them.
    BeginAndEnd,
    /// The same, and after each interval of games the score, as cutechess prints it.
    WithScore(u64),
}

/// A file of game records.
#[derive(Debug)]
pub struct RecordOutput {
    /// The option that names it.
    pub place: &'static str,
    pub path: PathBuf,
    /// Whether its games are in PGN rather than JSON lines.
    pub is_pgn: bool,
}

/// What `-output`, `-testEnv` and `-scoreinterval` say of each game.
pub fn game_lines(groups: &[Group]) -> Result<GameLines, ParseError> {
    let find = |place: &str| groups.iter().find(|group| group.place == place);
    let test_env = find("-testEnv").map(Group::alone).transpose()?.is_some();
    let output = find("-output").map(|group| group.only(&["format"])).transpose()?;
    let with_score = match output.as_deref() {
        None | Some([(_, "fastchess")]) => false,
        Some([(_, "cutechess")]) => true,
        Some(other) => {
            let found = other.first().map_or("", |(_, format)| format);
            return Err(ParseError::new(
                "-output, format",
                quoted(found),
                "fastchess or cutechess",
            ));
        }
    };
    match find("-scoreinterval") {
        Some(group) if !with_score => {
            Err(group.error("no score", "-output format=cutechess beside it"))
        }
        Some(group) => Ok(GameLines::WithScore(group.number(1..=MAX_ROUNDS)?)),
        None if with_score => Ok(GameLines::WithScore(1)),
        None if test_env || output.is_some() => Ok(GameLines::BeginAndEnd),
        None => Ok(GameLines::None),
    }
}

/// What fastchess may be asked to write beside each move in a file of `-pgnout`, with the values
/// that are accepted.
const PGN_KEYS: [(&str, &[&str]); 12] = [
    ("append", &["true"]),
    ("notation", &["san"]),
    ("nodes", &["true", "false"]),
    ("seldepth", &["true", "false"]),
    ("nps", &["true", "false"]),
    ("hashfull", &["true", "false"]),
    ("tbhits", &["true", "false"]),
    ("pv", &["true", "false"]),
    ("timeleft", &["true", "false"]),
    ("latency", &["true", "false"]),
    ("min", &["false"]),
    ("match_line", &[]),
];

/// The file of `-pgnout` or `-jsonlout`.
pub fn record_output(group: &Group) -> Result<RecordOutput, ParseError> {
    let path = match group.place.as_str() {
        "-pgnout" => pgn_file(group)?,
        _ => file(group)?,
    };
    let named_pgn = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    Ok(match group.place.as_str() {
        "-pgnout" => RecordOutput { place: "-pgnout", path, is_pgn: named_pgn },
        _ => RecordOutput { place: "-jsonlout", path, is_pgn: false },
    })
}

/// The file of `-pgnout`. Servers ask for comments of fastchess's that are not written, which is
/// said in the log; what would change the games that are written is refused.
fn pgn_file(group: &Group) -> Result<PathBuf, ParseError> {
    // As in cutechess.
    if let [name] = group.values()
        && !name.contains('=')
    {
        return Ok(PathBuf::from(name));
    }
    let keys: Vec<&str> = ["file"].into_iter().chain(PGN_KEYS.map(|(key, _)| key)).collect();
    let pairs = group.only(&keys)?;
    let mut path = Err(group.error("no file", "file=FILE"));
    for (key, value) in pairs {
        let known = PGN_KEYS.iter().find(|(own, _)| *own == key);
        match known {
            None if value.is_empty() => {}
            None => path = Ok(PathBuf::from(value)),
            Some((_, values)) if !values.is_empty() && !values.contains(&value) => {
                let place = format!("-pgnout, {key}");
                return Err(ParseError::new(place, quoted(value), values.join(" or ")));
            }
            Some(_) if value != "false" && !["append", "notation"].contains(&key) => {
                log::warn!("-pgnout, {key}: not written; each move has score, depth and seconds");
            }
            Some(_) => {}
        }
    }
    path
}

/// The file of an option that has nothing else.
pub fn file(group: &Group) -> Result<PathBuf, ParseError> {
    match group.only(&["file"])?[..] {
        [(_, "")] => Err(group.error("nothing", "file=FILE")),
        [(_, name)] => Ok(PathBuf::from(name)),
        _ => unreachable!("there is at least one, and each once"),
    }
}

/// The port of `-board`, where it says one.
pub fn port(group: &Group) -> Result<Option<u16>, ParseError> {
    if group.alone().is_ok() {
        return Ok(None);
    }
    let pairs = group.only(&["port"])?;
    let [(_, text)] = pairs[..] else { unreachable!("there is at least one, and each once") };
    Ok(Some(number("-board, port", text, 0..=u64::from(u16::MAX))? as u16))
}

/// The file of `-log`.
pub fn log_file(group: &Group) -> Result<LogFile, ParseError> {
    let (mut file, mut level) = (None, LevelFilter::Debug);
    for (key, value) in group.only(&["file", "level"])? {
        match key {
            "file" => file = Some(PathBuf::from(value)),
            _ => {
                level = value.parse().map_err(|_| {
                    let expected = "error, warn, info, debug or trace";
                    ParseError::new("-log, level", quoted(value), expected)
                })?;
            }
        }
    }
    Ok(LogFile { path: file.ok_or_else(|| group.error("no file", "file=FILE"))?, level })
}
