use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The parameters of `completion/complete`.
#[derive(Clone, Debug, Deserialize)]
pub struct CompleteRequestParams<'a> {
    /// The prompt or the resource template that the argument belongs to.
    #[serde(rename = "ref", borrow)]
    pub reference: CompletionReference<'a>,
    /// The text that the user has typed so far.
    #[serde(borrow)]
    pub argument: CompletionArgument<'a>,
    /// The values of other arguments (since 2025-06-18).
    #[serde(default)]
    pub context: CompletionContext,
}

/// The prompt or the resource template that an argument belongs to: the type
/// `PromptReference` or `ResourceTemplateReference`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type")]
pub enum CompletionReference<'a> {
    /// A prompt, by name.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// The name of the prompt.
        name: Cow<'a, str>,
    },
    /// A resource template, by its URI template.
    #[serde(rename = "ref/resource")]
    Resource {
        /// The URI template.
        uri: Cow<'a, str>,
    },
}

/// The argument to complete and the text typed so far, the member `argument`.
#[derive(Clone, Debug, Deserialize)]
pub struct CompletionArgument<'a> {
    /// The name of the argument.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The text that the user has typed so far.
    #[serde(borrow)]
    pub value: Cow<'a, str>,
}

/// The values of other arguments for a completion that depends on them, the member `context`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CompletionContext {
    /// The values by argument name.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// Possible values, best first: the member `completion` of a `CompleteResult`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// The values, at most 100.
    pub values: Vec<String>,
    /// The total number of values, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether there are further values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}
