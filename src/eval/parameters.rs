//! The numbers of the tree search that are chosen by measurement.
//!
//! The one idea: a parameter is defined once, as an entry of one table: name, type, range, default
//! and a sentence. `--set`, the UGI options and the help follow from it, and a test compares the
//! documentation; a game gives only its differences
//! ([`Evaluate::TUNING`](crate::eval::Evaluate::TUNING)).

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::game::{ParseError, alternatives, quoted};

/// A parameter as it is shown to people.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name on the command line and in UGI.
    pub name: &'static str,
    /// What it does, in a sentence or two.
    pub about: &'static str,
    /// Its range, such as `a number from 0 to 1`.
    pub range: String,
    /// The value of games without their own.
    pub default: String,
    /// The least and the greatest value.
    pub bounds: [f64; 2],
    /// Whether it is a whole number.
    pub is_whole: bool,
}

/// A type of parameters.
trait Number: Copy + PartialOrd + fmt::Display + FromStr + Into<f64> {
    /// Its name in an error.
    const KIND: &'static str;
    /// Whether only whole numbers are of it.
    const WHOLE: bool;
}

impl Number for f32 {
    const KIND: &'static str = "a number";
    const WHOLE: bool = false;
}

impl Number for u32 {
    const KIND: &'static str = "a whole number";
    const WHOLE: bool = true;
}

fn describe<T: Number>(range: &RangeInclusive<T>) -> String {
    format!("{} from {} to {}", T::KIND, range.start(), range.end())
}

fn parse<T: Number>(name: &str, text: &str, range: &RangeInclusive<T>) -> Result<T, ParseError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| ParseError::new(name, quoted(text), describe(range)))
}

macro_rules! parameters {
    ($($name:ident: $type:ty = $default:literal, $range:expr, $($about:literal)+;)+) => {
        /// How a tree is grown.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Parameters {
            $(#[doc = concat!($($about),+)] pub $name: $type,)+
        }

        impl Parameters {
            /// The values of a game unless its tuning changes them.
            pub const DEFAULT: Parameters = Parameters { $($name: $default,)+ };

            /// The names of all parameters, in the order of the table.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)+];

            /// The whole table.
            pub fn table() -> Vec<Entry> {
                vec![$(Entry {
                    name: stringify!($name),
                    about: concat!($($about),+),
                    range: describe::<$type>(&$range),
                    default: Parameters::DEFAULT.$name.to_string(),
                    bounds: [*$range.start(), *$range.end()].map(<$type>::into),
                    is_whole: <$type>::WHOLE,
                },)+]
            }

            /// All values, as [`Parameters::set`] accepts them.
            pub fn values(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
                [$((stringify!($name), self.$name.to_string()),)+].into_iter()
            }

            fn set_named(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
                match name {
                    $(stringify!($name) => self.$name = parse(name, value, &$range)?,)+
                    _ => return Err(ParseError::new("parameter", quoted(name), alternatives(Parameters::NAMES))),
                }
                Ok(())
            }
        }
    };
}

parameters! {
    exploration: f32 = 1.0, 0.0..=100.0,
        "PUCT's exploration constant.";
    exploration_floor: f32 = 0.01, 0.0..=1.0,
        "Lower limit of exploration per visit of the parent, which falls as 1 / √visits; 0: none.";
    ahead_discount: f32 = 0.0, 0.0..=1.0,
        "Max reduction of exploration, as a share: all of it at a sure win or loss, none in an "
        "even position.";
    first_play_reduction: f32 = 0.1, 0.0..=1.0,
        "First-play urgency: the assumed value of an unvisited child is its parent's minus this.";
    playout_plies: u32 = 0, 0..=200,
        "Number of random plies played from a leaf before it is evaluated.";
    policy_power: u32 = 3, 1..=4,
        "Policy temperature: priors are raised to the power n/4; lower is flatter.";
    prior_noise: f32 = 0.5, 0.0..=1.0,
        "Width of the random change of each prior, as a share of it (0.5: up to ± 25 %), so that "
        "threads and trees differ.";
    expand_visits: u32 = 2, 2..=1_048_576,
        "Visits at which a leaf gets children; more when the memory is nearly full.";
    batch_visits: u32 = 64, 1..=4_294_967_295,
        "A child with n times this many visits gets n iterations in one batch.";
    max_child_share: f32 = 0.1, 0.0..=1.0,
        "The max child (best mean) is played instead of the robust child (most visits) if it has at "
        "least this share of the robust child's visits; 1: never.";
    first_children: u32 = 8, 1..=256,
        "Progressive unpruning: number of children that a node gets at first, by prior. The number "
        "doubles when the next child would be selected. Fewer as the memory fills.";
    transpositions: u32 = 1, 0..=1,
        "1: nodes of the same position share their children; 0: they do not.";
    quiescence_plies: u32 = 0, 0..=200,
        "Max plies of the quiescence search at a leaf (noisy moves and answers to threats), in "
        "games that have one.";
    oracle_depth: u32 = 0, 0..=200,
        "Depth of the oracle, a search for a proven result at a new leaf, in games that have one.";
    history_factor: f32 = 0.0, 0.0..=1000.0,
        "Progressive history: a prior is multiplied by exp(this · s), where s is how much better "
        "than expected its move was on average elsewhere in the search.";
}

impl Parameters {
    /// Sets one parameter, written `name=value`.
    ///
    /// # Errors
    /// There is no parameter of that name, or the value is outside its range; nothing is changed.
    pub fn set(&mut self, assignment: &str) -> Result<(), ParseError> {
        let (name, value) = assignment.split_once('=').ok_or_else(|| {
            let expected = "a name and a value such as exploration=0.9";
            ParseError::new("parameter", quoted(assignment), expected)
        })?;
        self.set_named(name.trim(), value.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::for_each_game;
    use crate::game::{Game, MAX_MOVES};
    use crate::games::voidrider::TOURNAMENT_PLIES;

    #[test]
    fn every_parameter_is_set_by_its_name_within_its_range() {
        let mut parameters = Parameters::DEFAULT;
        for entry in Parameters::table() {
            let (kind, range) = entry.range.split_once(" from ").unwrap();
            let (least, most) = range.split_once(" to ").unwrap();
            for value in [least, most, &entry.default] {
                parameters.set(&format!("{} = {value}", entry.name)).unwrap();
                let found = parameters.values().find(|(name, _)| *name == entry.name).unwrap().1;
                assert_eq!(found.parse::<f64>(), value.parse::<f64>(), "{}", entry.name);
            }
            let error = parameters.set(&format!("{}=-1", entry.name)).unwrap_err().to_string();
            let expected = format!("{}: found `-1`, expected {}", entry.name, entry.range);
            assert_eq!(error, expected);
            let mut real = parameters;
            assert_eq!(kind == "a number", real.set(&format!("{}=1.0", entry.name)).is_ok());
        }
        assert_eq!(parameters, Parameters::DEFAULT);
    }

    #[test]
    fn values_set_again_give_the_same() {
        let other = Parameters { exploration: 2.5, expand_visits: 7, ..Parameters::DEFAULT };
        let mut again = Parameters::DEFAULT;
        for (name, value) in other.values() {
            again.set(&format!("{name}={value}")).unwrap();
        }
        assert_eq!(again, other);
    }

    #[test]
    fn refuses_unknown_parameters_and_changes_nothing() {
        let mut parameters = Parameters::DEFAULT;
        let unknown = parameters.set("luck=1").unwrap_err();
        assert_eq!((unknown.place.as_str(), unknown.found.as_str()), ("parameter", "`luck`"));
        let named = unknown.expected.replace(" or ", ", ");
        assert!(named.split(", ").eq(Parameters::NAMES.iter().copied()));
        for wrong in ["", "exploration", "exploration=", "exploration=nan", "=1"] {
            assert!(parameters.set(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parameters, Parameters::DEFAULT);
    }

    /// The table of docs/parameters.md.
    fn documentation() -> String {
        let mut tunings = Vec::new();
        for_each_game!(G => tunings.push((G::TITLE, G::TUNING)));
        let row = |entry: Entry| {
            let differs = tunings.iter().filter_map(|(title, tuning)| {
                let (_, value) = tuning.values().find(|(name, _)| *name == entry.name)?;
                (value != entry.default).then(|| format!("{title} {value}"))
            });
            let differs = differs.collect::<Vec<_>>().join(", ");
            let Entry { name, about, range, default, .. } = entry;
            format!("| `{name}` | {default} | {differs} | {range} | {about} |\n")
        };
        let head =
            "| name | default | differs in | values | what it does |\n|---|---|---|---|---|\n";
        Parameters::table().into_iter().map(row).fold(head.to_owned(), |text, row| text + &row)
    }

    #[test]
    fn the_documentation_has_today_s_table() {
        let text = include_str!("../../docs/parameters.md");
        let expected = documentation();
        assert!(text.ends_with(&expected), "docs/parameters.md should end with:\n{expected}");
    }

    #[test]
    fn ranges_are_those_of_every_game() {
        let range = |name| {
            let entry = Parameters::table().into_iter().find(|entry| entry.name == name);
            entry.unwrap().range
        };
        // The longest game of the tournament; chess variants may last longer, but need none so
        // long.
        let plies = format!("a whole number from 0 to {}", TOURNAMENT_PLIES);
        assert_eq!(range("playout_plies"), plies);
        assert_eq!(range("quiescence_plies"), plies);
        assert_eq!(range("first_children"), format!("a whole number from 1 to {MAX_MOVES}"));
    }
}
