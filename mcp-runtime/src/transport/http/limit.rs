use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests and streams may be served at once.
#[derive(Debug)]
pub(super) struct Limit(Arc<Semaphore>);

/// One of them; given back when dropped.
#[derive(Debug)]
pub(super) struct Permit {
    _permit: OwnedSemaphorePermit,
}

impl Limit {
    pub(super) fn new(requests: usize) -> Self {
        Self(Arc::new(Semaphore::new(
            requests.min(Semaphore::MAX_PERMITS),
        )))
    }

    /// `None` where too many are served already.
    pub(super) fn enter(&self) -> Option<Permit> {
        let permit = Arc::clone(&self.0).try_acquire_owned().ok()?;
        Some(Permit { _permit: permit })
    }
}
