use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::SystemTime;

use super::store::owner_share;
use super::{TaskRecord, TaskStore, TaskStoreError};

/// A store that keeps tasks in memory. By default, it holds up to 1000 tasks and 64 MiB of results.
///
/// One authenticated caller may use a quarter of each limit. If a limit is reached, further calls
/// run without a task. A running task can always store its result, and the size of the results may
/// exceed the limit.
///
/// ```
/// use mcp_runtime::task::MemoryTaskStore;
/// use mcp_runtime::Server;
///
/// let store = MemoryTaskStore::new(50).max_bytes(1024 * 1024);
/// let server = Server::new("example", "1.0.0").task_store(store);
/// ```
#[derive(Debug)]
pub struct MemoryTaskStore {
    max_tasks: usize,
    max_bytes: usize,
    tasks: Mutex<StoredTasks>,
}

#[derive(Debug, Default)]
struct StoredTasks {
    records: BTreeMap<String, SizedRecord>,
    bytes: usize,
}

/// A task, and the size of its result in bytes.
type SizedRecord = (TaskRecord, usize);

impl MemoryTaskStore {
    /// Creates a store for up to `max_tasks` tasks.
    #[must_use]
    pub fn new(max_tasks: usize) -> Self {
        Self {
            max_tasks,
            max_bytes: 64 * 1024 * 1024,
            tasks: Mutex::default(),
        }
    }

    /// Sets the limit of the total size of all results, in bytes of JSON. The store rejects new
    /// tasks if the limit is reached.
    ///
    /// Defaults to 64 MiB.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Locks the map. Poisoning is ignored, because no user code runs while the lock is held.
    fn lock(&self) -> MutexGuard<'_, StoredTasks> {
        self.tasks
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Checks whether the store has room for another task of `owner`. Removes expired tasks if it
    /// has none.
    fn make_room(
        &self,
        tasks: &mut StoredTasks,
        owner: Option<&str>,
    ) -> Result<(), TaskStoreError> {
        if self.check_limits(tasks, owner).is_err() {
            tasks.remove_expired();
        }
        self.check_limits(tasks, owner)
    }

    /// Checks the limits of the store, and the share that `owner` may use.
    fn check_limits(&self, tasks: &StoredTasks, owner: Option<&str>) -> Result<(), TaskStoreError> {
        if tasks.records.len() >= self.max_tasks || tasks.bytes >= self.max_bytes {
            return Err(full(tasks.records.values()));
        }
        let is_own = |(record, _): &&SizedRecord| record.owner.as_deref() == owner;
        let own = || tasks.records.values().filter(is_own);
        let bytes: usize = own().map(|(_, bytes)| bytes).sum();
        let share_used =
            own().count() >= owner_share(self.max_tasks) || bytes >= owner_share(self.max_bytes);
        match owner.is_some() && share_used {
            true => Err(full(own())),
            false => Ok(()),
        }
    }
}

impl StoredTasks {
    fn insert(&mut self, record: TaskRecord, bytes: usize) {
        self.bytes += bytes;
        let previous = self
            .records
            .insert(record.task.task_id.clone(), (record, bytes));
        self.bytes -= previous.map_or(0, |(_, bytes)| bytes);
    }

    fn remove_expired(&mut self) {
        self.records.retain(|_, (record, bytes)| {
            let expired = record.is_expired();
            self.bytes -= if expired { *bytes } else { 0 };
            !expired
        });
    }
}

/// Returns the error for a reached limit. `records` are the tasks that count towards the limit.
fn full<'a>(records: impl Iterator<Item = &'a SizedRecord> + Clone) -> TaskStoreError {
    let expiries = records.clone().filter_map(|(record, _)| record.expires());
    let first = expiries.min();
    TaskStoreError::Full {
        count: records.count(),
        retry_after: first.and_then(|end| end.duration_since(SystemTime::now()).ok()),
    }
}

/// Creates a store for 1000 tasks and 64 MiB of results.
impl Default for MemoryTaskStore {
    fn default() -> Self {
        Self::new(1000)
    }
}

impl TaskStore for MemoryTaskStore {
    /// Stores a task. If the store is full, removes expired tasks before rejecting a new task.
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
        let bytes = size(&record);
        let mut tasks = self.lock();
        if !tasks.records.contains_key(&record.task.task_id) {
            self.make_room(&mut tasks, record.owner.as_deref())?;
        }
        tasks.insert(record, bytes);
        Ok(())
    }

    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        let tasks = self.lock();
        let record = tasks.records.get(id).map(|(record, _)| record);
        Ok(record.filter(|record| !record.is_expired()).cloned())
    }

    fn is_blocking(&self) -> bool {
        false
    }
}

fn size(record: &TaskRecord) -> usize {
    let result = record.task.result.as_ref();
    result.map_or(0, |result| result.to_string().len())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::super::tests::{check_shares, owned, record};
    use super::*;

    #[test]
    fn a_full_store_removes_only_expired_tasks() {
        let store = MemoryTaskStore::new(2);
        store.put(record("a", Some(60_000))).unwrap();
        store.put(record("b", Some(0))).unwrap();
        store.put(record("c", None)).unwrap();
        let full = store.put(record("d", None));
        let Err(TaskStoreError::Full {
            count: 2,
            retry_after,
        }) = full
        else {
            panic!("{full:?}");
        };
        assert!(retry_after.unwrap() <= Duration::from_secs(60));
        store.put(record("a", Some(0))).unwrap();
        assert!(store.get("a").unwrap().is_none());
        assert!(store.get("c").unwrap().is_some());
    }

    #[test]
    fn the_total_size_of_results_is_limited() {
        let store = MemoryTaskStore::new(10).max_bytes(10);
        let mut large = record("a", Some(60_000));
        store.put(large.clone()).unwrap();
        // The size in bytes includes the quotes of the JSON string.
        large.task.result = Some(json!("12345678"));
        store.put(large.clone()).unwrap();
        assert!(store.put(record("b", None)).is_err());
        // A running task can store a result of any size.
        large.task.result = Some(json!("123456789"));
        store.put(large.clone()).unwrap();
        assert!(store.put(record("b", None)).is_err());
        large.task.ttl_ms = Some(0);
        store.put(large).unwrap();
        store.put(record("b", None)).unwrap();
        assert_eq!(store.lock().bytes, 0);
    }

    #[test]
    fn one_owner_cannot_use_all_tasks() {
        check_shares(&MemoryTaskStore::new(8));
    }

    #[test]
    fn one_owner_cannot_use_all_bytes() {
        let store = MemoryTaskStore::new(8).max_bytes(40);
        let mut large = owned("alice", "a", Some(60_000));
        large.task.result = Some(json!("12345678"));
        store.put(large).unwrap();
        assert!(store.put(owned("alice", "b", None)).is_err());
        store.put(owned("bob", "c", None)).unwrap();
    }
}
