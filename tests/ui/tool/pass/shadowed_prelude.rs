//! A module that shadows the names of the prelude.
#![allow(dead_code, non_camel_case_types)]

mod tools {
    struct Option;
    struct Result;
    struct String;
    struct Vec;
    struct Some;
    struct None;
    struct Ok;
    struct Box;
    trait Into {}
    trait From {}
    trait Iterator {}
    mod std {}
    mod core {}

    use mcp_runtime::{json, tool};

    /// Adds.
    #[tool(meta("a" = 1), icons("data:,"))]
    fn add(#[arg(default = 1, range(0..=9))] a: i64, point: Point) -> i64 {
        a + point.x
    }

    #[json]
    struct Point {
        #[arg(range(0..))]
        x: i64,
    }

    /// Has a name that generated code also uses.
    #[json]
    struct Body {
        x: i64,
    }

    /// Makes one.
    #[tool]
    fn made(x: i64) -> Body {
        Body { x }
    }
}

fn main() {}
