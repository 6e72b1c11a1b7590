use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::auth::Principal;
use crate::context::{ClientSink, TransportKind};
use crate::dispatch::Connection;
use crate::limits::Quotas;

/// Counts the calls and tasks of each principal over all its sessions and requests.
///
/// Over HTTP a session is not a client: a client can have many, and has none in
/// 2026-07-28. Without a limit per client nothing is counted, since all callers
/// would share one lock.
#[derive(Debug)]
pub(super) struct PerPrincipalLimits {
    enabled: bool,
    counters: Mutex<HashMap<Box<str>, Weak<AtomicUsize>>>,
}

impl PerPrincipalLimits {
    pub(super) fn new(quotas: &Quotas) -> Self {
        Self {
            enabled: quotas.per_client.is_some(),
            counters: Mutex::default(),
        }
    }

    /// Creates the connection of a request or a session. One without a principal has
    /// its own counter.
    pub(super) fn connection(
        &self,
        principal: Option<&Arc<Principal>>,
        sink: Arc<dyn ClientSink>,
    ) -> Connection {
        let counted = principal.filter(|_| self.enabled);
        let counter = counted.map(|it| self.counter(&it.id)).unwrap_or_default();
        Connection::with_work_counter(TransportKind::Http, sink, counter)
            .with_optional_principal(principal)
    }

    fn counter(&self, id: &str) -> Arc<AtomicUsize> {
        // Nothing panics under the lock, so a poisoned map is still consistent.
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = counters.get(id).and_then(Weak::upgrade) {
            return counter;
        }
        if counters.len() == counters.capacity() {
            // Unused counters are removed before the map grows.
            counters.retain(|_, counter| counter.strong_count() > 0);
            let used = counters.len();
            counters.reserve(used.max(16));
        }
        let counter = Arc::default();
        counters.insert(id.into(), Arc::downgrade(&counter));
        counter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_has_one_counter_and_unused_ones_are_removed() {
        let limits = PerPrincipalLimits {
            enabled: true,
            counters: Mutex::default(),
        };
        let alice = limits.counter("alice");
        assert!(Arc::ptr_eq(&alice, &limits.counter("alice")));
        for number in 0..10_000 {
            assert!(!Arc::ptr_eq(&alice, &limits.counter(&number.to_string())));
        }
        assert!(Arc::ptr_eq(&alice, &limits.counter("alice")));
        let count = limits.counters.lock().unwrap().len();
        assert!(count < 100, "{count}");
    }
}
