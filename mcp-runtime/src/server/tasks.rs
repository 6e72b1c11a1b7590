use std::sync::Arc;
use std::time::Duration;

use super::Server;
use crate::task::TaskStore;

impl Server {
    /// Sets the store of tasks. Defaults to a [`MemoryTaskStore`](crate::task::MemoryTaskStore)
    /// with room for 1000 tasks.
    #[must_use]
    pub fn task_store(mut self, store: impl TaskStore) -> Self {
        self.tasks.store = Arc::new(store);
        self
    }

    /// Limits how long a task may run, and how long the server keeps a task after its creation.
    ///
    /// Defaults to one hour. [`Duration::MAX`] means no limit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mcp_runtime::Server;
    ///
    /// let day = Duration::from_secs(24 * 3600);
    /// let server = Server::new("example", "1.0.0").task_ttl(day);
    /// ```
    #[must_use]
    pub fn task_ttl(mut self, ttl: Duration) -> Self {
        self.tasks.ttl = ttl;
        self
    }

    /// Sets how often clients should poll a task. Defaults to 500 milliseconds.
    #[must_use]
    pub fn task_poll_interval(mut self, interval: Duration) -> Self {
        // The tasks extension requires a positive interval.
        self.tasks.poll_interval = interval.max(Duration::from_millis(1));
        self
    }
}
