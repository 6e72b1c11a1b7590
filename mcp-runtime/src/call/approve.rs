use super::Caller;
use crate::argument::Refusal;
use crate::registry::RegisteredTool;

/// Whether a person agrees to this call.
///
/// Nobody is asked: a tool cannot yet demand a confirmation.
pub(super) fn approve(_tool: &RegisteredTool, _caller: &Caller<'_>) -> Result<(), Refusal> {
    tracing::trace!("approve");
    Ok(())
}
