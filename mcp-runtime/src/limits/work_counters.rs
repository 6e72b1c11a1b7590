use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The calls and tasks of each principal over all its sessions and requests.
///
/// Over HTTP a session is not a client: a client can have many, and has none in
/// 2026-07-28.
#[derive(Debug, Default)]
pub(super) struct WorkCounters(Mutex<HashMap<Box<str>, Weak<AtomicUsize>>>);

impl WorkCounters {
    /// Returns the counter of a principal.
    pub(super) fn counter(&self, id: &str) -> Arc<AtomicUsize> {
        // Poisoning is ignored, because no code panics while it holds the lock.
        let mut counters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        let counters = WorkCounters::default();
        let alice = counters.counter("alice");
        assert!(Arc::ptr_eq(&alice, &counters.counter("alice")));
        for number in 0..10_000 {
            assert!(!Arc::ptr_eq(&alice, &counters.counter(&number.to_string())));
        }
        assert!(Arc::ptr_eq(&alice, &counters.counter("alice")));
        let count = counters.0.lock().unwrap().len();
        assert!(count < 100, "{count}");
    }
}
