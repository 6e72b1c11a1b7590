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
