//! Checks the keywords that restrict one value and have no subschemas.

use crate::schema::equality::json_eq;
use crate::schema::number::{compare, is_integer, is_multiple};
use crate::schema::violation::Violation;
use crate::schema::{Keywords, human_readable, pattern};
use crate::text::nearest;
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// The kind of keyword that rejects a value. It decides how the violation is described.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FailureKind {
    Type,
    Value,
    Limit,
}

impl FailureKind {
    pub(super) fn violation(
        &self,
        root: &Value,
        pointer: &str,
        schema: &Value,
        instance: &Value,
    ) -> Violation {
        let expected = match self {
            Self::Limit => human_readable::describe_schema_with_widths(root, schema),
            Self::Type | Self::Value => human_readable::describe_schema(root, schema),
        };
        let mut violation = Violation::mismatch(pointer, expected, instance);
        violation.hint = match self {
            Self::Value => nearest_value(schema, instance),
            _ => None,
        };
        violation
    }
}

/// Returns an error with the most important failure. For example, a value of the wrong type reports
/// no violated limits.
pub(super) fn check(keywords: &Keywords, instance: &Value) -> Result<(), FailureKind> {
    let failures = keywords
        .iter()
        .filter_map(|(keyword, value)| failure_kind(keyword, value, instance));
    failures.min().map_or(Ok(()), Err)
}

fn failure_kind(keyword: &str, value: &Value, instance: &Value) -> Option<FailureKind> {
    let (holds, kind) = match (keyword, value) {
        ("type", types) => (is_of_type(types, instance), FailureKind::Type),
        ("const", value) => (json_eq(value, instance), FailureKind::Value),
        ("enum", Value::Array(values)) => (
            values.iter().any(|value| json_eq(value, instance)),
            FailureKind::Value,
        ),
        ("pattern", Value::String(pattern)) => {
            let matches = |text| pattern::matches_pattern(pattern, text).unwrap_or(true);
            (instance.as_str().is_none_or(matches), FailureKind::Limit)
        }
        (keyword, Value::Number(bound)) => {
            (is_within(keyword, bound, instance), FailureKind::Limit)
        }
        _ => return None,
    };
    (!holds).then_some(kind)
}

/// Whether the instance has the type. Returns `true` if `kind` is not a valid `type`.
pub(super) fn is_of_type(kind: &Value, instance: &Value) -> bool {
    match kind {
        Value::String(kind) => is_of_single_type(kind, instance),
        Value::Array(kinds) => kinds.iter().any(|kind| is_of_type(kind, instance)),
        _ => true,
    }
}

fn is_of_single_type(kind: &str, instance: &Value) -> bool {
    match instance {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) => kind == "number" || (kind == "integer" && is_integer(number)),
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    }
}

fn is_within(keyword: &str, bound: &Number, instance: &Value) -> bool {
    match (keyword, instance) {
        ("minimum", Value::Number(number)) => compare(number, bound).is_ge(),
        ("maximum", Value::Number(number)) => compare(number, bound).is_le(),
        ("exclusiveMinimum", Value::Number(number)) => compare(number, bound).is_gt(),
        ("exclusiveMaximum", Value::Number(number)) => compare(number, bound).is_lt(),
        ("multipleOf", Value::Number(number)) => is_multiple(number, bound),
        ("minLength", Value::String(text)) => compare_count(text.chars().count(), bound).is_ge(),
        ("maxLength", Value::String(text)) => compare_count(text.chars().count(), bound).is_le(),
        ("minItems", Value::Array(items)) => compare_count(items.len(), bound).is_ge(),
        ("maxItems", Value::Array(items)) => compare_count(items.len(), bound).is_le(),
        ("minProperties", Value::Object(members)) => compare_count(members.len(), bound).is_ge(),
        ("maxProperties", Value::Object(members)) => compare_count(members.len(), bound).is_le(),
        _ => true,
    }
}

fn compare_count(count: usize, bound: &Number) -> Ordering {
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
