use crate::argument::Refusal;
use crate::context::RequestScope;
use crate::registry::RegisteredTool;

/// Whether a person agrees to this call.
///
/// Nobody is asked: a tool cannot yet demand a confirmation.
pub(super) fn approve(_tool: &RegisteredTool, _scope: &RequestScope<'_>) -> Result<(), Refusal> {
    tracing::trace!("approve");
    Ok(())
}
