//! The source of time for the network code.
//!
//! The one idea: code that stamps arrivals or measures answers reads a clock object, so that whole
//! games can also be played in simulated time.

use std::time::Instant;

/// A source of the time.
pub trait Clock {
    /// The time now.
    fn now(&self) -> Instant;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn now(&self) -> Instant {
        (**self).now()
    }
}
