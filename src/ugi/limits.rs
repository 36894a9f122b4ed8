//! The limits of a `go`.
//!
//! The one idea: a runner may name any mixture of limits; the earliest counts, and the result is
//! one [`Budget`].

use std::time::{Duration, Instant};

use super::Dialect;
use crate::game::{ParseError, Side, quoted};
use crate::search::clock::{Budget, Clock, MoveTime};

/// Longer times are cut to this (49 days), so that no deadline overflows the clock.
const LONGEST_MS: u64 = u32::MAX as u64;

/// The words that may follow `go`; any other one after `searchmoves` is a move.
const WORDS: [&str; 17] = [
    "searchmoves",
    "movetime",
    "nodes",
    "depth",
    "mate",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "perft",
];

/// The limits of a `go`; the earliest counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// For this move.
    pub move_time: Option<Duration>,
    /// Iterations or positions.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<usize>,
    /// The remaining time of White and of Black.
    pub remaining: [Option<Duration>; 2],
    /// Their increments per move.
    pub increments: [Duration; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Until a stop, and no earlier.
    pub infinite: bool,
    /// In the opponent's time: the limits count from the command `ponderhit`. In UCI alone.
    pub ponder: bool,
    /// The moves that may be played, as they were written; none: all legal ones.
    pub root_moves: Vec<String>,
}

impl Limits {
    /// Reads the words after `go`. The names of UCI (`wtime` and so on) are accepted too. Unknown
    /// words are ignored with a log line, as runners have words of their own. Nothing means until a
    /// stop, as do `ponder` and `searchmoves` without a limit.
    ///
    /// # Errors
    /// A number is missing, or no known limit would end the search.
    pub fn parse(dialect: Dialect, text: &str) -> Result<Limits, ParseError> {
        let mut limits = Limits::default();
        let mut limited = text.is_empty();
        limits.infinite = limited;
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let mut number = || {
                let value = words.next().unwrap_or("");
                let number = value.parse::<i64>().map_err(|_| {
                    ParseError::new(format!("go, {word}"), quoted(value), "a whole number")
                })?;
                // Some runners send negative times for clocks that have run out.
                Ok(number.max(0) as u64)
            };
            let time = |ms: u64| Duration::from_millis(ms.min(LONGEST_MS));
            match word {
                "movetime" => limits.move_time = Some(time(number()?)),
                "nodes" => limits.nodes = Some(number()?),
                "depth" => {
                    let plies = usize::try_from(number()?).unwrap_or(usize::MAX);
                    limits.depth = Some(plies.max(1));
                }
                "p1time" | "wtime" => limits.remaining[0] = Some(time(number()?)),
                "p2time" | "btime" => limits.remaining[1] = Some(time(number()?)),
                "p1inc" | "winc" => limits.increments[0] = time(number()?),
                "p2inc" | "binc" => limits.increments[1] = time(number()?),
                "movestogo" => {
                    limits.moves_to_go = Some(u32::try_from(number()?).unwrap_or(u32::MAX));
                }
                "infinite" => limits.infinite = true,
                "searchmoves" => {
                    let moves = || words.next_if(|word| !WORDS.contains(word));
                    limits.root_moves.extend(std::iter::from_fn(moves).map(str::to_owned));
                    if limits.root_moves.is_empty() {
                        return Err(ParseError::new("go, searchmoves", "nothing", "moves"));
                    }
                    continue;
                }
                "ponder" if dialect == Dialect::Uci => {
                    limits.ponder = true;
                    continue;
                }
                _ => {
                    log::warn!("go: ignored the unknown word {}", quoted(word));
                    continue;
                }
            }
            limited |= !word.ends_with("inc") && word != "movestogo";
        }
        let endless = limits.ponder || !limits.root_moves.is_empty();
        if endless && !limited {
            limits.infinite = true;
        }
        if limited || endless {
            return Ok(limits);
        }
        // A search without a limit might never be stopped.
        let expected = "movetime, nodes, depth, p1time and p2time, or infinite";
        Err(ParseError::new("go", quoted(text), expected))
    }

    /// What is searched with after limits that cannot be read: a second.
    pub fn unread() -> Limits {
        Limits { move_time: Some(Duration::from_secs(1)), ..Limits::default() }
    }

    /// The budget of a `go` that was read at `received`, where the game lasts at most
    /// `plies_to_come` more plies: `overhead` is subtracted from the time, and half of it is left
    /// however late the machine is. If only the opponent's clock is given, it is used. Only a stop
    /// ends an [`Limits::infinite`] search.
    pub fn budget(
        &self,
        received: Instant,
        side: Side,
        plies_to_come: usize,
        overhead: Duration,
    ) -> Budget<'static> {
        if self.infinite {
            return Budget::default();
        }
        let remaining = self.remaining[side as usize].or(self.remaining[!side as usize]);
        let increment = self.increments[side as usize];
        let on_clock = remaining.map(|remaining| {
            let clock = Clock { remaining, increment, moves_to_go: self.moves_to_go };
            let latest = Some(received + remaining.saturating_sub(overhead / 2));
            let share = clock.share(overhead, plies_to_come);
            Budget { latest, ..Budget::at_most_until(received + share) }
        });
        let by_move = self.move_time.map(|total| MoveTime::new(total, overhead).budget(received));
        let earliest = |moment: fn(&Budget) -> Option<Instant>| {
            on_clock.iter().chain(&by_move).filter_map(moment).min()
        };
        Budget {
            deadline: earliest(|budget| budget.deadline),
            latest: earliest(|budget| budget.latest),
            nodes: self.nodes,
            depth: self.depth,
            saves: on_clock.is_some(),
            ..Budget::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Result<Limits, String> {
        let text = text.strip_prefix("go").unwrap();
        Limits::parse(Dialect::Uci, text.trim()).map_err(|error| error.to_string())
    }

    #[test]
    fn limits_come_in_any_order_and_by_both_names() {
        let ms = Duration::from_millis;
        let clock = go("go p1inc 5 p2time 2000 p1time 1000 movestogo 7 p2inc 6").unwrap();
        assert_eq!(clock, go("go wtime 1000 btime 2000 winc 5 binc 6 movestogo 7").unwrap());
        assert_eq!(clock.remaining, [Some(ms(1000)), Some(ms(2000))]);
        assert_eq!((clock.increments, clock.moves_to_go), ([ms(5), ms(6)], Some(7)));
        assert!(go("go").unwrap().infinite && go("go infinite").unwrap().infinite);
        let pondering = go("go ponder nodes 7 searchmoves A1").unwrap();
        assert_eq!((pondering.nodes, pondering.ponder, pondering.infinite), (Some(7), true, false));
        assert_eq!(pondering.root_moves, ["A1"]);
        let endless = go("go ponder").unwrap();
        assert!(endless.ponder && endless.infinite);
        assert!(Limits::parse(Dialect::Ugi, "ponder").is_err(), "a word like any other");
        assert!(!Limits::parse(Dialect::Ugi, "ponder nodes 7").unwrap().ponder);
        assert_eq!(go("go wtime -40 btime 3").unwrap().remaining[0], Some(ms(0)));
        assert_eq!(go("go depth 5").unwrap().depth, Some(5));
        assert_eq!(go("go depth 0").unwrap().depth, Some(1));
    }

    #[test]
    fn moves_to_search_end_at_the_next_word_and_need_no_limit() {
        let two = go("go movetime 5 searchmoves e2e4 d2d4 nodes 7 searchmoves a2a3").unwrap();
        assert_eq!(two.root_moves, ["e2e4", "d2d4", "a2a3"]);
        assert_eq!((two.nodes, two.infinite), (Some(7), false));
        assert!(go("go searchmoves e2e4").unwrap().infinite);
        assert!(go("go searchmoves e2e4 winc 5").unwrap().infinite, "an increment is no limit");
        for line in ["go searchmoves", "go searchmoves nodes 7"] {
            let error = go(line).unwrap_err();
            assert_eq!(error, "go, searchmoves: found nothing, expected moves");
        }
    }

    #[test]
    fn time_is_saved_on_a_clock_alone() {
        let saves = |text: &str| {
            let ms = Duration::from_millis;
            go(text).unwrap().budget(Instant::now(), Side::White, 100, ms(1)).saves
        };
        assert!(saves("go wtime 1000 btime 1000"));
        assert!(saves("go wtime 1000 btime 1000 movetime 100"));
        assert!(!saves("go movetime 100") && !saves("go nodes 7"));
    }

    #[test]
    fn limits_without_an_end_or_a_number_are_refused() {
        assert_eq!(
            go("go movetime soon").unwrap_err(),
            "go, movetime: found `soon`, expected a whole number"
        );
        for line in ["go nodes", "go nodes 1.5", "go depth", "go winc 5", "go movestogo 4"] {
            assert!(go(line).unwrap_err().contains("expected"), "{line}");
        }
    }

    #[test]
    fn an_answer_leaves_half_of_the_overhead_before_the_time_is_over() {
        let now = Instant::now();
        let latest = |line: &str| {
            let overhead = Duration::from_millis(10);
            let budget = go(line).unwrap().budget(now, Side::White, 50, overhead);
            budget.latest.map(|latest| (latest - now).as_millis())
        };
        assert_eq!(latest("go movetime 100"), Some(95));
        assert_eq!(latest("go wtime 25010 btime 1"), Some(25_005), "a share may last longer");
        assert_eq!(latest("go wtime 25010 btime 1 movetime 100"), Some(95));
        assert_eq!(latest("go wtime 3 btime 1"), Some(0));
        assert_eq!(latest("go nodes 7"), None);
    }

    #[test]
    fn the_earliest_limit_counts() {
        let now = Instant::now();
        let deadline = |line: &str, side| {
            let budget = go(line).unwrap().budget(now, side, 50, Duration::from_millis(10));
            budget.deadline.map(|deadline| (deadline - now).as_millis())
        };
        assert_eq!(deadline("go movetime 100", Side::White), Some(90));
        assert_eq!(deadline("go movetime 4", Side::White), Some(3), "at most a quarter is kept");
        assert_eq!(deadline("go p1time 25010 p2time 10", Side::White), Some(990));
        assert_eq!(deadline("go p1time 25010 p2time 10", Side::Black), Some(0));
        assert_eq!(deadline("go p1time 25010", Side::Black), Some(990), "for want of its own");
        assert_eq!(deadline("go p1time 25010 movetime 100", Side::White), Some(90));
        assert_eq!(deadline("go infinite movetime 100", Side::White), None);
        let endless = go("go infinite nodes 5 depth 3 wtime 9").unwrap();
        let budget = endless.budget(now, Side::White, 50, Duration::ZERO);
        assert_eq!((budget.nodes, budget.depth, budget.saves), (None, None, false));
        let far = deadline("go movetime 9223372036854775807", Side::White);
        assert_eq!(far, Some(u128::from(LONGEST_MS) - 10));
    }
}
