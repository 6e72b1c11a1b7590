//! A server whose tools ask for what no form can hold.

use mcp_runtime::AskError;
use mcp_runtime::prelude::*;

/// A name.
#[json]
struct Name {
    name: String,
}

/// A name in a name.
#[json]
struct Deep {
    whole: Name,
}

/// Names without an end.
#[json]
struct Many {
    names: Vec<String>,
}

/// Asks for both.
#[tool]
async fn nested(ctx: &Context) -> Result<(), AskError> {
    ctx.elicit::<Name>("name", "Who?").await?;
    let both = (
        ctx.elicit::<Deep>("deep", "Who?"),
        ctx.elicit::<Many>("many", "Who?"),
    );
    ctx.together(both).await?;
    Ok(())
}

/// Asks who reads.
#[resource("test://odd")]
async fn odd(ctx: &Context) -> Result<String, AskError> {
    ctx.elicit::<Many>("many", "Who?").await?;
    Ok(String::new())
}

mcp_runtime::main!();
