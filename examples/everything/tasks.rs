//! Tools that continue as a task if the client supports tasks.

use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{Elicited, InputRequestError};
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

/// Returns a greeting immediately.
#[tool(inline)]
fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// Waits before it returns.
#[tool(task)]
async fn slow_compute(
    /// How long to wait, in seconds.
    seconds: f64,
    /// The name of the computation.
    label: Option<String>,
) -> Result<String, ToolError> {
    sleep(Duration::try_from_secs_f64(seconds)?).await;
    Ok(format!("{} is done.", label.unwrap_or_default()))
}

/// Fails after a second.
#[tool(task = "required")]
async fn failing_job() -> Result<String, ToolError> {
    sleep(Duration::from_secs(1)).await;
    Err(ToolError::public("This job always fails."))
}

/// Fails with a protocol error if the client does not support URL elicitation.
#[tool(task)]
async fn protocol_error_job(ctx: &Context) -> Result<String, InputRequestError> {
    become_task().await;
    let page = "https://example.com/never";
    ctx.elicit_url("page", "Open this page.", page).await?;
    Ok("The client supports URL elicitation, so nothing failed.".to_owned())
}

/// Deletes a file if the user confirms it.
#[tool(task)]
async fn confirm_delete(ctx: &Context, filename: String) -> Result<String, InputRequestError> {
    become_task().await;
    let message = format!("Delete {filename}?");
    let confirmation = ctx.elicit::<Confirmation>("confirmation", message).await?;
    Ok(match confirmation {
        Elicited::Accepted(Confirmation { confirm: true }) => format!("{filename} is deleted."),
        _ => format!("{filename} is kept."),
    })
}

/// Shows two forms at the same time.
#[tool(task)]
async fn multi_input(ctx: &Context) -> Result<String, InputRequestError> {
    become_task().await;
    let (first, second) = ctx
        .join((
            ctx.elicit::<Person>("first", "Who is the first?"),
            ctx.elicit::<Person>("second", "Who is the second?"),
        ))
        .await?;
    Ok(format!("{} and {}", name(first), name(second)))
}

/// Shows a form before it continues as a task.
#[tool(task)]
async fn test_tool_with_task(ctx: &Context) -> Result<String, InputRequestError> {
    let person = ctx
        .elicit::<Person>("user_name", "What is your name?")
        .await?;
    become_task().await;
    Ok(format!("Hello, {}!", name(person)))
}

/// Waits, so that the call becomes a task. An input request before the first wait is part
/// of the call instead.
async fn become_task() {
    sleep(Duration::from_millis(20)).await;
}

fn name(person: Elicited<Person>) -> String {
    let name = person.accepted().map(|Person { name, .. }| name);
    name.unwrap_or_else(|| "stranger".to_owned())
}
