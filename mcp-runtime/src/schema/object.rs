//! Named properties as one flat object schema.

use super::Keywords;
use super::keyword::{definition_name, rewrite_children};
use serde_json::{Map, Value, json};

/// One property of an object that the framework builds.
#[derive(Debug, Clone)]
pub(crate) struct Property<'a> {
    /// Its name on the wire.
    pub(crate) name: &'a str,
    /// A normalised schema, recursive types under its own `$defs`.
    pub(crate) schema: Value,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
}

/// The object schema with these properties, in this order, and no others.
pub(crate) fn object<'a>(properties: impl IntoIterator<Item = Property<'a>>) -> Value {
    let mut named = Map::new();
    let mut required = Vec::new();
    let mut definitions = Map::new();
    for property in properties {
        let mut schema = match property.schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        hoist(&mut schema, &mut definitions);
        if let Some(default) = property.default {
            schema.insert("default".to_owned(), default);
        }
        if property.required {
            required.push(json!(property.name));
        }
        named.insert(property.name.to_owned(), Value::Object(schema));
    }
    // Put in and not copied in, as `json!` does: this is most of what a list costs.
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

/// The first of `wanted`, `wanted2`, `wanted3`, … that is not taken.
pub(super) fn unused_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_owned();
    let mut count = 2_usize;
    while taken(&name) {
        name = format!("{wanted}{count}");
        count += 1;
    }
    name
}

/// Moves the definitions of one property to the root.
///
/// A definition that the root holds under another name, or another one of the
/// same name, makes a new name necessary; then all of the property's are told
/// apart together, because they may refer to each other.
fn hoist(schema: &mut Keywords, definitions: &mut Keywords) {
    let Some(Value::Object(own)) = schema.remove("$defs") else {
        return;
    };
    let agrees =
        |(name, body): (&String, &Value)| definitions.get(name).is_none_or(|held| held == body);
    if own.iter().all(agrees) {
        definitions.extend(own);
        return;
    }
    let mut names = Map::new();
    for name in own.keys() {
        let taken = |candidate: &str| {
            let renamed = names.values().any(|name| name == candidate);
            renamed || own.contains_key(candidate) || definitions.contains_key(candidate)
        };
        names.insert(name.clone(), json!(unused_name(name, taken)));
    }
    for (name, body) in own {
        let name = names
            .get(&name)
            .and_then(Value::as_str)
            .map_or(name.clone(), str::to_owned);
        definitions.insert(name, renamed(body, &names));
    }
    rewrite_children(schema, |_, _, child| renamed(child, &names));
    rename_reference(schema, &names);
}

fn renamed(schema: Value, names: &Keywords) -> Value {
    let Value::Object(mut schema) = schema else {
        return schema;
    };
    rename_reference(&mut schema, names);
    rewrite_children(&mut schema, |_, _, child| renamed(child, names));
    Value::Object(schema)
}

fn rename_reference(schema: &mut Keywords, names: &Keywords) {
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
