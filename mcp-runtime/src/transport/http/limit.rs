use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests may be served at once, or how many streams.
#[derive(Debug)]
pub(super) struct Limit {
    most: usize,
    free: Arc<Semaphore>,
}

/// One of them; given back when dropped.
#[derive(Debug)]
pub(super) struct Permit {
    _permit: OwnedSemaphorePermit,
}

impl Limit {
    pub(super) fn new(most: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        let free = Arc::new(Semaphore::new(most));
        Self { most, free }
    }

    /// How many are served.
    pub(super) fn taken(&self) -> usize {
        self.most - self.free.available_permits()
    }

    /// `None` where too many are served already.
    pub(super) fn enter(&self) -> Option<Permit> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        Some(Permit { _permit: permit })
    }
}
