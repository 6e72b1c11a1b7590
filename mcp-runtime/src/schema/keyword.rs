//! Where in a schema further schemas stand.

use super::Keywords;
use serde_json::Value;

const ONE: [&str; 12] = [
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

const LIST: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

const NAMED: [&str; 5] = [
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

/// References that follow each other without end are given up.
const LONGEST_CHAIN: usize = 16;

pub(super) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}

/// The members of a keyword that names schemas, such as `properties`.
pub(crate) fn named<'k>(schema: &'k Keywords, keyword: &str) -> Option<&'k Keywords> {
    schema.get(keyword)?.as_object()
}

/// The members of a keyword that lists values, none if there is no such.
pub(crate) fn list<'k>(schema: &'k Keywords, keyword: &str) -> &'k [Value] {
    schema
        .get(keyword)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The names of the properties that must be there.
pub(crate) fn required(schema: &Keywords) -> impl Iterator<Item = &str> {
    list(schema, "required").iter().filter_map(Value::as_str)
}

/// Calls `visit` with each direct subschema and its place below `schema`.
pub(super) fn each_child<'a>(
    schema: &'a Keywords,
    mut visit: impl FnMut(&'a str, Option<String>, &'a Value),
) {
    for (keyword, value) in schema {
        match value {
            Value::Array(list) if LIST.contains(&keyword.as_str()) => {
                for (index, child) in list.iter().enumerate() {
                    visit(keyword, Some(index.to_string()), child);
                }
            }
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                for (name, child) in named {
                    visit(keyword, Some(name.clone()), child);
                }
            }
            child if ONE.contains(&keyword.as_str()) => visit(keyword, None, child),
            _ => {}
        }
    }
}

/// Replaces each direct subschema by what `rewrite` makes of it.
///
/// `rewrite` is told the keyword and, where subschemas are named, the name.
pub(super) fn rewrite_children(
    schema: &mut Keywords,
    mut rewrite: impl FnMut(&str, Option<&str>, Value) -> Value,
) {
    for (keyword, value) in schema.iter_mut() {
        match value {
            Value::Array(list) if LIST.contains(&keyword.as_str()) => {
                for child in list {
                    *child = rewrite(keyword, None, child.take());
                }
            }
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                for (name, child) in named.iter_mut() {
                    *child = rewrite(keyword, Some(name), child.take());
                }
            }
            child if ONE.contains(&keyword.as_str()) => {
                *child = rewrite(keyword, None, child.take());
            }
            _ => {}
        }
    }
}

/// Merges `inner` into `outer`, where `outer`'s annotations win.
///
/// Gives `inner` back where both restrict by the same keyword differently,
/// or either holds an applicator whose meaning depends on its neighbours.
pub(super) fn absorb(outer: &mut Keywords, inner: Keywords) -> Result<(), Keywords> {
    let conflict = inner.iter().any(|(keyword, value)| {
        let held = outer.get(keyword);
        held.is_some_and(|held| !is_annotation(keyword) && held != value)
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

/// What a reference within the document `root` points to.
pub(crate) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(pointer)
        .or_else(|| root.pointer(&percent_decoded(pointer)))
}

/// The schema itself, or what it refers to if it is no more than a reference.
pub(super) fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..LONGEST_CHAIN {
        let Some(keywords) = schema.as_object() else {
            break;
        };
        let alone = keywords
            .keys()
            .all(|keyword| keyword == "$ref" || keyword == "$defs" || is_annotation(keyword));
        let reference = keywords
            .get("$ref")
            .and_then(Value::as_str)
            .filter(|_| alone);
        match reference.and_then(|reference| target(root, reference)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// The name at the end of a reference to a definition of this document.
pub(super) fn definition_name(reference: &str) -> Option<String> {
    let name = reference
        .strip_prefix("#/$defs/")
        .or_else(|| reference.strip_prefix("#/definitions/"))?;
    (!name.contains('/')).then(|| unescape(&percent_decoded(name)))
}

/// A JSON Pointer token (RFC 6901).
pub(super) fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// Leads a JSON Pointer one step further.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    match token.contains(['~', '/']) {
        true => pointer.push_str(&escape(token)),
        false => pointer.push_str(token),
    }
}

fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

fn percent_decoded(text: &str) -> String {
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
