//! Tools that are tasks and something else.

use std::future::pending;
use std::thread::sleep;
use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::sync::{Notify, watch};

/// What the test of one server sees of its bodies, and how it lets them go.
#[derive(Default)]
pub(crate) struct Stage {
    /// Bodies that have begun, and those that are over, however.
    pub(crate) begun: watch::Sender<usize>,
    pub(crate) over: watch::Sender<usize>,
    pub(crate) let_go: Notify,
}

/// A body on the stage.
struct Actor<'a>(&'a Stage);

impl Stage {
    fn hold(&self) -> String {
        let _actor = self.enter();
        tokio::runtime::Handle::current().block_on(self.let_go.notified());
        "let go".to_owned()
    }

    fn enter(&self) -> Actor<'_> {
        self.begun.send_modify(|begun| *begun += 1);
        Actor(self)
    }

    pub(crate) async fn wait_begun(&self, most: usize) {
        let mut begun = self.begun.subscribe();
        begun.wait_for(|begun| *begun >= most).await.unwrap();
    }

    pub(crate) async fn wait_over(&self, most: usize) {
        let mut over = self.over.subscribe();
        over.wait_for(|over| *over >= most).await.unwrap();
    }
}

impl Drop for Actor<'_> {
    fn drop(&mut self) {
        self.0.over.send_modify(|over| *over += 1);
    }
}

/// Waits to be let go.
#[tool(task)]
async fn wait(stage: &Stage) -> String {
    let _actor = stage.enter();
    stage.let_go.notified().await;
    "let go".to_owned()
}

/// Wipes something, once a person has agreed.
#[tool(task, confirm = "Wipe {what}?")]
async fn wipe(stage: &Stage, what: String) -> String {
    let _actor = stage.enter();
    stage.let_go.notified().await;
    format!("{what} is wiped")
}

/// Waits to be let go, one call at a time.
#[tool(task, max_concurrency = 1)]
async fn alone(stage: &Stage) -> String {
    let _actor = stage.enter();
    stage.let_go.notified().await;
    "let go".to_owned()
}

/// Never ends by itself.
#[tool(task, timeout = "30ms")]
async fn endless(stage: &Stage) -> String {
    let _actor = stage.enter();
    pending().await
}

/// Holds a thread until it is called off.
#[tool(task)]
fn block(stage: &Stage, ctx: &Context) -> String {
    let _actor = stage.enter();
    while !ctx.is_cancelled() {
        sleep(Duration::from_millis(1));
    }
    "called off".to_owned()
}

/// Holds a thread until it is let go, whoever calls it off.
#[tool(task)]
fn hold(stage: &Stage) -> String {
    stage.hold()
}

/// As `hold`, with a time that it has.
#[tool(task, timeout = "1h")]
fn hold_an_hour(stage: &Stage) -> String {
    stage.hold()
}

/// Panics after a while.
#[tool(task)]
async fn break_down(stage: &Stage) -> String {
    let _actor = stage.enter();
    stage.let_go.notified().await;
    panic!("the secret is 42")
}

/// Tells how far it is, before and after it waits.
#[tool(task)]
async fn report(stage: &Stage, ctx: &Context) -> String {
    let _actor = stage.enter();
    ctx.progress(1.0, 2.0);
    stage.let_go.notified().await;
    ctx.progress(2.0, 2.0);
    "reported".to_owned()
}

/// Is a task, or nothing; for those who may.
#[tool(task = "required")]
async fn hidden_job() -> String {
    pending().await
}

/// Asks when it has begun.
#[tool(task)]
async fn ask_late(stage: &Stage, ctx: &Context) -> Result<String, ToolError> {
    let _actor = stage.enter();
    stage.let_go.notified().await;
    let answer = ctx.elicit::<Answer>("answer", "Well?").await?;
    Ok(format!("{:?}", answer.accepted().map(|it| it.text)))
}

#[json]
struct Answer {
    text: String,
}
