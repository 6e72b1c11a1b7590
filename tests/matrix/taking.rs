//! Takes away what methods need, through any door.

use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, ServerHandle, ToolError};

/// Takes away what some methods need.
#[tool(title = "Take away", destructive, inline)]
fn take_away(
    handle: &ServerHandle,
    #[arg(one_of("tools", "prompts", "resources", "completions", "logging"))] what: String,
) -> Result<(), ToolError> {
    match what.as_str() {
        "tools" => no_tools(handle),
        "prompts" => no_prompts(handle),
        "resources" => no_resources(handle),
        "completions" => {
            no_prompts(handle);
            no_resources(handle);
        }
        _ => {
            no_tools(handle);
            no_resources(handle);
        }
    }
    Ok(())
}

fn no_tools(handle: &ServerHandle) {
    for name in [
        "ask",
        "ask_on_a_page",
        "extra",
        "logs",
        "slow",
        "steps",
        "take_away",
        "toggle",
        "touch",
        "widget",
    ] {
        assert!(handle.disable_tool(name), "{name}");
    }
}

fn no_prompts(handle: &ServerHandle) {
    for name in ["extra_prompt", "failing", "picture", "way"] {
        assert!(handle.remove_prompt(name), "{name}");
    }
}

fn no_resources(handle: &ServerHandle) {
    for uri in ["config://app", "data://bytes", "ui://widget"] {
        assert!(handle.remove_resource(uri), "{uri}");
    }
    for template in ["notes://{+path}", "notes://{id}/body{?format}"] {
        assert!(handle.disable_resource_template(template), "{template}");
    }
}

/// Says that a resource has changed.
#[tool(inline)]
fn touch(handle: &ServerHandle, uri: String) {
    handle.resource_updated(&uri);
}

/// Somebody.
#[json]
struct Person {
    /// What to call them.
    name: String,
}

/// Asks for a name.
#[tool]
async fn ask(ctx: &Context) -> Result<String, AskError> {
    ctx.progress(1.0, 2.0);
    let person = ctx.elicit::<Person>("person", "Who is it?").await?;
    let name = person.accepted().map(|person| person.name);
    Ok(name.unwrap_or_default())
}

/// Sends somebody to a page.
#[tool]
async fn ask_on_a_page(ctx: &Context) -> Result<String, AskError> {
    ctx.elicit_url("page", "Sign in.", "https://example.com/")
        .await?;
    Ok("done".to_owned())
}
