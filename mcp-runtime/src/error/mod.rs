//! The error types of this crate. The model reads a [`ToolError`], and the operator of a server
//! reads an [`Error`].
//!
//! Protocol errors have the type [`ErrorObject`](crate::jsonrpc::ErrorObject).

mod context;
mod startup;
mod tool;

pub use context::ErrorContext;
pub use startup::{Error, Location};
pub use tool::ToolError;

pub use crate::uri_template::UriTemplateError;
