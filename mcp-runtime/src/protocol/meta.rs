//! The reserved keys of `_meta` (specification, *Base protocol*, `_meta`).

/// On a request of 2026-07-28: the revision it speaks.
pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// On a request of 2026-07-28: what the client can do.
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// On a request of 2026-07-28, optional: who the client says it is.
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// On a result of 2026-07-28: who the server is.
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// On a request of 2026-07-28, optional: from which level on it wants log messages.
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// On whatever belongs to a listen stream of 2026-07-28: the id of its request.
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// On a request: what its progress is told under.
pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
