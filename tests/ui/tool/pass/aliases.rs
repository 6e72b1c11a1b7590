//! Type aliases for arguments, the context and results.
#![deny(warnings)]
#![allow(dead_code)]

use mcp_runtime::prelude::*;
use mcp_runtime::{Context as Request, Structured as Json};

type Maybe<T> = Option<T>;
type Outcome<T> = std::result::Result<T, ToolError>;
type Name = String;
type Ctx = Request;

#[json]
struct Place(i64);

/// Uses aliases only.
#[tool]
async fn aliased(
    ctx: &Ctx,
    #[arg(length(1..))] name: Maybe<Name>,
    #[arg(range(1..=9), default = 3)] number: Number,
) -> Outcome<Json<Place>> {
    let _ = (ctx.request_id(), name);
    Ok(Json {
        value: Place(number),
        text: "there".to_owned(),
    })
}

type Number = i64;

fn main() {}
