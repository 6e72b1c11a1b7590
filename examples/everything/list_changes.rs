//! Tools that change the lists of the server.

use std::sync::atomic::{AtomicBool, Ordering};

use mcp_runtime::ServerHandle;
use mcp_runtime::prelude::*;

/// Whether the changing tool and prompt are disabled.
#[derive(Default)]
pub(crate) struct Switches {
    tool_disabled: AtomicBool,
    prompt_disabled: AtomicBool,
}

/// Disables a tool, or enables it again.
#[tool(inline)]
fn test_trigger_tool_change(handle: &ServerHandle, switches: &Switches) -> &'static str {
    match switches.tool_disabled.fetch_xor(true, Ordering::AcqRel) {
        false => handle.disable_tool("test_changing_tool"),
        true => handle.enable_tool("test_changing_tool"),
    };
    "The list of tools has changed."
}

/// Disables a prompt, or enables it again.
#[tool(inline)]
fn test_trigger_prompt_change(handle: &ServerHandle, switches: &Switches) -> &'static str {
    match switches.prompt_disabled.fetch_xor(true, Ordering::AcqRel) {
        false => handle.disable_prompt("test_changing_prompt"),
        true => handle.enable_prompt("test_changing_prompt"),
    };
    "The list of prompts has changed."
}

/// Can be disabled by another tool.
#[tool(read_only, inline)]
fn test_changing_tool() -> &'static str {
    "It is enabled."
}

/// Can be disabled by a tool.
#[prompt(inline)]
fn test_changing_prompt() -> &'static str {
    "It is enabled."
}
