//! Equality of JSON values: `1` is `1.0`, and members have no order.

use super::number::Decimal;
use serde_json::Value;

pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    left == right || (same_kind(left, right) && canonical(left) == canonical(right))
}

/// The same text for every way to write a value.
pub(super) fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(&mut text, value);
    text
}

fn same_kind(left: &Value, right: &Value) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

fn write_canonical(text: &mut String, value: &Value) {
    match value {
        Value::Number(number) => match Decimal::of(number) {
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
