//! A match as the command line describes it.

use std::collections::HashSet;
use std::ops::Range;

use alesia::game::{ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};

use super::opening_options::{book_of, game, game_of_options, openings};
use super::output_options::{GameLines, RecordOutput, game_lines, log_file, port, record_output};
use super::quick;
use crate::players::entrant::{Entrant, Protocol};
use crate::players::limit::Limit;
use crate::run::adjudication::{Adjudication, Draw, Resign};
use crate::run::schedule::{Schedule, Tournament};
use crate::run::terms::Terms;
use crate::statistics::{Model, SequentialTest};
use crate::words::grammar::{Group, groups, number};
use crate::words::logging::LogFile;
use alesia::record::game_record::Occasion;
use alesia::words::command_error::CommandError;

/// Max rounds, so that games, too, are counted in 32 bits.
pub const MAX_ROUNDS: u64 = 1_000_000_000;

/// Max players, each of whom meets every other.
pub const MAX_PLAYERS: usize = 1000;

/// The options of a match: its games, and its output.
#[derive(Debug)]
pub struct Options {
    pub terms: Terms,
    /// What ends the match early.
    pub test: Option<SequentialTest>,
    /// Pairs of games between two result blocks.
    pub rating_interval: Option<u64>,
    /// What is printed of each game.
    pub game_lines: GameLines,
    /// Where game records go.
    pub records: Vec<RecordOutput>,
    /// Whether game records go to standard output, instead of a result.
    pub json_lines: bool,
    pub log: Option<LogFile>,
    /// Whether games are shown on a page, and on which port.
    pub board: Option<Option<u16>>,
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
        let book = find("-openings").map(book_of).transpose()?.flatten();
        let by_options = game_of_options(&groups);
        let game = game(find("-game"), find("-variant"), by_options.as_deref(), book.as_deref())?;
        let entrants = entrants(&groups, find("-each"), game)?;
        let tournament = tournament(find("-tournament"), find("-seeds"), entrants.len())?;
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
        let game_lines = game_lines(&groups)?;
        if json_lines && game_lines != GameLines::None {
            let expected = "only one of -jsonl, -output and -testEnv";
            return Err(ParseError::new("-jsonl", "lines for each game too", expected).into());
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
            game_lines,
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
    let mut entrants = engines
        .iter()
        .map(|group| Entrant::read(group, each, game))
        .collect::<Result<Vec<Entrant>, ParseError>>()?;
    if let Some(guest) = entrants.iter().find_map(|entrant| entrant.protocol.guest()) {
        let expected = "cmd=PROGRAM, as players that come by themselves are for tournament --host";
        return Err(ParseError::new(format!("-engine {}", guest.name), "port or from", expected));
    }
    number_unnamed(&mut entrants, &engines);
    check_names(&entrants, "-engine")?;
    Ok(entrants)
}

/// Numbers programs that have no name of their own and the same file name as one before.
fn number_unnamed(entrants: &mut [Entrant], engines: &[Group]) {
    for index in 1..entrants.len() {
        let is_named = engines[index].values().iter().any(|value| value.starts_with("name="));
        let own = entrants[index].name.clone();
        let numbered = (2..).map(|number| format!("{own} {number}"));
        let is_free = |name: &String| entrants[..index].iter().all(|other| other.name != *name);
        let free = std::iter::once(own.clone()).chain(numbered).find(is_free);
        if let Some(free) = free.filter(|_| !is_named) {
            entrants[index].name = free;
        }
    }
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
    let one = ["1".to_owned()];
    let by_default = Group::of("-rounds".into(), &one);
    // As in cutechess, where the number of games alone is one round.
    let is_alone = find("-games").is_some() && rounds.is_none() && part.is_none();
    let rounds = if is_alone { Some(&by_default) } else { rounds };
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

fn tournament(
    group: Option<&Group>,
    seeds: Option<&Group>,
    players: usize,
) -> Result<Tournament, ParseError> {
    let word = group.map_or(Ok("roundrobin"), Group::value)?;
    match (word, seeds, group) {
        ("gauntlet", None, _) => Ok(Tournament::Gauntlet(1)),
        ("gauntlet", Some(seeds), _) => {
            Ok(Tournament::Gauntlet(seeds.number(1..=players as u64 - 1)? as usize))
        }
        ("roundrobin", None, _) => Ok(Tournament::RoundRobin),
        ("roundrobin", Some(seeds), _) => {
            Err(seeds.error("no gauntlet", "-tournament gauntlet beside it"))
        }
        (other, _, group) => {
            let place = group.map_or("-tournament", |group| &group.place);
            Err(ParseError::new(place, quoted(other), "roundrobin or gauntlet"))
        }
    }
}

/// Returns whether there are clients of the referee, and checks that all players then have the same
/// time.
pub fn check_times(entrants: &[Entrant]) -> Result<bool, ParseError> {
    if !entrants.iter().any(|entrant| entrant.protocol.is_client()) {
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
            (protocol, _) if protocol.is_client() => {
                "st=SECONDS with proto=tcp or proto=relay, the same for all"
            }
            _ => "the st=SECONDS of the players with proto=tcp or relay, or nodes=N or depth=N",
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
