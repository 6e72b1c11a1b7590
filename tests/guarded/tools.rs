//! Tools that are not for everybody, or not always.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{LazyLock, Mutex};

use mcp_runtime::auth::Principal;
use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, prompt, resource};
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// Counts the runs of `delete`.
pub(crate) static DELETED: AtomicUsize = AtomicUsize::new(0);
/// Lets one call of `wait` end.
pub(crate) static GO: Notify = Notify::const_new();
/// Whether a call of `stuck` has seen that nobody waits.
pub(crate) static STUCK: AtomicBool = AtomicBool::new(false);
/// Lets a call of `stuck` end.
pub(crate) static LET_GO: LazyLock<(Sender<()>, Mutex<Receiver<()>>)> = LazyLock::new(|| {
    let (sender, receiver) = channel();
    (sender, Mutex::new(receiver))
});
/// Lets one call of `report` end.
pub(crate) static REPORT: Notify = Notify::const_new();
/// Lets one call of `share` end.
pub(crate) static SHARE: Notify = Notify::const_new();
/// Counts calls of `wait` that have begun.
pub(crate) static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Says it again.
#[tool(read_only, inline)]
fn echo(text: String) -> String {
    text
}

/// Reads a note.
#[tool(read_only, inline, scopes("notes:read"))]
fn read_note(#[arg(range(1..=9))] number: u8) -> String {
    format!("note {number}")
}

/// Writes a note.
#[tool(inline, scopes("notes:read", "notes:write"))]
fn write_note(text: String) -> String {
    text
}

/// Empties everything.
#[tool(scopes("admin"))]
fn purge() -> String {
    "gone".to_owned()
}

/// Says who calls.
#[tool(read_only, inline)]
fn who(caller: &Principal) -> String {
    caller.id.to_string()
}

/// Deletes a file.
#[tool(destructive, confirm = "Delete {path}?")]
fn delete(path: String) -> String {
    DELETED.fetch_add(1, Ordering::Relaxed);
    format!("{path} is gone")
}

/// Signs a file, one at a time.
#[tool(serial, confirm = "Sign {path}?")]
fn sign(path: String) -> String {
    format!("{path} is signed")
}

/// Asks where it cannot go away in the meantime.
#[tool]
fn ask_in_place(ctx: &Context) -> String {
    asked_in_place(ctx)
}

/// The same within a time.
#[tool(timeout = "10s")]
fn ask_in_time(ctx: &Context) -> String {
    asked_in_place(ctx)
}

fn asked_in_place(ctx: &Context) -> String {
    let question = ctx.elicit::<Hurry>("hurry", "Is there a hurry?");
    match Handle::current().block_on(question) {
        Ok(answer) => format!("answered: {}", answer.accepted().is_some()),
        Err(AskError::Unavailable(key)) => format!("{key} is not asked"),
        Err(error) => error.to_string(),
    }
}

/// Shortens a file.
#[tool(destructive, confirm = "Cut {count} lines of {path}?")]
fn cut(path: String, #[arg(default = 10, clamp(1..=100))] count: u32) -> String {
    format!("{path} has {count} lines less")
}

/// Moves a file to where a person says.
#[tool(destructive, confirm = "Move {path}?")]
async fn put_away(ctx: &Context, path: String) -> Result<String, ToolError> {
    let hurry = ctx.elicit::<Hurry>("hurry", "Is there a hurry?").await?;
    let other = ctx.elicit::<Hurry>("other", "Is there another?").await?;
    let done = hurry.accepted().is_some() && other.accepted().is_some();
    DELETED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{path}: {done}"))
}

/// Never ends either, and says nothing of its time.
#[tool]
async fn hasty() -> String {
    std::future::pending().await
}

/// Never ends.
#[tool(timeout = "20ms")]
async fn hang() -> String {
    std::future::pending().await
}

/// Blocks its thread.
#[tool(timeout = "20ms")]
fn block() -> String {
    std::thread::sleep(std::time::Duration::from_secs(2));
    "late".to_owned()
}

/// Asks, and then takes a while.
#[tool(timeout = "1s")]
async fn patient(ctx: &Context, seconds: u64) -> Result<String, ToolError> {
    let asked = ctx.elicit::<Hurry>("hurry", "Is there a hurry?");
    let other = ctx.elicit::<Hurry>("other", "Is there another?");
    ctx.together((asked, other)).await?;
    tokio::time::sleep(std::time::Duration::from_secs(seconds)).await;
    Ok("done".to_owned())
}

/// A question.
#[mcp_runtime::json]
struct Hurry {
    /// Whether there is one.
    is: bool,
}

/// Blocks its thread until nobody waits for it, and then until it is let go.
#[tool(timeout = "20ms")]
fn stuck(ctx: &Context) -> &'static str {
    while !ctx.is_cancelled() {
        std::thread::yield_now();
    }
    STUCK.store(true, Ordering::SeqCst);
    let _ = LET_GO.1.lock().unwrap().recv();
    STUCK.store(false, Ordering::SeqCst);
    "late"
}

/// Blocks its thread until nobody waits for it, however long that is.
#[tool]
fn abandoned(ctx: &Context) -> &'static str {
    STUCK.store(true, Ordering::SeqCst);
    while !ctx.is_cancelled() {
        std::thread::yield_now();
    }
    STUCK.store(false, Ordering::SeqCst);
    "late"
}

/// Tells that it has begun, and goes on when it is let.
#[tool]
async fn report(ctx: &Context) -> &'static str {
    ctx.progress(1.0, None);
    REPORT.notified().await;
    "done"
}

/// Waits for a share.
#[tool]
async fn share() -> &'static str {
    SHARE.notified().await;
    "done"
}

/// Waits to be let go, one call at a time.
#[tool(serial)]
async fn wait() -> String {
    WAITING.fetch_add(1, Ordering::SeqCst);
    GO.notified().await;
    "done".to_owned()
}

/// Gives more than anybody can read.
#[tool]
fn flood(megabytes: usize) -> String {
    "a".repeat(megabytes * 1024 * 1024)
}

/// Gives a little more than it may.
#[tool(inline, max_result = "1KiB")]
fn spill(bytes: usize) -> String {
    "ä".repeat(bytes / 2)
}

/// Panics.
#[tool]
async fn panic(text: String) -> String {
    panic!("{text}")
}

/// Takes anything.
#[tool(inline)]
fn swallow(value: mcp_runtime::Value) -> String {
    value.to_string().len().to_string()
}

/// Logs in, and says too much when it fails.
#[tool]
fn login(
    #[arg(secret, length(8..=100))] password: String,
    how: String,
) -> Result<String, ToolError> {
    match how.as_str() {
        "internal" => Err(ToolError::internal(format!("no `{password}` in the table"))),
        "panic" => panic!("no `{password}` in the table"),
        _ => Ok("welcome".to_owned()),
    }
}

/// Greets somebody.
#[prompt(scopes("notes:read"))]
fn greeting(#[arg(complete = names)] name: String) -> String {
    format!("Greet {name}.")
}

fn names(_: &str) -> Vec<String> {
    vec!["Alice".to_owned()]
}

/// The log.
#[resource("test://log", subscribe, scopes("notes:read"))]
fn log() -> String {
    "a line".to_owned()
}

/// A page.
#[resource("test://page/{number}", subscribe, scopes("notes:read", "notes:write"))]
fn page(#[arg(complete = numbers)] number: u8) -> String {
    format!("page {number}")
}

fn numbers(_: &str) -> Vec<String> {
    vec!["1".to_owned()]
}
