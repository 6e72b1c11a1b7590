//! Work that outlives its request: the extension `io.modelcontextprotocol/tasks`.

mod error;
mod memory;
mod options;
mod running;
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

use error::{expired, lost, unknown, unread};
pub use memory::MemoryTaskStore;
pub(crate) use options::TaskOptions;
use running::end;
pub(crate) use running::{Running, Told};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteTaskStore;
pub use store::{TaskRecord, TaskStore, TaskStoreError};

use crate::context::Cancellation;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{JsonObject, Task, TaskStatus};
use crate::seal;
use crate::text::iso8601;

/// The identifier of the extension.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Without the feature `asking` there are no ids that nobody can guess, and so no
/// tasks: tools answer themselves.
pub(crate) const AVAILABLE: bool = cfg!(feature = "asking");

/// How long tasks may take to end when the server does.
const FAREWELL: Duration = Duration::from_secs(5);

/// The tasks of a server: what is kept of them, and what runs here.
pub(crate) struct Tasks {
    options: TaskOptions,
    told: Told,
    running: Mutex<HashMap<String, Arc<Running>>>,
    begun: AtomicBool,
}

impl Tasks {
    /// Tasks whose changes `told` is told.
    pub(crate) fn new(options: TaskOptions, told: Told) -> Arc<Self> {
        Arc::new(Self {
            options,
            told,
            running: Mutex::default(),
            begun: AtomicBool::new(false),
        })
    }

    /// Makes a task, which can be read before this returns.
    pub(crate) async fn begin(
        &self,
        owner: Option<String>,
        cancellation: Cancellation,
    ) -> Result<(Task, Arc<Running>), TaskStoreError> {
        let nameless = || TaskStoreError::Failed("the system has no random numbers".into());
        let id = seal::random_id().ok_or_else(nameless)?;
        let created = SystemTime::now();
        let now = iso8601(created);
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let task = Task {
            task_id: id.clone(),
            status: TaskStatus::Working,
            status_message: None,
            created_at: now.clone(),
            last_updated_at: now,
            // More than any reader of JSON holds exactly is for ever.
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
        self.begun.store(true, Ordering::Relaxed);
        let running = Running::new(record, cancellation, Arc::clone(&self.told));
        self.running().insert(id, Arc::clone(&running));
        Ok((task, running))
    }

    /// Runs the work of a task to its end, or until it is called off or expires.
    ///
    /// The end is kept before anybody is told of it.
    pub(crate) fn run(
        self: &Arc<Self>,
        running: Arc<Running>,
        work: impl Future<Output = Option<Result<Value, ErrorObject>>> + Send + 'static,
    ) {
        let tasks = Arc::clone(self);
        tokio::spawn(async move {
            let seat = Seat { tasks, running };
            let (tasks, running) = (&seat.tasks, &seat.running);
            let outcome = tokio::select! {
                biased;
                () = running.cancellation.cancelled() => running.is_stopped().then(|| Err(lost())),
                () = tokio::time::sleep(tasks.options.ttl) => {
                    // For a blocking body, which cannot be dropped.
                    running.cancellation.stop();
                    Some(Err(expired()))
                }
                outcome = work => outcome,
            };
            let mut record = running.ended(outcome);
            if !record.is_expired()
                && let Err(error) = tasks.put(record.clone()).await
            {
                tracing::error!(%error, "the outcome of a task is lost");
                record = running.ended(Some(Err(lost())));
            }
            running.become_ended(record);
        });
    }

    /// A task of that owner (−32602 for any other).
    pub(crate) async fn get(&self, owner: Option<&str>, id: &str) -> Result<Task, ErrorObject> {
        if let Some(running) = self.find(id) {
            let record = Some(running.record()).filter(|_| !running.is_expired());
            return visible(owner, record);
        }
        let record = self.kept(id).await?.filter(|it| !it.is_expired());
        let mut task = visible(owner, record)?;
        if !task.status.is_terminal() {
            end(&mut task, Some(Err(lost())));
        }
        Ok(task)
    }

    /// Brings answers to the questions of a task; those to nothing are ignored, and
    /// where one is no answer at all, none is taken (−32602).
    pub(crate) async fn update(
        &self,
        owner: Option<&str>,
        id: &str,
        answers: JsonObject,
    ) -> Result<(), ErrorObject> {
        self.get(owner, id).await?;
        if let Some(running) = self.find(id) {
            running.desk.answer(answers).map_err(|key| {
                ErrorObject::invalid_params(format!("the answer to `{key}` must be an object"))
            })?;
        }
        Ok(())
    }

    /// Calls a task off; one that has ended stays as it is.
    pub(crate) async fn cancel(&self, owner: Option<&str>, id: &str) -> Result<(), ErrorObject> {
        self.get(owner, id).await?;
        if let Some(running) = self.find(id) {
            running.cancel();
            running.over.cancelled().await;
        }
        Ok(())
    }

    /// Whether there ever was a task: its client may still ask for what came of it.
    pub(crate) fn have_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    /// How many tasks run here.
    pub(crate) fn count(&self) -> usize {
        self.running().len()
    }

    /// Ends all tasks that run here, since the server ends.
    pub(crate) async fn stop(&self) {
        let running: Vec<_> = self.running().values().map(Arc::clone).collect();
        running.iter().for_each(|running| running.stop());
        let ended = async {
            for running in &running {
                running.over.cancelled().await;
            }
        };
        if tokio::time::timeout(FAREWELL, ended).await.is_err() {
            tracing::warn!("gave up waiting for tasks to end after {FAREWELL:?}");
        }
    }

    /// Those of the ids that are tasks of that owner, each once.
    pub(crate) async fn permitted(&self, owner: Option<&str>, ids: &[String]) -> Vec<String> {
        let mut permitted: Vec<String> = Vec::new();
        for id in ids {
            if !permitted.contains(id) && self.get(owner, id).await.is_ok() {
                permitted.push(id.clone());
            }
        }
        permitted
    }

    /// Shows a task of that owner as it is now, in order with the changes that are told.
    pub(crate) async fn show(&self, owner: Option<&str>, id: &str, show: Told) {
        match self.find(id) {
            Some(running) if running.record().owner.as_deref() == owner => running.show(show),
            // One that has expired in the meantime is not shown.
            _ => {
                let _ = self.get(owner, id).await.map(|task| show(&task));
            }
        }
    }

    fn find(&self, id: &str) -> Option<Arc<Running>> {
        self.running().get(id).map(Arc::clone)
    }

    async fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
        self.in_store(move |store| store.put(record)).await
    }

    async fn kept(&self, id: &str) -> Result<Option<TaskRecord>, ErrorObject> {
        let id = id.to_owned();
        let kept = self.in_store(move |store| store.get(&id)).await;
        kept.map_err(|error| unread(&error))
    }

    /// Uses the store, on a thread that may block where the store does.
    async fn in_store<T: Send + 'static>(
        &self,
        using: impl FnOnce(&dyn TaskStore) -> Result<T, TaskStoreError> + Send + 'static,
    ) -> Result<T, TaskStoreError> {
        let store = Arc::clone(&self.options.store);
        if !store.blocks() {
            return using(&*store);
        }
        let used = tokio::task::spawn_blocking(move || using(&*store)).await;
        used.unwrap_or_else(|error| Err(TaskStoreError::Failed(error.into())))
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Arc<Running>>> {
        // Nothing but the map changes under the lock, and nothing there panics.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running task in the table, however its run ends.
struct Seat {
    tasks: Arc<Tasks>,
    running: Arc<Running>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let id = self.running.record().task.task_id;
        self.tasks.running().remove(&id);
        self.running.over.cancel();
    }
}

/// The task, for its owner.
fn visible(owner: Option<&str>, record: Option<TaskRecord>) -> Result<Task, ErrorObject> {
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
