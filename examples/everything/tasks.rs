//! Tools whose work goes on as a task where the client knows tasks.

use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, Elicited};
use tokio::time::sleep;

#[json]
struct Confirmation {
    confirm: bool,
}

#[json]
struct Person {
    name: String,
    #[serde(default)]
    confirm: bool,
}

/// Greets at once.
#[tool(inline)]
fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// Takes its time.
#[tool(task)]
async fn slow_compute(
    /// How long.
    seconds: f64,
    /// What to call it.
    label: Option<String>,
) -> Result<String, ToolError> {
    sleep(Duration::try_from_secs_f64(seconds)?).await;
    Ok(format!("{} is done.", label.unwrap_or_default()))
}

/// Fails after a while.
#[tool(task = "required")]
async fn failing_job() -> Result<String, ToolError> {
    sleep(Duration::from_secs(1)).await;
    Err(ToolError::public("This job always fails."))
}

/// Fails with an error of the protocol: it needs what the client does not have.
#[tool(task)]
async fn protocol_error_job(ctx: &Context) -> Result<String, AskError> {
    begin().await;
    let page = "https://example.com/never";
    ctx.elicit_url("page", "Open this page.", page).await?;
    Ok("The client can open pages, so nothing failed.".to_owned())
}

/// Deletes a file, if a person wants that.
#[tool(task)]
async fn confirm_delete(ctx: &Context, filename: String) -> Result<String, AskError> {
    begin().await;
    let question = format!("Delete {filename}?");
    let sure = ctx.elicit::<Confirmation>("sure", question).await?;
    Ok(match sure {
        Elicited::Accepted(Confirmation { confirm: true }) => format!("{filename} is deleted."),
        _ => format!("{filename} is kept."),
    })
}

/// Asks two people at the same time.
#[tool(task)]
async fn multi_input(ctx: &Context) -> Result<String, AskError> {
    begin().await;
    let (one, other) = ctx
        .together((
            ctx.elicit::<Person>("first", "Who is the first?"),
            ctx.elicit::<Person>("second", "Who is the second?"),
        ))
        .await?;
    Ok(format!("{} and {}", named(one), named(other)))
}

/// Asks before it begins, and then takes its time.
#[tool(task)]
async fn test_tool_with_task(ctx: &Context) -> Result<String, AskError> {
    let person = ctx
        .elicit::<Person>("user_name", "What is your name?")
        .await?;
    begin().await;
    Ok(format!("Hello, {}!", named(person)))
}

/// What a tool awaits before it asks makes it a task; a question that is asked
/// at once is asked before there is one.
async fn begin() {
    sleep(Duration::from_millis(20)).await;
}

fn named(person: Elicited<Person>) -> String {
    let name = person.accepted().map(|Person { name, .. }| name);
    name.unwrap_or_else(|| "nobody".to_owned())
}
