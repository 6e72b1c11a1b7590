//! How much of a type's schema reading the type enforces by itself.
//!
//! This tells which calls must be checked against the schema although the
//! arguments could be read. Judged is what schemars says about the type, since
//! only there a `format` tells a width from a range that the author asked for.
//!
//! What serde accepts and a schema of [`Trust::Exact`] or [`Trust::Lenient`]
//! refuses, and what therefore is not found without a check:
//! * the last of several equal keys of a map;
//! * `null` for an optional property, which repair would have removed;
//! * with `Lenient`: a struct given as an array of its fields, a unit variant
//!   given as `{"A": null}`, a field under its `alias`, a variant that
//!   `#[serde(other)]` catches, an `Id64` given as an integer;
//! * anything at all under `schemars(with = …)`, `schemars(extend(…))` or a
//!   `JsonSchema` written by hand that tells less than `Deserialize` takes.

use super::Keywords;
use super::keyword::{each_child, is_annotation};
use super::normalise::width;
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// What can be read satisfies the schema.
    Exact,
    /// As `Exact`, but another spelling of a valid value is accepted too.
    Lenient,
    /// What can be read may miss the schema, so it must be checked.
    Partial,
}

/// Judges a schema that [`of`](super::of) gave, before it is normalised.
pub(crate) fn trust(schema: &Value) -> Trust {
    let Value::Object(keywords) = schema else {
        return Trust::Exact;
    };
    let mut trust = of_keywords(keywords);
    each_child(keywords, |_, _, child| {
        let child = match child {
            // It closes an object, which `deny_unknown_fields` enforces.
            Value::Bool(false) => Trust::Exact,
            child => self::trust(child),
        };
        trust = trust.max(child);
    });
    trust
}

fn of_keywords(keywords: &Keywords) -> Trust {
    let trusts = keywords.keys().filter(|keyword| !is_annotation(keyword));
    trusts
        .map(|keyword| of_keyword(keywords, keyword))
        .max()
        .unwrap_or(Trust::Exact)
}

fn of_keyword(keywords: &Keywords, keyword: &str) -> Trust {
    match keyword {
        "$defs" | "$ref" | "additionalProperties" | "items" | "required" => Trust::Exact,
        "type" | "minimum" | "maximum" if is_integer(keywords) => of_integer(keywords),
        "type" => Trust::Exact,
        "anyOf" | "const" | "enum" | "oneOf" | "properties" => Trust::Lenient,
        "prefixItems" | "minItems" | "maxItems" if is_tuple(keywords) => Trust::Exact,
        "pattern" if is_integer_as_text(keywords) => Trust::Lenient,
        _ if is_unknown(keyword) => Trust::Exact,
        _ => Trust::Partial,
    }
}

fn is_integer(keywords: &Keywords) -> bool {
    let kind = keywords.get("type");
    kind.is_some_and(|kind| kind == "integer" || kind == &json!(["integer", "null"]))
}

/// Of a string only `Id64` names a width, and it reads integers too.
fn is_integer_as_text(keywords: &Keywords) -> bool {
    let format = keywords.get("format").and_then(Value::as_str);
    format.is_some_and(|format| width(format).is_some())
}

/// Exact if the bounds are no narrower than those of the width.
fn of_integer(keywords: &Keywords) -> Trust {
    let format = keywords.get("format").and_then(Value::as_str);
    let Some((least, most)) = format.and_then(width) else {
        return Trust::Partial;
    };
    let is_width = |keyword: &str, bound: Option<i128>| {
        let given = keywords.get(keyword);
        let value = |given: &Value| given.as_i64().map(i128::from);
        given.is_none_or(|given| value(given).is_some() && value(given) == bound)
    };
    if is_width("minimum", least) && is_width("maximum", most) {
        Trust::Exact
    } else {
        Trust::Partial
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

/// A keyword that JSON Schema does not define refuses nothing.
fn is_unknown(keyword: &str) -> bool {
    keyword.starts_with("x-")
}
