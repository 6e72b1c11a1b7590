//! The one place where a schema is made plain enough for every client.
//!
//! Each rule is a function over one schema object; the walk applies them at
//! every depth, first those that move subschemas, then, after the children,
//! those that only look at what is there.

mod enumeration;
mod integer;
mod nullable;
mod reference;

pub(super) use integer::width;

use super::keyword::{absorb, rewrite_children};
use super::{Keywords, keyword};
use serde_json::{Map, Value, json};

/// Rewrites the schema of an argument so that every client takes it.
///
/// Subschemas are inlined, except that a recursive type stays under `$defs`.
/// `null` is left out wherever it only says that a property may be absent.
pub(crate) fn normalise(schema: Value) -> Value {
    document(schema, Null::MeansAbsent)
}

/// Rewrites the schema of a return type so that every client takes it.
///
/// Unlike in an argument, `null` stays: a client may check results against it.
pub(crate) fn output(schema: Value) -> Value {
    document(schema, Null::IsAValue)
}

/// What a `null` beside other types says where a property may be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Null {
    MeansAbsent,
    IsAValue,
}

/// The formats that JSON Schema itself defines (2020-12 validation, §7.3).
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

fn document(schema: Value, null: Null) -> Value {
    let (schema, definitions) = reference::inlined(schema);
    let mut schema = plain(schema, null, true);
    if let (Value::Object(root), false) = (&mut schema, definitions.is_empty()) {
        let definitions: Keywords = definitions
            .into_iter()
            .map(|(name, definition)| (name, plain(definition, null, false)))
            .collect();
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

fn plain(schema: Value, null: Null, may_be_absent: bool) -> Value {
    let mut schema = match schema {
        Value::Object(schema) => schema,
        Value::Bool(false) => return json!({"not": {}}),
        _ => return json!({}),
    };
    remove_labels(&mut schema);
    merge_singles(&mut schema);
    if may_be_absent && null == Null::MeansAbsent {
        nullable::remove_null(&mut schema);
    }
    nullable::split_type_list(&mut schema);

    let required = schema.get("required").cloned();
    rewrite_children(&mut schema, |keyword, name, child| {
        let closes = matches!(keyword, "additionalProperties" | "unevaluatedProperties");
        if closes && child == Value::Bool(false) {
            return child;
        }
        let optional = match keyword {
            "properties" => name.is_some_and(|name| !lists(&required, name)),
            "anyOf" | "oneOf" => may_be_absent,
            _ => false,
        };
        plain(child, null, optional)
    });

    const_to_enum(&mut schema);
    integer::exact_bounds(&mut schema);
    remove_unknown_format(&mut schema);
    enumeration::fold_variants(&mut schema);
    enumeration::any_of_for_disjoint(&mut schema);
    give_items(&mut schema);
    open_map_keys(&mut schema);
    close_directly(&mut schema);
    require_once(&mut schema);
    Value::Object(schema)
}

/// The dialect, and a title that says no more than the Rust type's name.
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

/// Replaces each combination of one schema by that schema.
fn merge_singles(schema: &mut Keywords) {
    for combination in ["allOf", "anyOf", "oneOf"] {
        let list = schema.get(combination).and_then(Value::as_array);
        let Some([Value::Object(only)]) = list.map(Vec::as_slice) else {
            continue;
        };
        if combination == "oneOf" && only.contains_key("description") {
            // A documented variant: its doc is kept when it is folded in.
            continue;
        }
        let only = only.clone();
        schema.remove(combination);
        match absorb(schema, only) {
            Ok(()) => return merge_singles(schema),
            Err(only) => drop(schema.insert(combination.to_owned(), json!([only]))),
        }
    }
}

fn lists(required: &Option<Value>, name: &str) -> bool {
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

fn remove_unknown_format(schema: &mut Keywords) {
    let format = schema.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| !STANDARD_FORMATS.contains(&format)) {
        schema.remove("format");
    }
}

/// An array always says what its items are.
///
/// A tuple of one repeated type is an array of that type with a fixed length.
fn give_items(schema: &mut Keywords) {
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
    let most = schema.get("maxItems")?.as_u64()?;
    let first = prefix.first()?;
    let fixed = u64::try_from(prefix.len()).is_ok_and(|length| length == most);
    (fixed && prefix.iter().all(|item| item == first)).then(|| first.clone())
}

/// A map with keys of one pattern, told so that a client which does not know
/// `patternProperties` still sees a map.
fn open_map_keys(schema: &mut Keywords) {
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let alone = !schema.contains_key("properties") && !schema.contains_key("propertyNames");
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let single = patterns.filter(|patterns| patterns.len() == 1);
    let Some((pattern, value)) = single.and_then(|patterns| patterns.iter().next()) else {
        return;
    };
    if closed && alone {
        let (pattern, value) = (json!(canonical_keys(pattern)), value.clone());
        schema.remove("patternProperties");
        schema.insert("additionalProperties".to_owned(), value);
        schema.insert("propertyNames".to_owned(), json!({"pattern": pattern}));
    }
}

/// Serde reads an integer as a key in its JSON form only: no `007`, no `-0`.
fn canonical_keys(pattern: &str) -> &str {
    match pattern {
        r"^\d+$" => "^(0|[1-9][0-9]*)$",
        r"^-?\d+$" => "^(0|-?[1-9][0-9]*)$",
        pattern => pattern,
    }
}

/// Without neighbours that evaluate properties both keywords mean the same,
/// and only one of them is widely known.
fn close_directly(schema: &mut Keywords) {
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

fn require_once(schema: &mut Keywords) {
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
