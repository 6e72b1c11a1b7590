//! Replaces references with the definitions that they point to. Recursive definitions stay under
//! `$defs`.

use super::keyword::{definition_name, for_each_subschema, rewrite_subschemas, try_merge};
use super::{Keywords, Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the schema without its definitions, and the recursive definitions that it uses.
pub(super) fn inline_definitions(mut schema: Value) -> (Value, Keywords) {
    let definitions = Definitions::take_from(&mut schema);
    let schema = definitions.inline(schema);
    let mut used = BTreeSet::new();
    definitions.collect_used(&schema, &mut used);
    let recursive = definitions
        .schemas
        .iter()
        .filter(|(name, _)| used.contains(*name))
        .map(|(name, definition)| {
            (
                definitions.plain_name(name),
                definitions.inline(definition.clone()),
            )
        })
        .collect();
    (schema, recursive)
}

struct Definitions {
    schemas: Keywords,
    recursive: BTreeSet<String>,
    plain_names: BTreeMap<String, String>,
}

impl Definitions {
    fn take_from(schema: &mut Value) -> Self {
        let mut schemas = Map::new();
        if let Value::Object(root) = schema {
            for keyword in ["$defs", "definitions"] {
                if let Some(Value::Object(found)) = root.remove(keyword) {
                    schemas.extend(found);
                }
            }
        }
        define_root(schema, &mut schemas);
        let recursive = recursive_names(&schemas);
        let plain_names = plain_names(&schemas);
        Self {
            schemas,
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
        if let Some(name) = referenced_name(&schema) {
            if self.recursive.contains(&name) {
                let reference = format!("#/$defs/{}", self.plain_name(&name));
                schema.insert("$ref".to_owned(), json!(reference));
            } else if let Some(definition) = self.schemas.get(&name) {
                schema.remove("$ref");
                add_restrictions(&mut schema, definition.clone());
                return self.inline(Value::Object(schema));
            }
        }
        rewrite_subschemas(&mut schema, |_, _, child| self.inline(child));
        Value::Object(schema)
    }

    /// Adds the names of the definitions that `schema` still refers to, directly or indirectly.
    fn collect_used(&self, schema: &Value, used: &mut BTreeSet<String>) {
        let Value::Object(keywords) = schema else {
            return;
        };
        let name = referenced_name(keywords).map(|plain| self.original_name(&plain));
        if let Some(name) = name
            && let Some(definition) = self.schemas.get(&name)
            && used.insert(name)
        {
            self.collect_used(definition, used);
        }
        for_each_subschema(keywords, |_, _, child| self.collect_used(child, used));
    }

    fn original_name(&self, plain: &str) -> String {
        let found = self.plain_names.iter().find(|(_, known)| *known == plain);
        found.map_or_else(|| plain.to_owned(), |(name, _)| name.clone())
    }
}

fn referenced_name(schema: &Keywords) -> Option<String> {
    definition_name(schema.get("$ref")?.as_str()?)
}

/// Adds the restrictions of `inner` to the same object. If they conflict with its restrictions,
/// adds them with `allOf`.
fn add_restrictions(schema: &mut Keywords, inner: Value) {
    match inner {
        Value::Object(inner) => {
            if let Err(inner) = try_merge(schema, inner) {
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

/// Adds the root schema as a definition if a reference points to it. The reference `#` would have
/// another target after the schema becomes a property of another schema.
fn define_root(schema: &mut Value, definitions: &mut Keywords) {
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
    rewrite_subschemas(&mut schema, |_, _, child| {
        redirect_root(child, reference, found)
    });
    Value::Object(schema)
}

/// Returns the names of all definitions that refer to themselves, directly or indirectly.
fn recursive_names(definitions: &Keywords) -> BTreeSet<String> {
    let leads_to: BTreeMap<&str, BTreeSet<String>> = definitions
        .iter()
        .map(|(name, definition)| {
            let mut names = BTreeSet::new();
            collect_references(definition, &mut names);
            (name.as_str(), names)
        })
        .collect();
    let reaches_itself = |start: &str| {
        let mut queue: Vec<&str> = vec![start];
        let mut seen = BTreeSet::new();
        while let Some(name) = queue.pop() {
            for next in leads_to.get(name).into_iter().flatten() {
                if next == start {
                    return true;
                }
                if seen.insert(next.as_str()) {
                    queue.push(next);
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
        names.extend(referenced_name(keywords));
        for_each_subschema(keywords, |_, _, child| collect_references(child, names));
    }
}

/// Maps each name of a definition to a unique name that needs no escaping in a reference.
fn plain_names(definitions: &Keywords) -> BTreeMap<String, String> {
    let mut taken = BTreeSet::new();
    let mut plain = BTreeMap::new();
    for name in definitions.keys() {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
        let base: String = name
            .chars()
            .map(|c| if allowed(c) { c } else { '_' })
            .collect();
        let unique = super::super::object::unused_name(&base, |name| taken.contains(name));
        taken.insert(unique.clone());
        plain.insert(name.clone(), unique);
    }
    plain
}
