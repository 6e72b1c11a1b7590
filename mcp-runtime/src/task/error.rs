//! What clients are told about tasks that are not there, or not done.

use serde_json::json;

use super::TaskStoreError;
use crate::jsonrpc::{ErrorCode, ErrorObject};

pub(super) fn unknown() -> ErrorObject {
    ErrorObject::invalid_params("there is no such task; it may have been there and expired")
}

pub(super) fn expired() -> ErrorObject {
    let message = "the task did not end in the time for which it is kept";
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, message)
}

/// What becomes of a task whose server stops, and what became of one whose server
/// has stopped, so that nobody knows.
pub(super) fn lost() -> ErrorObject {
    let message = "the server stopped while the task was running, so what came of it is lost; \
                   call the tool again if that does no harm";
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, message)
}

pub(super) fn refused(error: TaskStoreError) -> ErrorObject {
    let TaskStoreError::Full { room_in, .. } = &error else {
        tracing::error!(%error, "a task could not be kept or read");
        return ErrorObject::internal();
    };
    tracing::warn!(
        "a task was refused: {error}; a store of more tasks, or a shorter `task_ttl`, makes room"
    );
    let seconds = room_in.map_or(60, |wait| wait.as_secs().saturating_add(1));
    let message = format!(
        "the server keeps as many tasks as it may; try again in {seconds} s, when one has expired"
    );
    let error = ErrorObject::new(ErrorCode::RATE_LIMITED, message);
    error.with_data(json!({ "retryAfter": seconds }))
}
