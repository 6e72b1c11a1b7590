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
use super::internal::{FAILURE, UNENFORCED};
use super::keyword::{array_values, for_each_subschema, is_annotation};
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
        "anyOf" | "oneOf" if is_buffered(keywords, keyword) => SerdeStrictness::Partial,
        "properties" if !is_closed(keywords) => SerdeStrictness::Partial,
        "anyOf" | "const" | "enum" | "oneOf" | "properties" => SerdeStrictness::Lenient,
        FAILURE | UNENFORCED => SerdeStrictness::Partial,
        "prefixItems" | "minItems" | "maxItems" if is_tuple(keywords) => SerdeStrictness::Exact,
        "pattern" if is_integer_string(keywords) => SerdeStrictness::Lenient,
        _ if is_unknown(keyword) => SerdeStrictness::Exact,
        _ => SerdeStrictness::Partial,
    }
}

/// Returns whether serde first reads the alternatives into a buffer, as it does with
/// tagged and untagged enums, and unlike `Option` and externally tagged enums.
fn is_buffered(keywords: &Keywords, combination: &str) -> bool {
    let mut branches = array_values(keywords, combination).iter();
    !branches.all(|branch| is_null(branch) || is_value(branch) || is_external(branch))
        && !is_nullable(array_values(keywords, combination))
}

fn is_nullable(branches: &[Value]) -> bool {
    branches.len() == 2 && branches.iter().any(is_null)
}

fn is_null(branch: &Value) -> bool {
    branch.get("type").is_some_and(|kind| kind == "null")
}

/// Returns whether the branch is a unit variant.
fn is_value(branch: &Value) -> bool {
    branch.get("const").or(branch.get("enum")).is_some()
}

/// Returns whether the branch is an object with one member: the variant of an externally
/// tagged enum.
fn is_external(branch: &Value) -> bool {
    let properties = branch.get("properties").and_then(Value::as_object);
    let required = branch.get("required").and_then(Value::as_array);
    let names = (properties.map(Keywords::len), required.map(Vec::len));
    let has_tag = || properties.is_some_and(|it| it.values().any(|it| it.get("const").is_some()));
    names == (Some(1), Some(1)) && branch["additionalProperties"] == false && !has_tag()
}

/// Returns whether the schema decides about members that are not listed. Of an open struct
/// the schema does not show whether it flattens another type.
fn is_closed(keywords: &Keywords) -> bool {
    ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| keywords.contains_key(*keyword))
}

/// Returns the path of a 128-bit integer in a type that serde buffers, which cannot hold it.
pub(crate) fn unreadable_integer(schema: &Value) -> Option<String> {
    find_wide_integer(schema, false)
}

fn find_wide_integer(schema: &Value, buffered: bool) -> Option<String> {
    let keywords = schema.as_object()?;
    let format = keywords.get("format").and_then(Value::as_str);
    if buffered && matches!(format, Some("int128" | "uint128")) {
        return Some(String::new());
    }
    let is_union = |it: &str| keywords.contains_key(it) && is_buffered(keywords, it);
    let buffered = buffered || is_union("anyOf") || is_union("oneOf");
    let mut found = None;
    for_each_subschema(keywords, |keyword, name, child| {
        if found.is_none() {
            found = find_wide_integer(child, buffered).map(|inner| {
                let name = name.map(|name| format!("/{name}")).unwrap_or_default();
                format!("/{keyword}{name}{inner}")
            });
        }
    });
    found
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
