use std::panic::resume_unwind;

use tracing::Span;

use crate::error::ToolError;
use crate::handler::PreparedCall;

/// Runs a handler to its end. A blocking handler runs on tokio's blocking pool.
pub(super) async fn run_handler<V: Send + 'static>(
    handler: PreparedCall<Result<V, ToolError>>,
) -> Result<V, ToolError> {
    match handler {
        PreparedCall::Inline(handler) => handler(),
        PreparedCall::Future(handler) => handler.await,
        PreparedCall::Blocking(handler) => {
            let span = Span::current();
            let joined = tokio::task::spawn_blocking(move || span.in_scope(handler)).await;
            joined.unwrap_or_else(|error| match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => Err(ToolError::internal("the server is stopping")),
            })
        }
    }
}
