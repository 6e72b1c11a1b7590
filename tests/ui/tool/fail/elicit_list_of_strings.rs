// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;
use mcp_runtime::InputRequestError;

/// Elicits a type that is inferred.
#[tool]
async fn ask(ctx: &Context) -> Result<Vec<String>, InputRequestError> {
    #[json]
    struct Tags {
        names: Vec<String>,
    }
    let tags: Option<Tags> = ctx.elicit("tags", "Which tags?").await?.accepted();
    Ok(tags.map(|tags| tags.names).unwrap_or_default())
}

fn main() {}
