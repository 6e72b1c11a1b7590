//! Tools in functions, in modules, and behind `cfg`.
#![deny(warnings)]
#![allow(dead_code)]

use mcp_runtime::prelude::*;

#[json]
struct Point {
    x: i32,
}

mod outer {
    pub(crate) mod inner {
        use super::super::Point;

        /// Takes a type of an outer module.
        #[mcp_runtime::tool]
        fn from_above(point: Point, other: super::Other) -> i32 {
            point.x + other.0
        }
    }

    #[mcp_runtime::json]
    pub(crate) struct Other(pub(crate) i32);
}

/// A recursive type.
#[json]
struct Tree {
    #[arg(items(..=5))]
    children: Vec<Self>,
    #[arg(items(..=2))]
    pairs: Vec<[Option<Self>; 2]>,
}

#[json]
enum Leaf {
    None,
    Of {
        #[arg(items(1..))]
        leaves: Vec<Self>,
    },
}

/// Is compiled out.
#[cfg(any())]
#[tool]
fn absent(missing: Missing) {}

/// Is compiled.
#[cfg(all())]
#[tool]
#[allow(clippy::needless_pass_by_value)]
fn present(r#type: String, r#in: Option<u8>) -> String {
    format!("{type} {:?}", r#in)
}

/// Has a raw name.
#[tool]
fn r#match() {}

/// Is old.
#[deprecated]
#[tool(deprecated = "use `present`")]
fn old() {}

fn main() {
    /// Is inside a function.
    #[tool]
    fn local(a: u8) -> u8 {
        a
    }
    assert_eq!(local(1), 1);
}
