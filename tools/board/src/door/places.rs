//! What there is little of, and how much of it a visitor may have.
//!
//! The one idea: a visitor is an address. Of everything that is limited a visitor gets only a part,
//! so that one who takes as much as possible is refused, and the others are not.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who sends requests: an address, or for version 6 a network, as its owner has all of its
/// addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visitor(IpAddr);

impl Visitor {
    /// The visitor at an address.
    pub fn at(ip: IpAddr) -> Visitor {
        Visitor(match ip.to_canonical() {
            IpAddr::V6(ip) if !ip.is_loopback() => {
                let [a, b, c, d, ..] = ip.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            ip => ip,
        })
    }

    /// Whether this is everybody at this machine, and those who come by `ssh -L`.
    pub fn is_local(self) -> bool {
        self.0.is_loopback()
    }
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Nobody gets another.
    ForAll,
    /// This visitor has enough of them.
    ForYou,
}

/// A number of places.
#[derive(Clone)]
pub struct Places {
    taken: Arc<Mutex<Taken>>,
    /// For all.
    all: usize,
    /// For one visitor.
    each: usize,
}

#[derive(Default)]
struct Taken {
    count: usize,
    /// No visitor has an entry of zero.
    by_visitor: HashMap<Visitor, usize>,
}

/// A place, free again when it is dropped.
pub struct Place {
    taken: Arc<Mutex<Taken>>,
    visitor: Option<Visitor>,
}

impl Places {
    pub fn new(all: usize, each: usize) -> Places {
        Places { taken: Arc::default(), all, each }
    }

    /// Takes one; work of the program itself has no visitor.
    ///
    /// # Errors
    /// All are taken, or this visitor's part.
    pub fn take(&self, visitor: Option<Visitor>) -> Result<Place, Full> {
        let mut taken = lock(&self.taken);
        let own = visitor.and_then(|visitor| taken.by_visitor.get(&visitor).copied());
        if own.unwrap_or(0) >= self.each {
            return Err(Full::ForYou);
        }
        if taken.count >= self.all {
            return Err(Full::ForAll);
        }
        taken.count += 1;
        if let Some(visitor) = visitor {
            *taken.by_visitor.entry(visitor).or_default() += 1;
        }
        Ok(Place { taken: self.taken.clone(), visitor })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.count -= 1;
        let Some(visitor) = self.visitor else { return };
        if let Some(own) = taken.by_visitor.get_mut(&visitor) {
            *own -= 1;
            if *own == 0 {
                taken.by_visitor.remove(&visitor);
            }
        }
    }
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(ip: &str) -> Visitor {
        Visitor::at(ip.parse().unwrap())
    }

    #[test]
    fn a_visitor_is_an_address_or_a_network_of_version_6() {
        assert_eq!(visitor("10.0.0.7"), visitor("::ffff:10.0.0.7"));
        assert_ne!(visitor("10.0.0.7"), visitor("10.0.0.8"));
        assert_eq!(visitor("2001:db8:1:2::3"), visitor("2001:db8:1:2:ffff::"));
        assert_ne!(visitor("2001:db8:1:2::3"), visitor("2001:db8:1:3::3"));
        for local in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
            assert!(visitor(local).is_local(), "{local}");
        }
        assert!(!visitor("10.0.0.7").is_local() && !visitor("::2").is_local());
    }

    #[test]
    fn one_visitor_gets_a_part_and_all_get_no_more_than_there_are() {
        let places = Places::new(5, 3);
        let (one, other) = (Some(visitor("10.0.0.1")), Some(visitor("10.0.0.2")));
        let mut held: Vec<Place> = (0..3).map(|_| places.take(one).ok().unwrap()).collect();
        assert_eq!(places.take(one).err(), Some(Full::ForYou));
        held.extend(places.take(other).ok());
        held.extend(places.take(None).ok());
        assert_eq!(held.len(), 5);
        assert_eq!(places.take(other).err(), Some(Full::ForAll));
        assert_eq!(places.take(one).err(), Some(Full::ForYou));
        drop(held.remove(0));
        assert!(places.take(one).is_ok());
        drop(held);
        assert!(lock(&places.taken).by_visitor.is_empty());
        assert_eq!(lock(&places.taken).count, 0);
    }
}
