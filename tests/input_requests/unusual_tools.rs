//! Tools that use input requests in unusual or wrong ways.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::InputRequestError;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::CreateMessageRequestParams;

/// Counts runs of `unsteady`.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// A name.
#[json]
struct Name {
    /// The name itself.
    name: String,
}

/// Falls back to sampling without elicitation.
#[tool]
pub(crate) async fn falls_back(ctx: &Context) -> Result<String, ToolError> {
    match ctx.elicit::<Name>("name", "Who?").await {
        Ok(_) => Ok("form".to_owned()),
        Err(InputRequestError::Unsupported { .. }) => {
            let request = CreateMessageRequestParams::user_message("Who?", 10);
            ctx.sample("model", request).await?;
            Ok("model".to_owned())
        }
        Err(error) => Err(error.into()),
    }
}

/// Ignores a failed input request and fails for another reason.
#[tool]
pub(crate) async fn fails_otherwise(ctx: &Context) -> Result<String, String> {
    let _ = ctx.roots().await;
    Err("the disk is full".to_owned())
}

/// Wraps the error of an input request in its own.
#[tool]
pub(crate) async fn wraps(ctx: &Context) -> Result<String, String> {
    let roots = ctx.roots().await;
    let roots = roots.map_err(|error| format!("no roots: {error}"))?;
    Ok(roots.len().to_string())
}

/// Changes its input request on every run.
#[tool]
pub(crate) async fn unsteady(ctx: &Context) -> Result<String, InputRequestError> {
    let run = RUNS.fetch_add(1, Ordering::SeqCst);
    ctx.elicit::<Name>("name", format!("Question {run}?"))
        .await?;
    Ok("answered".to_owned())
}

/// Uses one key for two different requests.
#[tool]
pub(crate) async fn one_key_twice(ctx: &Context) -> Result<String, InputRequestError> {
    ctx.elicit::<Name>("name", "Who?").await?;
    ctx.elicit::<Name>("name", "Who else?").await?;
    Ok("answered".to_owned())
}

/// Sends the same request twice.
#[tool]
pub(crate) async fn same_twice(ctx: &Context) -> Result<String, InputRequestError> {
    let first = ctx.elicit::<Name>("name", "Who?").await?.accepted();
    let second = ctx.elicit::<Name>("name", "Who?").await?.accepted();
    Ok((first.map(|it| it.name) == second.map(|it| it.name)).to_string())
}

/// Never stops requesting input.
#[tool]
pub(crate) async fn endless(ctx: &Context) -> Result<String, InputRequestError> {
    for round in 0.. {
        ctx.elicit::<Name>(&format!("round{round}"), "Again?")
            .await?;
    }
    Ok(String::new())
}
