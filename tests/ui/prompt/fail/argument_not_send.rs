// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Local(std::rc::Rc<str>);

impl std::str::FromStr for Local {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.into()))
    }
}

/// Asks.
#[prompt]
fn ask(a: Local) -> String {
    a.0.to_string()
}

fn main() {}
