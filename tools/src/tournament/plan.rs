//! A tournament from its file: the players, the draw of lots, the schedule.
//!
//! The one idea: everything follows from the file and the seed of the draw, which is recorded; so
//! everybody can check that the lots were fair, and an interrupted tournament can continue.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr};

use alesia::game::ParseError;
use alesia::game::chance::Chance;
use alesia::games::{AnyGame, GameSpec};
use alesia::net::tournament::DEFAULT_PORT;
use alesia::words::command_error::CommandError;
use alesia_match::command::options::{MAX_PLAYERS, check_names, check_times};
use alesia_match::players::entrant::Entrant;
use alesia_match::words::grammar::Group;
use serde::Deserialize;

use crate::toml_file;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// What the pages are headed by.
    #[serde(default)]
    title: Option<String>,
    game: String,
    /// Number of separate groups.
    #[serde(default)]
    groups: Option<usize>,
    /// Seed of the draw of lots.
    #[serde(default)]
    draw: Option<u64>,
    /// A tie after this many moves of each player.
    #[serde(default)]
    max_moves: Option<u32>,
    #[serde(default)]
    concurrency: Option<usize>,
    /// When the second games of two players come: `next` or `last`.
    #[serde(default)]
    returns: Returns,
    #[serde(default)]
    host: Option<Host>,
    /// What all players have, where they do not say otherwise.
    #[serde(default)]
    each: BTreeMap<String, toml::Value>,
    /// The players.
    #[serde(default)]
    player: Vec<BTreeMap<String, toml::Value>>,
}

/// When two players meet again.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Returns {
    /// At once.
    #[default]
    Next,
    /// When all have met all.
    Last,
}

/// Where the server of a tournament listens.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    #[serde(default = "Host::all_interfaces")]
    pub bind: IpAddr,
    /// The port of players that are known by their machine.
    #[serde(default = "Host::usual_port")]
    pub port: u16,
}

impl Host {
    fn all_interfaces() -> IpAddr {
        Ipv4Addr::UNSPECIFIED.into()
    }

    fn usual_port() -> u16 {
        DEFAULT_PORT
    }
}

impl Default for Host {
    fn default() -> Host {
        Host { bind: Host::all_interfaces(), port: Host::usual_port() }
    }
}

/// A tournament.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the pages are headed by.
    pub title: String,
    pub game: GameSpec,
    /// The players, in the file's order.
    pub players: Vec<Entrant>,
    pub draw: u64,
    /// The players' numbers in the order of their lots, by group.
    pub groups: Vec<Vec<usize>>,
    /// Who meets whom in each round, White in the first game first.
    pub rounds: Vec<Vec<[usize; 2]>>,
    /// A tie after this many moves of each player.
    pub max_moves: Option<u32>,
    pub concurrency: usize,
    pub returns: Returns,
    pub host: Host,
}

impl Plan {
    /// Reads a file's text; `draw` is the seed of the draw where the file does not say, and
    /// `hosted` whether players may come by themselves.
    ///
    /// # Errors
    /// The first thing that is unusable.
    pub fn read(text: &str, place: &str, draw: u64, hosted: bool) -> Result<Plan, CommandError> {
        let file: File = toml_file::read(text, place, "a tournament")?;
        let game = GameSpec::open(&file.game).map_err(|error| error.within(place))?;
        let count = file.player.len();
        let groups = file.groups.unwrap_or(1);
        if count > MAX_PLAYERS || groups == 0 || count / 2 < groups {
            let found = format!("{count} players in {groups} groups");
            let expected = format!("two players or more in each, at most {MAX_PLAYERS}");
            return Err(ParseError::new(place, found, expected).into());
        }
        let each = words(&file.each);
        let each = (!each.is_empty()).then(|| Group::of(format!("{place}, [each]"), &each));
        let players = (1..).zip(&file.player).map(|(number, table)| {
            let words = words(table);
            Entrant::read(
                &Group::of(format!("{place}, player {number}"), &words),
                each.as_ref(),
                game,
            )
        });
        let players = players.collect::<Result<Vec<Entrant>, ParseError>>()?;
        let mut guests = players.iter().filter_map(|player| player.protocol.guest());
        match (guests.next(), hosted) {
            (Some(guest), false) => {
                let place = format!("{place}, [[player]] {}", guest.name);
                let expected = "cmd=PROGRAM, or `alesia-lab tournament --host`, which lets it come";
                return Err(ParseError::new(place, "a player without a program", expected).into());
            }
            (None, _) if file.host.is_some() || hosted => {
                let expected = "one with port=N or from=ADDRESS, which comes by itself";
                return Err(ParseError::new(place, "no player to host", expected).into());
            }
            _ => {}
        }
        check_names(&players, &format!("{place}, [[player]]"))?;
        let clients = check_times(&players).map_err(|error| error.within(place))?;
        if clients && file.max_moves.is_some() && !AnyGame::start(game).has_draws() {
            let found = format!("max_moves with proto=tcp in {game}");
            let expected = "no limit, as the protocol of that game has no word for a tie";
            return Err(ParseError::new(place, found, expected).into());
        }
        let draw = file.draw.unwrap_or(draw);
        let groups = draw_lots(count, groups, draw);
        // All machines play at once, as each has one game at a time.
        let concurrency = file.concurrency.unwrap_or(if hosted { count / 2 } else { 1 });
        if concurrency == 0 || file.max_moves == Some(0) {
            let expected = "at least 1 for concurrency and max_moves";
            return Err(ParseError::new(place, "0", expected).into());
        }
        Ok(Plan {
            title: file.title.unwrap_or_else(|| format!("Tournament of {}", file.game)),
            game,
            rounds: calendar(&groups),
            groups,
            players,
            draw,
            max_moves: file.max_moves,
            concurrency,
            returns: file.returns,
            host: file.host.unwrap_or_default(),
        })
    }

    pub fn games(&self) -> usize {
        2 * self.rounds.iter().map(Vec::len).sum::<usize>()
    }

    /// The draw in words: each group's players in the order of their lots, then the calendar.
    pub fn describe(&self) -> String {
        let mut text = format!("draw of lots, seed {}\n", self.draw);
        // Writing to a string cannot fail.
        for (number, group) in (1..).zip(&self.groups) {
            let names: Vec<&str> = group.iter().map(|&p| self.players[p].name.as_str()).collect();
            let _ = writeln!(text, "group {number}: {}", names.join(", "));
        }
        for (number, round) in (1..).zip(&self.rounds) {
            let _ = writeln!(text, "round {number}");
            for [first, second] in round.iter().map(|pair| pair.map(|p| &self.players[p].name)) {
                let _ = match self.returns {
                    Returns::Next => writeln!(text, "    {first} - {second}, {second} - {first}"),
                    Returns::Last => writeln!(text, "    {first} - {second}"),
                };
            }
        }
        if self.returns == Returns::Last {
            text += "then the same rounds with the colours exchanged\n";
        }
        text
    }
}

/// A table's keys and values in the grammar of `-engine`, with `option` as a table.
fn words(table: &BTreeMap<String, toml::Value>) -> Vec<String> {
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut words = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(options) if key == "option" => {
                words.extend(
                    options.iter().map(|(key, value)| format!("option.{key}={}", text(value))),
                );
            }
            value => words.push(format!("{key}={}", text(value))),
        }
    }
    words
}

/// Draws the groups and their order: a shuffled deck, dealt out.
fn draw_lots(players: usize, groups: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut deck: Vec<usize> = (0..players).collect();
    fastrand::Rng::with_seed(seed).mix(&mut deck);
    let hand = |group: usize| deck.iter().copied().skip(group).step_by(groups).collect();
    (0..groups).map(hand).collect()
}

/// The rounds of all groups, in which everyone meets everyone of its group once, by the circle
/// method (Schurig 1886): the first player stays, the others move on by one place a round.
fn calendar(groups: &[Vec<usize>]) -> Vec<Vec<[usize; 2]>> {
    let mut rounds: Vec<Vec<[usize; 2]>> = Vec::new();
    for group in groups {
        let mut circle: Vec<Option<usize>> = group.iter().copied().map(Some).collect();
        if circle.len() % 2 == 1 {
            // A player without an opponent has a bye.
            circle.push(None);
        }
        let size = circle.len();
        for round in 0..size - 1 {
            if rounds.len() == round {
                rounds.push(Vec::new());
            }
            for place in 0..size / 2 {
                let (Some(one), Some(other)) = (circle[place], circle[size - 1 - place]) else {
                    continue;
                };
                // Who has White first changes from round to round.
                let pair = if (round + place) % 2 == 0 { [one, other] } else { [other, one] };
                rounds[round].push(pair);
            }
            circle[1..].rotate_right(1);
        }
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const FILE: &str = "
        game = \"hadron5\"
        groups = 2
        draw = 7
        [each]
        st = 0.1
        option = { engine = \"random\", memory = \"1MiB\" }
        [[player]]
        name = \"A\"
        [[player]]
        name = \"B\"
        nodes = 5
        [[player]]
        name = \"C\"
        [[player]]
        name = \"D\"
        option.engine = \"alphabeta\"
        [[player]]
        name = \"E\"
        cmd = \"./e\"
    ";

    #[test]
    fn a_file_is_read() {
        let file = FILE.replace("cmd = \"./e\"", "");
        let plan = Plan::read(&file, "cup.toml", 1, false).unwrap();
        let names: Vec<&str> = plan.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["A", "B", "C", "D", "E"]);
        assert_eq!((plan.draw, plan.groups.len(), plan.concurrency), (7, 2, 1));
        assert_eq!(plan.players[1].limit.to_string(), "5 nodes");
        assert_eq!(plan.players[2].limit.to_string(), "0.1/move");
        let without = file.replace("draw = 7", "");
        assert_eq!(Plan::read(&without, "cup.toml", 1, false).unwrap().draw, 1);
    }

    #[test]
    fn errors_name_their_place() {
        let cases = [
            (FILE.to_owned(), "-engine E: found"),
            (FILE.replace("groups = 2", "groups = 3"), "cup.toml: found 5 players in 3 groups,"),
            (
                FILE.replace("groups = 2", "rings = 2"),
                "cup.toml, line 3: found `        rings = 2`",
            ),
            (FILE.replace("\"hadron5\"", "\"chess\""), "cup.toml, game: found `chess`, expected"),
            (FILE.replace("nodes = 5", "nodes = 0"), "cup.toml, player 2, nodes: found `0`"),
            (FILE.replace("\"B\"", "\"A\""), "cup.toml, [[player]], name: found `A` twice"),
            (FILE.replace("st = 0.1", "st ="), "cup.toml, line 6: found"),
        ];
        for (text, expected) in cases {
            let text = if text == FILE { text } else { text.replace("cmd = \"./e\"", "") };
            let error = match Plan::read(&text, "cup.toml", 1, false) {
                Err(error) => error.to_string(),
                // A program has no option that is the engine's here; that shows when it starts.
                Ok(_) if text == FILE => continue,
                Ok(plan) => panic!("{plan:?}"),
            };
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn everyone_meets_everyone_of_its_group_once() {
        for players in 2..12 {
            for groups in 1..=players / 2 {
                let lots = draw_lots(players, groups, 3);
                let mut all: Vec<usize> = lots.concat();
                all.sort();
                assert_eq!(all, (0..players).collect::<Vec<_>>());
                let sizes = lots.iter().map(Vec::len);
                assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
                let rounds = calendar(&lots);
                let mut met = HashSet::new();
                for round in &rounds {
                    let busy: HashSet<usize> = round.iter().flatten().copied().collect();
                    assert_eq!(busy.len(), 2 * round.len(), "no player is at two boards");
                    met.extend(round.iter().map(|&[a, b]| [a.min(b), a.max(b)]));
                }
                let expected: usize =
                    lots.iter().map(|group| group.len() * (group.len() - 1) / 2).sum();
                assert_eq!((met.len(), rounds.concat().len()), (expected, expected));
            }
        }
    }

    #[test]
    fn lots_follow_from_the_seed() {
        assert_eq!(draw_lots(9, 2, 5), draw_lots(9, 2, 5));
        assert_ne!(draw_lots(9, 2, 5), draw_lots(9, 2, 6));
    }
}
