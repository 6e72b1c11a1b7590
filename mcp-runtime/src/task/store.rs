use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use crate::protocol::Task;

/// A task as it is kept.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TaskRecord {
    /// Who made it; nobody else gets to see it.
    pub owner: String,
    /// When it was made.
    pub created: SystemTime,
    /// What the client sees.
    pub task: Task,
}

/// Why a task was not kept.
#[derive(Debug, thiserror::Error)]
#[error("the task cannot be kept: {0}")]
pub struct TaskStoreError(pub Box<dyn std::error::Error + Send + Sync>);

/// Where the tasks of a server are kept, given to [`Server::task_store`](crate::Server::task_store).
///
/// What was put can be got at once, and stays at least until it expires.
pub trait TaskStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps a task, in place of what was kept under its id.
    ///
    /// # Errors
    /// If it cannot be kept; a client is then not told that there is a task.
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError>;

    /// A task by its id.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError>;
}

/// Keeps tasks in this process, up to a number of them.
#[derive(Debug)]
pub struct MemoryTaskStore {
    most: usize,
    records: Mutex<BTreeMap<String, TaskRecord>>,
}

impl TaskRecord {
    /// Whether it need not be kept any longer.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        let age = self.created.elapsed().unwrap_or(Duration::ZERO);
        let ttl = self.task.ttl_ms.map(Duration::from_millis);
        ttl.is_some_and(|ttl| age >= ttl)
    }
}

impl MemoryTaskStore {
    /// A store of at most so many tasks.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            most,
            records: Mutex::default(),
        }
    }

    /// No foreign code runs under the lock, so the map is always whole.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, TaskRecord>> {
        self.records
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// 1000 tasks.
impl Default for MemoryTaskStore {
    fn default() -> Self {
        Self::new(1000)
    }
}

impl TaskStore for MemoryTaskStore {
    /// A full store first lets go of what is expired, and then refuses.
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
        let mut records = self.lock();
        let id = &record.task.task_id;
        if records.len() >= self.most && !records.contains_key(id) {
            records.retain(|_, record| !record.is_expired());
            if records.len() >= self.most {
                let full = format!("there are {} tasks already", records.len());
                return Err(TaskStoreError(full.into()));
            }
        }
        records.insert(id.clone(), record);
        Ok(())
    }

    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        let mut records = self.lock();
        if records.get(id).is_some_and(TaskRecord::is_expired) {
            records.remove(id);
        }
        Ok(records.get(id).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::TaskStatus;

    fn record(id: &str, ttl_ms: Option<u64>) -> TaskRecord {
        TaskRecord {
            owner: String::new(),
            created: SystemTime::now(),
            task: Task {
                task_id: id.to_owned(),
                status: TaskStatus::Working,
                status_message: None,
                created_at: String::new(),
                last_updated_at: String::new(),
                ttl_ms,
                poll_interval_ms: None,
                input_requests: BTreeMap::new(),
                result: None,
                error: None,
            },
        }
    }

    #[test]
    fn a_full_store_lets_go_of_the_expired_only() {
        let store = MemoryTaskStore::new(2);
        store.put(record("a", None)).unwrap();
        store.put(record("b", Some(0))).unwrap();
        store.put(record("c", None)).unwrap();
        assert!(store.put(record("d", None)).is_err());
        store.put(record("a", Some(0))).unwrap();
        assert!(store.get("a").unwrap().is_none());
        assert!(store.get("c").unwrap().is_some());
    }
}
