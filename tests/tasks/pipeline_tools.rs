//! Task tools that use other features as well.

use std::future::pending;
use std::thread::sleep;
use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::sync::{Notify, watch};

/// Counts running handlers of a server and releases them.
#[derive(Default)]
pub(crate) struct ToolControl {
    /// The number of handlers that have started, and of those that have ended.
    pub(crate) started: watch::Sender<usize>,
    pub(crate) ended: watch::Sender<usize>,
    pub(crate) release: Notify,
}

/// Marks a handler as running.
struct RunningHandler<'a>(&'a ToolControl);

impl ToolControl {
    fn hold(&self) -> String {
        let _running = self.enter();
        tokio::runtime::Handle::current().block_on(self.release.notified());
        "released".to_owned()
    }

    fn enter(&self) -> RunningHandler<'_> {
        self.started.send_modify(|started| *started += 1);
        RunningHandler(self)
    }

    pub(crate) async fn wait_started(&self, most: usize) {
        let mut started = self.started.subscribe();
        started.wait_for(|started| *started >= most).await.unwrap();
    }

    pub(crate) async fn wait_ended(&self, most: usize) {
        let mut ended = self.ended.subscribe();
        ended.wait_for(|ended| *ended >= most).await.unwrap();
    }
}

impl Drop for RunningHandler<'_> {
    fn drop(&mut self) {
        self.0.ended.send_modify(|ended| *ended += 1);
    }
}

/// Waits for the test.
#[tool(task)]
async fn wait(control: &ToolControl) -> String {
    let _running = control.enter();
    control.release.notified().await;
    "released".to_owned()
}

/// Wipes something after confirmation.
#[tool(task, confirm = "Wipe {what}?")]
async fn wipe(control: &ToolControl, what: String) -> String {
    let _running = control.enter();
    control.release.notified().await;
    format!("{what} is wiped")
}

/// Waits for the test, one call at a time.
#[tool(task, max_concurrency = 1)]
async fn alone(control: &ToolControl) -> String {
    let _running = control.enter();
    control.release.notified().await;
    "released".to_owned()
}

/// Never completes.
#[tool(task, timeout = "30ms")]
async fn endless(control: &ToolControl) -> String {
    let _running = control.enter();
    pending().await
}

/// Blocks its thread until it is cancelled.
#[tool(task)]
fn block(control: &ToolControl, ctx: &Context) -> String {
    let _running = control.enter();
    while !ctx.is_cancelled() {
        sleep(Duration::from_millis(1));
    }
    "cancelled".to_owned()
}

/// Blocks its thread until the test releases it, even if it is cancelled.
#[tool(task)]
fn hold(control: &ToolControl) -> String {
    control.hold()
}

/// Like `hold`, with a timeout.
#[tool(task, timeout = "1h")]
fn hold_an_hour(control: &ToolControl) -> String {
    control.hold()
}

/// Panics when released.
#[tool(task)]
async fn break_down(control: &ToolControl) -> String {
    let _running = control.enter();
    control.release.notified().await;
    panic!("the secret is 42")
}

/// Reports progress before and after waiting.
#[tool(task)]
async fn report(control: &ToolControl, ctx: &Context) -> String {
    let _running = control.enter();
    ctx.progress(1.0, 2.0);
    control.release.notified().await;
    ctx.progress(2.0, 2.0);
    "reported".to_owned()
}

/// Requires task support.
#[tool(task = "required")]
async fn hidden_job() -> String {
    pending().await
}

/// Requests input when released.
#[tool(task)]
async fn ask_late(control: &ToolControl, ctx: &Context) -> Result<String, ToolError> {
    let _running = control.enter();
    control.release.notified().await;
    let answer = ctx.elicit::<Answer>("answer", "Well?").await?;
    Ok(format!("{:?}", answer.accepted().map(|it| it.text)))
}

#[json]
struct Answer {
    text: String,
}
