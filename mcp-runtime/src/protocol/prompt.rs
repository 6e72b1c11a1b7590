use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ContentBlock, Icon, JsonObject, Role};

/// A prompt as `prompts/list` shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// What requests name.
    pub name: String,
    /// For people (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it can be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<PromptArgument>,
    /// Pictures that stand for it (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// For programs (since 2025-06-18).
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// An argument of a prompt; its value is a string.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptArgument {
    /// The name in `arguments`.
    pub name: String,
    /// For people (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

/// The result of `prompts/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListPromptsResult {
    /// Sorted by name.
    pub prompts: Vec<Prompt>,
    /// Where the next page begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The parameters of `prompts/get`.
#[derive(Clone, Debug, Deserialize)]
pub struct GetPromptRequestParams<'a> {
    /// Which prompt.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Its arguments; absent ones and `null` mean none.
    #[serde(default)]
    pub arguments: Option<BTreeMap<String, String>>,
}

/// The result of `prompts/get`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GetPromptResult {
    /// What the prompt is good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The beginning of a conversation.
    pub messages: Vec<PromptMessage>,
    /// For programs.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

impl PromptMessage {
    /// Something that the user says.
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self {
            role: Role::User,
            content: content.into(),
        }
    }

    /// Something that the model says.
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self {
            role: Role::Assistant,
            content: content.into(),
        }
    }
}
