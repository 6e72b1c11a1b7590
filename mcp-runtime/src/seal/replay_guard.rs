use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// The expiry and the unique id of a sealed state. Nonces are ordered by expiry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct StateNonce {
    /// The expiry of the sealed state, in seconds since 1970.
    pub(crate) until: u64,
    /// The random id of the sealed state.
    pub(crate) id: String,
}

/// The used nonces that have not expired. Each nonce is accepted only once.
///
/// The guard only knows the nonces that were used in this process. If replicas share
/// `MCP_STATE_KEY`, each replica accepts a nonce once.
#[derive(Debug)]
pub(crate) struct ReplayGuard {
    max_nonces: usize,
    used: Mutex<UsedNonces>,
}

#[derive(Debug, Default)]
struct UsedNonces {
    nonces: BTreeSet<StateNonce>,
    /// The latest expiry of a dropped nonce. All nonces that expire at or before this time count as
    /// used.
    dropped_until: u64,
}

impl Default for ReplayGuard {
    /// Creates a guard for up to 65,536 nonces, which need about 5 MB.
    fn default() -> Self {
        Self {
            max_nonces: 65_536,
            used: Mutex::default(),
        }
    }
}

impl ReplayGuard {
    /// Marks a nonce as used. Returns `false` if the nonce was used before or may have been used
    /// before.
    ///
    /// If there are too many nonces, the guard drops the nonces that expire first, and from then on
    /// they count as used. The limit can therefore shorten the lifetime of a nonce, but it never
    /// allows a second use.
    pub(crate) fn try_use(&self, nonce: StateNonce) -> bool {
        // Poisoning is ignored, because no code panics while it holds the lock.
        let used = &mut *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if nonce.until <= used.dropped_until {
            return false;
        }
        let is_new = used.nonces.insert(nonce);
        while used.nonces.len() > self.max_nonces {
            let oldest = used.nonces.pop_first();
            let until = oldest.map_or(0, |oldest| oldest.until);
            used.dropped_until = used.dropped_until.max(until);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn nonce(until: u64, id: u32) -> StateNonce {
        let id = id.to_string();
        StateNonce { until, id }
    }

    #[test]
    fn a_nonce_is_accepted_once() {
        let guard = ReplayGuard::default();
        for id in [1, 2] {
            assert!(guard.try_use(nonce(10, id)));
            assert!(!guard.try_use(nonce(10, id)));
        }
    }

    proptest! {
        #[test]
        fn no_nonce_is_accepted_twice_however_few_are_kept(
            max_nonces in 1..8_usize,
            nonces in proptest::collection::vec((1..20_u64, 0..4_u32), 0..200),
        ) {
            let guard = ReplayGuard { max_nonces, ..ReplayGuard::default() };
            let mut accepted = BTreeSet::new();
            for (until, id) in nonces {
                if guard.try_use(nonce(until, id)) {
                    prop_assert!(accepted.insert((until, id)), "{until} {id}");
                }
                prop_assert!(guard.used.lock().unwrap().nonces.len() <= max_nonces);
            }
        }

        #[test]
        fn every_nonce_is_accepted_below_the_limit(
            nonces in proptest::collection::btree_set((1..20_u64, 0..40_u32), 0..100),
        ) {
            let guard = ReplayGuard::default();
            for (until, id) in nonces {
                prop_assert!(guard.try_use(nonce(until, id)));
            }
        }
    }
}
