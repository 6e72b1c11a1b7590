use std::sync::Arc;
use std::time::Duration;

use super::{MemoryTaskStore, TaskStore};

/// How tasks are kept, unless the server says otherwise.
#[derive(Clone, Debug)]
pub(crate) struct TaskOptions {
    pub(crate) store: Arc<dyn TaskStore>,
    /// How long a task is kept after its creation, and may run.
    pub(crate) ttl: Duration,
    /// How often a client should look.
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
