use crate::protocol::{Implementation, Revision, ServerCapabilities};

/// Removes the fields that `revision` does not have.
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

/// Removes the capabilities that `revision` does not have.
///
/// `extensions` was added in 2026-07-28. The server sends it to older clients too, because MCP Apps
/// uses it with every revision and older revisions allow unknown capabilities.
pub(crate) fn convert_capabilities(
    mut capabilities: ServerCapabilities,
    revision: Revision,
) -> ServerCapabilities {
    if revision < Revision::V2025_03_26 {
        capabilities.completions = None;
    }
    // The tasks extension does not support sessions (SEP-2663).
    if let (Some(extensions), false) = (&mut capabilities.extensions, revision.is_modern()) {
        extensions.remove("io.modelcontextprotocol/tasks");
        if extensions.is_empty() {
            capabilities.extensions = None;
        }
    }
    capabilities
}
