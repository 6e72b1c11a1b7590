use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::authenticate::Caller;
use crate::context::{Channel, Outgoing};
use crate::dispatch::Peer;
use crate::limits::Quotas;

/// How much work goes on of each caller whose token says who it is.
///
/// Over HTTP a session is no client: one can have many, and of 2026-07-28 each
/// request stands alone. Where nothing limits the work of one caller it is not
/// looked for: all callers would meet at one lock.
#[derive(Debug)]
pub(super) struct Clients {
    limited: bool,
    works: Mutex<HashMap<Box<str>, Weak<AtomicUsize>>>,
}

impl Clients {
    pub(super) fn of(quotas: &Quotas) -> Self {
        Self {
            limited: quotas.per_client.is_some(),
            works: Mutex::default(),
        }
    }

    /// The other end of a request or of a session. A caller that nobody knows is
    /// counted for itself.
    pub(super) fn peer(&self, caller: &Caller, outgoing: Arc<dyn Outgoing>) -> Peer {
        let principal = caller.principal.as_ref();
        let counted = principal.filter(|_| self.limited);
        let work = counted.map(|it| self.work(&it.id)).unwrap_or_default();
        Peer::counted(Channel::Http, outgoing, work).spoken_by(principal)
    }

    fn work(&self, id: &str) -> Arc<AtomicUsize> {
        // A panic cannot happen under the lock; if it did, the map would still be whole.
        let mut clients = self.works.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = clients.get(id).and_then(Weak::upgrade) {
            return work;
        }
        if clients.len() == clients.capacity() {
            // It does not grow by those that are gone.
            clients.retain(|_, work| work.strong_count() > 0);
            let here = clients.len();
            clients.reserve(here.max(16));
        }
        let work = Arc::default();
        clients.insert(id.into(), Arc::downgrade(&work));
        work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_caller_has_one_count_and_those_that_are_gone_have_none() {
        let clients = Clients {
            limited: true,
            works: Mutex::default(),
        };
        let alice = clients.work("alice");
        assert!(Arc::ptr_eq(&alice, &clients.work("alice")));
        for number in 0..10_000 {
            assert!(!Arc::ptr_eq(&alice, &clients.work(&number.to_string())));
        }
        assert!(Arc::ptr_eq(&alice, &clients.work("alice")));
        let kept = clients.works.lock().unwrap().len();
        assert!(kept < 100, "{kept}");
    }
}
