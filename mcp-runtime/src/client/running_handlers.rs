use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::task::{AbortHandle, JoinHandle};

use crate::jsonrpc::RequestId;

/// The running handlers of server requests, which are aborted on drop.
#[derive(Debug, Default)]
pub(super) struct RunningHandlers(Mutex<HashMap<RequestId, AbortHandle>>);

impl RunningHandlers {
    /// Starts the handler of a request, unless a handler of a request with the same id is running.
    pub(super) fn start<T>(
        &self,
        id: &RequestId,
        spawn: impl FnOnce() -> JoinHandle<T>,
    ) -> Option<JoinHandle<T>> {
        match self.lock().entry(id.clone()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(entry) => {
                let handler = spawn();
                entry.insert(handler.abort_handle());
                Some(handler)
            }
        }
    }

    pub(super) fn remove(&self, id: &RequestId) {
        self.lock().remove(id);
    }

    /// Aborts the handler of a request, if it is still running.
    pub(super) fn cancel(&self, id: &RequestId) {
        let handler = self.lock().remove(id);
        if let Some(handler) = handler {
            handler.abort();
        }
    }

    /// Locks the map. No user code runs while it is locked, so the map is valid even if the lock is
    /// poisoned.
    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningHandlers {
    fn drop(&mut self) {
        for (_, handler) in self.lock().drain() {
            handler.abort();
        }
    }
}
