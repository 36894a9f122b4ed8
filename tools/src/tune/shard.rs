//! A part of the games of a run: those whose number is I modulo N, written `I/N`.
//!
//! The one idea: a game follows from its number alone, so N shards, wherever they are played, have
//! exactly the games that one run has.

use std::fmt;
use std::str::FromStr;

use alesia::game::{ParseError, quoted};

/// Max shards of a run.
const MAX_SHARDS: u32 = 10_000;

/// A shard. Games and shards are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// How many shards there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// The number of the game that has `place` games of the shard before it.
    pub fn number(self, place: usize) -> u64 {
        u64::from(self.index) + place as u64 * u64::from(self.count)
    }

    /// How many of the first `games` games are in the shard.
    pub fn games(self, games: usize) -> usize {
        games.saturating_sub(self.index as usize).div_ceil(self.count as usize)
    }

    /// As in the name of a file: `0of4`.
    pub fn in_name(self) -> String {
        format!("{}of{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Shard, ParseError> {
        let read = || {
            let (index, count) = text.split_once('/')?;
            let (index, count) = (index.parse().ok()?, count.parse().ok()?);
            (index < count && count <= MAX_SHARDS).then_some(Shard { index, count })
        };
        read().ok_or_else(|| {
            let expected = format!("I/N, I from 0 to N - 1 and N up to {MAX_SHARDS}, such as 0/4");
            ParseError::new("shard", quoted(text), expected)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_together_have_each_game_once() {
        for games in [0, 1, 3, 4, 5, 40, 41] {
            for count in [1, 2, 4, 7] {
                let mut numbers = Vec::new();
                for index in 0..count {
                    let shard: Shard = format!("{index}/{count}").parse().unwrap();
                    assert_eq!(shard.to_string(), format!("{index}/{count}"));
                    numbers.extend((0..shard.games(games)).map(|place| shard.number(place)));
                }
                numbers.sort_unstable();
                assert_eq!(numbers, (0..games as u64).collect::<Vec<u64>>(), "{games} {count}");
            }
        }
        assert_eq!("0/1".parse(), Ok(Shard::WHOLE));
    }

    #[test]
    fn rejects_bad_shards() {
        for text in ["", "1", "4/4", "0/0", "-1/4", "1/4/5", "1/x", "0/10001", " 1/4"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            let expected = format!("shard: found `{text}`, expected I/N, I from 0 to N - 1 and N ");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}
