//! Tools that request input from their client: elicitation, sampling and roots.

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{CreateMessageRequestParams, CreateMessageResult, Root};
use mcp_runtime::{Elicited, InputRequestError, prompt};

#[json]
struct Name {
    name: String,
}

#[json]
struct Color {
    color: String,
}

#[json]
struct Confirmation {
    ok: bool,
}

/// Sends a prompt to the client's model.
#[tool]
async fn test_sampling(
    ctx: &Context,
    /// The prompt for the model.
    prompt: String,
) -> Result<String, InputRequestError> {
    let request = CreateMessageRequestParams::user_message(prompt, 100);
    let response = ctx.sample("prompt", request).await?;
    Ok(format!("LLM response: {}", text(&response)))
}

/// Asks the user for a name and returns a greeting.
#[tool]
async fn test_input_required_result_elicitation(
    ctx: &Context,
) -> Result<String, InputRequestError> {
    greeting(
        ctx.elicit::<Name>("user_name", "What is your name?")
            .await?,
    )
}

/// Asks for a confirmation; a changed state is rejected.
#[tool]
async fn test_input_required_result_tampered_state(
    ctx: &Context,
) -> Result<String, InputRequestError> {
    confirm(ctx).await
}

/// Asks the client's model for the capital of France.
#[tool]
async fn test_input_required_result_sampling(ctx: &Context) -> Result<String, InputRequestError> {
    let request = CreateMessageRequestParams::user_message("What is the capital of France?", 100);
    let response = ctx.sample("capital_question", request).await?;
    Ok(text(&response).to_owned())
}

/// Lists the client's roots.
#[tool]
async fn test_input_required_result_list_roots(ctx: &Context) -> Result<String, InputRequestError> {
    Ok(uris(ctx.roots_with_key("client_roots").await?))
}

/// Asks for a confirmation and reports that the state was returned.
#[tool]
async fn test_input_required_result_request_state(
    ctx: &Context,
) -> Result<String, InputRequestError> {
    confirm(ctx).await
}

/// Requests a form, a sample and the roots in one round.
#[tool]
async fn test_input_required_result_multiple_inputs(
    ctx: &Context,
) -> Result<String, InputRequestError> {
    let request = CreateMessageRequestParams::user_message("Generate a greeting", 50);
    let (name, words, roots) = ctx
        .join((
            ctx.elicit::<Name>("user_name", "What is your name?"),
            ctx.sample("greeting", request),
            ctx.roots_with_key("client_roots"),
        ))
        .await?;
    let greeting = greeting(name)?;
    Ok(format!("{greeting} {} {}", text(&words), uris(roots)))
}

/// Requests two forms, one after the other.
#[tool]
async fn test_input_required_result_multi_round(
    ctx: &Context,
) -> Result<String, InputRequestError> {
    let name = ctx
        .elicit::<Name>("step1", "Step 1: What is your name?")
        .await?;
    let color = ctx
        .elicit::<Color>("step2", "Step 2: What is your favorite color?")
        .await?;
    Ok(match (name.accepted(), color.accepted()) {
        (Some(Name { name }), Some(Color { color })) => format!("{name} likes {color}."),
        _ => "No favorite color was given.".to_owned(),
    })
}

/// Asks the user or, if the client does not support forms, its model.
#[tool]
async fn test_input_required_result_capabilities(
    ctx: &Context,
) -> Result<String, InputRequestError> {
    let name = ctx.elicit::<Name>("user_name", "What is your name?").await;
    match name {
        Err(InputRequestError::Unsupported { .. }) => {
            let request = CreateMessageRequestParams::user_message("Generate a name", 50);
            let response = ctx.sample("name", request).await?;
            Ok(format!("Hello, {}!", text(&response)))
        }
        name => greeting(name?),
    }
}

/// Requires a client that supports sampling.
#[tool]
async fn test_missing_capability(ctx: &Context) -> Result<String, InputRequestError> {
    let request = CreateMessageRequestParams::user_message("Say something", 50);
    Ok(text(&ctx.sample("something", request).await?).to_owned())
}

/// Asks the user for a name during a response that may be a stream.
#[tool]
async fn test_streaming_elicitation(ctx: &Context) -> Result<String, InputRequestError> {
    greeting(
        ctx.elicit::<Name>("user_name", "What is your name?")
            .await?,
    )
}

#[json]
struct Topic {
    context: String,
}

/// Returns a prompt about a context that the user names.
#[prompt]
async fn test_input_required_result_prompt(ctx: &Context) -> Result<String, InputRequestError> {
    let topic = ctx
        .elicit::<Topic>("user_context", "What context should the prompt use?")
        .await?;
    let topic = topic
        .accepted()
        .map_or("anything".to_owned(), |it| it.context);
    Ok(format!("Consider {topic}."))
}

async fn confirm(ctx: &Context) -> Result<String, InputRequestError> {
    let answer = ctx
        .elicit::<Confirmation>("confirm", "Please confirm")
        .await?;
    Ok(match answer {
        Elicited::Accepted(Confirmation { ok }) => format!("state-ok: {ok}"),
        Elicited::Declined | Elicited::Cancelled => "state-ok: not confirmed".to_owned(),
    })
}

fn greeting(name: Elicited<Name>) -> Result<String, InputRequestError> {
    Ok(match name.accepted() {
        Some(Name { name }) => format!("Hello, {name}!"),
        None => "Hello, stranger!".to_owned(),
    })
}

fn text(response: &CreateMessageResult) -> &str {
    response.first_text().unwrap_or("(no text)")
}

fn uris(roots: Vec<Root>) -> String {
    let uris: Vec<_> = roots.into_iter().map(|root| root.uri).collect();
    format!("roots: {}", uris.join(", "))
}
