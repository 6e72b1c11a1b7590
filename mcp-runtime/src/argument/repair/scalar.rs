//! One value read as the declared type.

use crate::schema::{Decimal, Keywords, SIGNED_DIGITS, UNSIGNED_DIGITS, equal, target};
use serde_json::{Number, Value};

/// The value as the type that the schema declares, if that is another one.
pub(super) fn coerced(keywords: &Keywords, value: &Value) -> Option<Value> {
    let kinds = declared(keywords)?;
    let wants = |kind: &str| kinds.contains(&kind);
    match value {
        Value::String(text) if wants("string") => same_but_for_case(keywords, text),
        Value::String(text) => from_text(text.trim(), wants),
        Value::Number(number) if wants("integer") && !wants("number") && number.is_f64() => {
            whole(Decimal::of(number)?)
        }
        Value::Number(number) if wants("string") && is_digits(keywords) && !number.is_f64() => {
            Some(Value::String(number.to_string()))
        }
        _ => None,
    }
}

/// Whether a string stands for an integer, so that nothing is lost by writing one as text.
fn is_digits(keywords: &Keywords) -> bool {
    let pattern = keywords.get("pattern").and_then(Value::as_str);
    pattern.is_some_and(|pattern| [SIGNED_DIGITS, UNSIGNED_DIGITS].contains(&pattern))
}

/// Whether a schema may accept a string as it is.
pub(super) fn admits_text(root: &Value, schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return true;
    };
    if let Some(kinds) = declared(keywords) {
        return kinds.contains(&"string");
    }
    let reference = keywords.get("$ref").and_then(Value::as_str);
    // One step suffices: a definition that only refers to another is inlined.
    let target = reference.and_then(|reference| target(root, reference)?.as_object());
    target
        .and_then(declared)
        .is_none_or(|kinds| kinds.contains(&"string"))
}

/// The JSON type of a value.
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

/// The types of a schema, told by `type`, else by the values it lists.
fn declared(keywords: &Keywords) -> Option<Vec<&str>> {
    match keywords.get("type") {
        Some(Value::String(kind)) => return Some(vec![kind]),
        Some(Value::Array(kinds)) => return Some(kinds.iter().filter_map(Value::as_str).collect()),
        _ => {}
    }
    let values = keywords.get("enum")?.as_array()?;
    Some(values.iter().map(kind).collect())
}

fn from_text(text: &str, wants: impl Fn(&str) -> bool) -> Option<Value> {
    if let Some(decimal) = Decimal::parse(text) {
        let integer = if wants("integer") {
            whole(decimal)
        } else {
            None
        };
        let number = || {
            wants("number")
                .then(|| text.parse::<Number>().ok())
                .flatten()
        };
        return integer.or_else(|| number().map(Value::Number));
    }
    if wants("boolean") && text.eq_ignore_ascii_case("true") {
        return Some(Value::Bool(true));
    }
    if wants("boolean") && text.eq_ignore_ascii_case("false") {
        return Some(Value::Bool(false));
    }
    let starts = |first: char, kind: &str| text.starts_with(first) && wants(kind);
    if starts('[', "array") || starts('{', "object") {
        return serde_json::from_str(text).ok();
    }
    None
}

fn whole(decimal: Decimal) -> Option<Value> {
    decimal
        .to_integer()
        .and_then(Number::from_i128)
        .map(Value::Number)
}

/// The one listed value that differs in case only.
fn same_but_for_case(keywords: &Keywords, text: &str) -> Option<Value> {
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
        .all(|other| equal(other, only))
        .then(|| only.clone())
}
