//! As many tools as the build script wrote.

use mcp_runtime::prelude::*;

include!(concat!(env!("OUT_DIR"), "/tools.rs"));

mcp_runtime::main!();
