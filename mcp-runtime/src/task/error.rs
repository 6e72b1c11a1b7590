//! What clients are told about tasks that are not there, or not done.

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

pub(super) fn unread(error: &TaskStoreError) -> ErrorObject {
    tracing::error!(%error, "a task could not be read");
    ErrorObject::internal()
}
