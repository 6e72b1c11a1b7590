//! Rewrites generated schemas so that every known client accepts them.
//!
//! Each rule is a function that changes one schema object. The rules apply at every depth. Rules
//! that move subschemas run before the subschemas are normalized, and all other rules run
//! afterwards.

mod branches;
mod enumeration;
mod integer;
mod nullable;
mod reference;

pub(super) use integer::width_range;

use super::keyword::rewrite_subschemas;
use super::{Keywords, internal, keyword};
use branches::merge_single_branches;
use serde_json::{Map, Value, json};

/// Normalizes the schema of an argument.
///
/// Definitions are inlined, except those of recursive types, which stay under `$defs`. `null` is
/// removed if it only means that a property may be absent.
pub(crate) fn normalize_input(schema: Value) -> Value {
    normalize_document(schema, NullMeaning::Absent)
}

/// Normalizes the schema of a return type.
///
/// `null` is not removed, because clients may validate results against the schema.
pub(crate) fn normalize_output(schema: Value) -> Value {
    normalize_document(schema, NullMeaning::Value)
}

/// The meaning of `null` as one of the types of a property that may be absent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NullMeaning {
    Absent,
    Value,
}

/// The string formats that JSON Schema defines (2020-12 validation, §7.3).
pub(super) const STANDARD_FORMATS: [&str; 19] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

fn normalize_document(schema: Value, null: NullMeaning) -> Value {
    let schema = internal::without_internal_keywords(schema);
    let (schema, definitions) = reference::inline_definitions(schema);
    let mut schema = normalize_schema(schema, null, true);
    if let (Value::Object(root), false) = (&mut schema, definitions.is_empty()) {
        let definitions: Keywords = definitions
            .into_iter()
            .map(|(name, definition)| (name, normalize_schema(definition, null, false)))
            .collect();
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

fn normalize_schema(schema: Value, null: NullMeaning, may_be_absent: bool) -> Value {
    let mut schema = match schema {
        Value::Object(schema) => schema,
        Value::Bool(false) => return json!({"not": {}}),
        _ => return json!({}),
    };
    remove_labels(&mut schema);
    merge_single_branches(&mut schema);
    if may_be_absent && null == NullMeaning::Absent {
        nullable::remove_null(&mut schema);
    }
    nullable::split_type_list(&mut schema);

    let required = schema.get("required").cloned();
    rewrite_subschemas(&mut schema, |keyword, name, child| {
        let closes_object = matches!(keyword, "additionalProperties" | "unevaluatedProperties");
        if closes_object && child.is_boolean() {
            return child;
        }
        let optional = match keyword {
            "properties" => name.is_some_and(|name| !is_listed(&required, name)),
            "anyOf" | "oneOf" => may_be_absent,
            _ => false,
        };
        let child = normalize_schema(child, null, optional);
        // `true` replaces an empty schema, because a widely used MCP host treats `{}` as `false`
        // under these keywords.
        match child.as_object() {
            Some(any) if closes_object && any.is_empty() => Value::Bool(true),
            _ => child,
        }
    });

    const_to_enum(&mut schema);
    integer::bound_by_width(&mut schema);
    remove_nonstandard_format(&mut schema);
    enumeration::fold_variants(&mut schema);
    enumeration::disjoint_one_of_to_any_of(&mut schema);
    add_items(&mut schema);
    replace_single_pattern(&mut schema);
    replace_unevaluated_properties(&mut schema);
    deduplicate_required(&mut schema);
    Value::Object(schema)
}

/// Removes `$schema`, and removes the title if it is the name of a Rust type.
fn remove_labels(schema: &mut Keywords) {
    schema.remove("$schema");
    let is_type_name = |title: &str| {
        title.starts_with(|first: char| first.is_ascii_uppercase())
            && title.contains(|c: char| c.is_ascii_lowercase() || c == '_')
            && title.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if schema
        .get("title")
        .and_then(Value::as_str)
        .is_some_and(is_type_name)
    {
        schema.remove("title");
    }
}

fn is_listed(required: &Option<Value>, name: &str) -> bool {
    let names = required.as_ref().and_then(Value::as_array);
    names.is_some_and(|names| names.iter().any(|required| required == name))
}

fn const_to_enum(schema: &mut Keywords) {
    match schema.remove("const") {
        Some(Value::Null) => {
            schema.insert("type".to_owned(), json!("null"));
        }
        Some(value) => {
            schema.insert("enum".to_owned(), json!([value]));
        }
        None => {}
    }
}

fn remove_nonstandard_format(schema: &mut Keywords) {
    let format = schema.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| !STANDARD_FORMATS.contains(&format)) {
        schema.remove("format");
    }
}

/// Adds `items` to an array schema without `items`.
///
/// A tuple whose items all have the same type becomes an array of that type with a fixed length.
fn add_items(schema: &mut Keywords) {
    let is_array = schema.get("type").is_some_and(|kind| kind == "array");
    let is_tuple = schema.get("prefixItems").is_some_and(Value::is_array);
    if !(is_array || is_tuple) || schema.contains_key("items") {
        return;
    }
    let repeated = repeated_item(schema);
    if repeated.is_some() {
        schema.remove("prefixItems");
    }
    schema.insert("items".to_owned(), repeated.unwrap_or_else(|| json!({})));
}

fn repeated_item(schema: &Keywords) -> Option<Value> {
    let prefix = schema.get("prefixItems")?.as_array()?;
    let max = schema.get("maxItems")?.as_u64()?;
    let first = prefix.first()?;
    let fixed = u64::try_from(prefix.len()).is_ok_and(|length| length == max);
    (fixed && prefix.iter().all(|item| item == first)).then(|| first.clone())
}

/// Replaces `patternProperties` in a map whose keys match one pattern, because many clients do not
/// support this keyword.
fn replace_single_pattern(schema: &mut Keywords) {
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let no_other_keys = !schema.contains_key("properties") && !schema.contains_key("propertyNames");
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let single = patterns.filter(|patterns| patterns.len() == 1);
    let Some((pattern, value)) = single.and_then(|patterns| patterns.iter().next()) else {
        return;
    };
    if closed && no_other_keys {
        let (pattern, value) = (json!(canonical_key_pattern(pattern)), value.clone());
        schema.remove("patternProperties");
        schema.insert("additionalProperties".to_owned(), value);
        schema.insert("propertyNames".to_owned(), json!({"pattern": pattern}));
    }
}

/// Returns the pattern of the integer keys that serde accepts. It excludes keys such as `007` and
/// `-0`.
fn canonical_key_pattern(pattern: &str) -> &str {
    match pattern {
        r"^\d+$" => "^(0|[1-9][0-9]*)$",
        r"^-?\d+$" => "^(0|-?[1-9][0-9]*)$",
        pattern => pattern,
    }
}

/// Replaces `unevaluatedProperties` with the widely supported `additionalProperties`, unless an
/// adjacent keyword gives the two keywords different meanings.
fn replace_unevaluated_properties(schema: &mut Keywords) {
    const EVALUATE: [&str; 8] = [
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "dependentSchemas",
        "if",
        "oneOf",
        "patternProperties",
    ];
    let evaluated = EVALUATE.iter().any(|keyword| schema.contains_key(*keyword));
    if !evaluated && let Some(value) = schema.remove("unevaluatedProperties") {
        schema.insert("additionalProperties".to_owned(), value);
    }
}

fn deduplicate_required(schema: &mut Keywords) {
    let Some(Value::Array(names)) = schema.get_mut("required") else {
        return;
    };
    let mut seen = Vec::new();
    names.retain(|name| {
        let first = !seen.contains(name);
        seen.push(name.clone());
        first
    });
    if names.is_empty() {
        schema.remove("required");
    }
}
