//! Keywords in generated schemas that only the server uses. They are removed before a schema is
//! sent to clients.

use super::Keywords;
use super::keyword::{
    array_values, for_each_subschema, resolve_reference, rewrite_subschemas, subschemas,
};
use serde_json::{Map, Value};

/// The keyword for the aliases of a property (`#[serde(alias = "…")]`).
pub(crate) const ALIASES: &str = "x-rust-aliases";

/// The keyword that marks a type whose schema is not enforced when serde reads the type.
pub(crate) const UNENFORCED: &str = "x-rust-unenforced";

/// The keyword with the name of a type whose schema function panicked.
pub(crate) const FAILURE: &str = "x-rust-failure";

/// The maximum depth of schemas and references that are followed while aliases are replaced.
const MAX_DEPTH: usize = 200;

pub(super) fn without_internal_keywords(schema: Value) -> Value {
    let Value::Object(mut keywords) = schema else {
        return schema;
    };
    for keyword in [ALIASES, FAILURE, UNENFORCED] {
        keywords.remove(keyword);
    }
    rewrite_subschemas(&mut keywords, |_, _, child| {
        without_internal_keywords(child)
    });
    Value::Object(keywords)
}

/// Whether any property in the schema has an alias.
pub(crate) fn has_aliases(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return false;
    };
    let mut found = keywords.contains_key(ALIASES);
    for_each_subschema(keywords, |_, _, child| found = found || has_aliases(child));
    found
}

/// Renames members that have the alias of a property to the name of the property. `root` is the
/// schema from [`schema_of`](super::schema_of). Returns whether any member was renamed.
pub(crate) fn replace_aliases(root: &Value, value: &mut Value) -> bool {
    replace(root, root, value, 0)
}

fn replace(root: &Value, schema: &Value, value: &mut Value, depth: usize) -> bool {
    let Value::Object(keywords) = schema else {
        return false;
    };
    if depth > MAX_DEPTH || !(value.is_object() || value.is_array()) {
        return false;
    }
    let mut replaced = false;
    match value {
        Value::Object(members) => {
            replaced |= rename_members(keywords, members);
            let properties = subschemas(keywords, "properties");
            let others = keywords.get("additionalProperties");
            for (name, member) in members {
                let property = properties.and_then(|properties| properties.get(name));
                if let Some(schema) = property.or(others) {
                    replaced |= replace(root, schema, member, depth + 1);
                }
            }
        }
        Value::Array(items) => {
            let prefix = array_values(keywords, "prefixItems");
            for (index, item) in items.iter_mut().enumerate() {
                if let Some(schema) = prefix.get(index).or(keywords.get("items")) {
                    replaced |= replace(root, schema, item, depth + 1);
                }
            }
        }
        _ => {}
    }
    let reference = keywords.get("$ref").and_then(Value::as_str);
    if let Some(target) = reference.and_then(|it| resolve_reference(root, it)) {
        replaced |= replace(root, target, value, depth + 1);
    }
    for combination in ["allOf", "anyOf", "oneOf"] {
        for branch in array_values(keywords, combination) {
            if combination == "allOf" || !excludes(branch, value) {
                replaced |= replace(root, branch, value, depth + 1);
            }
        }
    }
    replaced
}

/// Renames the members whose name is an alias of an absent property.
fn rename_members(keywords: &Keywords, members: &mut Map<String, Value>) -> bool {
    let mut replaced = false;
    let Some(properties) = subschemas(keywords, "properties") else {
        return false;
    };
    for (name, property) in properties {
        let aliases = property
            .as_object()
            .map_or(&[][..], |it| array_values(it, ALIASES));
        for alias in aliases.iter().filter_map(Value::as_str) {
            if members.contains_key(name) || properties.contains_key(alias) {
                continue;
            }
            if let Some(value) = members.remove(alias) {
                members.insert(name.clone(), value);
                replaced = true;
            }
        }
    }
    replaced
}

/// Whether a tag of the value shows that the value does not belong to this branch.
fn excludes(branch: &Value, value: &Value) -> bool {
    let properties = branch.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().any(|(name, property)| {
        let tag = property.get("const");
        tag.is_some() && value.get(name) != tag
    })
}
