//! A server whose tools ask for what no form can hold.

use mcp_runtime::AskError;
use mcp_runtime::prelude::*;

/// A name.
#[json]
struct Name {
    name: String,
}

/// What the compiler takes at its word, as if it were of another crate.
#[json]
struct Whole(Name);

/// A name in a name.
#[json]
struct Deep {
    whole: Whole,
}

/// Names without an end, as one text would have it.
#[json]
struct Many {
    #[schemars(with = "Vec<String>")]
    names: String,
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
