//! The names that most files with tools need. Import them with `use mcp_runtime::prelude::*;`.

pub use crate::{Context, ErrorContext, Server, ToolError, json, prompt, resource, tool, tools};
