//! Normalization rules for Rust enums. Unit variants become an `enum`, and other variants become an
//! `anyOf`.

use super::keyword::is_annotation;
use super::{Keywords, Value, json};
use crate::schema::json_eq;

/// Combines variants that are single values into one `enum`, and their documentation into one
/// description.
pub(super) fn fold_variants(schema: &mut Keywords) {
    for combination in ["oneOf", "anyOf"] {
        let folded = schema
            .get(combination)
            .and_then(Value::as_array)
            .and_then(|list| fold(list, combination == "oneOf"));
        let Some(folded) = folded else {
            continue;
        };
        if schema
            .keys()
            .any(|keyword| keyword != combination && !is_annotation(keyword))
        {
            continue;
        }
        schema.remove(combination);
        let lines: Vec<String> = own_description(schema)
            .into_iter()
            .chain(folded.docs)
            .collect();
        if !lines.is_empty() {
            schema.insert("description".to_owned(), json!(lines.join("\n")));
        }
        if let Some(kind) = folded.kind {
            schema.insert("type".to_owned(), kind);
        }
        schema.insert("enum".to_owned(), Value::Array(folded.values));
        return;
    }
}

struct FoldedEnum {
    kind: Option<Value>,
    values: Vec<Value>,
    docs: Vec<String>,
}

fn own_description(schema: &Keywords) -> Option<String> {
    let text = schema.get("description")?.as_str()?;
    Some(format!("{text}\n"))
}

/// Combines the values of the variants. Returns `None` if a variant is not a value. With
/// `exclusive` (`oneOf`), also returns `None` if two variants have the same value, because this
/// value is invalid.
fn fold(variants: &[Value], exclusive: bool) -> Option<FoldedEnum> {
    let mut folded = FoldedEnum {
        kind: None,
        values: Vec::new(),
        docs: Vec::new(),
    };
    for (index, variant) in variants.iter().enumerate() {
        let variant = variant.as_object()?;
        let values = variant.get("enum")?.as_array()?;
        let kind = variant.get("type");
        let is_value = |keyword: &String| {
            matches!(keyword.as_str(), "enum" | "type") || is_annotation(keyword)
        };
        if !variant.keys().all(is_value) || (index > 0 && kind != folded.kind.as_ref()) {
            return None;
        }
        folded.kind = kind.cloned();
        if let Some(doc) = variant.get("description").and_then(Value::as_str) {
            folded.docs.push(doc_line(values, doc));
        }
        let previous = folded.values.len();
        for value in values {
            match folded.values.iter().position(|known| json_eq(known, value)) {
                Some(index) if exclusive && index < previous => return None,
                Some(_) => {}
                None => folded.values.push(value.clone()),
            }
        }
    }
    (!folded.values.is_empty()).then_some(folded)
}

/// Returns one line with the values of a variant and their documentation.
fn doc_line(values: &[Value], doc: &str) -> String {
    let name = |value: &Value| match value {
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    };
    let names: Vec<String> = values.iter().map(name).collect();
    let words: Vec<&str> = doc.split_whitespace().collect();
    format!("- {}: {}", names.join(", "), words.join(" "))
}

/// Replaces a `oneOf` of mutually exclusive alternatives with `anyOf`, which more clients
/// support.
pub(super) fn disjoint_one_of_to_any_of(schema: &mut Keywords) {
    let Some(Value::Array(branches)) = schema.get("oneOf") else {
        return;
    };
    let disjoint = branches.iter().enumerate().all(|(index, left)| {
        branches[index + 1..]
            .iter()
            .all(|right| are_disjoint(left, right))
    });
    if disjoint && !schema.contains_key("anyOf") {
        let branches = json!(branches);
        schema.remove("oneOf");
        schema.insert("anyOf".to_owned(), branches);
    }
}

/// Whether certainly no value matches both schemas. The result may be `false` even if no value
/// matches both.
fn are_disjoint(left: &Value, right: &Value) -> bool {
    types_differ(left, right)
        || values_differ(left, right)
        || tags_differ(left, right)
        || shapes_differ(left, right)
        || shapes_differ(right, left)
}

fn types_differ(left: &Value, right: &Value) -> bool {
    let is_number = |kind: &str| kind == "integer" || kind == "number";
    match (left["type"].as_str(), right["type"].as_str()) {
        (Some(left), Some(right)) => left != right && !(is_number(left) && is_number(right)),
        _ => false,
    }
}

fn values_differ(left: &Value, right: &Value) -> bool {
    match (left["enum"].as_array(), right["enum"].as_array()) {
        (Some(left), Some(right)) => !left
            .iter()
            .any(|value| right.iter().any(|other| json_eq(value, other))),
        _ => false,
    }
}

fn tags_differ(left: &Value, right: &Value) -> bool {
    both_objects(left, right)
        && required(left).any(|name| {
            required(right).any(|other| other == name)
                && values_differ(&left["properties"][name], &right["properties"][name])
        })
}

/// Whether `left` requires a property that `right` does not allow.
fn shapes_differ(left: &Value, right: &Value) -> bool {
    both_objects(left, right)
        && right["additionalProperties"] == false
        && right.get("patternProperties").is_none()
        && required(left).any(|name| right["properties"].get(name).is_none())
}

fn both_objects(left: &Value, right: &Value) -> bool {
    left["type"] == "object" && right["type"] == "object"
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}
