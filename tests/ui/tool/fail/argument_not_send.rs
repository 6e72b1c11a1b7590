// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
struct Local {
    #[serde(skip)]
    #[schemars(skip)]
    shared: std::marker::PhantomData<std::rc::Rc<u8>>,
}

/// Adds.
#[tool]
fn add(a: Local) {}

fn main() {}
