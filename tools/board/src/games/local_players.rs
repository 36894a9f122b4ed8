//! The players of a game that is played on this page: its people's keys and its engines' thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use super::keys::Keys;

/// What only games that are played here have.
#[derive(Default)]
pub struct LocalPlayers {
    pub keys: Keys,
    /// The thread of its engines, while it runs.
    pub driver: Option<Driver>,
    /// A hint is being computed.
    pub hinting: bool,
}

impl LocalPlayers {
    /// A thinking engine must not play its move, and looks at the game again.
    pub fn interrupt(&self) {
        if let Some(driver) = &self.driver {
            driver.interrupt();
        }
    }

    /// The engines look whether one of them is to move.
    pub fn wake(&self) {
        if let Some(driver) = &self.driver {
            driver.wake();
        }
    }
}

/// Signals to the thread of a game's engines. Used while the game is locked.
pub struct Driver {
    pub wakes: SyncSender<()>,
    pub interrupted: Arc<AtomicBool>,
}

impl Driver {
    /// The thread looks at the game.
    pub fn wake(&self) {
        // One pending signal is enough.
        let _ = self.wakes.try_send(());
    }

    /// A thinking engine stops, and its move is not played.
    pub fn interrupt(&self) {
        // Relaxed: what the flag stands for is behind the game's lock.
        self.interrupted.store(true, Ordering::Relaxed);
        self.wake();
    }
}
