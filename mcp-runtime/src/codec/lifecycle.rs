use crate::protocol::{Implementation, Revision, ServerCapabilities};

/// Who the server is, as far as `revision` lets it say.
pub(crate) fn implementation(mut info: Implementation, revision: Revision) -> Implementation {
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

/// What the server can do, as far as `revision` lets it say.
///
/// `extensions` came with 2026-07-28, but MCP Apps are negotiated by it in all
/// revisions, which leave the set of capabilities open.
pub(crate) fn capabilities(
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
