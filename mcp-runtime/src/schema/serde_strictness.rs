//! Determines how strictly serde enforces the schema of a type when it deserializes the type.
//!
//! The strictness decides whether the arguments of a call must still be checked against the schema
//! after they were deserialized. It is derived from the schema that schemars generates, because
//! only the `format` in this schema distinguishes an integer width from a range that the server
//! author declared.
//!
//! Without this check, calls with the following arguments are accepted although a schema of
//! [`SerdeStrictness::Exact`] or [`SerdeStrictness::Lenient`] rejects the arguments:
//! * a map with a repeated key, of which the last value is used;
//! * `null` for an optional property, which coercion would have removed;
//! * with `Lenient`: an array of its fields for a struct, `{"A": null}` for a unit variant, a
//!   field under its `alias`, an unknown variant with `#[serde(other)]`, and an integer for an
//!   `Id64`;
//! * any value of a type with `schemars(with = …)`, `schemars(extend(…))` or a manual
//!   `JsonSchema`, if its schema is stricter than its `Deserialize`.

use super::Keywords;
use super::internal::{FAILURE, UNENFORCED};
use super::keyword::{array_values, for_each_subschema, is_annotation};
use super::normalize::width_range;
use serde_json::{Value, json};

/// The certainty that a value that can be deserialized matches the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SerdeStrictness {
    /// Every value that can be deserialized matches the schema.
    Exact,
    /// Every value that can be deserialized has a valid meaning, but may have another
    /// representation than the schema allows.
    Lenient,
    /// A value that can be deserialized may violate the schema, so it must be checked.
    Partial,
}

/// Returns the strictness for a schema from [`schema_of`](super::schema_of) before normalization.
pub(crate) fn serde_strictness(schema: &Value) -> SerdeStrictness {
    let Value::Object(keywords) = schema else {
        return SerdeStrictness::Exact;
    };
    let mut strictness = keywords_strictness(keywords);
    for_each_subschema(keywords, |_, _, child| {
        let child = match child {
            // This is `additionalProperties: false`, which `deny_unknown_fields` enforces.
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

/// Whether serde first reads a value of the union into a buffer. Serde does this for tagged and
/// untagged enums, but not for `Option` and externally tagged enums.
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

/// Whether the branch is a unit variant.
fn is_value(branch: &Value) -> bool {
    branch.get("const").or(branch.get("enum")).is_some()
}

/// Whether the branch is an object with exactly one member, which is a variant of an externally
/// tagged enum.
fn is_external(branch: &Value) -> bool {
    let properties = branch.get("properties").and_then(Value::as_object);
    let required = branch.get("required").and_then(Value::as_array);
    let names = (properties.map(Keywords::len), required.map(Vec::len));
    let has_tag = || properties.is_some_and(|it| it.values().any(|it| it.get("const").is_some()));
    names == (Some(1), Some(1)) && branch["additionalProperties"] == false && !has_tag()
}

/// Whether the schema restricts members that are not in `properties`. Without such a restriction,
/// the schema does not show whether the struct flattens another type.
fn is_closed(keywords: &Keywords) -> bool {
    ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| keywords.contains_key(*keyword))
}

/// Returns the path of a 128-bit integer in a type that serde reads into a buffer, because the
/// buffer cannot hold such an integer.
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

/// Whether a string has an integer width as `format`. Only the type `Id64` has such a schema, and
/// it also accepts integers.
fn is_integer_string(keywords: &Keywords) -> bool {
    let format = keywords.get("format").and_then(Value::as_str);
    format.is_some_and(|format| width_range(format).is_some())
}

/// Returns `Exact` if the bounds equal the bounds of the integer width, and otherwise `Partial`.
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

/// Whether the keyword is an extension that JSON Schema does not define. Such a keyword restricts
/// nothing.
fn is_unknown(keyword: &str) -> bool {
    keyword.starts_with("x-")
}
