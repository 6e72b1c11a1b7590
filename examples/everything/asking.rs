//! Tools that ask their client: a person, a model, or for its folders.

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{CreateMessageRequestParams, CreateMessageResult, Root};
use mcp_runtime::{AskError, Elicited, prompt};

#[json]
struct Name {
    name: String,
}

#[json]
struct Colour {
    color: String,
}

#[json]
struct Confirmation {
    ok: bool,
}

/// Asks a model.
#[tool]
async fn test_sampling(
    ctx: &Context,
    /// What to ask it.
    prompt: String,
) -> Result<String, AskError> {
    let question = CreateMessageRequestParams::ask(prompt, 100);
    let answer = ctx.sample("prompt", question).await?;
    Ok(format!("LLM response: {}", text(&answer)))
}

/// Greets a person whose name it asks for.
#[tool]
async fn test_input_required_result_elicitation(ctx: &Context) -> Result<String, AskError> {
    greeting(
        ctx.elicit::<Name>("user_name", "What is your name?")
            .await?,
    )
}

/// As the other greeting; the state that travels with it cannot be changed.
#[tool]
async fn test_input_required_result_tampered_state(ctx: &Context) -> Result<String, AskError> {
    confirmed(ctx).await
}

/// Asks a model a question of geography.
#[tool]
async fn test_input_required_result_sampling(ctx: &Context) -> Result<String, AskError> {
    let question = CreateMessageRequestParams::ask("What is the capital of France?", 100);
    let answer = ctx.sample("capital_question", question).await?;
    Ok(text(&answer).to_owned())
}

/// Asks for the client's folders.
#[tool]
async fn test_input_required_result_list_roots(ctx: &Context) -> Result<String, AskError> {
    Ok(uris(ctx.roots_as("client_roots").await?))
}

/// Asks for a confirmation, and says that the state came back whole.
#[tool]
async fn test_input_required_result_request_state(ctx: &Context) -> Result<String, AskError> {
    confirmed(ctx).await
}

/// Asks a person, a model and for the folders, all at once.
#[tool]
async fn test_input_required_result_multiple_inputs(ctx: &Context) -> Result<String, AskError> {
    let question = CreateMessageRequestParams::ask("Generate a greeting", 50);
    let (name, words, roots) = ctx
        .together((
            ctx.elicit::<Name>("user_name", "What is your name?"),
            ctx.sample("greeting", question),
            ctx.roots_as("client_roots"),
        ))
        .await?;
    let greeting = greeting(name)?;
    Ok(format!("{greeting} {} {}", text(&words), uris(roots)))
}

/// Asks twice, one after the other.
#[tool]
async fn test_input_required_result_multi_round(ctx: &Context) -> Result<String, AskError> {
    let name = ctx
        .elicit::<Name>("step1", "Step 1: What is your name?")
        .await?;
    let colour = ctx
        .elicit::<Colour>("step2", "Step 2: What is your favorite color?")
        .await?;
    Ok(match (name.accepted(), colour.accepted()) {
        (Some(Name { name }), Some(Colour { color })) => format!("{name} likes {color}."),
        _ => "Nobody likes anything.".to_owned(),
    })
}

/// Asks a person or, where the client has none, its model.
#[tool]
async fn test_input_required_result_capabilities(ctx: &Context) -> Result<String, AskError> {
    let asked = ctx.elicit::<Name>("user_name", "What is your name?").await;
    match asked {
        Err(AskError::Unsupported { .. }) => {
            let question = CreateMessageRequestParams::ask("Generate a name", 50);
            let answer = ctx.sample("name", question).await?;
            Ok(format!("Hello, {}!", text(&answer)))
        }
        answer => greeting(answer?),
    }
}

/// Needs a client whose model answers.
#[tool]
async fn test_missing_capability(ctx: &Context) -> Result<String, AskError> {
    let question = CreateMessageRequestParams::ask("Say something", 50);
    Ok(text(&ctx.sample("something", question).await?).to_owned())
}

/// Asks while its answer may be streamed.
#[tool]
async fn test_streaming_elicitation(ctx: &Context) -> Result<String, AskError> {
    greeting(
        ctx.elicit::<Name>("user_name", "What is your name?")
            .await?,
    )
}

#[json]
struct Topic {
    context: String,
}

/// A prompt about what a person names.
#[prompt]
async fn test_input_required_result_prompt(ctx: &Context) -> Result<String, AskError> {
    let topic = ctx
        .elicit::<Topic>("user_context", "What context should the prompt use?")
        .await?;
    let topic = topic
        .accepted()
        .map_or("anything".to_owned(), |it| it.context);
    Ok(format!("Consider {topic}."))
}

async fn confirmed(ctx: &Context) -> Result<String, AskError> {
    let answer = ctx
        .elicit::<Confirmation>("confirm", "Please confirm")
        .await?;
    Ok(match answer {
        Elicited::Accepted(Confirmation { ok }) => format!("state-ok: {ok}"),
        Elicited::Declined | Elicited::Cancelled => "state-ok: not confirmed".to_owned(),
    })
}

fn greeting(name: Elicited<Name>) -> Result<String, AskError> {
    Ok(match name.accepted() {
        Some(Name { name }) => format!("Hello, {name}!"),
        None => "Hello, stranger!".to_owned(),
    })
}

fn text(answer: &CreateMessageResult) -> &str {
    answer.first_text().unwrap_or("(no text)")
}

fn uris(roots: Vec<Root>) -> String {
    let uris: Vec<_> = roots.into_iter().map(|root| root.uri).collect();
    format!("roots: {}", uris.join(", "))
}
