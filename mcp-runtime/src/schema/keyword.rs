//! Handles the keywords of a schema: subschemas, references and JSON Pointers.

use super::Keywords;
use crate::text::truncate;
use serde_json::Value;

/// Keywords whose value is one schema.
const SINGLE_SUBSCHEMA: [&str; 12] = [
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
];

/// Keywords whose value is a list of schemas.
const SUBSCHEMA_LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value is an object of named schemas.
const SUBSCHEMA_MAPS: [&str; 5] = [
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Keywords that describe a schema without restricting what it accepts.
const ANNOTATIONS: [&str; 10] = [
    "$comment",
    "default",
    "deprecated",
    "description",
    "examples",
    "format",
    "readOnly",
    "title",
    "writeOnly",
    "x-mcp-header",
];

/// The maximum number of references in a chain that are followed.
const MAX_REFERENCE_CHAIN: usize = 16;

pub(super) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}

/// Returns the named subschemas of a keyword such as `properties`.
pub(crate) fn subschemas<'k>(schema: &'k Keywords, keyword: &str) -> Option<&'k Keywords> {
    schema.get(keyword)?.as_object()
}

/// Returns the values of a keyword that is an array. Returns an empty slice if the keyword is
/// missing or not an array.
pub(crate) fn array_values<'k>(schema: &'k Keywords, keyword: &str) -> &'k [Value] {
    schema
        .get(keyword)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Returns the names of the required properties.
pub(crate) fn required_names(schema: &Keywords) -> impl Iterator<Item = &str> {
    array_values(schema, "required")
        .iter()
        .filter_map(Value::as_str)
}

/// Calls `visit` for each direct subschema, with the keyword, the name or index of the subschema
/// below the keyword, and the subschema.
pub(super) fn for_each_subschema<'a>(
    schema: &'a Keywords,
    mut visit: impl FnMut(&'a str, Option<String>, &'a Value),
) {
    for (keyword, value) in schema {
        match value {
            Value::Array(list) if SUBSCHEMA_LISTS.contains(&keyword.as_str()) => {
                for (index, child) in list.iter().enumerate() {
                    visit(keyword, Some(index.to_string()), child);
                }
            }
            Value::Object(named) if SUBSCHEMA_MAPS.contains(&keyword.as_str()) => {
                for (name, child) in named {
                    visit(keyword, Some(name.clone()), child);
                }
            }
            child if SINGLE_SUBSCHEMA.contains(&keyword.as_str()) => visit(keyword, None, child),
            _ => {}
        }
    }
}

/// Replaces each direct subschema with the result of `rewrite`.
///
/// `rewrite` receives the keyword, the name of a named subschema, and the subschema.
pub(super) fn rewrite_subschemas(
    schema: &mut Keywords,
    mut rewrite: impl FnMut(&str, Option<&str>, Value) -> Value,
) {
    for (keyword, value) in schema.iter_mut() {
        match value {
            Value::Array(list) if SUBSCHEMA_LISTS.contains(&keyword.as_str()) => {
                for child in list {
                    *child = rewrite(keyword, None, child.take());
                }
            }
            Value::Object(named) if SUBSCHEMA_MAPS.contains(&keyword.as_str()) => {
                for (name, child) in named.iter_mut() {
                    *child = rewrite(keyword, Some(name), child.take());
                }
            }
            child if SINGLE_SUBSCHEMA.contains(&keyword.as_str()) => {
                *child = rewrite(keyword, None, child.take());
            }
            _ => {}
        }
    }
}

/// Merges `inner` into `outer` and keeps the annotations of `outer`.
///
/// # Errors
/// Returns `inner` if both schemas have a different value for the same restricting keyword, or if
/// one of them has an applicator whose meaning depends on adjacent keywords.
pub(super) fn try_merge(outer: &mut Keywords, inner: Keywords) -> Result<(), Keywords> {
    let conflict = inner.iter().any(|(keyword, value)| {
        let existing = outer.get(keyword);
        existing.is_some_and(|existing| !is_annotation(keyword) && existing != value)
    });
    let scoped = |schema: &Keywords| {
        ["additionalProperties", "unevaluatedProperties", "items"]
            .iter()
            .any(|keyword| schema.contains_key(*keyword))
    };
    let restricts = |schema: &Keywords| schema.keys().any(|keyword| !is_annotation(keyword));
    if conflict || (scoped(outer) && restricts(&inner)) || (scoped(&inner) && restricts(outer)) {
        return Err(inner);
    }
    for (keyword, value) in inner {
        outer.entry(keyword).or_insert(value);
    }
    Ok(())
}

/// Returns the schema that a reference in the document `root` points to.
pub(crate) fn resolve_reference<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(pointer)
        .or_else(|| root.pointer(&percent_decode(pointer)))
}

/// Returns the schema, or its target if the schema is only a reference.
pub(super) fn dereference<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..MAX_REFERENCE_CHAIN {
        let Some(keywords) = schema.as_object() else {
            break;
        };
        let is_reference = keywords
            .keys()
            .all(|keyword| keyword == "$ref" || keyword == "$defs" || is_annotation(keyword));
        let reference = keywords
            .get("$ref")
            .and_then(Value::as_str)
            .filter(|_| is_reference);
        match reference.and_then(|reference| resolve_reference(root, reference)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// Returns the name of the definition that a reference in the same document points to.
pub(super) fn definition_name(reference: &str) -> Option<String> {
    let name = reference
        .strip_prefix("#/$defs/")
        .or_else(|| reference.strip_prefix("#/definitions/"))?;
    (!name.contains('/')).then(|| unescape(&percent_decode(name)))
}

/// Escapes a token of a JSON Pointer (RFC 6901).
pub(super) fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// Whether a schema or one of its subschemas has a property of this name.
pub(crate) fn names_property(schema: &Value, name: &str) -> bool {
    let Value::Object(keywords) = schema else {
        return false;
    };
    let properties = subschemas(keywords, "properties");
    let mut found = properties.is_some_and(|properties| properties.contains_key(name));
    for_each_subschema(keywords, |_, _, child| {
        found = found || names_property(child, name);
    });
    found
}

/// The maximum length of a token in characters and of a pointer in bytes that [`push_token`]
/// writes. Pointers are used in messages and records, and clients choose the names in them.
const MAX_TOKEN: usize = 256;
const MAX_POINTER: usize = 4096;

/// Appends a token to a JSON Pointer, and shortens a long token.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    if pointer.len() >= MAX_POINTER {
        return;
    }
    pointer.push('/');
    let token = &*truncate(token, MAX_TOKEN);
    match token.contains(['~', '/']) {
        true => pointer.push_str(&escape(token)),
        false => pointer.push_str(token),
    }
}

/// Reverses [`escape`].
pub(crate) fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match byte {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
