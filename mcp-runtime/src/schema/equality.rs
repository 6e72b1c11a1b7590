//! Compares JSON values. `1` equals `1.0`, and the order of members is ignored.

use super::number::Decimal;
use serde_json::Value;

/// Whether two JSON values are equal by the definition of JSON Schema (2020-12 core, §4.2.2).
pub(crate) fn json_eq(left: &Value, right: &Value) -> bool {
    left == right || (same_type(left, right) && canonical_text(left) == canonical_text(right))
}

/// Returns a text that is identical for equal values.
pub(super) fn canonical_text(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(&mut text, value);
    text
}

fn same_type(left: &Value, right: &Value) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

fn write_canonical(text: &mut String, value: &Value) {
    match value {
        Value::Number(number) => match Decimal::from_number(number) {
            Some(decimal) => text.push_str(&format!("{decimal:?}")),
            None => text.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_canonical(text, item);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in members {
                text.push_str(&format!("{name:?}:"));
                write_canonical(text, value);
                text.push(',');
            }
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => text.push_str(&value.to_string()),
    }
}
