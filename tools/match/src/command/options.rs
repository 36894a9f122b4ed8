//! A match as the command line describes it.

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;

use alesia::game::{MAX_PLIES, ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use log::LevelFilter;

use super::quick;
use crate::players::entrant::{Entrant, Protocol};
use crate::players::limit::Limit;
use crate::run::adjudication::{Adjudication, Draw, Resign};
use crate::run::opening::Openings;
use crate::run::schedule::{Schedule, Tournament};
use crate::run::seeds::seed_of;
use crate::run::terms::Terms;
use crate::statistics::{Model, SequentialTest};
use crate::words::grammar::{Group, groups, number};
use crate::words::logging::LogFile;
use alesia::record::game_record::Occasion;
use alesia::words::command_error::CommandError;

/// Max rounds, so that games, too, are counted in 32 bits.
const MAX_ROUNDS: u64 = 1_000_000_000;

/// Max players, each of whom meets every other.
pub const MAX_PLAYERS: usize = 1000;

/// Default random moves that open a game.
const OPENING_PLIES: usize = 4;

/// The stream of random numbers that shuffles the openings of a file.
const SHUFFLING_STREAM: u64 = u64::MAX;

/// The options of a match: its games, and its output.
#[derive(Debug)]
pub struct Options {
    pub terms: Terms,
    /// What ends the match early.
    pub test: Option<SequentialTest>,
    /// Pairs of games between two result blocks.
    pub rating_interval: Option<u64>,
    /// Where game records go.
    pub records: Vec<RecordOutput>,
    /// Whether game records go to standard output, instead of a result.
    pub json_lines: bool,
    pub log: Option<LogFile>,
    /// Whether games are shown on a page, and on which port.
    pub board: Option<Option<u16>>,
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

impl Options {
    /// Reads the words of the command line.
    ///
    /// # Errors
    /// The first unusable word, in one line.
    pub fn read(words: &[String]) -> Result<Options, CommandError> {
        let words = quick::expanded(words)?;
        let groups = groups(&words)?;
        let find = |place: &str| groups.iter().find(|group| group.place == place);
        let number_or = |place: &str, range, default| {
            find(place).map_or(Ok(default), |group| group.number(range))
        };
        let flag =
            |place: &str| find(place).map_or(Ok(false), |group| group.alone().map(|()| true));
        let game = game(find("-game"), find("-variant"))?;
        let entrants = entrants(&groups, find("-each"), game)?;
        let tournament = find("-tournament").map_or(Ok(Tournament::RoundRobin), tournament)?;
        let pairings = Schedule::pairings(tournament, entrants.len());
        let test = find("-sprt").map(sequential_test).transpose()?;
        if test.is_some() && entrants.len() > 2 {
            let found = format!("{} players", entrants.len());
            return Err(ParseError::new("-sprt", found, "two players").into());
        }
        let seed = number_or("-srand", 0..=u64::MAX, 0)?;
        let schedule = schedule(&groups, seed, pairings)?;
        let clients = check_times(&entrants)?;
        let openings = openings(find("-openings"), game, seed, clients)?;
        let json_lines = flag("-jsonl")?;
        if let Some(group) = find("-ratinginterval").filter(|_| json_lines) {
            return Err(group.error("-jsonl too", "only one of them").into());
        }
        let adjudication = adjudication(&groups, game, clients)?;
        Ok(Options {
            terms: Terms {
                game,
                entrants,
                schedule,
                openings,
                adjudication,
                occasion: Occasion {
                    event: find("-event").map(Group::text).transpose()?,
                    site: find("-site").map(Group::text).transpose()?,
                    date: None,
                },
                recover: flag("-recover")?,
                concurrency: number_or("-concurrency", 1..=1024, 1)? as usize,
            },
            test,
            rating_interval: match find("-ratinginterval") {
                Some(group) => Some(group.number(1..=MAX_ROUNDS)?),
                None => None,
            },
            records: ["-pgnout", "-jsonlout"]
                .into_iter()
                .filter_map(find)
                .map(record_output)
                .collect::<Result<_, ParseError>>()?,
            json_lines,
            log: find("-log").map(log_file).transpose()?,
            board: find("-board").map(port).transpose()?,
        })
    }
}

/// The game of `-game`, or the chess variant of `-variant`.
fn game(game: Option<&Group>, variant: Option<&Group>) -> Result<GameSpec, CommandError> {
    match (game, variant) {
        (Some(game), None) => Ok(GameSpec::open(game.value()?)?),
        (None, Some(variant)) => {
            let name = match variant.value()? {
                "standard" => "chess",
                name => name,
            };
            let spec = GameSpec::open(&format!("variant:{name}"));
            Ok(spec.map_err(|error| ParseError { place: variant.place.clone(), ..error })?)
        }
        (None, None) => Err(ParseError::new("-game", "nothing", "a game such as murus").into()),
        (Some(_), Some(variant)) => Err(variant.error("-game too", "only one of them").into()),
    }
}

/// The file of `-pgnout` or `-jsonlout`.
fn record_output(group: &Group) -> Result<RecordOutput, ParseError> {
    let path = file(group)?;
    let named_pgn = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    Ok(match group.place.as_str() {
        "-pgnout" => RecordOutput { place: "-pgnout", path, is_pgn: named_pgn },
        _ => RecordOutput { place: "-jsonlout", path, is_pgn: false },
    })
}

/// The players, at least two, of different names.
fn entrants(
    groups: &[Group],
    each: Option<&Group>,
    game: GameSpec,
) -> Result<Vec<Entrant>, ParseError> {
    let engines = groups.iter().filter(|group| group.place == "-engine");
    // Errors say which of them.
    let numbered =
        (1..).zip(engines).map(|(number, group)| group.named(format!("-engine {number}")));
    let engines: Vec<Group> = numbered.collect();
    if !(2..=MAX_PLAYERS).contains(&engines.len()) {
        let found = format!("{} of them", engines.len());
        let expected = format!("two or more, at most {MAX_PLAYERS}");
        return Err(ParseError::new("-engine", found, expected));
    }
    let entrants = engines
        .iter()
        .map(|group| Entrant::read(group, each, game))
        .collect::<Result<Vec<Entrant>, ParseError>>()?;
    check_names(&entrants, "-engine")?;
    Ok(entrants)
}

/// Checks that no name comes twice.
pub fn check_names(entrants: &[Entrant], place: &str) -> Result<(), ParseError> {
    let mut names = HashSet::new();
    for Entrant { name, .. } in entrants {
        if !names.insert(name) {
            let found = format!("{} twice", quoted(name));
            return Err(ParseError::new(format!("{place}, name"), found, "different names"));
        }
    }
    Ok(())
}

/// Which games, of the players that meet in every round.
fn schedule(
    groups: &[Group],
    seed: u64,
    pairings: Vec<[usize; 2]>,
) -> Result<Schedule, ParseError> {
    let find = |place: &str| groups.iter().find(|group| group.place == place);
    let repeat = find("-repeat");
    repeat.map(Group::alone).transpose()?;
    let (rounds, part) = (find("-rounds"), find("-pairs"));
    let single = match find("-games") {
        Some(group) if group.number(1..=2)? == 1 => group,
        _ => return Ok(Schedule::new(seed, pairings.clone(), pairs(rounds, part, &pairings)?)),
    };
    if let Some(other) = repeat.or(part) {
        return Err(single.error(format!("1 with {}", other.place), "only one of them"));
    }
    let rounds = pairs(rounds, None, &pairings)?.end / pairings.len() as u32;
    Ok(Schedule::of_single_games(seed, pairings, rounds))
}

/// Which pairs of games, from 0 on.
fn pairs(
    rounds: Option<&Group>,
    part: Option<&Group>,
    pairings: &[[usize; 2]],
) -> Result<Range<u32>, ParseError> {
    let pairings = pairings.len() as u64;
    let most = MAX_ROUNDS / pairings;
    let all = match rounds {
        Some(group) => Some(group.number(1..=most)? * pairings),
        None => None,
    };
    let Some(part) = part else {
        let missing = || ParseError::new("-rounds", "nothing", "the number of rounds");
        return Ok(0..all.ok_or_else(missing)? as u32);
    };
    let text = part.value()?;
    let (first, end) = text
        .split_once("..")
        .ok_or_else(|| part.error(quoted(text), "FIRST..END, such as 0..100 for the first 100"))?;
    let end = number(&part.place, end, 1..=all.unwrap_or(MAX_ROUNDS))?;
    let first = number(&part.place, first, 0..=end - 1)?;
    Ok(first as u32..end as u32)
}

fn tournament(group: &Group) -> Result<Tournament, ParseError> {
    match group.value()? {
        "roundrobin" => Ok(Tournament::RoundRobin),
        "gauntlet" => Ok(Tournament::Gauntlet),
        other => Err(group.error(quoted(other), "roundrobin or gauntlet")),
    }
}

/// Returns whether there are clients of the referee, and checks that all players then have the same
/// time.
pub fn check_times(entrants: &[Entrant]) -> Result<bool, ParseError> {
    if !entrants.iter().any(|entrant| matches!(entrant.protocol, Protocol::Tcp(_))) {
        return Ok(false);
    }
    let mut common = None;
    for Entrant { name, protocol, limit, .. } in entrants {
        let expected = match (protocol, limit) {
            (
                Protocol::Internal { .. } | Protocol::Plain { .. } | Protocol::Pipes(..),
                Limit::Nodes(_) | Limit::Depth(_),
            ) => {
                continue;
            }
            (_, Limit::MoveTime(time)) if common.is_none_or(|common| common == *time) => {
                common = Some(*time);
                continue;
            }
            (Protocol::Tcp(_), _) => "st=SECONDS with proto=tcp, the same for all",
            _ => "the st=SECONDS of the players with proto=tcp, or nodes=N or depth=N",
        };
        return Err(ParseError::new(format!("-engine {name}"), limit.to_string(), expected));
    }
    Ok(true)
}

/// What ends a game before its rules do. Clients of tournament servers say no scores.
fn adjudication(
    groups: &[Group],
    game: GameSpec,
    clients: bool,
) -> Result<Adjudication, ParseError> {
    let find = |place: &str| groups.iter().find(|group| group.place == place);
    let moves = find("-maxmoves").map(|group| group.number(1..=u64::from(u32::MAX))).transpose()?;
    let adjudication = Adjudication {
        moves_per_player: moves.map(|moves| moves as u32),
        resign: find("-resign").map(Resign::read).transpose()?,
        draw: find("-draw").map(Draw::read).transpose()?,
    };
    if clients && moves.is_some() && !AnyGame::start(game).has_draws() {
        let found = format!("-maxmoves with proto=tcp in {game}");
        let expected = "no limit, as the protocol of that game has no word for a tie";
        return Err(ParseError::new("match", found, expected));
    }
    if clients && adjudication.needs_scores() {
        let found = "-resign or -draw with proto=tcp";
        return Err(ParseError::new("match", found, "players that say their scores"));
    }
    Ok(adjudication)
}

/// How games begin; where there are clients of tournament servers, which have no words for it, at
/// the start.
fn openings(
    group: Option<&Group>,
    game: GameSpec,
    seed: u64,
    clients: bool,
) -> Result<Openings, CommandError> {
    let Some(group) = group else {
        return Ok(Openings::Plies(if clients { 0 } else { OPENING_PLIES }));
    };
    let (mut plies, mut file, mut random, mut first) = (None, None, false, None);
    for (key, value) in group.only(&["plies", "file", "order", "format", "start"])? {
        let place = format!("-openings, {key}");
        match key {
            "plies" => plies = Some(number(&place, value, 0..=MAX_PLIES as u64)? as usize),
            "file" => file = Some(PathBuf::from(value)),
            "start" => first = Some(number(&place, value, 1..=MAX_ROUNDS)? as usize),
            // Positions or moves on each line, whatever fastchess calls them.
            "format" if value == "epd" => {}
            "format" => {
                let expected = "epd, as each line of the file is an opening";
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
        (Some(plies), None) => Openings::Plies(plies),
        (None, Some(path)) => {
            let shuffled_by = random.then(|| seed_of(seed, SHUFFLING_STREAM));
            let mut read = Openings::read(AnyGame::start(game), &path, shuffled_by)?;
            read.begin_with(first.unwrap_or(1))?;
            read
        }
        (None, None) => return Err(group.error("neither", "file=FILE or plies=N").into()),
        (Some(_), Some(_)) => return Err(group.error("both", "file=FILE or plies=N").into()),
    };
    if clients && !matches!(openings, Openings::Plies(0)) {
        let found = "an opening for players with proto=tcp";
        return Err(group.error(found, "plies=0, as the protocol cannot send it").into());
    }
    Ok(openings)
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
fn port(group: &Group) -> Result<Option<u16>, ParseError> {
    if group.alone().is_ok() {
        return Ok(None);
    }
    let pairs = group.only(&["port"])?;
    let [(_, text)] = pairs[..] else { unreachable!("there is at least one, and each once") };
    Ok(Some(number("-board, port", text, 0..=u64::from(u16::MAX))? as u16))
}

/// The file of `-log`.
fn log_file(group: &Group) -> Result<LogFile, ParseError> {
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

/// The test of a match with these words, if they name one; nothing else of them is read.
pub fn test_of(words: &[String]) -> Option<SequentialTest> {
    let groups = groups(words).ok()?;
    groups.iter().find(|group| group.place == "-sprt").and_then(|group| sequential_test(group).ok())
}

/// The test of `-sprt`.
fn sequential_test(group: &Group) -> Result<SequentialTest, CommandError> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = Model::Normalized;
    for (key, value) in group.only(&["elo0", "elo1", "alpha", "beta", "model"])? {
        let place = format!("-sprt, {key}");
        let error = |expected| ParseError::new(&place, quoted(value), expected);
        let real = || value.parse::<f64>().map_err(|_| error("a number"));
        match key {
            "elo0" => elo0 = Some(real()?),
            "elo1" => elo1 = Some(real()?),
            "alpha" => alpha = real()?,
            "beta" => beta = real()?,
            _ => {
                model = match value {
                    "normalized" => Model::Normalized,
                    "logistic" => Model::Logistic,
                    _ => return Err(error("normalized or logistic").into()),
                }
            }
        }
    }
    let given = |elo: Option<f64>| elo.ok_or(group.error("only a part", "both elo0 and elo1"));
    SequentialTest::new(model, given(elo0)?, given(elo1)?, alpha, beta)
        .map_err(|error| CommandError::Usage(format!("-sprt: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_belongs_to_a_player() {
        let words = "-game murus -each st=1 -engine name=A -engine name=B timemargin=7 \
                     -engine name=C cmd=c proto=tcp -engine name=D cmd=d proto=tcp timemargin=5 \
                     -rounds 1";
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let options = Options::read(&words).unwrap();
        let margins = options.terms.entrants.iter().map(|entrant| entrant.margin.as_millis());
        assert_eq!(margins.collect::<Vec<_>>(), [100, 7, 0, 5]);
    }
}
