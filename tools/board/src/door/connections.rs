//! The connections of the page, and which of them may stay.
//!
//! The one idea: a connection counts as busy from a complete request of somebody who may come in
//! until the answer is sent. Else it is quiet: nothing has come yet, half a request, or the last
//! answer is over. Quiet ones are few. One more takes the place of the one that has been quiet for
//! the longest, at the address that has the most. So thousands of half-sent requests crowd out each
//! other, and a person who sends a whole one is answered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::failure::Failure;
use super::places::{Full, Place, Places, Visitor};

/// Max quiet connections.
const MAX_QUIET: usize = 128;

/// Max requests of this machine that are answered at once, event streams included.
const MAX_LOCAL: usize = 520;

/// The same of all other machines, and of one of them. With the quiet ones all are fewer than the
/// 1024 files that a process usually may open.
const MAX_DISTANT: usize = 320;
const MAX_DISTANT_EACH: usize = 160;

/// All of them.
pub struct Connections {
    known: Mutex<Known>,
    local: Places,
    distant: Places,
}

#[derive(Default)]
struct Known {
    open: HashMap<u64, Entry>,
    /// Counts up with every entry and every rest.
    moments: u64,
}

struct Entry {
    visitor: Visitor,
    /// Requests that are being answered.
    busy: usize,
    /// Since which moment; none while it is busy.
    quiet: Option<u64>,
    close: Arc<Notify>,
}

impl Known {
    fn moment(&mut self) -> u64 {
        self.moments += 1;
        self.moments
    }

    /// Closes the quiet connections that are too many.
    fn tidy(&mut self, most: usize) {
        while self.open.values().filter(|entry| entry.quiet.is_some()).count() > most {
            let mut crowds: HashMap<Visitor, usize> = HashMap::new();
            for entry in self.open.values().filter(|entry| entry.quiet.is_some()) {
                *crowds.entry(entry.visitor).or_default() += 1;
            }
            let Some(largest) = crowds.values().max().copied() else { return };
            let crowded = |entry: &Entry| crowds.get(&entry.visitor) == Some(&largest);
            let quiet = self.open.iter().filter(|(_, entry)| crowded(entry));
            let oldest = quiet.filter_map(|(&number, entry)| Some((entry.quiet?, number))).min();
            let Some((_, number)) = oldest else { return };
            if let Some(entry) = self.open.remove(&number) {
                entry.close.notify_one();
            }
        }
    }
}

impl Default for Connections {
    fn default() -> Connections {
        // One count for both would let strangers keep out the people at this machine.
        let local = Places::new(MAX_LOCAL, MAX_LOCAL);
        let distant = Places::new(MAX_DISTANT, MAX_DISTANT_EACH);
        Connections { known: Mutex::default(), local, distant }
    }
}

impl Connections {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new one, quiet so far.
    pub fn open(self: &Arc<Self>, visitor: Visitor) -> Connection {
        let close = Arc::new(Notify::new());
        let mut known = self.known();
        let number = known.moment();
        let entry = Entry { visitor, busy: 0, quiet: Some(number), close: close.clone() };
        known.open.insert(number, entry);
        known.tidy(MAX_QUIET);
        drop(known);
        Connection { all: self.clone(), number, visitor, close }
    }

    /// Closes a quiet one, as the system has no room for more.
    pub fn make_room(&self) {
        let mut known = self.known();
        let quiet = known.open.values().filter(|entry| entry.quiet.is_some()).count();
        known.tidy(quiet.saturating_sub(1));
    }
}

/// One of them; it is forgotten when it is dropped.
pub struct Connection {
    all: Arc<Connections>,
    number: u64,
    visitor: Visitor,
    close: Arc<Notify>,
}

impl Connection {
    /// Who is at its other end.
    pub fn visitor(&self) -> Visitor {
        self.visitor
    }

    /// Waits until it has to give way.
    pub async fn closed(&self) {
        self.close.notified().await;
    }

    /// A complete request is answered from now on.
    ///
    /// # Errors
    /// There are too many, or this one has just given way.
    pub fn busy(self: &Arc<Self>) -> Result<Busy, Failure> {
        let places = if self.visitor.is_local() { &self.all.local } else { &self.all.distant };
        let place = places.take(Some(self.visitor)).map_err(|full| match full {
            Full::ForYou => Failure::greedy("too many pages are open at your address: close some"),
            Full::ForAll => Failure::busy("too many pages are open: try again later"),
        })?;
        match self.all.known().open.get_mut(&self.number) {
            Some(entry) => {
                entry.busy += 1;
                entry.quiet = None;
            }
            None => return Err(Failure::busy("too many connections: try again")),
        }
        Ok(Busy { connection: self.clone(), _place: place })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.known().open.remove(&self.number);
    }
}

/// Marks that a request is answered.
pub struct Busy {
    connection: Arc<Connection>,
    _place: Place,
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut known = self.connection.all.known();
        let moment = known.moment();
        if let Some(entry) = known.open.get_mut(&self.connection.number) {
            // The next request may be there before the answer to this one has been sent.
            entry.busy -= 1;
            if entry.busy == 0 {
                entry.quiet = Some(moment);
            }
        }
        known.tidy(MAX_QUIET);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(number: u8) -> Visitor {
        Visitor::at([10, 0, 0, number].into())
    }

    impl Connection {
        fn is_open(&self) -> bool {
            self.all.known().open.contains_key(&self.number)
        }
    }

    #[test]
    fn quiet_connections_crowd_out_each_other_and_nobody_else() {
        let all = Arc::new(Connections::default());
        let honest = Arc::new(all.open(visitor(1)));
        let busy = honest.busy().unwrap();
        let waiting = all.open(visitor(2));
        let crowd: Vec<Connection> = (0..1100).map(|_| all.open(visitor(3))).collect();
        assert!(waiting.is_open() && honest.is_open());
        let open: Vec<bool> = crowd.iter().map(Connection::is_open).collect();
        assert!(open.is_sorted(), "the oldest give way");
        assert_eq!(open.iter().filter(|open| **open).count(), MAX_QUIET - 1);
        // The same from the crowd's own address, as on loopback.
        let late = Arc::new(all.open(visitor(3)));
        let answered = late.busy().unwrap();
        let more: Vec<Connection> = (0..1100).map(|_| all.open(visitor(3))).collect();
        assert!(late.is_open());
        drop((answered, busy));
        assert!(late.is_open() && honest.is_open(), "just quiet, so the last to go");
        drop((crowd, more, waiting, late, honest));
        assert!(all.known().open.is_empty());
    }

    #[test]
    fn who_gives_way_is_notified() {
        let all = Arc::new(Connections::default());
        let first = all.open(visitor(1));
        all.make_room();
        assert!(!first.is_open());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(first.closed());
        assert!(Arc::new(first).busy().is_err());
        all.make_room();
    }

    #[test]
    fn an_address_has_only_a_part_of_the_answers() {
        let all = Arc::new(Connections::default());
        let open = |number| Arc::new(all.open(visitor(number)));
        let held: Vec<Busy> = (0..MAX_DISTANT_EACH).map(|_| open(1).busy().unwrap()).collect();
        assert!(open(1).busy().is_err());
        assert!(open(2).busy().is_ok());
        let here = Arc::new(all.open(Visitor::at([127, 0, 0, 1].into())));
        assert!(here.busy().is_ok());
        drop(held);
        assert!(open(1).busy().is_ok());
    }
}
