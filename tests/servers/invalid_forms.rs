//! A server whose tools use invalid forms.

use mcp_runtime::InputRequestError;
use mcp_runtime::prelude::*;

/// A name.
#[json]
struct Name {
    name: String,
}

/// Hides its content from the check at compile time, as a type of another crate would.
#[json]
struct Opaque(Name);

/// A nested object.
#[json]
struct Deep {
    opaque: Opaque,
}

/// A string field with the schema of a list.
#[json]
struct Many {
    #[schemars(with = "Vec<String>")]
    names: String,
}

/// Uses both.
#[tool]
async fn nested(ctx: &Context) -> Result<(), InputRequestError> {
    ctx.elicit::<Name>("name", "Who?").await?;
    let both = (
        ctx.elicit::<Deep>("deep", "Who?"),
        ctx.elicit::<Many>("many", "Who?"),
    );
    ctx.join(both).await?;
    Ok(())
}

/// Uses one.
#[resource("test://odd")]
async fn odd(ctx: &Context) -> Result<String, InputRequestError> {
    ctx.elicit::<Many>("many", "Who?").await?;
    Ok(String::new())
}

mcp_runtime::main!();
