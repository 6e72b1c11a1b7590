use std::fmt;
use std::time::{Duration, SystemTime};

use crate::protocol::Task;

/// A task as it is kept.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TaskRecord {
    /// The id of the principal that made it, `None` where nobody proves who they
    /// are; nobody else gets to see it.
    pub owner: Option<String>,
    /// When it was made; the time for which it is kept is counted from here. At its
    /// end it is put again by the clock as it is then, which may have been set.
    pub created: SystemTime,
    /// What the client sees.
    pub task: Task,
}

impl TaskRecord {
    /// When it need not be kept any longer; `None` is never.
    #[must_use]
    pub fn expires(&self) -> Option<SystemTime> {
        let ttl = Duration::from_millis(self.task.ttl_ms?);
        self.created.checked_add(ttl)
    }

    /// Whether it need not be kept any longer.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.expires().is_some_and(|end| end <= SystemTime::now())
    }
}

/// Why a task was not kept, or not found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskStoreError {
    /// As many tasks are kept as may be, of all or of this owner. The client is told
    /// so, with −31429 and when to try again.
    #[error("there are {kept} tasks already, and no more are kept")]
    Full {
        /// How many are kept.
        kept: usize,
        /// How long it takes until one of them expires, where that is known.
        room_in: Option<Duration>,
    },
    /// The store does not work. The client is told no more than that (−32603).
    #[error("the tasks cannot be kept or read: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What one proven caller may have of what a store of this crate keeps, so that
/// nobody fills it for the others. Those that prove nothing cannot be told apart.
pub(super) fn share(most: usize) -> usize {
    most.div_ceil(4)
}

/// Where the tasks of a server are kept, given to [`Server::task_store`](crate::Server::task_store).
///
/// A task is put twice: before its client hears of it, and when it has ended.
/// How far a running task is, the server that runs it knows by itself, so a store
/// belongs to one server at a time.
/// A task that is found unfinished in the store of a server that does not run it
/// has lost its server: clients are told that it failed.
///
/// ```
/// use std::{collections::HashMap, sync::Mutex};
/// use mcp_runtime::{Server, TaskRecord, TaskStore, TaskStoreError};
///
/// #[derive(Debug, Default)]
/// struct Everything(Mutex<HashMap<String, TaskRecord>>);
///
/// impl TaskStore for Everything {
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
/// let server = Server::new("example", "1.0.0").task_store(Everything::default());
/// ```
pub trait TaskStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps a task, in place of what was kept under its id: at least until it
    /// expires, and so that [`get`](Self::get) finds it at once.
    ///
    /// # Errors
    /// If it cannot be kept; there is no task then, and its work goes on as a call.
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError>;

    /// A task by its id; what has expired need not be found.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError>;

    /// Whether the others may block their thread, as where a disk is read; they
    /// then run on threads that may. Unless said, they may.
    fn blocks(&self) -> bool {
        true
    }
}
