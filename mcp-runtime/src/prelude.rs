//! What a file of tools usually needs.

pub use crate::{Context, ErrorContext, Server, ToolError, json, prompt, resource, tool, tools};
