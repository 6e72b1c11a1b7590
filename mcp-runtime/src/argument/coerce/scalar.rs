//! Coerces one value to the type that its schema declares.

use crate::schema::{
    Decimal, Keywords, SIGNED_DIGITS, UNSIGNED_DIGITS, json_eq, resolve_reference,
};
use serde_json::{Number, Value};

/// 2^53, below which every integer has its own `f64` and no other integer rounds to it.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns the value as the type that the schema declares, or `None` if the value does not change.
pub(super) fn coerce(keywords: &Keywords, value: &Value) -> Option<Value> {
    let kinds = declared_types(keywords)?;
    let accepts = |kind: &str| kinds.contains(&kind);
    match value {
        Value::String(text) if accepts("string") => ignoring_case(keywords, text),
        Value::String(text) => from_string(text.trim(), accepts),
        Value::Number(number) if accepts("integer") && !accepts("number") && number.is_f64() => {
            // From 2^53 on, the parsed number may differ from the number that was sent.
            let is_exact = number.as_f64().is_some_and(|it| it.abs() < MAX_EXACT);
            is_exact
                .then(|| Decimal::from_number(number))
                .flatten()
                .and_then(to_integer)
        }
        Value::Number(number) if accepts("string") && is_digits(keywords) && !number.is_f64() => {
            Some(Value::String(number.to_string()))
        }
        _ => None,
    }
}

/// Whether the schema accepts an integer as a string. An integer can then become a string without
/// loss.
fn is_digits(keywords: &Keywords) -> bool {
    let pattern = keywords.get("pattern").and_then(Value::as_str);
    pattern.is_some_and(|pattern| [SIGNED_DIGITS, UNSIGNED_DIGITS].contains(&pattern))
}

/// Whether a schema may accept a string without coercion.
pub(super) fn accepts_string(root: &Value, schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return true;
    };
    if let Some(kinds) = declared_types(keywords) {
        return kinds.contains(&"string");
    }
    let reference = keywords.get("$ref").and_then(Value::as_str);
    // Following one reference is enough, because normalization inlines a definition that is only a
    // reference.
    let target = reference.and_then(|reference| resolve_reference(root, reference)?.as_object());
    target
        .and_then(declared_types)
        .is_none_or(|kinds| kinds.contains(&"string"))
}

/// Returns the JSON type of a value.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Returns the types that `type` declares. Without a `type`, returns the types of the values in
/// `enum`.
fn declared_types(keywords: &Keywords) -> Option<Vec<&str>> {
    match keywords.get("type") {
        Some(Value::String(kind)) => return Some(vec![kind]),
        Some(Value::Array(kinds)) => return Some(kinds.iter().filter_map(Value::as_str).collect()),
        _ => {}
    }
    let values = keywords.get("enum")?.as_array()?;
    Some(values.iter().map(kind).collect())
}

fn from_string(text: &str, accepts: impl Fn(&str) -> bool) -> Option<Value> {
    if let Some(decimal) = Decimal::parse(text) {
        let integer = if accepts("integer") {
            to_integer(decimal)
        } else {
            None
        };
        let number = || {
            accepts("number")
                .then(|| text.parse::<Number>().ok())
                .flatten()
        };
        return integer.or_else(|| number().map(Value::Number));
    }
    if accepts("boolean") && text.eq_ignore_ascii_case("true") {
        return Some(Value::Bool(true));
    }
    if accepts("boolean") && text.eq_ignore_ascii_case("false") {
        return Some(Value::Bool(false));
    }
    let starts = |first: char, kind: &str| text.starts_with(first) && accepts(kind);
    if starts('[', "array") || starts('{', "object") {
        return serde_json::from_str(text).ok();
    }
    None
}

fn to_integer(decimal: Decimal) -> Option<Value> {
    decimal
        .to_integer()
        .and_then(Number::from_i128)
        .map(Value::Number)
}

/// Returns the value in `enum` that equals the text except for case, if there is exactly one.
fn ignoring_case(keywords: &Keywords, text: &str) -> Option<Value> {
    let values = keywords.get("enum")?.as_array()?;
    if values.iter().any(|value| value == text) {
        return None;
    }
    let folded = text.to_lowercase();
    let same = |value: &&Value| {
        value
            .as_str()
            .is_some_and(|known| known.to_lowercase() == folded)
    };
    let mut matching = values.iter().filter(same);
    let only = matching.next()?;
    matching
        .all(|other| json_eq(other, only))
        .then(|| only.clone())
}
