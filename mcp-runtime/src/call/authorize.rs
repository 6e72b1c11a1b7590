use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;
use crate::registry::RegisteredTool;

/// Whether this caller may call this tool.
///
/// Everybody may: a tool cannot yet demand a scope, so there is nothing to refuse.
pub(super) fn authorize(
    _tool: &RegisteredTool,
    _scope: &RequestScope<'_>,
) -> Result<(), ErrorObject> {
    tracing::trace!("authorize");
    Ok(())
}
