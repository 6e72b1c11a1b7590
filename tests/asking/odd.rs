//! Tools that ask and then do what a tool should not, or what it must be able to.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::AskError;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::CreateMessageRequestParams;

/// Counts runs of the body of `unsteady`.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// A name.
#[json]
struct Name {
    /// What people say.
    name: String,
}

/// Handles the lack of a capability by itself.
#[tool]
pub(crate) async fn falls_back(ctx: &Context) -> Result<String, ToolError> {
    match ctx.elicit::<Name>("name", "Who?").await {
        Ok(_) => Ok("form".to_owned()),
        Err(AskError::Unsupported { .. }) => {
            let question = CreateMessageRequestParams::ask("Who?", 10);
            ctx.sample("model", question).await?;
            Ok("model".to_owned())
        }
        Err(error) => Err(error.into()),
    }
}

/// Fails for another reason than the capability that it did without.
#[tool]
pub(crate) async fn fails_otherwise(ctx: &Context) -> Result<String, String> {
    let _ = ctx.roots().await;
    Err("the disk is full".to_owned())
}

/// Returns the error of a question inside its own.
#[tool]
pub(crate) async fn wraps(ctx: &Context) -> Result<String, String> {
    let roots = ctx.roots().await;
    let roots = roots.map_err(|error| format!("no roots: {error}"))?;
    Ok(roots.len().to_string())
}

/// Asks another question each time that it runs.
#[tool]
pub(crate) async fn unsteady(ctx: &Context) -> Result<String, AskError> {
    let run = RUNS.fetch_add(1, Ordering::SeqCst);
    ctx.elicit::<Name>("name", format!("Question {run}?"))
        .await?;
    Ok("answered".to_owned())
}

/// Asks one key for two things.
#[tool]
pub(crate) async fn one_key_twice(ctx: &Context) -> Result<String, AskError> {
    ctx.elicit::<Name>("name", "Who?").await?;
    ctx.elicit::<Name>("name", "Who else?").await?;
    Ok("answered".to_owned())
}

/// Asks the same thing twice.
#[tool]
pub(crate) async fn same_twice(ctx: &Context) -> Result<String, AskError> {
    let first = ctx.elicit::<Name>("name", "Who?").await?.accepted();
    let second = ctx.elicit::<Name>("name", "Who?").await?.accepted();
    Ok((first.map(|it| it.name) == second.map(|it| it.name)).to_string())
}

/// Asks without an end.
#[tool]
pub(crate) async fn endless(ctx: &Context) -> Result<String, AskError> {
    for round in 0.. {
        ctx.elicit::<Name>(&format!("round{round}"), "Again?")
            .await?;
    }
    Ok(String::new())
}
