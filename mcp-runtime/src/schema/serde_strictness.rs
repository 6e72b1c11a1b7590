//! How strictly serde enforces the schema of a type when it deserializes the type.
//!
//! This decides which calls are checked against the schema although their arguments can
//! be deserialized. It is derived from the schema that schemars generates, since only there a
//! `format` distinguishes an integer width from a range that the author declared.
//!
//! Without a check, the following values are accepted although a schema of
//! [`SerdeStrictness::Exact`] or [`SerdeStrictness::Lenient`] rejects them:
//! * the last of several equal keys of a map;
//! * `null` for an optional property, which coercion would have removed;
//! * with `Lenient`: an array of its fields for a struct, `{"A": null}` for a unit variant, a
//!   field under its `alias`, an unknown variant with `#[serde(other)]`, an integer for an
//!   `Id64`;
//! * any value under `schemars(with = …)`, `schemars(extend(…))` or a manual `JsonSchema`
//!   whose schema is stricter than `Deserialize`.

use super::Keywords;
use super::keyword::{for_each_subschema, is_annotation};
use super::normalize::width_range;
use serde_json::{Value, json};

/// Whether a value that can be deserialized is known to match the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SerdeStrictness {
    /// A value that can be deserialized matches the schema.
    Exact,
    /// As `Exact`, but other representations of a valid value are accepted too.
    Lenient,
    /// A value that can be deserialized may violate the schema, so it must be checked.
    Partial,
}

/// Determines the strictness for a schema from [`schema_of`](super::schema_of) that is not
/// yet normalized.
pub(crate) fn serde_strictness(schema: &Value) -> SerdeStrictness {
    let Value::Object(keywords) = schema else {
        return SerdeStrictness::Exact;
    };
    let mut strictness = keywords_strictness(keywords);
    for_each_subschema(keywords, |_, _, child| {
        let child = match child {
            // `additionalProperties: false`, which `deny_unknown_fields` enforces.
            Value::Bool(false) => SerdeStrictness::Exact,
            child => serde_strictness(child),
        };
        strictness = strictness.max(child);
    });
    strictness
}

fn keywords_strictness(keywords: &Keywords) -> SerdeStrictness {
    let restricting = keywords.keys().filter(|keyword| !is_annotation(keyword));
    restricting
        .map(|keyword| keyword_strictness(keywords, keyword))
        .max()
        .unwrap_or(SerdeStrictness::Exact)
}

fn keyword_strictness(keywords: &Keywords, keyword: &str) -> SerdeStrictness {
    match keyword {
        "$defs" | "$ref" | "additionalProperties" | "items" | "required" => SerdeStrictness::Exact,
        "type" | "minimum" | "maximum" if is_integer(keywords) => integer_strictness(keywords),
        "type" => SerdeStrictness::Exact,
        "anyOf" | "const" | "enum" | "oneOf" | "properties" => SerdeStrictness::Lenient,
        "prefixItems" | "minItems" | "maxItems" if is_tuple(keywords) => SerdeStrictness::Exact,
        "pattern" if is_integer_string(keywords) => SerdeStrictness::Lenient,
        _ if is_unknown(keyword) => SerdeStrictness::Exact,
        _ => SerdeStrictness::Partial,
    }
}

fn is_integer(keywords: &Keywords) -> bool {
    let kind = keywords.get("type");
    kind.is_some_and(|kind| kind == "integer" || kind == &json!(["integer", "null"]))
}

/// Returns whether a string has an integer width as `format`. Only `Id64` has one, and it
/// accepts integers too.
fn is_integer_string(keywords: &Keywords) -> bool {
    let format = keywords.get("format").and_then(Value::as_str);
    format.is_some_and(|format| width_range(format).is_some())
}

/// Returns `Exact` if the bounds are those of the integer width.
fn integer_strictness(keywords: &Keywords) -> SerdeStrictness {
    let format = keywords.get("format").and_then(Value::as_str);
    let Some((min, max)) = format.and_then(width_range) else {
        return SerdeStrictness::Partial;
    };
    let matches_width = |keyword: &str, bound: Option<i128>| {
        let declared = keywords.get(keyword);
        let value = |declared: &Value| declared.as_i64().map(i128::from);
        declared.is_none_or(|declared| value(declared).is_some() && value(declared) == bound)
    };
    if matches_width("minimum", min) && matches_width("maximum", max) {
        SerdeStrictness::Exact
    } else {
        SerdeStrictness::Partial
    }
}

fn is_tuple(keywords: &Keywords) -> bool {
    let length = keywords
        .get("prefixItems")
        .and_then(Value::as_array)
        .map(Vec::len);
    let length = length.map(|length| json!(length));
    length.is_some_and(|length| {
        keywords.get("minItems") == Some(&length) && keywords.get("maxItems") == Some(&length)
    })
}

/// Returns whether JSON Schema does not define the keyword, so that it restricts nothing.
fn is_unknown(keyword: &str) -> bool {
    keyword.starts_with("x-")
}
