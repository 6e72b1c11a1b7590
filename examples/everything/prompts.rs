//! Prompts with various kinds of messages.

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::PromptMessage;
use mcp_runtime::{Embedded, Image};

use crate::content::PIXEL;

/// Returns one message.
#[prompt(inline)]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// Returns a message that contains two arguments.
#[prompt(inline)]
fn test_prompt_with_arguments(
    /// The first argument.
    #[arg(complete = values)]
    arg1: String,
    /// The second argument.
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

fn values(_typed: &str) -> [&'static str; 3] {
    ["testValue1", "testValue2", "other"]
}

/// Returns a message with an embedded resource.
#[prompt(inline)]
#[allow(non_snake_case, reason = "the conformance suite uses this name")]
fn test_prompt_with_embedded_resource(
    /// The URI of the embedded resource.
    resourceUri: String,
) -> [PromptMessage; 2] {
    let resource = Embedded::text(resourceUri, "Embedded resource content for testing.");
    [
        PromptMessage::user(resource.mime_type("text/plain")),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// Returns a message with an image.
#[prompt(inline)]
fn test_prompt_with_image() -> [PromptMessage; 2] {
    [
        PromptMessage::user(Image::png(PIXEL)),
        PromptMessage::user("Please analyze the image above."),
    ]
}
