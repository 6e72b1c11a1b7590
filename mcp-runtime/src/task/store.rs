use std::fmt;
use std::time::{Duration, SystemTime};

use crate::protocol::Task;

/// A stored task.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TaskRecord {
    /// The id of the authenticated principal that created the task. Only this principal can access
    /// the task. `None` if the server has no authentication.
    pub owner: Option<String>,
    /// The creation time, at which the time to live starts.
    ///
    /// If the system clock is set while the task is running, this time is corrected when the task
    /// finishes.
    pub created: SystemTime,
    /// The task in the form that the client receives.
    pub task: Task,
}

impl TaskRecord {
    /// Returns the time after which the store may delete the task. Returns `None` if the task never
    /// expires.
    #[must_use]
    pub fn expires(&self) -> Option<SystemTime> {
        let ttl = Duration::from_millis(self.task.ttl_ms?);
        self.created.checked_add(ttl)
    }

    /// Whether the task has expired and the store may delete it.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.expires().is_some_and(|end| end <= SystemTime::now())
    }
}

/// The error of a [`TaskStore`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskStoreError {
    /// The limit of all tasks or of the owner's tasks is reached.
    ///
    /// The client receives the error −31429 with the time after which it may try again.
    #[error("the limit of {count} tasks is reached")]
    Full {
        /// The number of stored tasks that count towards the limit.
        count: usize,
        /// The time until the first of these tasks expires, if known.
        retry_after: Option<Duration>,
    },
    /// The store failed. The client receives the generic error −32603.
    #[error("tasks cannot be stored or read: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Returns the part of a limit that one authenticated owner may use. Without this limit, one owner
/// could fill the store. Unauthenticated callers cannot be distinguished and have no share.
pub(super) fn owner_share(limit: usize) -> usize {
    limit.div_ceil(4)
}

/// Stores the tasks of a server. Pass the store to
/// [`Server::task_store`](crate::Server::task_store).
///
/// The server stores each task twice: before the client receives the task id, and when the task has
/// finished. The server holds the progress of running tasks in memory, so only one server at a time
/// may use a store. An unfinished task from an earlier process is lost, and the server reports it
/// as failed.
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
    /// Stores a task until it expires. Replaces an earlier version of the task with the same id.
    ///
    /// [`get`](Self::get) must return the task immediately afterwards.
    ///
    /// # Errors
    /// Returns an error if the task cannot be stored. In this case the call continues without a
    /// task.
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError>;

    /// Returns the task with this id. May return `None` for an expired task.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError>;

    /// Whether [`put`](Self::put) and [`get`](Self::get) may block, for example because they read
    /// from a disk. If so, they run on tokio's blocking pool.
    ///
    /// Defaults to `true`.
    fn is_blocking(&self) -> bool {
        true
    }
}
