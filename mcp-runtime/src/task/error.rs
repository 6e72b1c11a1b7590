//! The errors that clients receive for missing and unfinished tasks.

use super::TaskStoreError;
use crate::jsonrpc::{ErrorCode, ErrorObject};

pub(super) fn unknown() -> ErrorObject {
    ErrorObject::invalid_params("there is no such task; it may have expired")
}

pub(super) fn expired() -> ErrorObject {
    let message = "the task did not finish before it expired";
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, message)
}

/// Returns the error of a task that was still running when its server stopped.
pub(super) fn lost() -> ErrorObject {
    let message = "the server stopped while the task was running, so its result is lost; \
                   call the tool again if repeating it is safe";
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, message)
}

pub(super) fn unreadable(error: &TaskStoreError) -> ErrorObject {
    tracing::error!(%error, "a task could not be read");
    ErrorObject::internal()
}
