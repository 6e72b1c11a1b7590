use std::sync::Arc;
use std::time::Duration;

use super::Server;
use crate::dispatch::ServerHandle;
use crate::task::{TaskStore, Told};

impl Server {
    /// Where tasks are kept; 1000 of them in this process unless said.
    #[must_use]
    pub fn task_store(mut self, store: impl TaskStore) -> Self {
        self.tasks.store = Arc::new(store);
        self
    }

    /// How long a task is kept after its creation, and how long it may run; an
    /// hour unless said, and for ever with [`Duration::MAX`].
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

    /// How often a client should look how far a task is; every half second unless said.
    #[must_use]
    pub fn task_poll_interval(mut self, interval: Duration) -> Self {
        // The extension wants more than no time.
        self.tasks.poll_interval = interval.max(Duration::from_millis(1));
        self
    }
}

/// Tells those who listen of tasks that change.
pub(super) fn told(live: &ServerHandle) -> Told {
    let live = live.clone();
    Arc::new(move |task| live.task_changed(task))
}
