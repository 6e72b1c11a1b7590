//! Normalization rules for `null` as one of several types, and for lists of types.

use super::branches::merge_single_branches;
use super::keyword::is_annotation;
use super::{Keywords, Value, json};
use serde_json::Map;

/// Removes `null` from the schema of a property that may be absent, unless `null` is its only type.
pub(super) fn remove_null(schema: &mut Keywords) {
    if let Some(Value::Array(types)) = schema.get_mut("type")
        && types.len() > 1
    {
        types.retain(|kind| kind != "null");
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
    for combination in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = schema.get_mut(combination) else {
            continue;
        };
        if branches.iter().all(is_null) || !branches.iter().any(is_null) {
            continue;
        }
        branches.retain(|branch| !is_null(branch));
        merge_single_branches(schema);
        remove_null(schema);
        break;
    }
    let restricts = |keyword: &String| !is_annotation(keyword);
    let only_null = schema.get("type").is_some_and(|kind| kind == "null");
    if schema.get("default") == Some(&Value::Null) && schema.keys().any(restricts) && !only_null {
        schema.remove("default");
    }
}

fn is_null(schema: &Value) -> bool {
    let states = |keyword: &str, value: Value| schema.get(keyword) == Some(&value);
    states("type", json!("null")) || states("const", Value::Null) || states("enum", json!([null]))
}

/// Replaces a list of types with an `anyOf` that has one schema for each type.
pub(super) fn split_type_list(schema: &mut Keywords) {
    let Some(Value::Array(types)) = schema.get("type") else {
        return;
    };
    let types = types.clone();
    if let [only] = types.as_slice() {
        schema.insert("type".to_owned(), only.clone());
        return;
    }
    let (annotations, restrictions): (Map<_, _>, Map<_, _>) = std::mem::take(schema)
        .into_iter()
        .partition(|(keyword, _)| is_shared_annotation(keyword));
    let branches: Vec<Value> = types
        .iter()
        .filter_map(Value::as_str)
        .map(|kind| branch_for_type(kind, &restrictions))
        .collect();
    *schema = annotations;
    schema.insert("anyOf".to_owned(), Value::Array(branches));
}

/// Whether the keyword is an annotation that stays outside of the branches. `format` does not stay,
/// because it applies to one type.
fn is_shared_annotation(keyword: &str) -> bool {
    is_annotation(keyword) && keyword != "format"
}

fn branch_for_type(kind: &str, restrictions: &Keywords) -> Value {
    let mut branch = Map::new();
    branch.insert("type".to_owned(), json!(kind));
    for (keyword, value) in restrictions {
        if keyword == "type" || !applies_to(keyword, kind) {
            continue;
        }
        let value = match (keyword.as_str(), value) {
            ("enum", Value::Array(values)) => values
                .iter()
                .filter(|value| is_of_type(value, kind))
                .cloned()
                .collect(),
            _ => value.clone(),
        };
        branch.insert(keyword.clone(), value);
    }
    if kind == "null" {
        branch.remove("enum");
    }
    Value::Object(branch)
}

/// Whether a keyword can restrict a value of this type.
fn applies_to(keyword: &str, kind: &str) -> bool {
    let types: &[&str] = match keyword {
        "maximum" | "minimum" | "exclusiveMaximum" | "exclusiveMinimum" | "multipleOf" => {
            &["integer", "number"]
        }
        "maxLength" | "minLength" | "pattern" | "contentEncoding" | "contentMediaType" => {
            &["string"]
        }
        "format" => &["integer", "number", "string"],
        "items" | "prefixItems" | "maxItems" | "minItems" | "uniqueItems" | "contains"
        | "maxContains" | "minContains" | "unevaluatedItems" => &["array"],
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "propertyNames"
        | "required"
        | "maxProperties"
        | "minProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => &["object"],
        _ => return true,
    };
    types.contains(&kind)
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(_) => kind == "integer" || kind == "number",
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    }
}
