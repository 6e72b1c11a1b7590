use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::SystemTime;

use super::store::share;
use super::{TaskRecord, TaskStore, TaskStoreError};

/// Keeps tasks in this process: 1000 of them, and results of 64 MiB, unless said.
///
/// One that is full takes no new task, nor one of a caller, proven by
/// authentication, who has a quarter of either: such work is answered as a call. What has begun can still end, so the
/// results may go beyond their bound by those of the tasks that run.
///
/// ```
/// use mcp_runtime::{MemoryTaskStore, Server};
///
/// let store = MemoryTaskStore::new(50).max_bytes(1024 * 1024);
/// let server = Server::new("example", "1.0.0").task_store(store);
/// ```
#[derive(Debug)]
pub struct MemoryTaskStore {
    most: usize,
    most_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    records: BTreeMap<String, Weighed>,
    bytes: usize,
}

/// A task with the size of its result.
type Weighed = (TaskRecord, usize);

impl MemoryTaskStore {
    /// A store of at most so many tasks.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            most,
            most_bytes: 64 * 1024 * 1024,
            kept: Mutex::default(),
        }
    }

    /// How many bytes of JSON the results may have together before no new task is
    /// taken; 64 MiB unless said.
    #[must_use]
    pub fn max_bytes(mut self, most: usize) -> Self {
        self.most_bytes = most;
        self
    }

    /// No foreign code runs under the lock, so the map is always whole.
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn make_room(&self, kept: &mut Kept, owner: Option<&str>) -> Result<(), TaskStoreError> {
        if self.refusal(kept, owner).is_some() {
            kept.let_go_of_expired();
        }
        self.refusal(kept, owner).map_or(Ok(()), Err)
    }

    /// Why there is no room for a further task of that owner, if there is none: among
    /// all, or in the owner's share.
    fn refusal(&self, kept: &Kept, owner: Option<&str>) -> Option<TaskStoreError> {
        if kept.records.len() >= self.most || kept.bytes >= self.most_bytes {
            return Some(full(kept.records.values()));
        }
        let is_own = |(record, _): &&Weighed| record.owner.as_deref() == owner;
        let own = || kept.records.values().filter(is_own);
        let bytes: usize = own().map(|(_, bytes)| bytes).sum();
        let used = own().count() >= share(self.most) || bytes >= share(self.most_bytes);
        (owner.is_some() && used).then(|| full(own()))
    }
}

impl Kept {
    fn insert(&mut self, record: TaskRecord, bytes: usize) {
        self.bytes += bytes;
        let before = self
            .records
            .insert(record.task.task_id.clone(), (record, bytes));
        self.bytes -= before.map_or(0, |(_, bytes)| bytes);
    }

    fn let_go_of_expired(&mut self) {
        self.records.retain(|_, (record, bytes)| {
            let expired = record.is_expired();
            self.bytes -= if expired { *bytes } else { 0 };
            !expired
        });
    }
}

/// These are as many as may be kept.
fn full<'a>(records: impl Iterator<Item = &'a Weighed> + Clone) -> TaskStoreError {
    let ends = records.clone().filter_map(|(record, _)| record.expires());
    let first = ends.min();
    TaskStoreError::Full {
        kept: records.count(),
        room_in: first.and_then(|end| end.duration_since(SystemTime::now()).ok()),
    }
}

/// 1000 tasks, and results of 64 MiB.
impl Default for MemoryTaskStore {
    fn default() -> Self {
        Self::new(1000)
    }
}

impl TaskStore for MemoryTaskStore {
    /// A full store first lets go of what is expired, and then refuses.
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
        let bytes = size(&record);
        let mut kept = self.lock();
        if !kept.records.contains_key(&record.task.task_id) {
            self.make_room(&mut kept, record.owner.as_deref())?;
        }
        kept.insert(record, bytes);
        Ok(())
    }

    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        let kept = self.lock();
        let record = kept.records.get(id).map(|(record, _)| record);
        Ok(record.filter(|record| !record.is_expired()).cloned())
    }

    fn blocks(&self) -> bool {
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
    fn a_full_store_lets_go_of_the_expired_only() {
        let store = MemoryTaskStore::new(2);
        store.put(record("a", Some(60_000))).unwrap();
        store.put(record("b", Some(0))).unwrap();
        store.put(record("c", None)).unwrap();
        let full = store.put(record("d", None));
        let Err(TaskStoreError::Full { kept: 2, room_in }) = full else {
            panic!("{full:?}");
        };
        assert!(room_in.unwrap() <= Duration::from_secs(60));
        store.put(record("a", Some(0))).unwrap();
        assert!(store.get("a").unwrap().is_none());
        assert!(store.get("c").unwrap().is_some());
    }

    #[test]
    fn results_are_bounded_together() {
        let store = MemoryTaskStore::new(10).max_bytes(10);
        let mut large = record("a", Some(60_000));
        store.put(large.clone()).unwrap();
        // Quotes count.
        large.task.result = Some(json!("12345678"));
        store.put(large.clone()).unwrap();
        assert!(store.put(record("b", None)).is_err());
        // What has begun can end, however large it is.
        large.task.result = Some(json!("123456789"));
        store.put(large.clone()).unwrap();
        assert!(store.put(record("b", None)).is_err());
        large.task.ttl_ms = Some(0);
        store.put(large).unwrap();
        store.put(record("b", None)).unwrap();
        assert_eq!(store.lock().bytes, 0);
    }

    #[test]
    fn nobody_takes_the_room_of_the_others() {
        check_shares(&MemoryTaskStore::new(8));
    }

    #[test]
    fn nobody_takes_the_bytes_of_the_others() {
        let store = MemoryTaskStore::new(8).max_bytes(40);
        let mut large = owned("alice", "a", Some(60_000));
        large.task.result = Some(json!("12345678"));
        store.put(large).unwrap();
        assert!(store.put(owned("alice", "b", None)).is_err());
        store.put(owned("bob", "c", None)).unwrap();
    }
}
