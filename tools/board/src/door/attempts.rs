//! Wrong tokens, by address.
//!
//! The one idea: an address may be wrong a few times, and then once in a while; beyond that its
//! tokens are not even compared. One moment by address says it all: until when it is in debt, as
//! each wrong token costs a while.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::places::Visitor;

/// Wrong tokens in a row.
const MAX_ATTEMPTS: u32 = 10;

/// What each costs.
const COST: Duration = Duration::from_secs(6);

/// Max addresses remembered; the one that is the least in debt makes room for a new one.
const MAX_KNOWN: usize = 1000;

/// The addresses that have been wrong.
#[derive(Debug, Default)]
pub struct Attempts {
    debts: Mutex<HashMap<Visitor, Instant>>,
}

impl Attempts {
    /// Whether a token of this address may be compared now.
    pub fn allowed(&self, visitor: Visitor, now: Instant) -> bool {
        let debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        let debt = debts.get(&visitor).map(|until| until.saturating_duration_since(now));
        debt.unwrap_or_default() <= COST * (MAX_ATTEMPTS - 1)
    }

    /// It was wrong.
    pub fn wrong(&self, visitor: Visitor, now: Instant) {
        let mut debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        if debts.len() >= MAX_KNOWN && !debts.contains_key(&visitor) {
            debts.retain(|_, until| *until > now);
            let least = debts.iter().min_by_key(|(_, until)| **until).map(|(known, _)| *known);
            if let Some(least) = least.filter(|_| debts.len() >= MAX_KNOWN) {
                debts.remove(&least);
            }
        }
        let until = debts.entry(visitor).or_insert(now);
        *until = (*until).max(now) + COST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(number: u32) -> Visitor {
        Visitor::at(std::net::Ipv4Addr::from_bits(number).into())
    }

    #[test]
    fn an_address_may_be_wrong_a_few_times_and_then_once_in_a_while() {
        let (attempts, mut now) = (Attempts::default(), Instant::now());
        for _ in 0..MAX_ATTEMPTS {
            assert!(attempts.allowed(visitor(1), now));
            attempts.wrong(visitor(1), now);
        }
        assert!(!attempts.allowed(visitor(1), now) && attempts.allowed(visitor(2), now));
        now += COST;
        assert!(attempts.allowed(visitor(1), now));
        attempts.wrong(visitor(1), now);
        assert!(!attempts.allowed(visitor(1), now));
        now += COST * MAX_ATTEMPTS;
        (0..MAX_ATTEMPTS).for_each(|_| attempts.wrong(visitor(1), now));
        assert!(!attempts.allowed(visitor(1), now), "no credit is saved up");
    }

    #[test]
    fn many_addresses_need_no_more_memory_and_free_none_that_is_stopped() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        (0..MAX_ATTEMPTS).for_each(|_| attempts.wrong(visitor(0), now));
        (1..3000).for_each(|number| attempts.wrong(visitor(number), now));
        assert_eq!(attempts.debts.lock().unwrap().len(), MAX_KNOWN);
        assert!(!attempts.allowed(visitor(0), now));
    }
}
