//! The names that most files with tools need: `use mcp_runtime::prelude::*;`.

pub use crate::{Context, ErrorContext, Server, ToolError, json, prompt, resource, tool, tools};
