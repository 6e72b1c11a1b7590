//! A call whose work goes on as a task, followed to its end
//! (extension `io.modelcontextprotocol/tasks`).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Client, ClientError};
use crate::jsonrpc::ErrorCode;
use crate::protocol::{JsonObject, Task, TaskStatus};
use crate::task::EXTENSION;

/// How often to look at a task whose server does not say.
const POLL: Duration = Duration::from_secs(1);
/// No server is asked more often than this.
const SHORTEST: Duration = Duration::from_millis(10);
/// How long the server may take to answer that a task is called off.
const FAREWELL: Duration = Duration::from_secs(5);

/// What a client that follows tasks declares.
pub(super) fn extensions() -> JsonObject {
    JsonObject::from_iter([(EXTENSION.to_owned(), json!({}))])
}

impl Client {
    /// Looks at a task as often as its server wants, answers what it asks, and
    /// gives back its result.
    ///
    /// It is called off if that takes too long, or if nobody waits any longer.
    pub(super) async fn follow(&self, created: &Value) -> Result<Value, ClientError> {
        let task = Task::deserialize(created)?;
        let mut followed = Followed {
            client: self.share(),
            id: task.task_id.clone(),
            ended: false,
        };
        let timeout = self.options.timeout;
        let outcome = tokio::time::timeout(timeout, followed.outcome(task)).await;
        outcome.unwrap_or(Err(ClientError::TimedOut(timeout)))
    }

    /// The same client, for what outlives a call.
    fn share(&self) -> Self {
        Self {
            connection: Arc::clone(&self.connection),
            options: Arc::clone(&self.options),
            revision: self.revision,
        }
    }
}

/// A task that somebody waits for; dropped before its end, it is called off.
struct Followed {
    client: Client,
    id: String,
    ended: bool,
}

impl Followed {
    async fn outcome(&mut self, mut task: Task) -> Result<Value, ClientError> {
        let mut answered = BTreeSet::new();
        loop {
            match task.status {
                TaskStatus::Working => {}
                TaskStatus::InputRequired => self.answer(&task, &mut answered).await?,
                TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled => {
                    self.ended = true;
                    return ended(task);
                }
            }
            tokio::time::sleep(pause(&task)).await;
            let params = json!({ "taskId": self.id });
            let now = self.client.exchange("tasks/get", params).await;
            // A task that its server does not know cannot be called off either.
            self.ended = matches!(&now, Err(ClientError::Protocol(error)) if error.code == ErrorCode::INVALID_PARAMS);
            task = serde_json::from_value(now?)?;
        }
    }

    /// Brings answers to what has not been answered: keys are used once in the
    /// life of a task.
    async fn answer(
        &self,
        task: &Task,
        answered: &mut BTreeSet<String>,
    ) -> Result<(), ClientError> {
        let mut responses = serde_json::Map::new();
        for (key, request) in &task.input_requests {
            if answered.insert(key.clone()) {
                let answer = self.client.answer(key, request.clone()).await?;
                responses.insert(key.clone(), answer);
            }
        }
        if responses.is_empty() {
            return Ok(());
        }
        let params = json!({ "taskId": self.id, "inputResponses": responses });
        self.client.exchange("tasks/update", params).await?;
        Ok(())
    }
}

fn pause(task: &Task) -> Duration {
    let wanted = task.poll_interval_ms.map(Duration::from_millis);
    wanted.unwrap_or(POLL).max(SHORTEST)
}

fn ended(task: Task) -> Result<Value, ClientError> {
    match (task.status, task.result, task.error) {
        (TaskStatus::Completed, Some(result), _) => Ok(result),
        (TaskStatus::Failed, _, Some(error)) => Err(ClientError::Protocol(error)),
        (TaskStatus::Cancelled, ..) => Err(ClientError::CalledOff),
        (status, ..) => Err(ClientError::ResultType(format!("{status:?} task"))),
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        // Without a runtime there is nothing that could send.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.ended {
            return;
        }
        let (client, params) = (self.client.share(), json!({ "taskId": self.id }));
        runtime.spawn(async move {
            let told = client.exchange("tasks/cancel", params);
            // Nobody is left who could be told of a failure.
            let _ = tokio::time::timeout(FAREWELL, told).await;
        });
    }
}
