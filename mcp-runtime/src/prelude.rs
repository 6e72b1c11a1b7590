//! What a file of tools usually needs.

pub use crate::{Context, Server, ToolError, json, tool};
