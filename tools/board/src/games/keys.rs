//! How the people at a game on the page prove their identity.
//!
//! The one idea: each seat of a person has a secret token, and every action names it. No event
//! contains a token, so that spectators cannot play.

use alesia::game::Side;

use crate::door::secrets::{same, secret};

/// The secrets of the seats; none for an open one or an engine's.
#[derive(Default)]
pub struct Keys([Option<String>; 2]);

impl Keys {
    /// One secret for the sides that the creator of a game plays.
    pub fn new(own: [bool; 2]) -> Keys {
        let key = secret();
        Keys(own.map(|own| own.then(|| key.clone())))
    }

    /// All secrets, to be kept.
    pub fn all(&self) -> [Option<String>; 2] {
        self.0.clone()
    }

    /// The secrets that were kept.
    pub fn restored(keys: [Option<String>; 2]) -> Keys {
        Keys(keys)
    }

    /// The secret of a seat that is taken now.
    pub fn set(&mut self, side: Side, key: String) {
        self.0[side as usize] = Some(key);
    }

    /// The secret of a seat.
    pub fn of(&self, side: Side) -> Option<&str> {
        self.0[side as usize].as_deref()
    }

    /// The seat of a token; that of the side to move, if it is of both.
    pub fn seat(&self, token: &str, to_move: Side) -> Option<Side> {
        let held = |&side: &Side| self.of(side).is_some_and(|key| same(key, token));
        [to_move, !to_move].into_iter().find(held)
    }

    /// Whether one person has both sides.
    pub fn shared(&self) -> bool {
        self.0[0].is_some() && self.0[0] == self.0[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_its_own_seat_and_a_shared_one_that_of_the_side_to_move() {
        let mut keys = Keys::new([true, false]);
        let white = keys.of(Side::White).unwrap().to_owned();
        assert_eq!(keys.seat(&white, Side::Black), Some(Side::White));
        assert_eq!(keys.seat("", Side::Black), None);
        let black = secret();
        keys.set(Side::Black, black.clone());
        assert_ne!(white, black);
        assert_eq!(keys.seat(&black, Side::White), Some(Side::Black));
        assert!(!keys.shared());
        let both = Keys::new([true, true]);
        let key = both.of(Side::White).unwrap();
        assert!(both.shared());
        assert_eq!(both.seat(key, Side::Black), Some(Side::Black));
        assert_eq!(both.seat(key, Side::White), Some(Side::White));
        assert!(!Keys::new([false, false]).shared());
    }
}
