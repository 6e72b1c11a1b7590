use super::*;

pub(super) fn record(id: &str, ttl_ms: Option<u64>) -> TaskRecord {
    TaskRecord {
        owner: None,
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

pub(super) fn owned(owner: &str, id: &str, ttl_ms: Option<u64>) -> TaskRecord {
    let owner = Some(owner.to_owned());
    TaskRecord {
        owner,
        ..record(id, ttl_ms)
    }
}

/// Checks the shares of owners in a store for eight tasks, in which each authenticated owner may
/// store two.
#[track_caller]
pub(super) fn check_shares(store: &dyn TaskStore) {
    store.put(owned("alice", "a", Some(60_000))).unwrap();
    store.put(owned("alice", "b", Some(0))).unwrap();
    store.put(owned("alice", "c", None)).unwrap();
    let full = store.put(owned("alice", "d", None));
    let Err(TaskStoreError::Full {
        count: 2,
        retry_after,
    }) = full
    else {
        panic!("{full:?}");
    };
    assert!(retry_after.unwrap() <= Duration::from_secs(60));
    // A task that is already stored can still be updated, and other owners have their own share.
    store.put(owned("alice", "a", Some(60_000))).unwrap();
    store.put(owned("bob", "e", None)).unwrap();
    // Tasks without an owner may use all free places of the store.
    for id in ["f", "g", "h", "i", "j"] {
        store.put(record(id, None)).unwrap();
    }
    assert!(store.put(owned("bob", "k", None)).is_err());
}

/// Returns a running task that has expired according to the system clock.
fn task_after_clock_jump() -> (Arc<Tasks>, Arc<RunningTask>) {
    let tasks = Tasks::new(TaskOptions::default(), Arc::new(|_| ()));
    let mut record = record("a", Some(60_000));
    record.created = SystemTime::UNIX_EPOCH;
    let running = RunningTask::new(record, Cancellation::default(), Arc::clone(&tasks.observer));
    tasks.running().insert("a".to_owned(), Arc::clone(&running));
    (tasks, running)
}

#[tokio::test]
async fn a_clock_jump_ends_no_task_and_loses_no_result() {
    let (tasks, running) = task_after_clock_jump();
    let task = tasks.get(None, "a").await.unwrap();
    assert_eq!(task.status, TaskStatus::Working);
    let finished = running.finished.clone();
    tasks.run(running, async { Some(Ok(Value::from(1))) });
    finished.cancelled().await;
    let task = tasks.get(None, "a").await.unwrap();
    assert_eq!(task.result, Some(Value::from(1)));
}
