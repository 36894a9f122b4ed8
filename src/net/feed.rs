//! The events of a game that is watched, as lines of text.
//!
//! The one idea: one type of event, wherever a game is played and wherever it is watched. Boards
//! and moves are plain text in it; its `Display` is a line that `FromStr` reads back. So a pipe,
//! the server of a page and a spectator in the same process see the same events.

use std::fmt::{self, Display, Write};
use std::str::FromStr;
use std::time::Duration;

use super::tournament::MoveText;
use crate::game::{Outcome, ParseError, Side, quoted};

/// The lines of a feed, for help texts.
pub const FORMAT: &str = "\
The feed of `alesia referee -gui` has one event per line; games are numbered from 1:
  game NUMBER TOTAL GAME MS BOARD      game NUMBER of TOTAL is open; MS per move; in the path
                                       of a definition %20 is a blank, %25 is %
  seated NUMBER White|Black ADDRESS    a player has joined
  left NUMBER                          the only player has left before the game
  started NUMBER MS                    White's first turn begins after a warm-up of MS
  thought NUMBER White|Black PLY INFO  analysis of the move after PLY plies: the lines of
                                       `alesia search`, separated by tabs
  moved NUMBER White|Black MOVE MS
  ended NUMBER White|Black|tie REASON";

/// The name of an unknown address.
const UNKNOWN_PEER: &str = "unknown";

/// Something that happens in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEvent {
    /// The game can be watched from now on.
    Opened {
        /// The number of all games.
        games: usize,
        /// The game that is played, as on the command line.
        game: String,
        /// Time for a move.
        move_time: Duration,
        /// The board at the start.
        board: String,
    },
    /// A player has joined.
    Seated {
        /// Its side.
        side: Side,
        /// Its address, if the connection still has one.
        peer: Option<String>,
    },
    /// White has left before its opponent joined; the seat is free again.
    Left,
    /// Both players are there.
    Started {
        /// The time until White's first turn.
        warm_up: Duration,
    },
    /// What a player thinks of a move that it has played or will play next.
    Thought {
        /// The player.
        side: Side,
        /// Plies played before the move.
        ply: usize,
        /// The lines of `alesia search`.
        info: String,
    },
    /// A legal move in time.
    Moved {
        /// Who moved.
        side: Side,
        /// The move in the game's own notation.
        text: MoveText,
        /// From sending `YOUR_TURN` to the arrival of the line; zero for a line that was early.
        elapsed: Duration,
    },
    /// The end.
    Ended {
        /// Who won.
        outcome: Outcome,
        /// Why, in words.
        reason: String,
    },
}

/// An event in one of several games: a line of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedLine {
    /// The number of the game, from 1.
    pub number: usize,
    /// What has happened in it.
    pub event: GameEvent,
}

impl FeedLine {
    /// The number of the game that a line is about, even where the rest cannot be read.
    pub fn number_in(line: &str) -> Option<usize> {
        line.split(' ').nth(1)?.parse().ok()
    }
}

/// Text without line ends, so that an event stays on one line.
struct OneLine<'a>(&'a str);

impl Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, part) in self.0.split(['\n', '\r']).enumerate() {
            f.write_str(if index > 0 { " " } else { "" })?;
            f.write_str(part)?;
        }
        Ok(())
    }
}

/// Writes lines with tabs between them.
pub struct Tabbed<W>(pub W);

impl<W: Write> Write for Tabbed<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.split_inclusive('\n').try_for_each(|part| match part.strip_suffix('\n') {
            Some(line) => self.0.write_str(line).and_then(|()| self.0.write_char('\t')),
            None => self.0.write_str(part),
        })
    }
}

impl Display for FeedLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let FeedLine { number, event } = self;
        match event {
            GameEvent::Opened { games, game, move_time, board } => {
                let ms = move_time.as_millis();
                let game = game.replace('%', "%25").replace(' ', "%20");
                write!(f, "game {number} {games} {game} {ms} {}", OneLine(board))
            }
            GameEvent::Seated { side, peer } => {
                let peer = peer.as_deref().unwrap_or(UNKNOWN_PEER);
                write!(f, "seated {number} {side} {peer}")
            }
            GameEvent::Left => write!(f, "left {number}"),
            GameEvent::Started { warm_up } => {
                write!(f, "started {number} {}", warm_up.as_millis())
            }
            GameEvent::Thought { side, ply, info } => {
                write!(f, "thought {number} {side} {ply} ")?;
                Tabbed(f).write_str(info)
            }
            GameEvent::Moved { side, text, elapsed } => {
                let ms = elapsed.as_micros() as f64 / 1000.0;
                write!(f, "moved {number} {side} {text} {ms}")
            }
            GameEvent::Ended { outcome, reason } => {
                write!(f, "ended {number} {outcome} {}", OneLine(reason))
            }
        }
    }
}

impl FromStr for FeedLine {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<FeedLine, ParseError> {
        let mut words = Words { rest: line };
        let event = words.next("an event")?;
        let number = words.number("the game's number")?;
        let event = match event {
            "game" => GameEvent::Opened {
                games: words.number("the number of games")?,
                game: words.next("a game")?.replace("%20", " ").replace("%25", "%"),
                move_time: words.milliseconds()?,
                board: words.rest.to_owned(),
            },
            "seated" => GameEvent::Seated {
                side: words.side()?,
                peer: Some(words.next("an address")?)
                    .filter(|&peer| peer != UNKNOWN_PEER)
                    .map(str::to_owned),
            },
            "left" => GameEvent::Left,
            "started" => GameEvent::Started { warm_up: words.milliseconds()? },
            "thought" => GameEvent::Thought {
                side: words.side()?,
                ply: words.number("plies")?,
                info: words.rest.replace('\t', "\n"),
            },
            "moved" => GameEvent::Moved {
                side: words.side()?,
                text: words.move_text()?,
                elapsed: words.elapsed()?,
            },
            "ended" => {
                GameEvent::Ended { outcome: words.outcome()?, reason: words.rest.to_owned() }
            }
            other => {
                let expected = "game, seated, left, started, thought, moved or ended";
                return Err(ParseError::new("event", quoted(other), expected));
            }
        };
        Ok(FeedLine { number, event })
    }
}

/// The rest of a line.
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a str, ParseError> {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        if word.is_empty() { Err(ParseError::new("line", "nothing", expected)) } else { Ok(word) }
    }

    fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, ParseError> {
        let word = self.next(expected)?;
        word.parse().map_err(|_| ParseError::new("line", quoted(word), expected))
    }

    fn milliseconds(&mut self) -> Result<Duration, ParseError> {
        self.number("milliseconds").map(Duration::from_millis)
    }

    /// Milliseconds and a fraction, to the microsecond.
    fn elapsed(&mut self) -> Result<Duration, ParseError> {
        let expected = "milliseconds";
        let word = self.next(expected)?;
        let ms = word.parse::<f64>().ok().filter(|ms| ms.is_finite() && *ms >= 0.0);
        let ms = ms.ok_or_else(|| ParseError::new("line", quoted(word), expected))?;
        Ok(Duration::from_micros((ms * 1000.0).round() as u64))
    }

    fn move_text(&mut self) -> Result<MoveText, ParseError> {
        let word = self.next("a move")?;
        MoveText::from(word).map_err(|_| ParseError::new("line", quoted(word), "a move"))
    }

    fn outcome(&mut self) -> Result<Outcome, ParseError> {
        match self.next("White, Black or tie")? {
            "White" => Ok(Outcome::Win(Side::White)),
            "Black" => Ok(Outcome::Win(Side::Black)),
            "tie" => Ok(Outcome::Draw),
            other => Err(ParseError::new("line", quoted(other), "White, Black or tie")),
        }
    }

    fn side(&mut self) -> Result<Side, ParseError> {
        match self.outcome()? {
            Outcome::Win(side) => Ok(side),
            Outcome::Draw => Err(ParseError::new("line", "tie", "White or Black")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The forms that other programs may write and read.
    #[test]
    fn the_lines_of_a_game() {
        for line in [
            "game 1 2 hadron3 500 .../.../... w 0",
            "seated 1 White 10.0.0.5:4711",
            "seated 1 Black unknown",
            "left 1",
            "started 1 30000",
            "thought 1 White 0 info depth 3 value 0.5 pv B1",
            "moved 1 White B1 12.5",
            "moved 1 Black A3 3",
            "ended 1 White Black disconnected",
            "ended 1 tie agreed",
        ] {
            let read: FeedLine = line.parse().unwrap();
            assert_eq!(read.to_string(), line);
            assert_eq!(FeedLine::number_in(line), Some(1));
        }
        let thought = "thought 7 Black 3 info move B1 visits 1\tinfo depth 1".parse().unwrap();
        let info = "info move B1 visits 1\ninfo depth 1".to_owned();
        let event = GameEvent::Thought { side: Side::Black, ply: 3, info };
        assert_eq!(FeedLine { number: 7, event }, thought);
    }

    #[test]
    fn rejects_bad_events() {
        for line in [
            "",
            "moved",
            "moved x White B1 1",
            "moved 1 White",
            "moved 1 tie B1 1",
            "moved 1 White B1 -1",
            "moved 1 White B1 NaN",
            "moved 1 White B1-and-much-too-long 1",
            "sung 1 White",
            "ended 1 nobody because",
            "started 1 soon",
        ] {
            assert!(line.parse::<FeedLine>().is_err(), "{line}");
        }
    }

    fn side() -> impl Strategy<Value = Side> {
        prop_oneof![Just(Side::White), Just(Side::Black)]
    }

    fn event() -> impl Strategy<Value = GameEvent> {
        let text = "[^\n\r]{0,40}";
        let micros = 0..1u64 << 40;
        prop_oneof![
            (any::<usize>(), "[a-z0-9 %./:]{1,20}", any::<u64>(), text).prop_map(
                |(games, game, ms, board)| {
                    let move_time = Duration::from_millis(ms);
                    GameEvent::Opened { games, game, move_time, board }
                }
            ),
            (side(), proptest::option::of("[0-9a-f:.]{1,40}"))
                .prop_map(|(side, peer)| GameEvent::Seated { side, peer }),
            Just(GameEvent::Left),
            any::<u64>().prop_map(|ms| GameEvent::Started { warm_up: Duration::from_millis(ms) }),
            (side(), any::<usize>(), "[^\t\r]{0,80}")
                .prop_map(|(side, ply, info)| GameEvent::Thought { side, ply, info }),
            (side(), "[!-~]{1,16}", micros).prop_map(|(side, text, micros)| {
                let text = MoveText::from(&text).unwrap();
                GameEvent::Moved { side, text, elapsed: Duration::from_micros(micros) }
            }),
            (prop_oneof![side().prop_map(Outcome::Win), Just(Outcome::Draw)], text)
                .prop_map(|(outcome, reason)| GameEvent::Ended { outcome, reason }),
        ]
    }

    proptest! {
        #[test]
        fn written_lines_are_read_back(number in any::<usize>(), event in event()) {
            let line = FeedLine { number, event };
            let text = line.to_string();
            prop_assert!(!text.contains('\n'), "{text:?}");
            prop_assert_eq!(text.parse(), Ok(line));
        }

        #[test]
        fn any_text_is_read_without_panic(
            word in "(game|seated|left|started|thought|moved|ended)?",
            rest in any::<String>(),
        ) {
            let line = format!("{word} {rest}");
            let _ = FeedLine::number_in(&line);
            let _ = line.parse::<FeedLine>();
            let _ = rest.parse::<FeedLine>();
        }

        /// Every event is one line.
        #[test]
        fn no_text_makes_a_second_line(reason in any::<String>()) {
            let event = GameEvent::Ended { outcome: Outcome::Draw, reason };
            let line = FeedLine { number: 1, event }.to_string();
            prop_assert!(!line.contains(['\n', '\r']));
        }
    }
}
