//! The attribute macros that `mcp-runtime` re-exports.
//!
//! | macro | annotated item | definition |
//! |---|---|---|
//! | [`macro@tool`] | a function | a tool |
//! | [`macro@tools`] | an `impl` block | a tool for each marked method |
//! | [`macro@prompt`] | a function | a prompt |
//! | [`macro@resource`] | a function | a resource or a resource template |
//! | [`macro@json`] | a struct or an enum | a type for arguments and results |
//!
//! Each macro reports all mistakes of an item together as compile errors at the tokens that cause
//! them. If two tools have the same name, the build fails, even if the tools are in different
//! crates.
//!
//! Each macro parses the attribute and the item, checks all rules and collects the errors. It
//! generates the registration only if there are no errors.

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
// The macros and the runtime share this file, so they accept the same URI templates.
#[allow(dead_code, unreachable_pub, reason = "only the runtime uses all of it")]
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
