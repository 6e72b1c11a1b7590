//! Subschemas inlined; what is recursive stays under `$defs`.

use super::keyword::{absorb, definition_name, each_child, rewrite_children};
use super::{Keywords, Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The schema without definitions, and the recursive ones that it needs.
pub(super) fn inlined(mut schema: Value) -> (Value, Keywords) {
    let definitions = Definitions::taken_from(&mut schema);
    let schema = definitions.inline(schema);
    let mut needed = BTreeSet::new();
    definitions.collect_needed(&schema, &mut needed);
    let kept = definitions
        .bodies
        .iter()
        .filter(|(name, _)| needed.contains(*name))
        .map(|(name, body)| {
            (
                definitions.plain_name(name),
                definitions.inline(body.clone()),
            )
        })
        .collect();
    (schema, kept)
}

struct Definitions {
    bodies: Keywords,
    recursive: BTreeSet<String>,
    plain_names: BTreeMap<String, String>,
}

impl Definitions {
    fn taken_from(schema: &mut Value) -> Self {
        let mut bodies = Map::new();
        if let Value::Object(root) = schema {
            for place in ["$defs", "definitions"] {
                if let Some(Value::Object(found)) = root.remove(place) {
                    bodies.extend(found);
                }
            }
        }
        name_the_root(schema, &mut bodies);
        let recursive = recursive_names(&bodies);
        let plain_names = plain_names(&bodies);
        Self {
            bodies,
            recursive,
            plain_names,
        }
    }

    fn plain_name(&self, name: &str) -> String {
        self.plain_names
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    fn inline(&self, schema: Value) -> Value {
        let Value::Object(mut schema) = schema else {
            return schema;
        };
        if let Some(name) = referenced(&schema) {
            if self.recursive.contains(&name) {
                let reference = format!("#/$defs/{}", self.plain_name(&name));
                schema.insert("$ref".to_owned(), json!(reference));
            } else if let Some(body) = self.bodies.get(&name) {
                schema.remove("$ref");
                restrict(&mut schema, body.clone());
                return self.inline(Value::Object(schema));
            }
        }
        rewrite_children(&mut schema, |_, _, child| self.inline(child));
        Value::Object(schema)
    }

    /// The recursive definitions that `schema` leads to.
    fn collect_needed(&self, schema: &Value, needed: &mut BTreeSet<String>) {
        let Value::Object(keywords) = schema else {
            return;
        };
        let name = referenced(keywords).map(|plain| self.given_name(&plain));
        if let Some(name) = name
            && let Some(body) = self.bodies.get(&name)
            && needed.insert(name)
        {
            self.collect_needed(body, needed);
        }
        each_child(keywords, |_, _, child| self.collect_needed(child, needed));
    }

    fn given_name(&self, plain: &str) -> String {
        let found = self.plain_names.iter().find(|(_, known)| *known == plain);
        found.map_or_else(|| plain.to_owned(), |(name, _)| name.clone())
    }
}

fn referenced(schema: &Keywords) -> Option<String> {
    definition_name(schema.get("$ref")?.as_str()?)
}

/// Adds what `inner` demands; together in one object where that is possible.
fn restrict(schema: &mut Keywords, inner: Value) {
    match inner {
        Value::Object(inner) => {
            if let Err(inner) = absorb(schema, inner) {
                let all = schema.entry("allOf").or_insert_with(|| json!([]));
                if let Value::Array(all) = all {
                    all.push(Value::Object(inner));
                }
            }
        }
        Value::Bool(false) => {
            schema.insert("not".to_owned(), json!({}));
        }
        _ => {}
    }
}

/// A reference to the whole document would point elsewhere once the schema
/// is a property of another, so the root becomes a definition too.
fn name_the_root(schema: &mut Value, definitions: &mut Keywords) {
    let title = schema.get("title").and_then(Value::as_str);
    let name = title.unwrap_or("Root").to_owned();
    let reference = format!("#/$defs/{name}");
    let mut found = false;
    *schema = redirect_root(schema.take(), &reference, &mut found);
    for definition in definitions.values_mut() {
        *definition = redirect_root(definition.take(), &reference, &mut found);
    }
    if found && !definitions.contains_key(&name) {
        definitions.insert(name, schema.clone());
    }
}

fn redirect_root(schema: Value, reference: &str, found: &mut bool) -> Value {
    let Value::Object(mut schema) = schema else {
        return schema;
    };
    if schema.get("$ref").is_some_and(|target| target == "#") {
        schema.insert("$ref".to_owned(), json!(reference));
        *found = true;
    }
    rewrite_children(&mut schema, |_, _, child| {
        redirect_root(child, reference, found)
    });
    Value::Object(schema)
}

/// Every definition that can be reached from itself.
fn recursive_names(definitions: &Keywords) -> BTreeSet<String> {
    let leads_to: BTreeMap<&str, BTreeSet<String>> = definitions
        .iter()
        .map(|(name, body)| {
            let mut names = BTreeSet::new();
            collect_references(body, &mut names);
            (name.as_str(), names)
        })
        .collect();
    let reaches_itself = |start: &str| {
        let mut open: Vec<&str> = vec![start];
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            for next in leads_to.get(name).into_iter().flatten() {
                if next == start {
                    return true;
                }
                if seen.insert(next.as_str()) {
                    open.push(next);
                }
            }
        }
        false
    };
    definitions
        .keys()
        .filter(|name| reaches_itself(name))
        .cloned()
        .collect()
}

fn collect_references(schema: &Value, names: &mut BTreeSet<String>) {
    if let Value::Object(keywords) = schema {
        names.extend(referenced(keywords));
        each_child(keywords, |_, _, child| collect_references(child, names));
    }
}

/// Names that need no escaping in a reference, still unique.
fn plain_names(definitions: &Keywords) -> BTreeMap<String, String> {
    let mut taken = BTreeSet::new();
    let mut plain = BTreeMap::new();
    for name in definitions.keys() {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
        let wanted: String = name
            .chars()
            .map(|c| if allowed(c) { c } else { '_' })
            .collect();
        let unique = super::super::object::unused_name(&wanted, |name| taken.contains(name));
        taken.insert(unique.clone());
        plain.insert(name.clone(), unique);
    }
    plain
}
