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
        let now = Instant::now();
        while due <= now {
            late.push(now - due);
            due += PERIOD;
        }
    }
    late
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_beat_that_was_due_is_counted() {
        let started = Instant::now();
        let probe = Probe::start().unwrap();
        thread::sleep(7 * PERIOD);
        let at_least = (started.elapsed().as_millis() / PERIOD.as_millis()) as usize - 2;
        assert!(probe.stop().len() >= at_least);
    }
}
