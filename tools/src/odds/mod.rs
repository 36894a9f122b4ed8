//! `alesia-lab train odds`: by which factor of time the tree search is even with the plain
//! alpha-beta.
//!
//! The one idea: strength against engines with our own evaluation saturates or drifts with it. The
//! textbook player of `tools/plain` stays as it is, and time is a scale without an end.

mod staircase;

use std::io::{Write, stdout};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alesia::game::{Game, ParseError, Side, counted, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::end::Cause;
use alesia::record::game_record::{RecordedMove, Winner};
use alesia::search::size::Size;
use alesia::search::{EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia_match::players::entrant::{Entrant, Protocol};
use alesia_match::players::limit::{Clocks, Limit};
use alesia_match::players::{self, Player};
use alesia_match::run::adjudication::Adjudication;
use alesia_match::run::arbiter::{self, ArbiterSeat};
use alesia_match::run::opening::{Opening, Openings};
use alesia_match::run::seeds::seed_of;
use alesia_match::words::progress::Progress;
use clap::Args;

use staircase::{Even, Staircase};

/// Random plies before a game.
const OPENING_PLIES: usize = 4;
/// What a move may need more than its time: no game is lost by a busy machine.
const MARGIN: Duration = Duration::from_secs(10);
/// Max milliseconds of `--times` and `--longest`.
const MAX_TIME: u64 = 60_000;

const LINES: &str = "\
The tree search plays with each of the --times. The plain alpha-beta has a multiple of it, at most
--longest, which follows the results: each pair of games (one opening, both sides) is played where
the two seem to be even. At the end a line for each time:

even at 1/N of its time (A to B) with 10 ms a move: 21.5 of 40 points

N is the factor, A to B its 95 % interval. Where the two are not even at any factor that can be
tried, N is a bound, and the line begins with `even below` (the tree search is ahead with the
smallest part of the time) or `even above` (it is behind with equal time). `-` is an end of the
interval that cannot be tried. The lines before say how long moves took, and how many positions a
second the plain alpha-beta searched.";

/// The arguments of `alesia-lab train odds`.
#[derive(Args)]
#[command(after_help = LINES)]
pub struct Odds {
    /// The game.
    #[arg(value_parser = GameSpec::open)]
    game: GameSpec,
    /// Times of the tree search for a move, in ms.
    #[arg(long, value_name = "MS,…", value_delimiter = ',', default_value = "1000,100,10", value_parser = clap::value_parser!(u64).range(1..=MAX_TIME))]
    times: Vec<u64>,
    /// Max time of the plain alpha-beta for a move, in ms.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MAX_TIME))]
    longest: u64,
    /// Pairs of games for each time.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Memory of each player.
    #[arg(long, value_name = "SIZE", default_value = "64MiB")]
    memory: Size,
}

/// The two players, ours first.
type Players = [Box<dyn Player>; 2];

/// Milliseconds, moves and positions of a player.
#[derive(Clone, Copy, Default)]
struct Work {
    ms: f64,
    moves: u64,
    nodes: u64,
}

impl Work {
    fn add(&mut self, m: &RecordedMove) {
        self.ms += m.ms.unwrap_or_default();
        self.moves += 1;
        self.nodes += m.thought.nodes.unwrap_or_default();
    }
}

impl Odds {
    pub fn run(&self) -> Result<(), CommandError> {
        let start = AnyGame::start(self.game);
        if !alesia_plain::alphabeta::plays(start.name(), &self.game.setup()) {
            let expected = "one of the four games, by its usual rules";
            let found = quoted(&self.game.to_string());
            return Err(ParseError::new("game", found, expected).into());
        }
        if let Some(time) = self.times.iter().find(|time| **time > self.longest) {
            let expected = format!("at most --longest, {} ms", self.longest);
            return Err(ParseError::new("--times", time.to_string(), expected).into());
        }
        let openings = Openings::Plies(OPENING_PLIES);
        let mut players = self.players(start)?;
        let mut lines = Vec::new();
        for &time in &self.times {
            lines.push(self.measure(start, &openings, &mut players, time)?);
        }
        let mut out = stdout().lock();
        lines.iter().try_for_each(|line| writeln!(out, "{line}")).map_err(Into::into)
    }

    fn players(&self, start: AnyGame) -> Result<Players, CommandError> {
        let memory = self.memory.bytes();
        let options = EngineOptions { memory, ..EngineOptions::default() };
        let ours = Protocol::Internal { kind: EngineKind::MonteCarlo, options };
        let [ours, plain] = [("tree search", ours), ("plain", Protocol::Plain { memory })].map(
            |(name, protocol)| {
                let limit = Limit::MoveTime(Duration::from_millis(self.longest));
                let (name, restart) = (name.to_owned(), false);
                let entrant = Entrant { name, protocol, limit, margin: MARGIN, restart };
                players::build(start, self.game, &entrant)
            },
        );
        Ok([ours?, plain?])
    }

    /// Plays the pairs of one of our times; the last line that says what was found.
    fn measure(
        &self,
        start: AnyGame,
        openings: &Openings,
        players: &mut Players,
        time: u64,
    ) -> Result<String, CommandError> {
        let largest = self.longest as f64 / time as f64;
        let mut staircase = Staircase::new(largest);
        let (mut work, mut halves) = ([Work::default(); 2], 0);
        let mut progress = Progress::new("Pairs", u64::from(self.pairs));
        for pair in 0..self.pairs {
            let opening = openings.of_round(start, self.seed, pair)?;
            let factor = staircase.next();
            let ours = Duration::from_millis(time);
            let times = [ours, ours.mul_f64(factor)];
            let seed = seed_of(self.seed, 2 * u64::from(pair) + 1);
            let mut scored = 0;
            for side in [Side::White, Side::Black] {
                scored += play(&opening, players, side, times, seed, &mut work)?;
            }
            staircase.add(factor, scored);
            halves += scored;
            progress.each(u64::from(pair) + 1, || {
                let points = f64::from(scored) / 2.0;
                format!("{time} ms against {time} × {factor:.2} ms: {points} of 2 points")
            });
        }
        progress.end();
        let [ours, plain] = work;
        let mean = |work: Work| work.ms / work.moves.max(1) as f64;
        writeln!(
            stdout(),
            "{} with {time} ms a move: the tree search took {:.1} ms, the plain alpha-beta {:.1} \
             ms, {:.0} positions a second",
            self.game,
            mean(ours),
            mean(plain),
            1000.0 * plain.nodes as f64 / plain.ms.max(f64::MIN_POSITIVE),
        )?;
        let even = said(staircase.even(), largest);
        let points = f64::from(halves) / 2.0;
        Ok(format!("{even} with {time} ms a move: {points} of {} points", 2 * self.pairs))
    }
}

/// Plays a game with us on a side: our half points. Adds what both did, ours first.
fn play(
    opening: &Opening,
    players: &mut Players,
    side: Side,
    times: [Duration; 2],
    seed: u64,
    work: &mut [Work; 2],
) -> Result<u32, CommandError> {
    let [ours, plain] = players;
    let seat = |player, seed| ArbiterSeat { player, margin: MARGIN, seed };
    let mut seats = [seat(&mut **ours, seed), seat(&mut **plain, !seed)];
    let mut limits = times.map(Limit::MoveTime);
    if side == Side::Black {
        seats.reverse();
        limits.reverse();
    }
    let (clocks, stop) = (Clocks::new(limits), AtomicBool::new(false));
    let played = arbiter::play(opening, &mut seats, clocks, Adjudication::default(), &stop, None);
    let played = played.map_err(|error| CommandError::Failed(error.1))?;
    let (ruling, moves) = played.expect("nobody stops it");
    if ruling.cause != Cause::Rule {
        let after = counted(moves.len(), "move");
        return Err(CommandError::Failed(format!("a game ended after {after}: {}", ruling.reason)));
    }
    let ours_first = usize::from(opening.state.position.side() != side);
    for (number, m) in moves.iter().enumerate() {
        work[(number + ours_first) % 2].add(m);
    }
    Ok(match ruling.result {
        Winner::Nobody => 1,
        Winner::White => 2 * u32::from(side == Side::White),
        Winner::Black => 2 * u32::from(side == Side::Black),
    })
}

/// What was found, within the factors from 1 to `largest`.
fn said(even: Even, largest: f64) -> String {
    let within = |factor: f64| (1.0..=largest).contains(&factor);
    let number = |factor: f64| match factor {
        _ if factor < 9.95 => format!("{factor:.1}").trim_end_matches(".0").to_owned(),
        _ => format!("{factor:.0}"),
    };
    let bound = |factor: f64| if within(factor) { number(factor) } else { "-".to_owned() };
    let word = match even.factor {
        factor if factor > largest => "below",
        factor if factor < 1.0 => "above",
        _ => "at",
    };
    let (factor, from, to) = (even.factor.clamp(1.0, largest), even.from, even.to);
    let from = if from > largest { number(largest) } else { bound(from) };
    let to = if to < 1.0 { number(1.0) } else { bound(to) };
    format!("even {word} 1/{} of its time ({from} to {to})", number(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stand_where_the_players_are_even_at_no_factor() {
        for (factor, from, to, largest, expected) in [
            (12.3, 7.96, 19.0, 100.0, "even at 1/12 of its time (8 to 19)"),
            (60.0, 30.0, 130.0, 100.0, "even at 1/60 of its time (30 to -)"),
            (200.0, 80.0, 900.0, 100.0, "even below 1/100 of its time (80 to -)"),
            (200.0, 120.0, 900.0, 100.0, "even below 1/100 of its time (100 to -)"),
            (0.5, 0.2, 1.25, 100.0, "even above 1/1 of its time (- to 1.2)"),
            (0.2, 0.1, 0.3, 10.0, "even above 1/1 of its time (- to 1)"),
            (3.0, 0.8, 9.0, 1.0, "even below 1/1 of its time (- to -)"),
        ] {
            assert_eq!(said(Even { factor, from, to }, largest), expected);
        }
    }
}
