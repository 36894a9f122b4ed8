//! A heartbeat that only reads the clock: the delays of the machine itself.
//!
//! The one idea: the beats are due at fixed times, independent of earlier ones (an open loop), so a
//! pause of the machine counts for every beat in it, and not once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use alesia::words::command_error::CommandError;

/// The time between two beats.
pub const PERIOD: Duration = Duration::from_millis(10);

/// A heartbeat in a separate thread.
pub struct Probe {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Duration>>,
}

impl Probe {
    /// Starts it.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start() -> Result<Probe, CommandError> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = thread::Builder::new().spawn(move || beat(&stopped));
        let thread = thread.map_err(|error| CommandError::Failed(format!("no thread: {error}")))?;
        Ok(Probe { stop, thread })
    }

    /// Ends it: by how much each beat was late.
    pub fn stop(self) -> Vec<Duration> {
        // Relaxed: the flag alone matters.
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("a heartbeat cannot fail")
    }
}

fn beat(stop: &AtomicBool) -> Vec<Duration> {
    let mut late = Vec::new();
    let mut due = Instant::now() + PERIOD;
    while !stop.load(Ordering::Relaxed) {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        count(&mut late, &mut due, Instant::now());
    }
    late
}

/// Counts all beats that were due by now.
fn count(late: &mut Vec<Duration>, due: &mut Instant, now: Instant) {
    while *due <= now {
        late.push(now - *due);
        *due += PERIOD;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_beat_that_was_due_is_counted() {
        let begin = Instant::now();
        let (mut late, mut due) = (Vec::new(), begin + PERIOD);
        // On time, a quarter late, before the next is due, after a pause of three more.
        for (quarters, counted) in [(4, 1), (9, 2), (11, 2), (24, 6)] {
            count(&mut late, &mut due, begin + PERIOD * quarters / 4);
            assert_eq!((late.len(), due), (counted, begin + PERIOD * (counted as u32 + 1)));
        }
        assert_eq!(late, [0, 1, 12, 8, 4, 0].map(|quarters| PERIOD * quarters / 4));
    }

    #[test]
    fn a_pause_counts_for_every_beat_in_it() {
        let probe = Probe::start().unwrap();
        thread::sleep(7 * PERIOD);
        for beats in probe.stop().windows(2).filter(|beats| beats[0] >= PERIOD) {
            assert_eq!(beats[0], beats[1] + PERIOD);
        }
    }
}
