//! The options of a match that say what is played: `-game`, `-variant`, `-openings`.
//!
//! The one idea: a file of openings belongs to a game, and its name may say to which, so a server
//! that knows only the file needs no other word.

use std::path::{Path, PathBuf};

use alesia::game::{MAX_PLIES, ParseError, quoted};
use alesia::games::GameSpec;

use super::opening_book::{FileFormat, OpeningFile, read_file};
use super::options::MAX_ROUNDS;
use crate::run::opening::Openings;
use crate::run::seeds::seed_of;
use crate::words::grammar::{Group, number};
use alesia::words::command_error::CommandError;

/// Default random moves that open a game.
const OPENING_PLIES: usize = 4;

/// The stream of random numbers that shuffles the openings of a file.
const SHUFFLING_STREAM: u64 = u64::MAX;

/// The game of `-game`, or the chess variant of `-variant`. Where there is neither, or the standard
/// variant, which servers name in every match, the game that the name of the book begins with.
pub fn game(
    game: Option<&Group>,
    variant: Option<&Group>,
    options: Option<&str>,
    book: Option<&Path>,
) -> Result<GameSpec, CommandError> {
    match (game, variant) {
        (Some(game), None) => Ok(GameSpec::open(game.value()?)?),
        (None, Some(variant)) => {
            let name = match variant.value()? {
                "standard" => match book.and_then(game_of_book) {
                    Some(game) => return Ok(game),
                    None => "chess",
                },
                name => name,
            };
            let spec = GameSpec::open(&format!("variant:{name}"));
            Ok(spec.map_err(|error| ParseError { place: variant.place.clone(), ..error })?)
        }
        (None, None) if options.is_some() => Ok(GameSpec::open(options.unwrap_or_default())?),
        (None, None) => book.and_then(game_of_book).ok_or_else(|| {
            let expected = "a game such as murus, or a file of openings whose name begins with one";
            ParseError::new("-game", "nothing", expected).into()
        }),
        (Some(_), Some(variant)) => Err(variant.error("-game too", "only one of them").into()),
    }
}

/// The chess variant that the programs are told by options of UCI, as a game is named.
pub fn game_of_options(groups: &[Group]) -> Option<String> {
    let players = groups.iter().filter(|group| ["-each", "-engine"].contains(&&*group.place));
    let words: Vec<&str> = players.flat_map(|group| group.values().iter().copied()).collect();
    let value = |option: &str| {
        words.iter().find_map(|word| {
            let (key, value) = word.strip_prefix("option.")?.split_once('=')?;
            key.eq_ignore_ascii_case(option).then_some(value)
        })
    };
    let name = value("UCI_Variant")?;
    Some(match value("VariantPath") {
        Some(file) => format!("{file}:{name}"),
        None => format!("variant:{name}"),
    })
}

/// The file of `-openings`, if it names one.
pub fn book_of(group: &Group) -> Result<Option<PathBuf>, ParseError> {
    let file = group.pairs()?.into_iter().find(|(key, _)| *key == "file");
    Ok(file.map(|(_, name)| PathBuf::from(name)))
}

/// The game that the name of a book begins with, such as `loa.epd`, `hadron5-short.txt` or
/// `losalamos.pgn`; its setup may follow the game after a hyphen (`loa-files.epd`).
fn game_of_book(book: &Path) -> Option<GameSpec> {
    let name = book.file_name()?.to_str()?.to_ascii_lowercase();
    let words: Vec<&str> =
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let [first, ..] = words[..] else { return None };
    let with_setup = words.get(1).map(|setup| format!("{first}:{setup}"));
    let names = with_setup.into_iter().chain([first.to_owned(), format!("variant:{first}")]);
    names.into_iter().find_map(|name| name.parse().ok())
}
/// How games begin; where there are clients of tournament servers, which have no words for it, at
/// the start.
pub fn openings(
    group: Option<&Group>,
    game: GameSpec,
    seed: u64,
    clients: bool,
) -> Result<Openings, CommandError> {
    let Some(group) = group else {
        return Ok(Openings::Plies(if clients { 0 } else { OPENING_PLIES }));
    };
    let (mut plies, mut file, mut random, mut first) = (None, None, false, None);
    let mut format = None;
    for (key, value) in group.only(&["plies", "file", "order", "format", "start"])? {
        let place = format!("-openings, {key}");
        match key {
            "plies" => plies = Some(number(&place, value, 0..=MAX_PLIES as u64)? as usize),
            "file" => file = Some(PathBuf::from(value)),
            "start" => first = Some(number(&place, value, 1..=MAX_ROUNDS)? as usize),
            // Positions or moves on each line, whatever fastchess calls them.
            "format" if value == "epd" => format = Some(FileFormat::Lines),
            "format" if value == "pgn" => format = Some(FileFormat::Pgn),
            "format" => {
                let expected = "pgn, or epd where each line is an opening";
                return Err(ParseError::new(place, quoted(value), expected).into());
            }
            _ => {
                random = match value {
                    "random" => true,
                    "sequential" => false,
                    _ => {
                        return Err(
                            ParseError::new(place, quoted(value), "random or sequential").into()
                        );
                    }
                }
            }
        }
    }
    let openings = match (plies, file) {
        (Some(_), None) if first.is_some() => {
            return Err(group.error("start=N without a file", "file=FILE beside it").into());
        }
        (Some(_), None) if format.is_some() => {
            return Err(group.error("format=… without a file", "file=FILE beside it").into());
        }
        (Some(plies), None) => Openings::Plies(plies),
        (plies, Some(path)) => {
            let shuffled_by = random.then(|| seed_of(seed, SHUFFLING_STREAM));
            let file = OpeningFile { path: &path, format, plies, shuffled_by };
            let mut read = read_file(game, &file)?;
            read.begin_with(first.unwrap_or(1));
            read
        }
        (None, None) => return Err(group.error("neither", "file=FILE or plies=N").into()),
    };
    if clients && !matches!(openings, Openings::Plies(0)) {
        let found = "an opening for players with proto=tcp";
        return Err(group.error(found, "plies=0, as the protocol cannot send it").into());
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::grammar::groups;

    #[test]
    fn options_of_uci_say_the_game() {
        let game = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            game_of_options(&groups(&words).unwrap())
        };
        let of_file = "-each option.VariantPath=My.ini option.UCI_Variant=Mine -engine cmd=a";
        assert_eq!(game(of_file).as_deref(), Some("My.ini:Mine"));
        let built_in = game("-engine cmd=a option.uci_variant=losalamos");
        assert_eq!(built_in.as_deref(), Some("variant:losalamos"));
        assert_eq!(game("-each option.VariantPath=My.ini -engine cmd=a"), None);
    }

    #[test]
    fn the_name_of_a_book_says_its_game() {
        for (book, game) in [
            ("loa.epd", Some("loa")),
            ("Books/LOA-files.epd", Some("loa:files")),
            ("murus_8.txt", Some("murus")),
            ("hadron4x5.random.txt", Some("hadron4x5")),
            ("losalamos.pgn", Some("variant:losalamos")),
            ("chess-960.epd", Some("variant:chess")),
            ("UHO_4060_v2.epd", None),
            ("8moves_v3.pgn", None),
            (".epd", None),
        ] {
            let found = game_of_book(Path::new(book)).map(|game| game.to_string());
            assert_eq!(found.as_deref(), game, "{book}");
        }
    }
}
