use std::fmt;
use std::time::{Duration, SystemTime};

use crate::protocol::Task;

/// A task as it is stored.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TaskRecord {
    /// The id of the authenticated principal that created the task; only this principal can
    /// access it. `None` without authentication.
    pub owner: Option<String>,
    /// The creation time, from which the time to live counts.
    ///
    /// When the task finishes, the time is corrected if the system clock was set meanwhile.
    pub created: SystemTime,
    /// The task as the client sees it.
    pub task: Task,
}

impl TaskRecord {
    /// The time after which the store may delete the task; `None` means never.
    #[must_use]
    pub fn expires(&self) -> Option<SystemTime> {
        let ttl = Duration::from_millis(self.task.ttl_ms?);
        self.created.checked_add(ttl)
    }

    /// Whether the store may delete the task.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.expires().is_some_and(|end| end <= SystemTime::now())
    }
}

/// The error of a [`TaskStore`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskStoreError {
    /// The limit of all tasks, or of this owner's tasks, is reached.
    ///
    /// The client receives −31429 with the time after which it may try again.
    #[error("the limit of {count} tasks is reached")]
    Full {
        /// The number of stored tasks.
        count: usize,
        /// The time until one of them expires, if known.
        retry_after: Option<Duration>,
    },
    /// The store failed. The client receives a generic error (−32603).
    #[error("tasks cannot be stored or read: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The part of a limit that one authenticated owner may use, so that no owner fills the
/// store for the others. Unauthenticated callers cannot be told apart and have no share.
pub(super) fn owner_share(limit: usize) -> usize {
    limit.div_ceil(4)
}

/// Stores the tasks of a server, for [`Server::task_store`](crate::Server::task_store).
///
/// Each task is stored twice: before the client learns of it, and when it has finished.
/// The server holds the progress of running tasks in memory, so only one server at a time
/// may use a store. An unfinished task in the store that the server does not run was
/// lost with an earlier process, and the server reports it as failed.
///
/// ```
/// use std::{collections::HashMap, sync::Mutex};
/// use mcp_runtime::task::{TaskRecord, TaskStore, TaskStoreError};
/// use mcp_runtime::Server;
///
/// #[derive(Debug, Default)]
/// struct UnlimitedStore(Mutex<HashMap<String, TaskRecord>>);
///
/// impl TaskStore for UnlimitedStore {
///     fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
///         self.0.lock().unwrap().insert(record.task.task_id.clone(), record);
///         Ok(())
///     }
///
///     fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
///         Ok(self.0.lock().unwrap().get(id).cloned())
///     }
/// }
///
/// let server = Server::new("example", "1.0.0").task_store(UnlimitedStore::default());
/// ```
pub trait TaskStore: fmt::Debug + Send + Sync + 'static {
    /// Stores a task until it expires, and replaces an earlier version with the same id.
    ///
    /// [`get`](Self::get) must find it immediately afterwards.
    ///
    /// # Errors
    /// Returns an error if the task cannot be stored. The call then continues without a task.
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError>;

    /// Returns a task by its id. An expired task may be missing.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError>;

    /// Whether [`put`](Self::put) and [`get`](Self::get) may block, for example to read a
    /// disk. If so, they run on tokio's blocking threads.
    ///
    /// Defaults to `true`.
    fn is_blocking(&self) -> bool {
        true
    }
}
