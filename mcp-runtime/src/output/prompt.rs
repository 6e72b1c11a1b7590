use std::borrow::Cow;

use super::Content;
use super::select::{ResultOrValue, ReturnError};
use crate::error::ToolError;
use crate::protocol::{ContentBlock, GetPromptResult, PromptMessage};

/// The result of a prompt before it is serialized.
pub type PromptOutcome = Result<GetPromptResult, ToolError>;

/// A type that a prompt handler can return.
///
/// The trait is implemented for strings and types that implement [`Content`] (one message with the
/// role `user`), [`PromptMessage`], lists of [`PromptMessage`], and [`GetPromptResult`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a prompt",
    label = "neither a string nor messages",
    note = "a prompt returns a string, content blocks, a `PromptMessage`, a list of them, a `GetPromptResult`, or a `Result` of one of these"
)]
pub trait PromptOutput {
    /// Converts the value to the result of `prompts/get`.
    ///
    /// # Errors
    /// Returns an error if the value cannot be converted.
    fn into_prompt(self) -> PromptOutcome;
}

/// Returns the function that converts the return type `R`. The arguments are the marker types that
/// were selected for `R` and its error type.
#[must_use]
pub fn prompt_result<R, S, F>(_: S, _: F) -> fn(R) -> PromptOutcome
where
    S: ResultOrValue<R>,
    S::Value: PromptOutput,
    S::Error: ReturnError<F>,
{
    |returned| match S::split(returned) {
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
