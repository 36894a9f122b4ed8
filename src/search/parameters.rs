//! The numbers of the tree search that are chosen by measurement.
//!
//! The one idea: every such choice is a parameter with a default, the game's own where games
//! differ, so that a match can decide about it. A parameter is set by its name.

use crate::eval::Evaluate;
use crate::game::{MAX_MOVES, MAX_PLIES, ParseError, quoted};

/// How a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// PUCT's exploration constant.
    pub exploration: f32,
    /// What exploration counts for each visit of the parent at least: it falls as 1 / √visits down to this, and
    /// no further. So a child is looked at again by a share of the visits that stays, however many there are; 0:
    /// by one that goes to nothing.
    pub exploration_floor: f32,
    /// How much less is explored where a side is sure to win than where it is even, 0 to 1: the means
    /// of moves lie closer together there, as the expected result flattens.
    pub ahead_discount: f32,
    /// How much worse than its parent a child without visits is taken to be, 0 to 1.
    pub first_play_reduction: f32,
    /// Random plies from a leaf before it is evaluated.
    pub playout_plies: u32,
    /// To the power of how many quarters priors are raised, 1 to 4: the fewer, the more equal they are, and the
    /// less a move starves that has a small one.
    pub prior_quarters: u32,
    /// How far a prior is varied at random, as a part of it: enough for the trees of several
    /// threads to grow differently where nothing else is random.
    pub prior_noise: f32,
    /// Visits at which a leaf gets children, 2 or more, until the pool is nearly full.
    pub expand_visits: u32,
    /// A child with twice, three times, … as many visits is given two, three, … iterations at one
    /// go, without choosing anew at the nodes above.
    pub batch_visits: u32,
    /// A move is played rather than the most visited one if its mean result is better and it has at least this
    /// share of its visits, which come later than what is found out; 1: it never is.
    pub contender_share: f32,
    /// Children that a node gets at first, those with the largest priors, while the pool is nearly
    /// empty; as many again are made when one of them would be selected.
    pub first_children: u32,
    /// Whether nodes of the same position share their children: 0 or 1.
    pub transpositions: u32,
    /// Plies of noisy moves, and of all answers to threats, that are searched beyond a leaf before it
    /// is evaluated, in games that have such moves.
    pub quiescence_plies: u32,
    /// The most threats in a row by which a win of either side is looked for at a leaf that is seen for the
    /// first time, in games that have such moves.
    pub threats: u32,
    /// What a move's prior is multiplied with: e to the power of so many times the mean of what came of
    /// it elsewhere in the search, less what was expected there (progressive history).
    pub history_factor: f32,
}

impl Parameters {
    /// The defaults for a game.
    pub const fn of<G: Evaluate>() -> Parameters {
        Parameters {
            exploration: G::EXPLORATION,
            exploration_floor: G::EXPLORATION_FLOOR,
            ahead_discount: G::AHEAD_DISCOUNT,
            first_play_reduction: 0.1,
            playout_plies: G::PLAYOUT_PLIES,
            prior_quarters: G::PRIOR_QUARTERS,
            prior_noise: 0.5,
            expand_visits: 2,
            batch_visits: 64,
            contender_share: G::CONTENDER_SHARE,
            first_children: 8,
            transpositions: 1,
            quiescence_plies: if G::NOISY { 16 } else { 0 },
            threats: G::THREATS,
            history_factor: G::HISTORY_FACTOR,
        }
    }

    /// All names, with their values as [`Parameters::set`] takes them.
    pub fn listed(&self) -> [(&'static str, String); 15] {
        [
            ("exploration", self.exploration.to_string()),
            ("exploration_floor", self.exploration_floor.to_string()),
            ("ahead_discount", self.ahead_discount.to_string()),
            ("first_play_reduction", self.first_play_reduction.to_string()),
            ("playout_plies", self.playout_plies.to_string()),
            ("prior_quarters", self.prior_quarters.to_string()),
            ("prior_noise", self.prior_noise.to_string()),
            ("expand_visits", self.expand_visits.to_string()),
            ("batch_visits", self.batch_visits.to_string()),
            ("contender_share", self.contender_share.to_string()),
            ("first_children", self.first_children.to_string()),
            ("transpositions", self.transpositions.to_string()),
            ("quiescence_plies", self.quiescence_plies.to_string()),
            ("threats", self.threats.to_string()),
            ("history_factor", self.history_factor.to_string()),
        ]
    }

    /// Sets one parameter, written `name=value`.
    ///
    /// # Errors
    /// There is no parameter of that name, or the value is not one that it can have.
    pub fn set(&mut self, assignment: &str) -> Result<(), ParseError> {
        let (name, value) = assignment.split_once('=').ok_or_else(|| {
            ParseError::new(
                "parameter",
                quoted(assignment),
                "a name and a value such as exploration=0.9",
            )
        })?;
        let (name, value) = (name.trim(), value.trim());
        let real = |most: f32| {
            let expected = format!("a number from 0 to {most}");
            let error = || ParseError::new(name, quoted(value), expected.clone());
            let number = value.parse::<f32>().ok().filter(|x| (0.0..=most).contains(x));
            number.ok_or_else(error)
        };
        let whole = |least: u32, most: u32| {
            let expected = format!("a whole number from {least} to {most}");
            let error = || ParseError::new(name, quoted(value), expected.clone());
            let number = value.parse::<u32>().ok().filter(|x| (least..=most).contains(x));
            number.ok_or_else(error)
        };
        match name {
            "exploration" => self.exploration = real(100.0)?,
            "exploration_floor" => self.exploration_floor = real(1.0)?,
            "ahead_discount" => self.ahead_discount = real(1.0)?,
            "first_play_reduction" => self.first_play_reduction = real(1.0)?,
            "playout_plies" => self.playout_plies = whole(0, MAX_PLIES as u32)?,
            "prior_quarters" => self.prior_quarters = whole(1, 4)?,
            "prior_noise" => self.prior_noise = real(1.0)?,
            "expand_visits" => self.expand_visits = whole(2, 1 << 20)?,
            "first_children" => self.first_children = whole(1, MAX_MOVES as u32)?,
            "contender_share" => self.contender_share = real(1.0)?,
            "quiescence_plies" => self.quiescence_plies = whole(0, MAX_PLIES as u32)?,
            "threats" => self.threats = whole(0, MAX_PLIES as u32)?,
            "history_factor" => self.history_factor = real(1000.0)?,
            "transpositions" => self.transpositions = whole(0, 1)?,
            "batch_visits" => self.batch_visits = whole(1, u32::MAX)?,
            _ => {
                let expected = "exploration, exploration_floor, ahead_discount, first_play_reduction, \
                                playout_plies, prior_quarters, prior_noise, expand_visits, \
                                batch_visits, contender_share, first_children, transpositions, \
                                quiescence_plies, threats or history_factor";
                return Err(ParseError::new("parameter", quoted(name), expected));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Loa;

    #[test]
    fn parameters_are_set_by_name() {
        let mut parameters = Parameters::of::<Loa>();
        let all = [
            "exploration=2.5",
            "exploration_floor=0.25",
            "ahead_discount=0.375",
            "first_play_reduction = 0.25",
            "playout_plies=3",
            "prior_quarters=2",
            "prior_noise=0",
            "expand_visits=7",
            "batch_visits=99",
            "contender_share=0.625",
            "first_children=3",
            "transpositions=0",
            "quiescence_plies=5",
            "threats=9",
            "history_factor=12.5",
        ];
        for assignment in all {
            parameters.set(assignment).unwrap();
        }
        let expected = Parameters {
            exploration: 2.5,
            exploration_floor: 0.25,
            ahead_discount: 0.375,
            first_play_reduction: 0.25,
            playout_plies: 3,
            prior_quarters: 2,
            prior_noise: 0.0,
            expand_visits: 7,
            batch_visits: 99,
            contender_share: 0.625,
            first_children: 3,
            transpositions: 0,
            quiescence_plies: 5,
            threats: 9,
            history_factor: 12.5,
        };
        assert_eq!(parameters, expected);
    }

    #[test]
    fn listed_parameters_are_all_there_are() {
        let parameters = Parameters::of::<Loa>();
        let mut again = parameters;
        let unknown = again.set("luck=1").unwrap_err().expected;
        let named = unknown.replace(" or ", ", ");
        for (name, value) in parameters.listed() {
            again.set(&format!("{name}={value}")).unwrap();
            assert!(named.split(", ").any(|known| known == name), "{name}");
        }
        assert_eq!(named.split(", ").count(), parameters.listed().len());
        assert_eq!(again, parameters);
    }

    #[test]
    fn what_cannot_be_is_refused_and_changes_nothing() {
        let mut parameters = Parameters::of::<Loa>();
        let error =
            |parameters: &mut Parameters, text| parameters.set(text).unwrap_err().to_string();
        assert_eq!(
            error(&mut parameters, "first_play_reduction=2"),
            "first_play_reduction: found `2`, expected a number from 0 to 1"
        );
        assert_eq!(
            error(&mut parameters, "expand_visits=1"),
            "expand_visits: found `1`, expected a whole number from 2 to 1048576"
        );
        for wrong in
            ["", "exploration", "exploration=", "exploration=nan", "exploration=-1", "luck=1"]
        {
            assert!(parameters.set(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parameters, Parameters::of::<Loa>());
    }
}
