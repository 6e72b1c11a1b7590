//! As many tools of three parameters as the build script wrote, 200 if not told otherwise.

use mcp_runtime::prelude::*;

include!(concat!(env!("OUT_DIR"), "/many.rs"));

mcp_runtime::main!();
