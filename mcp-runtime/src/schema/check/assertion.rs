//! The keywords that judge one value by itself.

use crate::schema::equality::equal;
use crate::schema::number::{compare, is_integer, is_multiple};
use crate::schema::violation::Violation;
use crate::schema::{Keywords, describe, pattern};
use crate::text::nearest;
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// Why a value is refused; how it is told depends on it.
pub(super) enum Failed {
    Kind,
    Value,
    Limit,
}

impl Failed {
    pub(super) fn violation(
        &self,
        root: &Value,
        pointer: &str,
        schema: &Value,
        instance: &Value,
    ) -> Violation {
        let expected = match self {
            Self::Limit => describe::exactly(root, schema),
            Self::Kind | Self::Value => describe::expectation(root, schema),
        };
        let mut violation = Violation::mismatch(pointer, expected, instance);
        violation.hint = match self {
            Self::Value => nearest_value(schema, instance),
            _ => None,
        };
        violation
    }
}

pub(super) fn check(keywords: &Keywords, instance: &Value) -> Result<(), Failed> {
    if !keywords
        .get("type")
        .is_none_or(|kind| is_of_type(kind, instance))
    {
        return Err(Failed::Kind);
    }
    let values = keywords.get("enum").and_then(Value::as_array);
    let listed = values.is_none_or(|values| values.iter().any(|value| equal(value, instance)));
    let constant = keywords
        .get("const")
        .is_none_or(|value| equal(value, instance));
    if !listed || !constant {
        return Err(Failed::Value);
    }
    let within = match instance {
        Value::Number(number) => number_within(keywords, number),
        Value::String(text) => string_within(keywords, text),
        Value::Array(items) => count_within(keywords, "minItems", "maxItems", items.len()),
        Value::Object(members) => {
            count_within(keywords, "minProperties", "maxProperties", members.len())
        }
        Value::Null | Value::Bool(_) => true,
    };
    if within { Ok(()) } else { Err(Failed::Limit) }
}

/// A keyword whose value makes no sense refuses nothing.
pub(super) fn is_of_type(kind: &Value, instance: &Value) -> bool {
    match kind {
        Value::String(kind) => is_of_kind(kind, instance),
        Value::Array(kinds) => kinds.iter().any(|kind| is_of_type(kind, instance)),
        _ => true,
    }
}

fn is_of_kind(kind: &str, instance: &Value) -> bool {
    match instance {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) => kind == "number" || (kind == "integer" && is_integer(number)),
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    }
}

fn number_within(keywords: &Keywords, number: &Number) -> bool {
    let bound = |keyword: &str| match keywords.get(keyword) {
        Some(Value::Number(bound)) => Some(bound),
        _ => None,
    };
    let compared = |keyword: &str, allowed: fn(Ordering) -> bool| {
        bound(keyword).is_none_or(|bound| allowed(compare(number, bound)))
    };
    compared("minimum", Ordering::is_ge)
        && compared("maximum", Ordering::is_le)
        && compared("exclusiveMinimum", Ordering::is_gt)
        && compared("exclusiveMaximum", Ordering::is_lt)
        && bound("multipleOf").is_none_or(|divisor| is_multiple(number, divisor))
}

fn string_within(keywords: &Keywords, text: &str) -> bool {
    let limited = keywords.contains_key("minLength") || keywords.contains_key("maxLength");
    let fits = !limited || count_within(keywords, "minLength", "maxLength", text.chars().count());
    let pattern = keywords.get("pattern").and_then(Value::as_str);
    fits && pattern.is_none_or(|pattern| pattern::matches(pattern, text).unwrap_or(true))
}

fn count_within(keywords: &Keywords, minimum: &str, maximum: &str, count: usize) -> bool {
    let count = Number::from(count);
    let compared = |keyword: &str, allowed: fn(Ordering) -> bool| match keywords.get(keyword) {
        Some(Value::Number(bound)) => allowed(compare(&count, bound)),
        _ => true,
    };
    compared(minimum, Ordering::is_ge) && compared(maximum, Ordering::is_le)
}

fn nearest_value(schema: &Value, instance: &Value) -> Option<String> {
    let values = schema
        .get("enum")?
        .as_array()?
        .iter()
        .filter_map(Value::as_str);
    let near = nearest(instance.as_str()?, values)?;
    Some(format!("did you mean {}?", Value::from(near)))
}
