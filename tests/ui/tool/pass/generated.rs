//! Tools that a macro of the user writes.
#![deny(warnings)]
#![allow(dead_code)]

use mcp_runtime::prelude::*;

macro_rules! constant {
    ($name:ident, $type:ty, $value:expr, $limit:expr) => {
        #[doc = concat!("Gives ", stringify!($name), ".")]
        #[tool(description = "Gives a constant.", inline)]
        fn $name(#[arg(default = $value, range(0..=$limit))] value: $type) -> $type {
            value
        }
    };
}

constant!(seven, u8, 7, 9);
constant!(eight, i64, 8, 9);

fn main() {
    assert_eq!(seven(1), 1);
}
