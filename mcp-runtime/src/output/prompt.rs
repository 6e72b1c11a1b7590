use std::borrow::Cow;

use super::Content;
use super::select::{ResultSplit, ReturnError};
use crate::error::ToolError;
use crate::protocol::{ContentBlock, GetPromptResult, PromptMessage};

/// The result of a prompt before it is encoded.
pub type PromptOutcome = Result<GetPromptResult, ToolError>;

/// A type that a prompt can return.
///
/// Implemented for strings and [`Content`] (one message with the role `user`),
/// [`PromptMessage`], lists of them, and [`GetPromptResult`] itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a prompt",
    label = "neither a string nor messages",
    note = "a prompt returns a string, content blocks, a `PromptMessage`, a list of them, a `GetPromptResult`, or a `Result` of one of these"
)]
pub trait PromptOutput {
    /// Converts the value to the result of the request.
    ///
    /// # Errors
    /// The value cannot be converted.
    fn into_prompt(self) -> PromptOutcome;
}

/// The conversion of a returned type `R`, from the marker types selected for it.
#[must_use]
pub fn prompt_result<R, S, F>(_: S, _: F) -> fn(R) -> PromptOutcome
where
    S: ResultSplit<R>,
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
