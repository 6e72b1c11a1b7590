//! Whether two values say the same, one as a caller wrote it.

use mcp_runtime::Value;
use serde_json::Map;

/// Whether `seen`, written by a Rust type, says no more and no less than `sent`.
///
/// An open schema lets members come that the type does not keep: `open` says so.
/// This is the list of what coercion may do, kept apart from the code that does it.
pub(crate) fn means(sent: &Value, seen: &Value, open: bool) -> bool {
    match (sent, seen) {
        (Value::Number(sent), Value::Number(seen)) => same_number(sent, seen),
        (Value::Number(sent), Value::String(seen)) => &sent.to_string() == seen,
        (Value::String(sent), Value::String(seen)) => same_text(sent, seen),
        (Value::String(sent), seen) => {
            let text = sent.trim();
            let parsed =
                serde_json::from_str(text).or_else(|_| serde_json::from_str(&text.to_lowercase()));
            parsed.is_ok_and(|parsed| {
                !matches!(parsed, Value::String(_)) && means(&parsed, seen, open)
            })
        }
        (Value::Array(sent), Value::Array(seen)) => {
            let known = |sent: &Value| seen.iter().any(|seen| means(sent, seen, open));
            sent.len() == seen.len() && sent.iter().all(known)
        }
        // Serde reads a struct from a list of its fields too.
        (Value::Array(sent), Value::Object(seen)) => sent
            .iter()
            .all(|sent| seen.values().any(|seen| means(sent, seen, open))),
        (Value::Object(sent), Value::Object(seen)) => same_members(sent, seen, open),
        // Serde reads a variant without content from an object too.
        (Value::Object(sent), Value::String(seen)) => {
            sent.len() == 1 && sent.get(seen).is_some_and(Value::is_null)
        }
        (sent, seen) => sent == seen,
    }
}

/// Members that came are there; those that did not may have their default.
fn same_members(sent: &Map<String, Value>, seen: &Map<String, Value>, open: bool) -> bool {
    sent.iter().all(|(name, sent)| match seen.get(name) {
        Some(seen) => sent.is_null() || means(sent, seen, open),
        None => open || sent.is_null(),
    })
}

fn same_text(sent: &str, seen: &str) -> bool {
    let as_id = |text: &str| text.parse::<i128>().ok();
    sent == seen
        || sent.to_lowercase() == seen.to_lowercase()
        || (as_id(sent).is_some() && as_id(sent) == as_id(seen))
}

/// An `f32` is the nearest one to what was sent.
#[allow(clippy::cast_possible_truncation, reason = "it is what an `f32` does")]
fn same_number(sent: &serde_json::Number, seen: &serde_json::Number) -> bool {
    match (sent.as_i128(), seen.as_i128()) {
        (Some(sent), Some(seen)) => sent == seen,
        _ => {
            let (sent, seen) = (sent.as_f64(), seen.as_f64());
            sent == seen || sent.map(|sent| sent as f32) == seen.map(|seen| seen as f32)
        }
    }
}
