use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::InputRequest;
use crate::jsonrpc::ErrorObject;

/// Work that outlives its request (extension `io.modelcontextprotocol/tasks`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Unguessable.
    pub task_id: String,
    /// How far it is.
    pub status: TaskStatus,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_message: Option<String>,
    /// ISO 8601, UTC.
    pub created_at: String,
    /// ISO 8601, UTC.
    pub last_updated_at: String,
    /// How long after its creation it is kept, in milliseconds; for ever unless said.
    pub ttl_ms: Option<u64>,
    /// How often to look, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll_interval_ms: Option<u64>,
    /// What the client has to answer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub input_requests: BTreeMap<String, InputRequest>,
    /// What came of it, where it is completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why it has no result, where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// It goes on.
    Working,
    /// It waits for the client.
    InputRequired,
    /// It has a result, be it that of a failed tool.
    Completed,
    /// It ended with a protocol error.
    Failed,
    /// It was called off.
    Cancelled,
}

impl TaskStatus {
    /// Whether nothing more happens.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}
