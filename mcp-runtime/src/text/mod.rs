//! Words for messages: near names, short excerpts.

mod nearest;
mod time;

use std::borrow::Cow;

pub(crate) use nearest::{nearest, nearest_names};
pub(crate) use time::{iso8601, iso8601_micros};

/// The text itself, or its start and an ellipsis, in at most `longest` characters.
pub(crate) fn shortened(text: &str, longest: usize) -> Cow<'_, str> {
    if text.chars().nth(longest).is_none() {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    Cow::Owned(format!("{kept}…"))
}
