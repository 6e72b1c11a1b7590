//! Tools that elicit every kind of form from the user.

use mcp_runtime::prelude::*;
use mcp_runtime::{Elicited, InputRequestError};

#[json]
#[derive(Debug)]
struct Account {
    /// The user's name.
    username: String,
    /// The user's email address.
    email: String,
}

/// Asks the user for a name and an email address.
#[tool]
async fn test_elicitation(
    ctx: &Context,
    /// The message that the user sees.
    message: String,
) -> Result<String, InputRequestError> {
    let answer = ctx.elicit::<Account>("account", message).await?;
    Ok(format!("User response: {}", describe(&answer)))
}

#[json]
#[derive(Debug)]
struct Defaults {
    /// A name.
    #[serde(default = "john_doe")]
    name: String,
    /// An age.
    #[serde(default = "thirty")]
    age: i64,
    /// A score.
    #[serde(default = "score")]
    score: f64,
    /// A status.
    #[serde(default)]
    status: Status,
    /// Whether the user is verified.
    #[serde(default = "yes")]
    verified: bool,
}

#[json]
#[derive(Debug, Default)]
#[serde(rename_all = "lowercase")]
enum Status {
    #[default]
    Active,
    Inactive,
    Pending,
}

fn john_doe() -> String {
    "John Doe".to_owned()
}

fn thirty() -> i64 {
    30
}

fn score() -> f64 {
    95.5
}

fn yes() -> bool {
    true
}

/// Shows a form whose fields have default values.
#[tool]
async fn test_elicitation_sep1034_defaults(ctx: &Context) -> Result<String, InputRequestError> {
    let answer = ctx
        .elicit::<Defaults>("defaults", "Please check these values")
        .await?;
    Ok(format!("Elicitation completed: {}", describe(&answer)))
}

#[json]
#[derive(Debug)]
struct Choices {
    #[serde(rename = "untitledSingle")]
    untitled_single: Option<Plain>,
    #[serde(rename = "titledSingle")]
    titled_single: Option<Titled>,
    #[serde(rename = "legacyEnum")]
    #[schemars(extend("enumNames" = ["Option One", "Option Two", "Option Three"]))]
    legacy_enum: Option<Legacy>,
    #[serde(rename = "untitledMulti")]
    untitled_multi: Option<Vec<Plain>>,
    #[serde(rename = "titledMulti")]
    titled_multi: Option<Vec<TitledChoice>>,
}

#[json]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Plain {
    Option1,
    Option2,
    Option3,
}

#[json]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// First Option
    Value1,
    /// Second Option
    Value2,
    /// Third Option
    Value3,
}

#[json]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum TitledChoice {
    /// First Choice
    Value1,
    /// Second Choice
    Value2,
    /// Third Choice
    Value3,
}

#[json]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Legacy {
    Opt1,
    Opt2,
    Opt3,
}

/// Shows a form with every kind of enum.
#[tool]
async fn test_elicitation_sep1330_enums(ctx: &Context) -> Result<String, InputRequestError> {
    let answer = ctx.elicit::<Choices>("choices", "Please choose").await?;
    Ok(format!("Elicitation completed: {}", describe(&answer)))
}

fn describe<T: std::fmt::Debug>(answer: &Elicited<T>) -> String {
    match answer {
        Elicited::Accepted(content) => format!("action=accept, content={content:?}"),
        Elicited::Declined => "action=decline, content=none".to_owned(),
        Elicited::Cancelled => "action=cancel, content=none".to_owned(),
    }
}
