//! The keywords that judge one value by itself.

use crate::schema::equality::equal;
use crate::schema::number::{compare, is_integer, is_multiple};
use crate::schema::violation::Violation;
use crate::schema::{Keywords, describe, pattern};
use crate::text::nearest;
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// Why a value is refused; how it is told depends on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// The first kind of failure matters most: a limit of another type is no help.
pub(super) fn check(keywords: &Keywords, instance: &Value) -> Result<(), Failed> {
    let failures = keywords
        .iter()
        .filter_map(|(keyword, value)| failure(keyword, value, instance));
    failures.min().map_or(Ok(()), Err)
}

fn failure(keyword: &str, value: &Value, instance: &Value) -> Option<Failed> {
    let (holds, failed) = match (keyword, value) {
        ("type", kind) => (is_of_type(kind, instance), Failed::Kind),
        ("const", value) => (equal(value, instance), Failed::Value),
        ("enum", Value::Array(values)) => (
            values.iter().any(|value| equal(value, instance)),
            Failed::Value,
        ),
        ("pattern", Value::String(pattern)) => {
            let matches = |text| pattern::matches(pattern, text).unwrap_or(true);
            (instance.as_str().is_none_or(matches), Failed::Limit)
        }
        (keyword, Value::Number(bound)) => (within(keyword, bound, instance), Failed::Limit),
        _ => return None,
    };
    (!holds).then_some(failed)
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

fn within(keyword: &str, bound: &Number, instance: &Value) -> bool {
    match (keyword, instance) {
        ("minimum", Value::Number(number)) => compare(number, bound).is_ge(),
        ("maximum", Value::Number(number)) => compare(number, bound).is_le(),
        ("exclusiveMinimum", Value::Number(number)) => compare(number, bound).is_gt(),
        ("exclusiveMaximum", Value::Number(number)) => compare(number, bound).is_lt(),
        ("multipleOf", Value::Number(number)) => is_multiple(number, bound),
        ("minLength", Value::String(text)) => count(text.chars().count(), bound).is_ge(),
        ("maxLength", Value::String(text)) => count(text.chars().count(), bound).is_le(),
        ("minItems", Value::Array(items)) => count(items.len(), bound).is_ge(),
        ("maxItems", Value::Array(items)) => count(items.len(), bound).is_le(),
        ("minProperties", Value::Object(members)) => count(members.len(), bound).is_ge(),
        ("maxProperties", Value::Object(members)) => count(members.len(), bound).is_le(),
        _ => true,
    }
}

fn count(count: usize, bound: &Number) -> Ordering {
    compare(&Number::from(count), bound)
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
