//! The attribute macros of `mcp-runtime`, which re-exports them.
//!
//! Every macro goes through the same stages: parse what was written, make a
//! model of it, check every rule and collect what is broken, and only then emit.

mod args;
mod docs;
mod errors;
mod expand;
mod function;
mod json;
mod tool;

use proc_macro::TokenStream;

/// Makes a function a tool.
///
/// The doc comment is the description, owned parameters are arguments,
/// borrowed parameters come from the server. The function itself stays as it is.
///
/// | key | meaning |
/// |---|---|
/// | `name = "…"` | the name on the wire; the function's name unless said |
/// | `title = "…"` | a name for people |
/// | `read_only` | it changes nothing |
/// | `destructive` | it may destroy something |
/// | `idempotent` | calling it twice is as good as once |
/// | `closed_world` | it reaches nothing beyond the server's own data |
/// | `inline` | a plain `fn` that only computes and may run where the message was read |
/// | `crate = path` | where `mcp_runtime` is, if it was renamed |
///
/// On a parameter, `#[arg(…)]` takes:
///
/// | key | meaning |
/// |---|---|
/// | `default = EXPR` | the value of an absent argument; advertised |
/// | `rename = "…"` | the name on the wire |
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<tool::Tool>(args.into(), item.into()).into()
}

/// Makes a struct or an enum readable and writable as JSON, with a JSON Schema.
///
/// Adds the derives of serde and schemars, from the versions that
/// `mcp-runtime` uses, so that neither needs to be a dependency. A struct of
/// named fields refuses unknown members. `#[serde(…)]` and `#[schemars(…)]`
/// attributes work as usual; doc comments become descriptions.
///
/// | key | meaning |
/// |---|---|
/// | `crate = path` | where `mcp_runtime` is, if it was renamed |
#[proc_macro_attribute]
pub fn json(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<json::Json>(args.into(), item.into()).into()
}
