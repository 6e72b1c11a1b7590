//! Errors: [`ToolError`] is for the model, [`Error`] for the operator.
//!
//! Errors of the protocol are [`ErrorObject`](crate::jsonrpc::ErrorObject)s.

mod context;
mod startup;
mod tool;

pub use context::ErrorContext;
pub use startup::{Error, Location};
pub use tool::ToolError;

pub use crate::uri_template::UriTemplateError;
