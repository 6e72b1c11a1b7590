use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::InputRequest;
use crate::jsonrpc::ErrorObject;

/// A tool call that continues after the response to its request (extension
/// `io.modelcontextprotocol/tasks`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// The id of the task. It is random, so other clients cannot guess it.
    pub task_id: String,
    /// The status of the task.
    pub status: TaskStatus,
    /// A human-readable description of the status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_message: Option<String>,
    /// The creation time in ISO 8601 and UTC.
    pub created_at: String,
    /// The time of the last change in ISO 8601 and UTC.
    pub last_updated_at: String,
    /// The time in milliseconds for which the server keeps the task after its creation. `None`
    /// means no limit.
    pub ttl_ms: Option<u64>,
    /// The suggested interval between two `tasks/get` requests in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll_interval_ms: Option<u64>,
    /// The pending requests to the client. The keys identify the responses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub input_requests: BTreeMap<String, InputRequest>,
    /// The result of a completed task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// The error of a failed task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

/// The status of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// The task is running.
    Working,
    /// The task waits for input from the client.
    InputRequired,
    /// The task has a result. If the tool failed, the result has `isError`.
    Completed,
    /// The task ended with a protocol error.
    Failed,
    /// The task was cancelled.
    Cancelled,
}

impl TaskStatus {
    /// Checks whether the task has ended.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}
