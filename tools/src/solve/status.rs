//! How far the work has come, on standard error.
//!
//! The one idea: nobody knows how much is left, so a line says now and then where the work is, and
//! how many nodes it has taken.

use std::io::{Write, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// Where the work is.
struct Place {
    began: Instant,
    nodes: Arc<AtomicU64>,
    /// The moves that lead there, each with its number among those of its position.
    moves: Mutex<Vec<String>>,
}

/// Shows where the work is, until it ends.
pub struct Status {
    place: Arc<Place>,
    ended: Sender<()>,
}

impl Place {
    fn show(&self) {
        // Relaxed: a number to be shown.
        let nodes = self.nodes.load(Ordering::Relaxed);
        let moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner).join(", ");
        // A standard error that is gone is no error.
        let _ = writeln!(stderr(), "{} s, {nodes} nodes: {moves}", self.began.elapsed().as_secs());
    }
}

impl Status {
    /// The work begins.
    pub fn new(nodes: Arc<AtomicU64>) -> Status {
        let place = Arc::new(Place { began: Instant::now(), nodes, moves: Mutex::default() });
        let (ended, end) = mpsc::channel();
        let shown = Arc::clone(&place);
        let show = move || {
            while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(INTERVAL) {
                shown.show();
            }
        };
        // Without a thread for it nothing is shown.
        let _ = thread::Builder::new().spawn(show);
        Status { place, ended }
    }

    /// The work goes below a move, the `number`th of `count`.
    pub fn enter(&self, name: &str, number: usize, count: usize) {
        let mut moves = self.place.moves.lock().unwrap_or_else(PoisonError::into_inner);
        moves.push(format!("{name} ({number} of {count})"));
    }

    /// That is done.
    pub fn leave(&self) {
        self.place.moves.lock().unwrap_or_else(PoisonError::into_inner).pop();
    }

    /// Shows it now.
    pub fn show(&self) {
        self.place.show();
    }

    /// Shows nothing more.
    pub fn end(&self) {
        let _ = self.ended.send(());
    }
}
