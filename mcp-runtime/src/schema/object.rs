//! Builds an object schema from named properties.

use super::Keywords;
use super::keyword::{definition_name, rewrite_subschemas};
use serde_json::{Map, Value, json};

/// A property for [`object_schema`].
#[derive(Debug, Clone)]
pub(crate) struct Property<'a> {
    /// The name of the property in JSON.
    pub(crate) name: &'a str,
    /// The normalized schema of the property, with recursive types under its own `$defs`.
    pub(crate) schema: Value,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
}

/// Builds an object schema that has exactly these properties, in this order.
pub(crate) fn object_schema<'a>(properties: impl IntoIterator<Item = Property<'a>>) -> Value {
    let mut named = Map::new();
    let mut required = Vec::new();
    let mut definitions = Map::new();
    for property in properties {
        let mut schema = match property.schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        hoist_definitions(&mut schema, &mut definitions);
        if let Some(default) = property.default {
            schema.insert("default".to_owned(), default);
        }
        if property.required {
            required.push(json!(property.name));
        }
        named.insert(property.name.to_owned(), Value::Object(schema));
    }
    // The values are moved into the map, because copying them with `json!` would take most of the
    // time for building a list of tools.
    let mut root = Map::new();
    let mut put = |keyword: &str, value| root.insert(keyword.to_owned(), value);
    put("type", "object".into());
    put("properties", Value::Object(named));
    if !required.is_empty() {
        put("required", Value::Array(required));
    }
    put("additionalProperties", false.into());
    if !definitions.is_empty() {
        put("$defs", Value::Object(definitions));
    }
    Value::Object(root)
}

/// Returns the first name of `base`, `base2`, `base3`, … that is not taken.
pub(super) fn unused_name(base: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut count = 2_usize;
    while is_taken(&name) {
        name = format!("{base}{count}");
        count += 1;
    }
    name
}

/// Moves the definitions in the schema of one property to `definitions`, the `$defs` of the root.
///
/// If `definitions` already has a different definition with the same name, all definitions of the
/// property are renamed together, because they may refer to each other.
fn hoist_definitions(schema: &mut Keywords, definitions: &mut Keywords) {
    let Some(Value::Object(own)) = schema.remove("$defs") else {
        return;
    };
    let is_compatible = |(name, definition): (&String, &Value)| {
        definitions
            .get(name)
            .is_none_or(|existing| existing == definition)
    };
    if own.iter().all(is_compatible) {
        definitions.extend(own);
        return;
    }
    let mut names = Map::new();
    for name in own.keys() {
        let is_taken = |candidate: &str| {
            let renamed = names.values().any(|name| name == candidate);
            renamed || own.contains_key(candidate) || definitions.contains_key(candidate)
        };
        names.insert(name.clone(), json!(unused_name(name, is_taken)));
    }
    for (name, definition) in own {
        let name = names
            .get(&name)
            .and_then(Value::as_str)
            .map_or(name.clone(), str::to_owned);
        definitions.insert(name, rename_references(definition, &names));
    }
    rewrite_subschemas(schema, |_, _, child| rename_references(child, &names));
    rename_own_reference(schema, &names);
}

fn rename_references(schema: Value, names: &Keywords) -> Value {
    let Value::Object(mut schema) = schema else {
        return schema;
    };
    rename_own_reference(&mut schema, names);
    rewrite_subschemas(&mut schema, |_, _, child| rename_references(child, names));
    Value::Object(schema)
}

fn rename_own_reference(schema: &mut Keywords, names: &Keywords) {
    let target = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(definition_name);
    let name = target
        .and_then(|target| names.get(&target))
        .and_then(Value::as_str);
    if let Some(name) = name {
        schema.insert("$ref".to_owned(), json!(format!("#/$defs/{name}")));
    }
}
