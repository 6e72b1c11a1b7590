//! Describes values with short texts for error messages.

use std::io;

use serde_json::Value;

use crate::text::truncate;

/// The maximum length of a value's text in characters.
const MAX_CHARS: usize = 60;

/// The number of bytes after which a text certainly exceeds [`MAX_CHARS`], because a character has
/// at most four bytes.
const MAX_BYTES: usize = (MAX_CHARS + 1) * 4;

/// Describes a value with its type, such as `the string "two"` or `the array [1,2]`.
pub(crate) fn describe_value(value: &Value) -> String {
    let kind = match value {
        Value::Null | Value::Bool(_) => return value.to_string(),
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    format!("the {kind} {}", truncated_json(value))
}

/// Returns the value as JSON text, truncated to [`MAX_CHARS`].
pub(super) fn truncated_json(value: &Value) -> String {
    if let Value::String(text) = value {
        return Value::String(truncate(text, MAX_CHARS).into_owned()).to_string();
    }
    let mut prefix = TruncatingWriter(Vec::new());
    // The writer returns an error only if the prefix is complete.
    drop(serde_json::to_writer(&mut prefix, value));
    truncate(&String::from_utf8_lossy(&prefix.0), MAX_CHARS).into_owned()
}

/// A writer that keeps the first [`MAX_BYTES`] and then fails, because the JSON of a value can be
/// megabytes long.
struct TruncatingWriter(Vec<u8>);

impl io::Write for TruncatingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = MAX_BYTES.saturating_sub(self.0.len());
        if room == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
