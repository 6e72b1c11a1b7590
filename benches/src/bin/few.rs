//! Two tools of three parameters.

use mcp_runtime::prelude::*;

include!(concat!(env!("OUT_DIR"), "/few.rs"));

mcp_runtime::main!();
