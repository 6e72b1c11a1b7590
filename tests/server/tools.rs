//! Tools that behave in every way that a client may meet.

use std::future::pending;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{
    Annotations, AudioContent, CallToolResult, ContentBlock, ResourceLink, TextContent,
};

/// Counts futures that were dropped before they were done.
pub(crate) static DROPPED: AtomicUsize = AtomicUsize::new(0);

/// How something is done.
#[json]
pub(crate) enum Mode {
    /// With haste.
    Fast,
    /// With care.
    Slow,
}

/// A place on a grid.
#[json]
pub(crate) struct Point {
    /// To the right.
    pub(crate) x: i32,
    /// Upwards.
    pub(crate) y: i32,
}

/// Adds two whole numbers.
#[tool(title = "Addition", read_only, idempotent, closed_world, inline)]
pub(crate) fn add(
    /// The first addend.
    a: i64,
    /// The second addend.
    #[arg(default = 1)]
    b: i64,
) -> i64 {
    a + b
}

/// Takes nothing and gives nothing.
#[tool(inline)]
pub(crate) fn nothing() {}

/// Takes what may be absent.
#[tool(inline)]
pub(crate) fn optional(
    /// A number.
    n: Option<u32>,
    /// A mode.
    mode: Option<Mode>,
) -> String {
    let mode = mode.map(|mode| match mode {
        Mode::Fast => "fast",
        Mode::Slow => "slow",
    });
    format!("{n:?} {mode:?}")
}

/// Mirrors a point.
#[tool(read_only)]
pub(crate) fn mirror(point: Point) -> Point {
    Point {
        x: -point.x,
        y: -point.y,
    }
}

/// Sleeps without holding a thread.
#[tool]
pub(crate) async fn sleep(
    /// For so many milliseconds.
    millis: u64,
) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "slept".to_owned()
}

/// Holds a thread.
#[tool]
pub(crate) fn block(
    /// For so many milliseconds.
    millis: u64,
) -> String {
    thread::sleep(Duration::from_millis(millis));
    "blocked".to_owned()
}

/// Holds a thread until it is cancelled.
#[tool]
pub(crate) fn block_until_cancelled(ctx: &Context) -> String {
    while !ctx.is_cancelled() {
        thread::sleep(Duration::from_millis(1));
    }
    "too late".to_owned()
}

/// Never ends by itself.
#[tool]
pub(crate) async fn forever() -> String {
    struct Counted;
    impl Drop for Counted {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::SeqCst);
        }
    }
    let _counted = Counted;
    pending().await
}

/// Panics where a thread may block.
#[tool]
pub(crate) fn boom() -> String {
    panic!("the secret is 42")
}

/// Panics where it was read.
#[tool(inline)]
pub(crate) fn boom_inline() -> String {
    panic!("the secret is 42")
}

/// Panics after it has waited.
#[tool]
pub(crate) async fn boom_later() -> String {
    tokio::time::sleep(Duration::from_millis(1)).await;
    panic!("the secret is 42")
}

/// Fails with a cause.
#[tool(inline)]
pub(crate) fn fail() -> Result<i64, ToolError> {
    Ok("x".parse::<i64>()?)
}

/// Fails for a reason that nobody may know.
#[tool(inline)]
pub(crate) fn fail_internally() -> Result<i64, ToolError> {
    Err(ToolError::internal("the secret is 42"))
}

/// Prints to standard output, as libraries and children do.
#[tool]
pub(crate) fn shout() -> std::io::Result<String> {
    println!("a line that is no message");
    Command::new("echo").arg("another one").status()?;
    let read = Command::new("cat").output()?;
    Ok(format!("a child read {} bytes", read.stdout.len()))
}

/// Says who is calling, and how.
#[tool(read_only, inline)]
pub(crate) fn who(ctx: &Context) -> String {
    let name = ctx
        .client()
        .info
        .as_ref()
        .map_or("somebody", |info| &info.name);
    format!(
        "{name} over {} in {}",
        ctx.channel().as_str(),
        ctx.revision()
    )
}

/// Answers with blocks that older revisions do not have.
#[tool(inline)]
pub(crate) fn blocks() -> Vec<ContentBlock> {
    let annotations = Annotations {
        priority: Some(0.5),
        last_modified: Some("2026-01-01T00:00:00Z".to_owned()),
        ..Annotations::default()
    };
    vec![
        ContentBlock::Text(TextContent {
            text: "hello".to_owned(),
            annotations: Some(annotations),
            meta: Some(serde_json::Map::from_iter([(
                "example/k".to_owned(),
                1.into(),
            )])),
        }),
        ContentBlock::Audio(AudioContent {
            data: "AAAA".to_owned(),
            mime_type: "audio/wav".to_owned(),
            ..AudioContent::default()
        }),
        ContentBlock::ResourceLink(ResourceLink {
            uri: "file:///a".to_owned(),
            name: "a".to_owned(),
            ..ResourceLink::default()
        }),
    ]
}

/// Builds its result by hand.
#[tool(inline)]
pub(crate) fn by_hand() -> CallToolResult {
    let mut result = CallToolResult::text("done");
    result.meta = Some(serde_json::Map::from_iter([(
        "example/k".to_owned(),
        1.into(),
    )]));
    result
}

/// Notes something down, for whoever reads the log.
#[tool]
pub(crate) fn note() {
    tracing::debug!(target: "test_server::notes", "noted");
    tracing::info!(target: "test_server::notes", page = 7, "noted");
    tracing::error!(target: "elsewhere", "not for clients");
}
