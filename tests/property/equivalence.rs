//! Equivalence of the value that a client sends and the value that a handler receives.

use mcp_runtime::Value;
use serde_json::Map;

/// Whether `received`, serialized from a Rust type, is equivalent to `sent`.
///
/// `open` allows members that the type does not keep.
/// This lists what coercion may do, independently of the code that does it.
pub(crate) fn is_equivalent(sent: &Value, received: &Value, open: bool) -> bool {
    match (sent, received) {
        (Value::Number(sent), Value::Number(received)) => same_number(sent, received),
        (Value::Number(sent), Value::String(received)) => &sent.to_string() == received,
        (Value::String(sent), Value::String(received)) => same_text(sent, received),
        (Value::String(sent), received) => {
            let text = sent.trim();
            let parsed =
                serde_json::from_str(text).or_else(|_| serde_json::from_str(&text.to_lowercase()));
            parsed.is_ok_and(|parsed| {
                !matches!(parsed, Value::String(_)) && is_equivalent(&parsed, received, open)
            })
        }
        (Value::Array(sent), Value::Array(received)) => {
            let known = |sent: &Value| {
                received
                    .iter()
                    .any(|received| is_equivalent(sent, received, open))
            };
            sent.len() == received.len() && sent.iter().all(known)
        }
        // Serde also deserializes a struct from a list of its fields.
        (Value::Array(sent), Value::Object(received)) => sent.iter().all(|sent| {
            received
                .values()
                .any(|received| is_equivalent(sent, received, open))
        }),
        (Value::Object(sent), Value::Object(received)) => same_members(sent, received, open),
        // Serde also deserializes a unit variant from an object.
        (Value::Object(sent), Value::String(received)) => {
            sent.len() == 1 && sent.get(received).is_some_and(Value::is_null)
        }
        (sent, received) => sent == received,
    }
}

/// Sent members are kept; missing ones may have their default.
fn same_members(sent: &Map<String, Value>, received: &Map<String, Value>, open: bool) -> bool {
    sent.iter().all(|(name, sent)| match received.get(name) {
        Some(received) => sent.is_null() || is_equivalent(sent, received, open),
        None => open || sent.is_null(),
    })
}

fn same_text(sent: &str, received: &str) -> bool {
    let as_id = |text: &str| text.parse::<i128>().ok();
    sent == received
        || sent.to_lowercase() == received.to_lowercase()
        || (as_id(sent).is_some() && as_id(sent) == as_id(received))
}

/// An `f32` is the nearest one to the number sent.
#[allow(clippy::cast_possible_truncation, reason = "as an `f32` argument does")]
fn same_number(sent: &serde_json::Number, received: &serde_json::Number) -> bool {
    match (sent.as_i128(), received.as_i128()) {
        (Some(sent), Some(received)) => sent == received,
        _ => {
            let (sent, received) = (sent.as_f64(), received.as_f64());
            sent == received
                || sent.map(|sent| sent as f32) == received.map(|received| received as f32)
        }
    }
}
