//! Values short enough for a message.

use std::io;

use serde_json::Value;

use crate::text::shortened;

/// The longest text of a value, in characters.
const LONGEST: usize = 60;

/// So many bytes show that a text is longer, since a character takes up to four.
const ENOUGH: usize = (LONGEST + 1) * 4;

/// What was sent, with its kind: `the string "two"`, `the array [1,2]`.
pub(crate) fn received(value: &Value) -> String {
    let kind = match value {
        Value::Null | Value::Bool(_) => return value.to_string(),
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    format!("the {kind} {}", json(value))
}

/// The value as JSON, shortened.
pub(super) fn json(value: &Value) -> String {
    if let Value::String(text) = value {
        return Value::String(shortened(text, LONGEST).into_owned()).to_string();
    }
    let mut start = Start(Vec::new());
    // An error only says that the start is full.
    drop(serde_json::to_writer(&mut start, value));
    shortened(&String::from_utf8_lossy(&start.0), LONGEST).into_owned()
}

/// Keeps the first bytes, and refuses to go on: a value may be megabytes long.
struct Start(Vec<u8>);

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = ENOUGH.saturating_sub(self.0.len());
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
