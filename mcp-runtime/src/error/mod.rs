//! Failures: for the model ([`ToolError`]) and for the operator ([`Error`]).
//!
//! The third kind, for the protocol, is [`ErrorObject`](crate::jsonrpc::ErrorObject).

mod context;
mod start;
mod tool;

pub use context::ErrorContext;
pub use start::{Error, Location};
pub use tool::ToolError;
