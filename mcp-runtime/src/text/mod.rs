//! Functions that format message texts, suggest names and truncate texts.

mod nearest;
mod time;

use std::borrow::Cow;

pub(crate) use nearest::{nearest, nearest_names};
pub(crate) use time::{iso8601, iso8601_micros};

/// Truncates a text to at most `max_chars` characters. A truncated text ends with an ellipsis.
pub(crate) fn truncate(text: &str, max_chars: usize) -> Cow<'_, str> {
    if text.chars().nth(max_chars).is_none() {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(max_chars.saturating_sub(1)).collect();
    Cow::Owned(format!("{kept}…"))
}
