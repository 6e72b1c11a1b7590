use std::sync::Arc;
use std::time::Duration;

use super::{MemoryTaskStore, TaskStore};

/// The options for the tasks of a server.
#[derive(Clone, Debug)]
pub(crate) struct TaskOptions {
    pub(crate) store: Arc<dyn TaskStore>,
    /// The time to live of a task, which starts with its creation. After this time, the task is
    /// stopped and may be deleted.
    pub(crate) ttl: Duration,
    /// The interval at which clients should poll a task.
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
