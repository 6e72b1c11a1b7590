//! A thousand tools of three parameters.

use mcp_runtime::prelude::*;

include!(concat!(env!("OUT_DIR"), "/thousand.rs"));

mcp_runtime::main!();
