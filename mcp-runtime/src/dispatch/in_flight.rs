use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::context::Cancellation;
use crate::jsonrpc::RequestId;

/// The requests of one session that are waiting or running.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    requests: Mutex<HashMap<RequestId, InFlightEntry>>,
    /// The number of requests with a guard. This includes cancelled requests whose thread still
    /// runs.
    running: AtomicUsize,
    /// The number of active calls and tasks of the client, which all its sessions share.
    active_work: Arc<AtomicUsize>,
    next_serial: AtomicUsize,
}

#[derive(Debug)]
struct InFlightEntry {
    serial: usize,
    cancellation: Cancellation,
}

/// A guard that counts a call or a task as active work until it is dropped.
#[derive(Debug)]
pub(crate) struct ClientWorkGuard(Arc<AtomicUsize>);

impl InFlight {
    /// Creates an empty set that counts active work in `active_work`.
    pub(super) fn with_work_counter(active_work: Arc<AtomicUsize>) -> Self {
        Self {
            active_work,
            ..Self::default()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.running.load(Ordering::Acquire)
    }

    /// Returns the number of active calls and tasks of the client.
    pub(super) fn active_work(&self) -> usize {
        self.active_work.load(Ordering::Acquire)
    }

    pub(super) fn start_work(&self) -> ClientWorkGuard {
        self.active_work.fetch_add(1, Ordering::AcqRel);
        ClientWorkGuard(Arc::clone(&self.active_work))
    }

    pub(super) fn contains(&self, id: &RequestId) -> bool {
        self.len() > 0 && self.lock().contains_key(id)
    }

    /// Adds a request and returns its serial number. The client may reuse the id of a cancelled or
    /// finished request.
    pub(super) fn insert(&self, id: RequestId, cancellation: Cancellation) -> usize {
        let serial = self.next_serial.fetch_add(1, Ordering::Relaxed);
        self.running.fetch_add(1, Ordering::AcqRel);
        let entry = InFlightEntry {
            serial,
            cancellation,
        };
        self.lock().insert(id, entry);
        serial
    }

    /// Removes a request. Compares the serial number, because a newer request may have the id of a
    /// cancelled request.
    pub(super) fn remove(&self, id: &RequestId, serial: usize) {
        let mut requests = self.lock();
        if requests.get(id).is_some_and(|it| it.serial == serial) {
            requests.remove(id);
        }
        drop(requests);
        self.running.fetch_sub(1, Ordering::AcqRel);
    }

    /// Cancels a request. Returns whether the request was in flight.
    pub(super) fn cancel(&self, id: &RequestId) -> bool {
        let entry = self.lock().remove(id);
        if let Some(entry) = &entry {
            entry.cancellation.cancel();
        }
        entry.is_some()
    }

    pub(super) fn cancel_all(&self) {
        let entries: Vec<_> = self.lock().drain().collect();
        for (_, entry) in entries {
            entry.cancellation.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, InFlightEntry>> {
        // No code panics while the lock is held.
        self.requests
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for ClientWorkGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
