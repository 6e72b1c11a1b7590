//! One valid instance, made from a schema and from what was sent.

mod sample;

use super::Keywords;
use super::check::is_valid;
use super::keyword::{named, required, resolved};
use crate::text::nearest;
use sample::sample;
use serde_json::{Map, Value};

/// A longer example than this explains nothing.
const LONGEST: usize = 1_500;

const DEEPEST: usize = 8;

/// What should have been sent instead of `instance`.
///
/// Valid values are kept, misspelt names put right, everything else comes from
/// defaults, examples and bounds. `None` if no short, valid example is found.
pub(crate) fn example(schema: &Value, instance: &Value) -> Option<Value> {
    let fitting = |found: &Value| {
        is_valid(schema, schema, found) && found.to_string().chars().count() <= LONGEST
    };
    // What is much longer is not worth the work of correcting it.
    let short = instance.to_string().len() <= 8 * LONGEST;
    let kept = short.then(|| corrected(schema, schema, instance, DEEPEST));
    let kept = kept.flatten().filter(fitting);
    kept.or_else(|| sample(schema, schema, DEEPEST).filter(fitting))
}

fn corrected(root: &Value, schema: &Value, given: &Value, depth: usize) -> Option<Value> {
    let deeper = depth.checked_sub(1)?;
    if is_valid(root, schema, given) {
        return Some(given.clone());
    }
    let rebuilt = match (given, resolved(root, schema).as_object()) {
        (Value::Object(members), Some(keywords)) if keywords.contains_key("properties") => {
            Some(Value::Object(object(root, keywords, members, deeper)))
        }
        (Value::Array(items), Some(keywords)) if !keywords.contains_key("prefixItems") => {
            let schema = keywords.get("items")?;
            items
                .iter()
                .map(|item| corrected(root, schema, item, deeper))
                .collect()
        }
        _ => None,
    };
    rebuilt
        .filter(|value| is_valid(root, schema, value))
        .or_else(|| sample(root, schema, depth))
}

fn object(root: &Value, keywords: &Keywords, given: &Keywords, depth: usize) -> Keywords {
    let properties = named(keywords, "properties");
    let is_required = |name: &str| required(keywords).any(|required| required == name);
    let mut members = Map::new();
    for (name, schema) in properties.into_iter().flatten() {
        let sent = given
            .get(name)
            .or_else(|| misspelt(properties, given, name));
        let value = match sent {
            Some(sent) => corrected(root, schema, sent, depth),
            None if is_required(name) => sample(root, schema, depth),
            None => None,
        };
        members.extend(value.map(|value| (name.clone(), value)));
    }
    members
}

/// The value that was sent under a name nearest to this one.
fn misspelt<'g>(
    properties: Option<&Keywords>,
    given: &'g Keywords,
    name: &str,
) -> Option<&'g Value> {
    let known = properties?;
    let unknown = given.iter().filter(|(sent, _)| !known.contains_key(*sent));
    let mut meant =
        unknown.filter(|(sent, _)| nearest(sent, known.keys().map(String::as_str)) == Some(name));
    meant.next().map(|(_, value)| value)
}
