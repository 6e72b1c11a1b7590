//! Tasks: calls that continue after their request has been answered (extension
//! `io.modelcontextprotocol/tasks`).
//!
//! A call of a tool with `#[tool(task)]` continues as a task if the client supports tasks. A
//! [`TaskStore`] holds the tasks of a server. See
//! [`Server::task_store`](crate::Server::task_store).

mod error;
mod memory;
mod options;
mod running_task;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use error::{expired, lost, unknown, unreadable};
pub use memory::MemoryTaskStore;
pub(crate) use options::TaskOptions;
use running_task::set_outcome;
pub(crate) use running_task::{RunningTask, TaskObserver};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteTaskStore;
pub use store::{TaskRecord, TaskStore, TaskStoreError};

use crate::context::Cancellation;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{JsonObject, Task, TaskStatus};
use crate::seal;
use crate::text::iso8601;

/// The identifier of the tasks extension.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Whether tasks are available. They require the feature `input-requests`, which provides
/// unguessable task ids. Without it, every call returns its result directly.
pub(crate) const AVAILABLE: bool = cfg!(feature = "input-requests");

/// The maximum time that running tasks may take to end when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The task store of a server, and the tasks that run in this process.
pub(crate) struct Tasks {
    options: TaskOptions,
    observer: TaskObserver,
    running: Mutex<HashMap<String, Arc<RunningTask>>>,
    has_created: AtomicBool,
}

impl Tasks {
    /// Creates the task management of a server. `observer` is called after every change of a
    /// running task.
    pub(crate) fn new(options: TaskOptions, observer: TaskObserver) -> Arc<Self> {
        Arc::new(Self {
            options,
            observer,
            running: Mutex::default(),
            has_created: AtomicBool::new(false),
        })
    }

    /// Creates and stores a new task.
    pub(crate) async fn create(
        &self,
        owner: Option<String>,
        cancellation: Cancellation,
    ) -> Result<(Task, Arc<RunningTask>), TaskStoreError> {
        let no_id = || TaskStoreError::Failed("the system has no random numbers".into());
        let id = seal::random_id().ok_or_else(no_id)?;
        let created = SystemTime::now();
        let now = iso8601(created);
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let task = Task {
            task_id: id.clone(),
            status: TaskStatus::Working,
            status_message: None,
            created_at: now.clone(),
            last_updated_at: now,
            // Omit a time to live that JSON parsers may not be able to represent exactly. Without
            // it, the task never expires.
            ttl_ms: Some(millis(self.options.ttl)).filter(|ttl| *ttl < 1 << 53),
            poll_interval_ms: Some(millis(self.options.poll_interval)),
            input_requests: BTreeMap::new(),
            result: None,
            error: None,
        };
        let record = TaskRecord {
            owner,
            created,
            task: task.clone(),
        };
        self.put(record.clone()).await?;
        self.has_created.store(true, Ordering::Relaxed);
        let running = RunningTask::new(record, cancellation, Arc::clone(&self.observer));
        self.running().insert(id, Arc::clone(&running));
        Ok((task, running))
    }

    /// Runs the work of a task until the task completes, is cancelled, or expires.
    ///
    /// The outcome of the task is stored before clients are notified.
    pub(crate) fn run(
        self: &Arc<Self>,
        running: Arc<RunningTask>,
        work: impl Future<Output = Option<Result<Value, ErrorObject>>> + Send + 'static,
    ) {
        let tasks = Arc::clone(self);
        tokio::spawn(async move {
            let guard = RunGuard { tasks, running };
            let (tasks, running) = (&guard.tasks, &guard.running);
            let outcome = tokio::select! {
                biased;
                () = running.cancellation.cancelled() => running.is_stopped().then(|| Err(lost())),
                () = tokio::time::sleep(tasks.options.ttl) => {
                    // A blocking handler cannot be dropped, so signal the handler to stop.
                    running.cancellation.stop();
                    Some(Err(expired()))
                }
                outcome = work => outcome,
            };
            let mut record = running.finished_record(outcome);
            if !record.is_expired()
                && let Err(error) = tasks.put(record.clone()).await
            {
                tracing::error!(%error, "the outcome of a task could not be stored");
                record = running.finished_record(Some(Err(lost())));
            }
            running.finish(record);
        });
    }

    /// Returns the task with this id.
    ///
    /// # Errors
    /// Returns the error −32602 if `owner` has no task with this id.
    pub(crate) async fn get(&self, owner: Option<&str>, id: &str) -> Result<Task, ErrorObject> {
        if let Some(running) = self.find(id) {
            let record = Some(running.record()).filter(|_| !running.is_expired());
            return task_of_owner(owner, record);
        }
        let record = self.load(id).await?.filter(|it| !it.is_expired());
        let mut task = task_of_owner(owner, record)?;
        if !task.status.is_terminal() {
            set_outcome(&mut task, Some(Err(lost())));
        }
        Ok(task)
    }

    /// Delivers responses to the input requests of a task. Ignores a response without a request.
    ///
    /// # Errors
    /// Returns the error −32602 if a response is malformed. In this case no response is delivered.
    pub(crate) async fn update(
        &self,
        owner: Option<&str>,
        id: &str,
        answers: JsonObject,
    ) -> Result<(), ErrorObject> {
        self.get(owner, id).await?;
        if let Some(running) = self.find(id) {
            running.inbox.deliver(answers).map_err(|key| {
                ErrorObject::invalid_params(format!("the answer to `{key}` must be an object"))
            })?;
        }
        Ok(())
    }

    /// Cancels a task. A finished task does not change.
    pub(crate) async fn cancel(&self, owner: Option<&str>, id: &str) -> Result<(), ErrorObject> {
        self.get(owner, id).await?;
        if let Some(running) = self.find(id) {
            running.cancel();
            running.finished.cancelled().await;
        }
        Ok(())
    }

    /// Whether the server has created a task, whose client may still request the result.
    pub(crate) fn has_created_tasks(&self) -> bool {
        self.has_created.load(Ordering::Relaxed)
    }

    /// Returns the number of tasks that run in this process.
    pub(crate) fn count(&self) -> usize {
        self.running().len()
    }

    /// Stops all running tasks. It is called when the server stops.
    pub(crate) async fn stop(&self) {
        let running: Vec<_> = self.running().values().map(Arc::clone).collect();
        running.iter().for_each(|running| running.stop());
        let finished = async {
            for running in &running {
                running.finished.cancelled().await;
            }
        };
        if tokio::time::timeout(STOP_TIMEOUT, finished).await.is_err() {
            tracing::warn!("running tasks did not end within {STOP_TIMEOUT:?}");
        }
    }

    /// Returns the ids that belong to tasks of `owner`, without duplicates.
    pub(crate) async fn filter_owned(&self, owner: Option<&str>, ids: &[String]) -> Vec<String> {
        let mut owned: Vec<String> = Vec::new();
        for id in ids {
            if !owned.contains(id) && self.get(owner, id).await.is_ok() {
                owned.push(id.clone());
            }
        }
        owned
    }

    /// Passes the current state of a task of `owner` to `observer`, in the same order as the
    /// notifications of its changes.
    pub(crate) async fn notify_current(
        &self,
        owner: Option<&str>,
        id: &str,
        observer: TaskObserver,
    ) {
        match self.find(id) {
            Some(running) if running.record().owner.as_deref() == owner => {
                running.notify_current(observer);
            }
            // The task is not running. Ignore the error if it has expired in the meantime.
            _ => {
                let _ = self.get(owner, id).await.map(|task| observer(&task));
            }
        }
    }

    fn find(&self, id: &str) -> Option<Arc<RunningTask>> {
        self.running().get(id).map(Arc::clone)
    }

    async fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
        self.with_store(move |store| store.put(record)).await
    }

    async fn load(&self, id: &str) -> Result<Option<TaskRecord>, ErrorObject> {
        let id = id.to_owned();
        let record = self.with_store(move |store| store.get(&id)).await;
        record.map_err(|error| unreadable(&error))
    }

    /// Runs `action` on the store. If the store may block, it runs on tokio's blocking pool.
    async fn with_store<T: Send + 'static>(
        &self,
        action: impl FnOnce(&dyn TaskStore) -> Result<T, TaskStoreError> + Send + 'static,
    ) -> Result<T, TaskStoreError> {
        let store = Arc::clone(&self.options.store);
        if !store.is_blocking() {
            return action(&*store);
        }
        let result = tokio::task::spawn_blocking(move || action(&*store)).await;
        result.unwrap_or_else(|error| Err(TaskStoreError::Failed(error.into())))
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Arc<RunningTask>>> {
        // Poisoning is ignored, because no code panics while it holds the lock.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that removes a running task from the map, even if its work panics.
struct RunGuard {
    tasks: Arc<Tasks>,
    running: Arc<RunningTask>,
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        let id = self.running.record().task.task_id;
        self.tasks.running().remove(&id);
        self.running.finished.cancel();
    }
}

/// Returns the task if it belongs to `owner`, or an error.
fn task_of_owner(owner: Option<&str>, record: Option<TaskRecord>) -> Result<Task, ErrorObject> {
    let record = record.filter(|it| it.owner.as_deref() == owner);
    record.map(|record| record.task).ok_or_else(unknown)
}

impl fmt::Debug for Tasks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Tasks")
            .field("options", &self.options)
            .field("running", &self.count())
            .finish_non_exhaustive()
    }
}
