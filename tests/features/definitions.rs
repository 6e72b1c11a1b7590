//! One of everything that a server can offer, made with the macros.

use std::net::IpAddr;
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{Annotations, LoggingLevel, PromptMessage, Resource, ResourceContents};
use mcp_runtime::{Completing, Image, ServerHandle};

/// Which cities there are.
pub(crate) struct Cities(pub(crate) Vec<&'static str>);

/// How something is said.
#[json]
pub(crate) enum Tone {
    /// With warmth.
    Kind,
    /// Without.
    Dry,
}

fn cities(typed: &str, cities: &Cities) -> Vec<&'static str> {
    assert_ne!(typed, "panic");
    cities.0.clone()
}

fn streets(completing: &Completing) -> Vec<String> {
    let city = completing.argument("city").unwrap_or("nowhere");
    vec![format!("{city} Street")]
}

/// Asks for the way.
#[prompt(
    title = "The way",
    icons("https://example.com/way.png"),
    meta("example.com/kind" = "question")
)]
fn way(
    /// Where to.
    #[arg(complete = cities)]
    city: String,
    /// How far at most, in kilometres.
    limit: Option<u32>,
    tone: Tone,
    #[arg(default = "Main Street", complete = streets)] street: String,
) -> String {
    let tone = match tone {
        Tone::Kind => "please",
        Tone::Dry => "now",
    };
    format!("The way to {street} in {city}, {limit:?}, {tone}")
}

/// A conversation about a picture.
#[prompt]
async fn picture() -> [PromptMessage; 2] {
    [
        PromptMessage::user(Image::png(b"png")),
        PromptMessage::assistant("I see."),
    ]
}

/// Never works.
#[prompt(inline)]
fn failing(address: IpAddr) -> Result<String, String> {
    Err(format!("no way to {address}"))
}

/// The configuration.
#[resource(
    "config://app",
    title = "Configuration",
    mime_type = "application/json",
    size = 2,
    annotations = Annotations { priority: Some(0.5), last_modified: Some("2025-01-01T00:00:00Z".to_owned()), ..Annotations::default() },
    subscribe,
    ttl_ms = 60_000,
    private
)]
fn config() -> &'static str {
    "{}"
}

/// Four bytes.
#[resource("data://bytes", mime_type = "application/octet-stream", inline)]
fn bytes() -> &'static [u8] {
    b"\x00\x01\x02\x03"
}

fn notes() -> Vec<Resource> {
    ["2", "1"]
        .map(|id| Resource {
            uri: format!("notes://{id}/body"),
            name: format!("note-{id}"),
            ..Resource::default()
        })
        .into()
}

/// The body of a note.
#[resource("notes://{id}/body{?format}", mime_type = "text/plain", list = notes, subscribe)]
fn note(#[arg(complete = cities)] id: u8, format: Option<String>) -> Option<String> {
    (id < 3).then(|| format!("note {id} as {format:?}"))
}

/// Any note, found by whatever is more particular first.
#[resource("notes://{+path}")]
async fn any_note(path: String, ctx: &Context) -> Result<Vec<ResourceContents>, ToolError> {
    ctx.set_meta("example.com/path", path.as_str());
    if path == "broken" {
        return Err(ToolError::internal("the disk is gone"));
    }
    Ok(vec![
        ResourceContents::text("", path.as_str()),
        ResourceContents::text("notes://other", "another"),
    ])
}

/// Shows itself.
#[tool(ui = "ui://widget", inline)]
fn widget() -> &'static str {
    "shown"
}

/// The widget.
#[resource("ui://widget", mime_type = "text/html;profile=mcp-app")]
fn widget_page() -> &'static str {
    "<p>"
}

/// Tells how far it is, though not always forward.
#[tool]
async fn steps(ctx: &Context) -> &'static str {
    ctx.progress(1.0, 3.0);
    ctx.progress(1.0, 3.0);
    ctx.progress(0.5, 3.0);
    ctx.progress(f64::NAN, None);
    tokio::time::sleep(Duration::from_millis(1)).await;
    ctx.progress_with(2.5, 3.0, "almost");
    ctx.progress(3.0, None);
    ctx.set_meta("example.com/steps", 3);
    "done"
}

/// Logs at each level.
#[tool(inline)]
fn logs(ctx: &Context) {
    for level in LoggingLevel::ALL {
        ctx.log(level, "text");
    }
    ctx.log_as(LoggingLevel::Error, Some("disk"), [1, 2]);
}

/// Is slow and silent.
#[tool]
async fn slow() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}

/// Takes another tool away and gives it back.
#[tool(inline)]
fn toggle(handle: &ServerHandle, name: String, on: bool) -> bool {
    match on {
        true => handle.enable_tool(&name),
        false => handle.disable_tool(&name),
    }
}

/// Is only there with its group.
#[tool(group = "extra", inline)]
fn extra() {}

/// Is only there with its group.
#[prompt(group = "extra", inline)]
fn extra_prompt() -> &'static str {
    "extra"
}

/// A server of everything that these tests define.
pub(crate) fn all_groups() -> Server {
    Server::new("tests", "1.2.3").state(cities_of_tests())
}

pub(crate) fn cities_of_tests() -> Cities {
    Cities(vec!["Gdynia", "Ogden"])
}

/// A server of what stands here.
pub(crate) fn server() -> Server {
    all_groups().groups(["extra"])
}
