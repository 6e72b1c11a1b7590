//! The notation of the sample files for revisions.

use serde_json::{Map, Value, json};

use crate::wire::Revision;

pub(super) fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Expands a value of the sample files for one revision.
///
/// `"key@45"` exists only in the fourth and fifth revision, `"$part"` is
/// replaced by that part, and the members of the part that the key `"$"` names
/// are merged. In a list, `"@": "45"` does for an item what `@45` does for
/// a member.
pub(super) fn expand(value: &Value, revision: Revision) -> Value {
    match value {
        Value::String(text) if text == "$revision" => json!(revision.as_str()),
        Value::String(text) if text.starts_with('$') => {
            let parts = parse(include_str!("parts.json"));
            expand(&parts[&text[1..]], revision)
        }
        Value::Array(items) => items
            .iter()
            .filter(|item| item.get("@").is_none_or(|marks| is_for(marks, revision)))
            .map(|item| expand(item, revision))
            .collect(),
        Value::Object(members) => Value::Object(expand_members(members, revision)),
        _ => value.clone(),
    }
}

fn expand_members(members: &Map<String, Value>, revision: Revision) -> Map<String, Value> {
    let mut expanded = Map::new();
    if let Some(part) = members.get("$") {
        expanded = expand(part, revision).as_object().unwrap().clone();
    }
    for (key, value) in members {
        let (name, marks) = key.split_once('@').unwrap_or((key, "12345"));
        if !name.is_empty() && name != "$" && is_for(&json!(marks), revision) {
            expanded.insert(name.to_owned(), expand(value, revision));
        }
    }
    expanded
}

pub(super) fn is_for(marks: &Value, revision: Revision) -> bool {
    let mark = (revision as usize + 1).to_string();
    marks.as_str().unwrap().contains(&mark)
}

/// Merges members recursively.
pub(super) fn merge(value: &mut Value, more: Value) {
    match (value, more) {
        (Value::Object(members), Value::Object(more)) => {
            for (key, more) in more {
                merge(members.entry(key).or_insert(Value::Null), more);
            }
        }
        (value, more) => *value = more,
    }
}
