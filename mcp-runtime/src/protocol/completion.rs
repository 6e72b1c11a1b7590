use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The parameters of `completion/complete`.
#[derive(Clone, Debug, Deserialize)]
pub struct CompleteRequestParams<'a> {
    /// The prompt or resource template that has the argument. In JSON, this member is named `ref`.
    #[serde(rename = "ref", borrow)]
    pub reference: CompletionReference<'a>,
    /// The argument and the text that the user has typed.
    #[serde(borrow)]
    pub argument: CompletionArgument<'a>,
    /// The values of other arguments (since 2025-06-18).
    #[serde(default)]
    pub context: CompletionContext,
}

/// A reference to a prompt or a resource template. The specification names the variants
/// `PromptReference` and `ResourceTemplateReference`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type")]
pub enum CompletionReference<'a> {
    /// A reference to a prompt.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// The name of the prompt.
        name: Cow<'a, str>,
    },
    /// A reference to a resource template.
    #[serde(rename = "ref/resource")]
    Resource {
        /// The URI template.
        uri: Cow<'a, str>,
    },
}

/// The argument to complete and the text that the user has typed.
#[derive(Clone, Debug, Deserialize)]
pub struct CompletionArgument<'a> {
    /// The name of the argument.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The text that the user has typed.
    #[serde(borrow)]
    pub value: Cow<'a, str>,
}

/// The values of other arguments, which a completer can use.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CompletionContext {
    /// The values of the arguments. The keys are the argument names.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// The possible values of an argument. This is the member `completion` of a `CompleteResult`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// At most 100 values. The best match is first.
    pub values: Vec<String>,
    /// The total number of values, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether there are more values than those in `values`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}
