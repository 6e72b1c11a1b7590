use std::borrow::Cow;

use super::Content;
use super::kind::{Branch, Failure};
use crate::error::ToolError;
use crate::protocol::{ContentBlock, GetPromptResult, PromptMessage};

/// What a request for a prompt comes to before it is encoded.
pub type PromptOutcome = Result<GetPromptResult, ToolError>;

/// A type that a prompt can return.
///
/// Implemented for strings and [`Content`] (one message of the user), messages,
/// lists of them, and [`GetPromptResult`] itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a prompt",
    label = "neither text nor messages",
    note = "a prompt returns text, a `PromptMessage`, a list of them, a `GetPromptResult`, or a `Result` of one of these"
)]
pub trait PromptOutput {
    /// The result of a request that returned this value.
    ///
    /// # Errors
    /// A [`ToolError`] if the value cannot be shown.
    fn into_prompt(self) -> PromptOutcome;
}

/// Joins the answers about what a prompt returns.
#[must_use]
pub fn prompt_result<R, S, F>(_: S, _: F) -> fn(R) -> PromptOutcome
where
    S: Branch<R>,
    S::Value: PromptOutput,
    S::Error: Failure<F>,
{
    |returned| match S::branch(returned) {
        Ok(value) => value.into_prompt(),
        Err(error) => Err(error.into_tool_error()),
    }
}

impl PromptOutput for GetPromptResult {
    fn into_prompt(self) -> PromptOutcome {
        Ok(self)
    }
}

impl PromptOutput for Vec<PromptMessage> {
    fn into_prompt(self) -> PromptOutcome {
        Ok(GetPromptResult {
            messages: self,
            ..GetPromptResult::default()
        })
    }
}

impl<const N: usize> PromptOutput for [PromptMessage; N] {
    fn into_prompt(self) -> PromptOutcome {
        Vec::from(self).into_prompt()
    }
}

impl PromptOutput for PromptMessage {
    fn into_prompt(self) -> PromptOutcome {
        vec![self].into_prompt()
    }
}

impl<C: Content> PromptOutput for C {
    fn into_prompt(self) -> PromptOutcome {
        PromptMessage::user(self).into_prompt()
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl PromptOutput for $type {
            fn into_prompt(self) -> PromptOutcome {
                PromptMessage::user(ContentBlock::text(self)).into_prompt()
            }
        }
    )*};
}

text!(String, &'static str, Box<str>, Cow<'static, str>);
