//! Failures: for the model ([`ToolError`]) and for the operator ([`Error`]).
//!
//! The third kind, for the protocol, is [`ErrorObject`](crate::jsonrpc::ErrorObject).

mod start;
mod tool;

pub use start::{Error, Location};
pub use tool::ToolError;

/// Cuts `text` to at most `limit` characters, at a character, and says so with `…`.
pub(crate) fn shorten(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}
