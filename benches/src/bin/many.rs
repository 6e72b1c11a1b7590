//! `BENCH_TOOLS` tools of three parameters, 200 by default.

use mcp_runtime::prelude::*;

include!(concat!(env!("OUT_DIR"), "/many.rs"));

mcp_runtime::main!();
