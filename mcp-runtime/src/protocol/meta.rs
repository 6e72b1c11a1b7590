//! The reserved keys of `_meta` (specification, *Base protocol*, `_meta`).

/// The protocol version of a request (2026-07-28).
pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The client's capabilities in a request (2026-07-28).
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The client's name and version in a request (2026-07-28, optional).
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The server's name and version in a result (2026-07-28).
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The minimum level of log messages for a request (2026-07-28, optional).
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The id of the `subscriptions/listen` request to which a notification belongs (2026-07-28).
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The token that the progress notifications of a request contain.
pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
