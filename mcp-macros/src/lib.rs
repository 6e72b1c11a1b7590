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

/// Makes a function a tool.
///
/// The doc comment is the description, owned parameters are arguments,
/// borrowed parameters come from the server. The function itself stays as it is.
///
/// # What a tool says about itself
///
/// | key | meaning |
/// |---|---|
/// | `name = "…"` | the name on the wire; the function's name unless said |
/// | `dotted` | lets the name have dots and up to 128 characters, which some clients refuse |
/// | `title = "…"` | a name for people |
/// | `description = "…"` | what the model reads; the doc comment unless said |
/// | `icons(…, …)` | pictures for people: URLs, or whole `Icon`s |
/// | `meta("key" = EXPR, …)` | for programs: the `_meta` of the tool |
/// | `group = "…"` | what it is served with; tools of different groups may share a name |
/// | `ui = "ui://…"` | the resource that shows its results (MCP Apps) |
/// | `renamed_from = "…"`, `renamed_from("…", …)` | former names: answered, not listed |
/// | `deprecated = "…"` | what to use instead; it is added to the description |
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Reads a file.
/// #[tool(
///     name = "files.read",
///     dotted,
///     title = "Read a file",
///     icons("https://example.com/read.png"),
///     meta("example.com/tier" = "free", "example.com/cost" = 2 + 3),
///     group = "files",
///     renamed_from("read_file", "cat"),
///     deprecated = "use `files.open`"
/// )]
/// fn read(path: String) -> std::io::Result<String> {
///     std::fs::read_to_string(path)
/// }
/// # fn main() {}
/// ```
///
/// # What it does to the world
///
/// These are hints for clients, which assume the worst where nothing is said.
///
/// | key | meaning |
/// |---|---|
/// | `read_only` | it changes nothing |
/// | `destructive`, `destructive = false` | it may destroy something, or only adds |
/// | `idempotent` | calling it twice is as good as once |
/// | `open_world`, `closed_world` | it reaches beyond the server's own data, or does not |
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Adds two numbers.
/// #[tool(read_only, idempotent, closed_world)]
/// fn sum(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// /// Orders a pizza.
/// #[tool(destructive = false, open_world)]
/// fn order(pizza: String) -> String {
///     format!("one {pizza} is on its way")
/// }
/// # fn main() {}
/// ```
///
/// # How it is called
///
/// | key | meaning |
/// |---|---|
/// | `inline` | a plain `fn` that only computes and may run where the message was read |
/// | `task` | its work may go on as a task; `task = "required"`: only for clients that know tasks |
/// | `scopes("…", …)` | what the caller must be granted, all of them |
/// | `confirm = "…"` | what a person is asked first; `{name}` is an argument |
/// | `timeout = "30s"` | how long a call may take, in `ms`, `s`, `m` or `h` |
/// | `serial`, `max_concurrency = 4` | how many calls may run at the same time |
/// | `max_result = "64KiB"` | how large a result may be, in `B`, `KiB`, `MiB` or `GiB` |
/// | `unknown = "ignore"` | arguments that no parameter takes are stepped over, not refused |
/// | `input_schema = EXPR` | a JSON Schema by hand, as `serde_json::Value` or text |
/// | `crate = path` | where `mcp_runtime` is, if it was renamed |
///
/// A schema by hand reaches clients untouched and is enforced; a keyword that
/// cannot be enforced stops the start.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Deletes a file.
/// #[tool(
///     destructive,
///     scopes("files:write"),
///     confirm = "Delete {path}?",
///     timeout = "30s",
///     max_concurrency = 4,
///     max_result = "64KiB",
///     unknown = "ignore",
///     crate = mcp_runtime
/// )]
/// fn delete(path: String) -> std::io::Result<()> {
///     std::fs::remove_file(path)
/// }
///
/// /// Counts the words of a text.
/// #[tool(
///     inline,
///     input_schema = r#"{
///         "type": "object",
///         "properties": { "text": { "type": "string", "not": { "const": "" } } },
///         "required": ["text"]
///     }"#
/// )]
/// fn count_words(text: String) -> usize {
///     text.split_whitespace().count()
/// }
///
/// /// Rings the only bell that there is.
/// #[tool(serial)]
/// fn ring() {}
/// # fn main() {}
/// ```
///
/// # Parameters
///
/// `#[arg(…)]` says more about an owned parameter. Whatever limits values is told
/// to clients and enforced before the body runs; which types a limit is for is
/// decided by a trait, so aliases and `Option`s count.
///
/// | key | meaning |
/// |---|---|
/// | `default = EXPR` | the value of an absent argument |
/// | `rename = "…"` | the name on the wire |
/// | `description = "…"` | what the model reads; the doc comment unless said |
/// | `example = EXPR` | a value that shows what is meant |
/// | `range(1..=100)` | numbers: refuses what is outside |
/// | `clamp(1..=100)` | numbers: moves what is outside to the nearer end, and says so in the result's `_meta` |
/// | `length(..=280)` | text: how many characters |
/// | `pattern("…")` | text: a regular expression that must occur in it; look-around and back-references are compile errors |
/// | `one_of("a", "b")` | text and whole numbers: the values that there are |
/// | `items(..=50)` | lists and maps: how many entries |
/// | `secret` | its value stays out of logs, traces and audit records |
/// | `header = "…"` | HTTP clients repeat the value in the header `Mcp-Param-…` |
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Searches the archive.
/// #[tool(read_only)]
/// fn search(
///     /// What to look for.
///     #[arg(length(1..=280), example = "tides")]
///     query: String,
///     /// How many results at most.
///     #[arg(default = 10, clamp(1..=100))]
///     limit: u32,
///     /// The oldest year.
///     #[arg(range(1900..))]
///     since: Option<u16>,
///     #[arg(one_of("newest", "best"), default = "best", rename = "order-by")] order: String,
///     #[arg(items(..=5))] tags: Option<Vec<String>>,
///     #[arg(pattern("^[a-z]{2}$"), description = "A code of two letters.")]
///     language: Option<String>,
///     #[arg(header = "Region")] region: Option<String>,
///     #[arg(secret)] token: Option<String>,
/// ) -> Vec<String> {
///     let _ = (query, limit, since, order, tags, language, region, token);
///     Vec::new()
/// }
/// # fn main() {}
/// ```
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<tool::Tool>(args.into(), item.into()).into()
}

/// Makes methods tools: those of an `impl` that are marked with `#[tool]`.
///
/// `&self` is borrowed from the state of the server, so `Notes` is given to it
/// once, with `.state(…)`. Methods without `#[tool]` stay private helpers.
/// The keys of `#[tool]` and `#[arg]` are those of functions.
///
/// | key | meaning |
/// |---|---|
/// | `prefix = "…"` | what all names begin with |
/// | `group = "…"` | the group of those that name none |
/// | `scopes("…", …)` | what callers of all of them must be granted |
/// | `crate = path` | where `mcp_runtime` is, if it was renamed |
///
/// ```
/// use std::sync::Mutex;
///
/// use mcp_runtime::prelude::*;
///
/// #[derive(Default)]
/// struct Notes(Mutex<Vec<String>>);
///
/// #[tools(prefix = "notes_", group = "notes", scopes("notes"))]
/// impl Notes {
///     /// Adds a note.
///     #[tool(scopes("notes:write"))]
///     fn add(&self, #[arg(length(1..))] text: String) -> usize {
///         self.with(|notes| {
///             notes.push(text);
///             notes.len()
///         })
///     }
///
///     /// Lists all notes.
///     #[tool(read_only)]
///     fn list(&self) -> Vec<String> {
///         self.with(|notes| notes.clone())
///     }
///
///     fn with<T>(&self, change: impl FnOnce(&mut Vec<String>) -> T) -> T {
///         change(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
///     }
/// }
///
/// let server = mcp_runtime::server!().state(Notes::default());
/// ```
#[proc_macro_attribute]
pub fn tools(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<tools::Tools>(args.into(), item.into()).into()
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
/// `mcp-runtime` uses, so that neither needs to be a dependency. Where fields have
/// names, unknown ones are refused. `#[serde(…)]` and `#[schemars(…)]`
/// attributes work as usual; doc comments become descriptions.
///
/// | key | meaning |
/// |---|---|
/// | `crate = path` | where `mcp_runtime` is, if it was renamed |
///
/// On a field, `#[arg(…)]` takes `range`, `length`, `pattern`, `one_of`, `items`
/// and `example`, as on a parameter.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// A person.
/// #[json(crate = mcp_runtime)]
/// struct Person {
///     #[arg(length(1..=80))]
///     name: String,
///     /// In years.
///     #[arg(range(..=150), example = 42)]
///     age: Option<u8>,
///     #[serde(default)]
///     #[arg(items(..=5))]
///     pets: Vec<Pet>,
/// }
///
/// /// An animal.
/// #[json]
/// #[serde(tag = "kind", rename_all = "lowercase")]
/// enum Pet {
///     /// It purrs.
///     Cat {
///         #[arg(one_of("black", "white"))]
///         colour: String,
///     },
///     /// It swims.
///     Fish,
/// }
///
/// /// Greets somebody.
/// #[tool(inline)]
/// fn greet_person(person: Person) -> String {
///     format!("Hello, {}!", person.name)
/// }
/// # fn main() {}
/// ```
#[proc_macro_attribute]
pub fn json(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand::<json::Json>(args.into(), item.into()).into()
}
