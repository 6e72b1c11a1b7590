//! Describes values briefly enough for a message.

use std::io;

use serde_json::Value;

use crate::text::truncate;

/// The maximum length of the text of a value, in characters.
const MAX_CHARS: usize = 60;

/// Enough bytes to know that a text exceeds [`MAX_CHARS`]; a character has up to four bytes.
const MAX_BYTES: usize = (MAX_CHARS + 1) * 4;

/// Describes a value with its type, as in `the string "two"` or `the array [1,2]`.
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

/// Returns the value as JSON, truncated.
pub(super) fn truncated_json(value: &Value) -> String {
    if let Value::String(text) = value {
        return Value::String(truncate(text, MAX_CHARS).into_owned()).to_string();
    }
    let mut prefix = PrefixWriter(Vec::new());
    // An error only means that the prefix is complete.
    drop(serde_json::to_writer(&mut prefix, value));
    truncate(&String::from_utf8_lossy(&prefix.0), MAX_CHARS).into_owned()
}

/// A writer that keeps the first [`MAX_BYTES`] and then fails, since a value may be megabytes
/// long.
struct PrefixWriter(Vec<u8>);

impl io::Write for PrefixWriter {
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
