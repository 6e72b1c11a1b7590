use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::SystemTime;

use super::{TaskRecord, TaskStore, TaskStoreError};

/// Keeps tasks in this process, up to a number of them: 1000 unless said.
///
/// ```
/// use mcp_runtime::{MemoryTaskStore, Server};
///
/// let server = Server::new("example", "1.0.0").task_store(MemoryTaskStore::new(50));
/// ```
#[derive(Debug)]
pub struct MemoryTaskStore {
    most: usize,
    records: Mutex<BTreeMap<String, TaskRecord>>,
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
                let first = records.values().filter_map(TaskRecord::expires).min();
                return Err(TaskStoreError::Full {
                    most: self.most,
                    room_in: first.and_then(|end| end.duration_since(SystemTime::now()).ok()),
                });
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

    fn blocks(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::record;
    use super::*;

    #[test]
    fn a_full_store_lets_go_of_the_expired_only() {
        let store = MemoryTaskStore::new(2);
        store.put(record("a", Some(60_000))).unwrap();
        store.put(record("b", Some(0))).unwrap();
        store.put(record("c", None)).unwrap();
        let full = store.put(record("d", None));
        let Err(TaskStoreError::Full { most: 2, room_in }) = full else {
            panic!("{full:?}");
        };
        assert!(room_in.unwrap() <= Duration::from_secs(60));
        store.put(record("a", Some(0))).unwrap();
        assert!(store.get("a").unwrap().is_none());
        assert!(store.get("c").unwrap().is_some());
    }
}
