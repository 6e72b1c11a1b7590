use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::Peer;
use crate::context::Cancellation;
use crate::jsonrpc::RequestId;

/// The requests of one peer that are waiting or running.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    calls: Mutex<HashMap<RequestId, Entry>>,
    /// Guards alive: also those of cancelled calls whose thread still runs.
    running: AtomicUsize,
    /// How much of the client's work goes on, be it in calls or in tasks.
    work: Arc<AtomicUsize>,
    serial: AtomicUsize,
}

#[derive(Debug)]
struct Entry {
    serial: usize,
    cancellation: Cancellation,
}

/// Counts a call or a task until it is dropped.
#[derive(Debug)]
pub(crate) struct Seat(Arc<AtomicUsize>);

/// Keeps a request in flight until it is dropped.
#[derive(Debug)]
pub(crate) struct Guard {
    peer: Peer,
    id: RequestId,
    serial: usize,
    _seat: Option<Seat>,
}

impl InFlight {
    /// Nothing yet, whose work is counted in `work` with that of others.
    pub(crate) fn counted(work: Arc<AtomicUsize>) -> Self {
        Self {
            work,
            ..Self::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.running.load(Ordering::Acquire)
    }

    /// How much of the client's work goes on, be it in calls or in tasks.
    pub(crate) fn work(&self) -> usize {
        self.work.load(Ordering::Acquire)
    }

    pub(crate) fn seat(&self) -> Seat {
        self.work.fetch_add(1, Ordering::AcqRel);
        Seat(Arc::clone(&self.work))
    }

    pub(crate) fn contains(&self, id: &RequestId) -> bool {
        self.len() > 0 && self.lock().contains_key(id)
    }

    /// Registers a request; one whose id was cancelled or is done may use it again.
    ///
    /// One that only waits for news is no work.
    pub(crate) fn enter(
        peer: &Peer,
        id: &RequestId,
        cancellation: &Cancellation,
        long_lived: bool,
    ) -> Guard {
        let this = peer.in_flight();
        let serial = this.serial.fetch_add(1, Ordering::Relaxed);
        this.running.fetch_add(1, Ordering::AcqRel);
        let cancellation = cancellation.clone();
        this.lock().insert(
            id.clone(),
            Entry {
                serial,
                cancellation,
            },
        );
        Guard {
            peer: peer.clone(),
            id: id.clone(),
            serial,
            _seat: (!long_lived).then(|| this.seat()),
        }
    }

    /// Cancels a request; an unknown or finished one is nobody's concern.
    pub(crate) fn cancel(&self, id: &RequestId) -> bool {
        let entry = self.lock().remove(id);
        if let Some(entry) = &entry {
            entry.cancellation.cancel();
        }
        entry.is_some()
    }

    pub(crate) fn cancel_all(&self) {
        let entries: Vec<_> = self.lock().drain().collect();
        for (_, entry) in entries {
            entry.cancellation.cancel();
        }
    }

    /// A panic cannot happen under the lock; if it did, the map would still be whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Entry>> {
        self.calls
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let in_flight = self.peer.in_flight();
        let mut calls = in_flight.lock();
        // After a cancellation the id may already belong to a newer request.
        if calls
            .get(&self.id)
            .is_some_and(|entry| entry.serial == self.serial)
        {
            calls.remove(&self.id);
        }
        drop(calls);
        in_flight.running.fetch_sub(1, Ordering::AcqRel);
    }
}
