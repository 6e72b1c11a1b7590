use std::sync::Arc;
use std::time::Duration;

use super::{MemoryTaskStore, TaskStore};

/// The options of tasks, with their defaults.
#[derive(Clone, Debug)]
pub(crate) struct TaskOptions {
    pub(crate) store: Arc<dyn TaskStore>,
    /// The time after its creation for which a task may run and is kept.
    pub(crate) ttl: Duration,
    /// The interval at which clients should poll.
    pub(crate) poll_interval: Duration,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self {
            store: Arc::new(MemoryTaskStore::default()),
            ttl: Duration::from_secs(3600),
            poll_interval: Duration::from_millis(500),
        }
    }
}
