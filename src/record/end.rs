//! How a game ended: who won, what decided it, and that in words.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::named::named;
use crate::game::{Ending, Outcome};

named! {
    /// What decided a game.
    pub enum Cause ("cause", name) {
        /// A rule of the game.
        Rule = "rule",
        /// A limit of moves below that of the game.
        MoveLimit = "move-limit",
        /// The players' own scores, in a match of the lab.
        Adjudication = "adjudication",
        /// A player's move came too late.
        Time = "time",
        /// A player's move was illegal.
        IllegalMove = "illegal-move",
        /// A player's connection or program ended.
        Disconnect = "disconnect",
        /// A player said nothing.
        Stall = "stall",
        /// The word of a server, a person or another program: the game was not over by the rules.
        Reported = "reported",
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won.
    pub outcome: Outcome,
    /// What decided it.
    pub cause: Cause,
    /// The same in words.
    pub reason: String,
}

impl End {
    /// An end by the rules.
    pub fn by_rule(ending: Ending) -> End {
        End { outcome: ending.outcome, cause: Cause::Rule, reason: ending.rule.to_string() }
    }

    /// The end by the rules where they agree with a server or a person, else their word.
    pub fn as_said(outcome: Outcome, reason: String, ending: Option<Ending>) -> End {
        match ending.filter(|ending| ending.outcome == outcome) {
            Some(ending) => End::by_rule(ending),
            None => End { outcome, cause: Cause::Reported, reason },
        }
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'a> Deserialize<'a> for Cause {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Cause, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}
