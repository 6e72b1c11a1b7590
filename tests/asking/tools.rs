//! Tools that ask in every way.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{CreateMessageRequestParams, JsonObject, Root, Tool};
use mcp_runtime::{AskError, Elicited, prompt, resource};
use serde_json::json;

/// Counts what `ctx.once` computed.
pub(crate) static DRAWN: AtomicUsize = AtomicUsize::new(0);

/// A name.
#[json]
pub(crate) struct Name {
    /// What people say.
    #[schemars(length(min = 1, max = 20))]
    name: String,
}

/// A colour.
#[json]
pub(crate) struct Colour {
    /// Which one.
    colour: String,
}

/// How to travel.
#[json]
#[derive(Debug)]
pub(crate) enum Way {
    /// By train
    #[serde(rename = "train")]
    Train,
    /// By plane
    #[serde(rename = "plane")]
    Plane,
}

/// What is eaten.
#[json]
#[derive(Debug)]
pub(crate) enum Meal {
    Meat,
    Fish,
}

/// Everything that a form can have.
#[json]
#[derive(Debug)]
pub(crate) struct Everything {
    /// A text.
    #[serde(default = "somebody")]
    name: String,
    /// A number.
    #[schemars(range(min = 0, max = 150))]
    age: u8,
    /// A fraction.
    score: f64,
    /// Yes or no.
    #[serde(default)]
    sure: bool,
    /// A titled choice.
    way: Way,
    /// A plain choice.
    meal: Option<Meal>,
    /// Perhaps a text.
    note: Option<String>,
}

fn somebody() -> String {
    "Somebody".to_owned()
}

/// Choices of several.
#[json]
#[derive(Debug)]
pub(crate) struct Several {
    /// Titled.
    ways: Vec<Way>,
    /// Plain.
    #[schemars(length(min = 1, max = 2))]
    meals: Vec<Meal>,
}

/// What no form can hold, hidden from the compiler.
#[json]
pub(crate) struct Deep {
    name: Whole,
}

/// What is in it is taken at its word.
#[json]
pub(crate) struct Whole(Name);

/// Asks for a name, then for a colour.
#[tool]
pub(crate) async fn two_questions(ctx: &Context) -> Result<String, AskError> {
    let name = ctx
        .elicit::<Name>("step1", "Step 1: What is your name?")
        .await?;
    let Elicited::Accepted(Name { name }) = name else {
        return Ok("no name".to_owned());
    };
    let colour = ctx
        .elicit::<Colour>(
            "step2",
            format!("Step 2: What is your favorite color, {name}?"),
        )
        .await?;
    match colour {
        Elicited::Accepted(Colour { colour }) => Ok(format!("{name} likes {colour}")),
        Elicited::Declined => Ok("declined".to_owned()),
        Elicited::Cancelled => Ok("cancelled".to_owned()),
    }
}

/// Asks three things at once.
#[tool]
pub(crate) async fn together(ctx: &Context) -> Result<String, ToolError> {
    let question = CreateMessageRequestParams::ask("Generate a greeting", 50);
    let (name, greeting, roots) = ctx
        .together((
            ctx.elicit::<Name>("user_name", "What is your name?"),
            ctx.sample("greeting", question),
            ctx.roots(),
        ))
        .await?;
    let name = name.accepted().map(|it| it.name);
    let uris: Vec<_> = roots.into_iter().map(|Root { uri, .. }| uri).collect();
    Ok(format!("{name:?} {:?} {uris:?}", greeting.first_text()))
}

/// Keeps a number over its rounds.
#[tool]
pub(crate) async fn keeps(ctx: &Context) -> Result<String, AskError> {
    let number = ctx
        .once("number", async {
            DRAWN.fetch_add(1, Ordering::SeqCst) + 1000
        })
        .await?;
    ctx.elicit::<Name>("a", "Who?").await?;
    ctx.elicit::<Name>("b", format!("Who else has {number}?"))
        .await?;
    Ok(number.to_string())
}

/// Keeps a number that is hard to draw: it fails as often as said.
#[tool]
pub(crate) async fn keeps_at_last(ctx: &Context, failures: usize) -> Result<String, ToolError> {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    let drawn = async {
        match TRIES.fetch_add(1, Ordering::SeqCst) {
            tried if tried < failures => Err("nothing is left to draw"),
            tried => Ok(tried),
        }
    };
    let drawn = ctx.try_once("number", drawn).await?;
    ctx.elicit::<Name>("a", "Who?").await?;
    let again = ctx.try_once("number", async { Err::<usize, _>("never") });
    let again = again.await?;
    Ok(format!("{drawn:?} {again:?}"))
}

/// Asks for everything that a form can have.
#[tool]
pub(crate) async fn everything(ctx: &Context) -> Result<String, AskError> {
    Ok(format!(
        "{:?}",
        ctx.elicit::<Everything>("all", "All of it").await?
    ))
}

/// Asks for choices of several.
#[tool]
pub(crate) async fn several(ctx: &Context) -> Result<String, AskError> {
    Ok(format!(
        "{:?}",
        ctx.elicit::<Several>("several", "Which?").await?
    ))
}

/// Asks for what no form can hold.
#[tool]
pub(crate) async fn deep(ctx: &Context) -> Result<String, AskError> {
    // Written so that nothing finds it before it is asked.
    let asked: Elicited<Deep> = ctx.elicit("deep", "How?").await?;
    Ok(format!("{}", asked.accepted().is_some()))
}

/// Asks with a form that comes from elsewhere.
#[tool]
pub(crate) async fn form_by_hand(ctx: &Context, form: JsonObject) -> Result<String, AskError> {
    let answer = ctx.elicit_with_schema("form", "What?", form.into()).await?;
    Ok(format!("{:?}", answer.accepted()))
}

/// Asks to open what is a page, or not.
#[tool]
pub(crate) async fn open(ctx: &Context, url: String) -> Result<String, AskError> {
    let opened = ctx.elicit_url("page", "Please look", url).await?;
    Ok(format!("{opened:?}"))
}

/// Asks a model that may look at what servers say.
#[tool]
pub(crate) async fn with_context(ctx: &Context) -> Result<String, AskError> {
    let mut question = CreateMessageRequestParams::ask("What is new?", 50);
    question.include_context = Some("allServers".to_owned());
    let answer = ctx.sample("news", question).await?;
    Ok(answer.first_text().unwrap_or_default().to_owned())
}

/// Asks to open a page.
#[tool]
pub(crate) async fn page(ctx: &Context) -> Result<String, AskError> {
    let opened = ctx
        .elicit_url("page", "Please sign in", "https://example.com/sign-in")
        .await?;
    Ok(format!("{opened:?}"))
}

/// Asks a model that may call a tool.
#[tool]
pub(crate) async fn with_tools(ctx: &Context) -> Result<String, AskError> {
    let mut question = CreateMessageRequestParams::ask("What is the weather?", 50);
    let weather = json!({ "name": "weather", "inputSchema": { "type": "object" } });
    question.tools = serde_json::from_value::<Tool>(weather)
        .ok()
        .map(|tool| vec![tool]);
    let answer = ctx.sample("weather", question).await?;
    Ok(answer.first_text().unwrap_or_default().to_owned())
}

/// Does what a plan says, a step after the other; a declined form skips the next step.
#[tool]
pub(crate) async fn follow(ctx: &Context, plan: Vec<String>) -> Result<String, AskError> {
    let mut told = Vec::new();
    let mut steps = plan.iter();
    while let Some(step) = steps.next() {
        let words: Vec<&str> = step.split(' ').collect();
        let answer = match words.as_slice() {
            ["form", key, message] => {
                let answer = ctx.elicit::<Name>(key, *message).await?;
                if matches!(answer, Elicited::Declined) {
                    steps.next();
                }
                said(answer)
            }
            ["model", key, message] => {
                let question = CreateMessageRequestParams::ask(*message, 10);
                let answer = ctx.sample(key, question).await?;
                answer.first_text().unwrap_or_default().to_owned()
            }
            ["pair", one, other, message] => {
                let questions = (
                    ctx.elicit::<Name>(one, *message),
                    ctx.elicit::<Name>(other, *message),
                );
                let (one, other) = ctx.together(questions).await?;
                format!("{} and {}", said(one), said(other))
            }
            ["once", key] => ctx.once(key, async { told.len() }).await?.to_string(),
            _ => ctx.roots().await?.len().to_string(),
        };
        told.push(answer);
    }
    Ok(told.join("; "))
}

/// Does what a plan says as a task, where the client knows tasks.
#[tool(task)]
pub(crate) async fn follow_as_task(ctx: &Context, plan: Vec<String>) -> Result<String, AskError> {
    tokio::task::yield_now().await;
    follow(ctx, plan).await
}

fn said(answer: Elicited<Name>) -> String {
    match answer {
        Elicited::Accepted(Name { name }) => name,
        Elicited::Declined => "no".to_owned(),
        Elicited::Cancelled => "never mind".to_owned(),
    }
}

/// Asks what to talk about.
#[prompt]
pub(crate) async fn talk(ctx: &Context) -> Result<String, AskError> {
    let name = ctx.elicit::<Name>("about", "Talk about whom?").await?;
    Ok(format!("Talk about {}.", said(name)))
}

/// Asks who reads.
#[resource("test://secret/{id}")]
pub(crate) async fn secret(ctx: &Context, id: u32) -> Result<String, AskError> {
    let name = ctx.elicit::<Name>("reader", "Who are you?").await?;
    Ok(format!("Secret {id} of {}", said(name)))
}
