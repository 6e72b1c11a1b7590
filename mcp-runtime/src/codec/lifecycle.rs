use crate::protocol::{Implementation, Revision, ServerCapabilities};

/// Removes what `revision` does not have from the name and version of the server.
pub(crate) fn convert_implementation(
    mut info: Implementation,
    revision: Revision,
) -> Implementation {
    if revision < Revision::V2025_11_25 {
        info.description = None;
        info.website_url = None;
        info.icons.clear();
    }
    if revision < Revision::V2025_06_18 {
        info.title = None;
    }
    info
}

/// Removes what `revision` does not have from the capabilities of the server.
///
/// `extensions` exists since 2026-07-28, but MCP Apps use it in all revisions,
/// which allow additional capabilities.
pub(crate) fn convert_capabilities(
    mut capabilities: ServerCapabilities,
    revision: Revision,
) -> ServerCapabilities {
    if revision < Revision::V2025_03_26 {
        capabilities.completions = None;
    }
    // Tasks are not defined for sessions (SEP-2663).
    if let (Some(extensions), false) = (&mut capabilities.extensions, revision.is_modern()) {
        extensions.remove("io.modelcontextprotocol/tasks");
        if extensions.is_empty() {
            capabilities.extensions = None;
        }
    }
    capabilities
}
