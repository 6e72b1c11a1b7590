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
mod prompt;
mod resource;
mod tool;
// One text for both sides, so that they agree on what a template is.
mod tools;
#[allow(dead_code, unreachable_pub, reason = "the runtime needs more of it")]
#[path = "../../mcp-runtime/src/uri_template/parse.rs"]
mod uri_template;

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
/// | `ui = "ui://…"` | the resource that shows its results (MCP Apps) |
/// | `group = "…"` | the group that it is served with |
/// | `icons(EXPR, …)` | pictures that stand for it: URIs, or an `Icon` |
/// | `meta("key" = EXPR, …)` | its `_meta` |
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

/// Makes a function a prompt.
///
/// The doc comment is the description, owned parameters are arguments, which
/// are strings on the wire, borrowed parameters come from the server.
/// It returns text, messages, or a `Result` of these.
///
/// | key | meaning |
/// |---|---|
/// | `name = "…"` | the name on the wire; the function's name unless said |
/// | `title = "…"` | a name for people |
/// | `scopes("…", …)` | what a caller must be granted, all of it |
/// | `group = "…"` | the group that it is served with |
/// | `icons(EXPR, …)` | pictures that stand for it: URIs, or an `Icon` |
/// | `meta("key" = EXPR, …)` | its `_meta` |
/// | `inline` | a plain `fn` that only computes and may run where the message was read |
/// | `crate = path` | where `mcp_runtime` is, if it was renamed |
///
/// On a parameter, `#[arg(…)]` takes `default` and `rename` as for a tool, and
/// `complete = function`, which completes what a person types: a function of
/// the text, or of a `Completing`, and of at most one `&T` from the server.
#[proc_macro_attribute]
pub fn prompt(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<prompt::Prompt>(args.into(), item.into()).into()
}

/// Makes a function a resource, or a family of them.
///
/// The URI comes first; with variables in braces it is a template (RFC 6570,
/// levels 1 to 3), and each variable is a parameter of the function.
/// It returns text, bytes, contents, or an `Option` or `Result` of these.
///
/// | key | meaning |
/// |---|---|
/// | `name = "…"` | the name for programs; the function's name unless said |
/// | `title = "…"` | a name for people |
/// | `mime_type = "…"` | the type of the contents |
/// | `size = EXPR` | in bytes |
/// | `annotations = EXPR` | hints, an `Annotations` |
/// | `subscribe` | clients may ask to be told when it changes |
/// | `list = function` | names the resources of a family that exist |
/// | `ttl_ms = EXPR` | how long clients may keep the contents |
/// | `private` | only for who asked, where clients keep it |
/// | `scopes("…", …)` | what a caller must be granted, all of it |
/// | `group`, `icons`, `meta`, `inline`, `crate` | as for a prompt |
///
/// On a parameter, `#[arg(…)]` takes `default`, `rename` and `complete` as for a prompt.
#[proc_macro_attribute]
pub fn resource(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<resource::Resource>(args.into(), item.into()).into()
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

/// Makes methods tools: those of the `impl` that are marked with `#[tool]`.
#[proc_macro_attribute]
pub fn tools(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<tools::Tools>(args.into(), item.into()).into()
}
