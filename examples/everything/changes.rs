//! Tools that change what is served.

use std::sync::atomic::{AtomicBool, Ordering};

use mcp_runtime::ServerHandle;
use mcp_runtime::prelude::*;

/// What is switched off at the moment.
#[derive(Default)]
pub(crate) struct Switches {
    tool: AtomicBool,
    prompt: AtomicBool,
}

/// Takes a tool off the list, or puts it back.
#[tool(inline)]
fn test_trigger_tool_change(handle: &ServerHandle, switches: &Switches) -> &'static str {
    match switches.tool.fetch_xor(true, Ordering::AcqRel) {
        false => handle.disable_tool("test_changing_tool"),
        true => handle.enable_tool("test_changing_tool"),
    };
    "The list of tools is another one."
}

/// Takes a prompt off the list, or puts it back.
#[tool(inline)]
fn test_trigger_prompt_change(handle: &ServerHandle, switches: &Switches) -> &'static str {
    match switches.prompt.fetch_xor(true, Ordering::AcqRel) {
        false => handle.disable_prompt("test_changing_prompt"),
        true => handle.enable_prompt("test_changing_prompt"),
    };
    "The list of prompts is another one."
}

/// Comes and goes.
#[tool(read_only, inline)]
fn test_changing_tool() -> &'static str {
    "It is here."
}

/// Comes and goes.
#[prompt(inline)]
fn test_changing_prompt() -> &'static str {
    "It is here."
}
