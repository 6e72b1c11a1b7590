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

/// A store of eight tasks has two for each proven caller.
#[track_caller]
pub(super) fn check_shares(store: &dyn TaskStore) {
    store.put(owned("alice", "a", Some(60_000))).unwrap();
    store.put(owned("alice", "b", Some(0))).unwrap();
    store.put(owned("alice", "c", None)).unwrap();
    let full = store.put(owned("alice", "d", None));
    let Err(TaskStoreError::Full { kept: 2, room_in }) = full else {
        panic!("{full:?}");
    };
    assert!(room_in.unwrap() <= Duration::from_secs(60));
    // What is there already can still end, and others have their own share.
    store.put(owned("alice", "a", Some(60_000))).unwrap();
    store.put(owned("bob", "e", None)).unwrap();
    // Who proves nothing may have all that is left.
    for id in ["f", "g", "h", "i", "j"] {
        store.put(record(id, None)).unwrap();
    }
    assert!(store.put(owned("bob", "k", None)).is_err());
}

/// Tasks of which one runs that the system's clock takes for expired.
fn with_one_after_a_jump() -> (Arc<Tasks>, Arc<Running>) {
    let tasks = Tasks::new(TaskOptions::default(), Arc::new(|_| ()));
    let mut record = record("a", Some(60_000));
    record.created = SystemTime::UNIX_EPOCH;
    let running = Running::new(record, Cancellation::default(), Arc::clone(&tasks.told));
    tasks.running().insert("a".to_owned(), Arc::clone(&running));
    (tasks, running)
}

#[tokio::test]
async fn a_clock_that_jumps_ends_no_task_and_loses_no_result() {
    let (tasks, running) = with_one_after_a_jump();
    let task = tasks.get(None, "a").await.unwrap();
    assert_eq!(task.status, TaskStatus::Working);
    let over = running.over.clone();
    tasks.run(running, async { Some(Ok(Value::from(1))) });
    over.cancelled().await;
    let task = tasks.get(None, "a").await.unwrap();
    assert_eq!(task.result, Some(Value::from(1)));
}
