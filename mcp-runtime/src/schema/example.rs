//! Generates a valid example from a schema and the invalid instance that was sent.

mod generate;

use super::Keywords;
use super::check::is_valid;
use super::format::PARSED_STRINGS;
use super::keyword::{dereference, required_names, subschemas};
use super::misformed::misformed_strings;
use crate::text::nearest;
use generate::{Document, generate};
use serde_json::{Map, Value};

/// The maximum length of an example in characters. Longer examples are omitted, because they do not
/// help to correct a call.
const MAX_CHARS: usize = 1_500;

/// The maximum depth of nested schemas. Schemas at a greater depth get no example.
const MAX_DEPTH: usize = 8;

/// Returns a valid value that is similar to `instance`.
///
/// Valid values are kept, and misspelled names are corrected. All other values come from defaults,
/// examples and bounds. Returns `None` if no short and valid example is found.
pub(crate) fn example(schema: &Value, instance: &Value) -> Option<Value> {
    let is_usable = |found: &Value| {
        conforms(schema, schema, found) && found.to_string().chars().count() <= MAX_CHARS
    };
    // A much longer instance is not corrected, because the result would be too long.
    let short = instance.to_string().len() <= 8 * MAX_CHARS;
    let corrected = short.then(|| correct(schema, schema, instance, MAX_DEPTH));
    let corrected = corrected.flatten().filter(is_usable);
    corrected.or_else(|| generate_simple(schema, schema, MAX_DEPTH).filter(is_usable))
}

/// Returns alternatives to an [`example`] that a Rust type has rejected. Their strings have
/// forms that common types accept, such as addresses, versions and local times.
pub(crate) fn alternative_examples(root: &Value, schema: &Value) -> impl Iterator<Item = Value> {
    let preferred = PARSED_STRINGS.iter().map(|text| Some(*text));
    std::iter::once(None)
        .chain(preferred)
        .filter_map(move |preferred| generate(Document { root, preferred }, schema, MAX_DEPTH))
        .filter(move |value| is_valid(root, schema, value))
}

fn generate_simple(root: &Value, schema: &Value, depth: usize) -> Option<Value> {
    generate(
        Document {
            root,
            preferred: None,
        },
        schema,
        depth,
    )
}

/// Whether the value matches the schema and all its strings have the form of their `format`.
fn conforms(root: &Value, schema: &Value, value: &Value) -> bool {
    is_valid(root, schema, value) && misformed_strings(root, schema, value).is_empty()
}

fn correct(root: &Value, schema: &Value, sent: &Value, depth: usize) -> Option<Value> {
    let deeper = depth.checked_sub(1)?;
    if conforms(root, schema, sent) {
        return Some(sent.clone());
    }
    let rebuilt = match (sent, dereference(root, schema).as_object()) {
        (Value::Object(members), Some(keywords)) if keywords.contains_key("properties") => Some(
            Value::Object(correct_object(root, keywords, members, deeper)),
        ),
        (Value::Array(items), Some(keywords)) if !keywords.contains_key("prefixItems") => {
            let schema = keywords.get("items")?;
            items
                .iter()
                .map(|item| correct(root, schema, item, deeper))
                .collect()
        }
        _ => None,
    };
    rebuilt
        .filter(|value| conforms(root, schema, value))
        .or_else(|| generate_simple(root, schema, depth))
}

fn correct_object(root: &Value, keywords: &Keywords, sent: &Keywords, depth: usize) -> Keywords {
    let properties = subschemas(keywords, "properties");
    let is_required = |name: &str| required_names(keywords).any(|required| required == name);
    let mut members = Map::new();
    for (name, schema) in properties.into_iter().flatten() {
        let sent = sent
            .get(name)
            .or_else(|| misspelled_member(properties, sent, name));
        let value = match sent {
            Some(sent) => correct(root, schema, sent, depth),
            None if is_required(name) => generate_simple(root, schema, depth),
            None => None,
        };
        members.extend(value.map(|value| (name.clone(), value)));
    }
    members
}

/// Returns the value that was sent under an unknown name if `name` is the most similar known name.
fn misspelled_member<'a>(
    properties: Option<&Keywords>,
    sent: &'a Keywords,
    name: &str,
) -> Option<&'a Value> {
    let known = properties?;
    let unknown = sent.iter().filter(|(sent, _)| !known.contains_key(*sent));
    let mut matching =
        unknown.filter(|(sent, _)| nearest(sent, known.keys().map(String::as_str)) == Some(name));
    matching.next().map(|(_, value)| value)
}
