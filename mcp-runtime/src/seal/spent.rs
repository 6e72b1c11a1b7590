use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// What makes a sealed state one of its kind.
///
/// Sorted by the end of its life.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Ticket {
    /// From when on it is no longer good, in seconds since 1970.
    pub(crate) until: u64,
    /// Drawn at random.
    pub(crate) id: String,
}

/// The tickets that are used up and not yet too old: each is taken once.
///
/// They are those of this process. A server whose replicas share `MCP_STATE_KEY`
/// takes a ticket once for each replica, as long as the ticket is good.
#[derive(Debug)]
pub(crate) struct Spent {
    /// How many are kept.
    most: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    tickets: BTreeSet<Ticket>,
    /// Whatever ends until then counts as taken, since it is not known any more.
    forgotten: u64,
}

impl Default for Spent {
    /// For 65,536 tickets, which are about 5 MB.
    fn default() -> Self {
        Self {
            most: 65_536,
            inner: Mutex::default(),
        }
    }
}

impl Spent {
    /// Takes a ticket; `false` if it was taken before, or that is not known.
    ///
    /// Where there are too many, those that end first are forgotten, and so are no
    /// longer good: what is bounded is the life of a ticket, never its one use.
    pub(crate) fn take(&self, ticket: Ticket) -> bool {
        // Nothing panics under the lock; if it did, the set would still be whole.
        let inner = &mut *self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if ticket.until <= inner.forgotten {
            return false;
        }
        let is_new = inner.tickets.insert(ticket);
        while inner.tickets.len() > self.most {
            let oldest = inner.tickets.pop_first();
            let until = oldest.map_or(0, |oldest| oldest.until);
            inner.forgotten = inner.forgotten.max(until);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ticket(until: u64, id: u32) -> Ticket {
        let id = id.to_string();
        Ticket { until, id }
    }

    #[test]
    fn a_ticket_is_taken_once() {
        let spent = Spent::default();
        for id in [1, 2] {
            assert!(spent.take(ticket(10, id)));
            assert!(!spent.take(ticket(10, id)));
        }
    }

    proptest! {
        #[test]
        fn no_ticket_is_taken_twice_however_little_is_kept(
            most in 1..8_usize,
            tickets in proptest::collection::vec((1..20_u64, 0..4_u32), 0..200),
        ) {
            let spent = Spent { most, ..Spent::default() };
            let mut taken = BTreeSet::new();
            for (until, id) in tickets {
                if spent.take(ticket(until, id)) {
                    prop_assert!(taken.insert((until, id)), "{until} {id}");
                }
                prop_assert!(spent.inner.lock().unwrap().tickets.len() <= most);
            }
        }

        #[test]
        fn every_ticket_is_taken_where_there_is_room(
            tickets in proptest::collection::btree_set((1..20_u64, 0..40_u32), 0..100),
        ) {
            let spent = Spent::default();
            for (until, id) in tickets {
                prop_assert!(spent.take(ticket(until, id)));
            }
        }
    }
}
