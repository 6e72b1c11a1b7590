use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The parameters of `completion/complete`.
#[derive(Clone, Debug, Deserialize)]
pub struct CompleteRequestParams<'a> {
    /// Whose argument it is.
    #[serde(rename = "ref", borrow)]
    pub reference: CompletionReference<'a>,
    /// What was typed so far.
    #[serde(borrow)]
    pub argument: CompletionArgument<'a>,
    /// What is known besides (since 2025-06-18).
    #[serde(default)]
    pub context: CompletionContext,
}

/// What an argument belongs to.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type")]
pub enum CompletionReference<'a> {
    /// A prompt, by name.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// Its name.
        name: Cow<'a, str>,
    },
    /// A resource template, by its text.
    #[serde(rename = "ref/resource")]
    Resource {
        /// The template.
        uri: Cow<'a, str>,
    },
}

/// An argument and what was typed of its value.
#[derive(Clone, Debug, Deserialize)]
pub struct CompletionArgument<'a> {
    /// Which argument.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// What was typed so far.
    #[serde(borrow)]
    pub value: Cow<'a, str>,
}

/// What is known when an argument is completed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CompletionContext {
    /// The arguments that are settled already.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// Values that an argument may have, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// At most 100.
    pub values: Vec<String>,
    /// How many there are in all, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether there are more than these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}
