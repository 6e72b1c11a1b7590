//! The attribute macros of `mcp-runtime`, which re-exports them.
//!
//! | macro | goes on | makes |
//! |---|---|---|
//! | [`macro@tool`] | a function | a tool |
//! | [`macro@tools`] | an `impl` | tools of its marked methods |
//! | [`macro@prompt`] | a function | a prompt |
//! | [`macro@resource`] | a function | a resource, or a family of them |
//! | [`macro@json`] | a struct or an enum | a type that arguments and results can have |
//!
//! What is wrong with a function is told when it is compiled: all its mistakes
//! together, each once, at the place where it was written. Two tools of one name
//! fail the build, even from two crates.
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
#[cfg(test)]
mod tests;
mod tool;
mod tools;
// One text for both sides, so that they agree on what a template is.
#[allow(dead_code, unreachable_pub, reason = "the runtime needs more of it")]
#[path = "../../mcp-runtime/src/uri_template/parse.rs"]
mod uri_template;

use proc_macro::TokenStream;

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<tool::Tool>(args.into(), item.into()).into()
}

#[doc = include_str!("../docs/tools.md")]
#[proc_macro_attribute]
pub fn tools(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<tools::Tools>(args.into(), item.into()).into()
}

#[doc = include_str!("../docs/prompt.md")]
#[proc_macro_attribute]
pub fn prompt(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<prompt::Prompt>(args.into(), item.into()).into()
}

#[doc = include_str!("../docs/resource.md")]
#[proc_macro_attribute]
pub fn resource(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<resource::Resource>(args.into(), item.into()).into()
}

#[doc = include_str!("../docs/json.md")]
#[proc_macro_attribute]
pub fn json(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<json::Json>(args.into(), item.into()).into()
}
