//! Work that outlives its request: the extension `io.modelcontextprotocol/tasks`.

mod store;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use serde_json::Value;
pub use store::{MemoryTaskStore, TaskRecord, TaskStore, TaskStoreError};

use crate::context::{Cancellation, Desk};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{InputRequest, JsonObject, Task, TaskStatus};
use crate::seal;
use crate::text::iso8601;

/// The identifier of the extension.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// How long a task is kept after its creation.
const TTL: Duration = Duration::from_secs(3600);
/// How often a client should look.
const POLL: Duration = Duration::from_millis(500);

/// The tasks of a server: what is kept of them, and what runs here.
#[derive(Debug)]
pub(crate) struct Tasks {
    store: Arc<dyn TaskStore>,
    /// Held while a record changes, so that no change is lost.
    running: Mutex<HashMap<String, Running>>,
}

#[derive(Debug)]
struct Running {
    cancellation: Cancellation,
    desk: Arc<Desk>,
}

impl Tasks {
    pub(crate) fn new(store: Arc<dyn TaskStore>) -> Arc<Self> {
        Arc::new(Self {
            store,
            running: Mutex::default(),
        })
    }

    /// Makes a task, which can be read before this returns.
    pub(crate) fn begin(
        self: &Arc<Self>,
        owner: &str,
        cancellation: Cancellation,
    ) -> Result<(Task, Arc<Desk>), ErrorObject> {
        let id = seal::random_id().ok_or_else(ErrorObject::internal)?;
        let created = SystemTime::now();
        let now = iso8601(created);
        let task = Task {
            task_id: id.clone(),
            status: TaskStatus::Working,
            status_message: None,
            created_at: now.clone(),
            last_updated_at: now,
            ttl_ms: Some(TTL.as_millis() as u64),
            poll_interval_ms: Some(POLL.as_millis() as u64),
            input_requests: BTreeMap::new(),
            result: None,
            error: None,
        };
        let record = TaskRecord {
            owner: owner.to_owned(),
            created,
            task: task.clone(),
        };
        self.store.put(record).map_err(failed)?;
        let (tasks, asked) = (Arc::downgrade(self), id.clone());
        let desk = Arc::new(Desk::new(move |questions| {
            if let Some(tasks) = tasks.upgrade() {
                tasks.ask(&asked, questions);
            }
        }));
        let running = Running {
            cancellation,
            desk: Arc::clone(&desk),
        };
        self.running().insert(id, running);
        Ok((task, desk))
    }

    /// A task of that owner (−32602 for any other).
    pub(crate) fn get(&self, owner: &str, id: &str) -> Result<Task, ErrorObject> {
        let running = self.running();
        let record = self.store.get(id).map_err(failed)?;
        let record = record.filter(|record| record.owner == owner);
        let mut record =
            record.ok_or_else(|| ErrorObject::invalid_params("there is no such task"))?;
        if !record.task.status.is_terminal() && !running.contains_key(id) {
            // Its process is gone, and nobody works on it any longer.
            record.task.status = TaskStatus::Failed;
            record.task.input_requests.clear();
            record.task.error = Some(ErrorObject::internal());
        }
        Ok(record.task)
    }

    /// Brings answers to the questions of a task; those to nothing are ignored.
    pub(crate) fn update(
        &self,
        owner: &str,
        id: &str,
        answers: JsonObject,
    ) -> Result<(), ErrorObject> {
        self.get(owner, id)?;
        let desk = self.running().get(id).map(|it| Arc::clone(&it.desk));
        if let Some(desk) = desk {
            desk.answer(answers);
        }
        Ok(())
    }

    /// Calls a task off; one that has ended stays as it is.
    pub(crate) fn cancel(&self, owner: &str, id: &str) -> Result<(), ErrorObject> {
        self.get(owner, id)?;
        self.end(id, None);
        Ok(())
    }

    /// What came of a task; `None` where it was called off.
    pub(crate) fn end(&self, id: &str, outcome: Option<Result<Value, ErrorObject>>) {
        let mut all = self.running();
        let Some(running) = all.remove(id) else {
            return;
        };
        self.change(id, |task| {
            task.input_requests.clear();
            match outcome {
                Some(Ok(result)) => {
                    task.status = TaskStatus::Completed;
                    task.result = Some(result);
                }
                Some(Err(error)) => {
                    task.status = TaskStatus::Failed;
                    task.error = Some(error);
                }
                None => task.status = TaskStatus::Cancelled,
            }
        });
        drop(all);
        running.cancellation.cancel();
    }

    fn ask(&self, id: &str, questions: BTreeMap<String, InputRequest>) {
        let all = self.running();
        if all.contains_key(id) {
            self.change(id, |task| {
                task.status = match questions.is_empty() {
                    true => TaskStatus::Working,
                    false => TaskStatus::InputRequired,
                };
                task.input_requests = questions;
            });
        }
    }

    /// Changes what is kept; must be called with `running` held.
    fn change(&self, id: &str, change: impl FnOnce(&mut Task)) {
        let changed = self.store.get(id).and_then(|record| match record {
            Some(mut record) => {
                change(&mut record.task);
                record.task.last_updated_at = iso8601(SystemTime::now());
                self.store.put(record)
            }
            None => Ok(()),
        });
        if let Err(error) = changed {
            tracing::error!(%error, "a task could not be kept");
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        // A store that panics under the lock leaves the map as it is.
        self.running
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn failed(error: TaskStoreError) -> ErrorObject {
    tracing::error!(%error, "a task could not be kept or read");
    ErrorObject::internal()
}
