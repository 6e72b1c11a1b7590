//! Polling, input and cancellation of tool calls that continue as tasks (extension
//! `io.modelcontextprotocol/tasks`).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Client, ClientError};
use crate::jsonrpc::ErrorCode;
use crate::protocol::{JsonObject, Task, TaskStatus};
use crate::task::EXTENSION;

/// The interval between polls if the server does not set one.
const DEFAULT_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The shortest interval between polls.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How long the client waits for the response to `tasks/cancel`.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the extensions that a client with tasks declares.
pub(super) fn extensions() -> JsonObject {
    JsonObject::from_iter([(EXTENSION.to_owned(), json!({}))])
}

impl Client {
    /// Polls a task at the interval that the server sets, handles the input requests of the task,
    /// and returns its result.
    ///
    /// Cancels the task after the timeout of the client, or if the future is dropped.
    pub(super) async fn follow_task(&self, created: &Value) -> Result<Value, ClientError> {
        let task = Task::deserialize(created)?;
        let mut follower = TaskFollower {
            client: self.share(),
            id: task.task_id.clone(),
            is_done: false,
        };
        let timeout = self.options.timeout;
        let outcome = tokio::time::timeout(timeout, follower.result(task)).await;
        outcome.unwrap_or(Err(ClientError::TimedOut(timeout)))
    }

    /// Returns another handle to the same connection.
    fn share(&self) -> Self {
        Self {
            connection: Arc::clone(&self.connection),
            options: Arc::clone(&self.options),
            revision: self.revision,
        }
    }
}

/// A guard that cancels a task if it is dropped before the task is done.
struct TaskFollower {
    client: Client,
    id: String,
    is_done: bool,
}

impl TaskFollower {
    async fn result(&mut self, mut task: Task) -> Result<Value, ClientError> {
        let mut handled = BTreeSet::new();
        loop {
            match task.status {
                TaskStatus::Working => {}
                TaskStatus::InputRequired => self.send_input(&task, &mut handled).await?,
                TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled => {
                    self.is_done = true;
                    return task_result(task);
                }
            }
            tokio::time::sleep(poll_interval(&task)).await;
            let params = json!({ "taskId": self.id });
            let polled = self.client.request_once("tasks/get", params).await;
            // The client need not cancel a task that the server does not know.
            self.is_done = matches!(&polled, Err(ClientError::Protocol(error)) if error.code == ErrorCode::INVALID_PARAMS);
            task = serde_json::from_value(polled?)?;
        }
    }

    /// Handles the new input requests of a task. A task uses each key only once.
    async fn send_input(
        &self,
        task: &Task,
        handled: &mut BTreeSet<String>,
    ) -> Result<(), ClientError> {
        let mut responses = serde_json::Map::new();
        for (key, request) in &task.input_requests {
            if handled.insert(key.clone()) {
                let response = self.client.handle_input_request(key, request.clone());
                responses.insert(key.clone(), response.await?);
            }
        }
        if responses.is_empty() {
            return Ok(());
        }
        let params = json!({ "taskId": self.id, "inputResponses": responses });
        self.client.request_once("tasks/update", params).await?;
        Ok(())
    }
}

fn poll_interval(task: &Task) -> Duration {
    let interval = task.poll_interval_ms.map(Duration::from_millis);
    interval
        .unwrap_or(DEFAULT_POLL_INTERVAL)
        .max(MIN_POLL_INTERVAL)
}

fn task_result(task: Task) -> Result<Value, ClientError> {
    match (task.status, task.result, task.error) {
        (TaskStatus::Completed, Some(result), _) => Ok(result),
        (TaskStatus::Failed, _, Some(error)) => Err(ClientError::Protocol(error)),
        (TaskStatus::Cancelled, ..) => Err(ClientError::TaskCancelled),
        (status, ..) => Err(ClientError::UnknownResultType(format!("{status:?} task"))),
    }
}

impl Drop for TaskFollower {
    fn drop(&mut self) {
        // The client can only send a request inside a tokio runtime.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.is_done {
            return;
        }
        let (client, params) = (self.client.share(), json!({ "taskId": self.id }));
        runtime.spawn(async move {
            let cancelled = client.request_once("tasks/cancel", params);
            // Nobody waits for the cancellation, so the error is ignored.
            let _ = tokio::time::timeout(CANCEL_TIMEOUT, cancelled).await;
        });
    }
}
