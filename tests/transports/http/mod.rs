//! Streamable HTTP and HTTP with SSE.

mod axum_mount;
mod blocking;
mod client_log;
mod gated_tools;
#[path = "../../fixtures/header_tool.rs"]
mod header_tool;
mod header_validation;
mod host_origin_checks;
mod http_sse;
mod limits;
mod notifications;
mod resumption;
mod sessions;
mod shutdown;
mod status;
mod streams;
mod version_negotiation;
mod write_coalescing;
