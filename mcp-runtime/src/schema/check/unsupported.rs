//! Finds the keywords of a schema that `check` does not support.

use crate::schema::keyword::{escape, for_each_subschema, resolve_reference};
use crate::schema::pattern;
use serde_json::Value;

/// Keywords that restrict an instance but that `check` does not support.
const UNSUPPORTED: [&str; 7] = [
    "$dynamicRef",
    "$recursiveRef",
    "additionalItems",
    "dependencies",
    "disallow",
    "extends",
    "unevaluatedItems",
];

/// Returns JSON Pointers to the keywords that clients receive but that the server does not enforce.
///
/// These are keywords of other drafts, references outside of the document, and unsupported regular
/// expressions.
pub(crate) fn unsupported_keywords(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(schema, schema, "", &mut found);
    found
}

fn collect(root: &Value, schema: &Value, pointer: &str, found: &mut Vec<String>) {
    let Value::Object(keywords) = schema else {
        return;
    };
    for (keyword, value) in keywords {
        let understood = match (keyword.as_str(), value) {
            ("$ref", Value::String(reference)) => resolve_reference(root, reference).is_some(),
            ("pattern", Value::String(text)) => pattern::matches_pattern(text, "").is_some(),
            ("items", Value::Array(_)) => false,
            (keyword, _) => !UNSUPPORTED.contains(&keyword),
        };
        if !understood {
            found.push(format!("{pointer}/{}", escape(keyword)));
        }
    }
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    for text in patterns.into_iter().flat_map(|patterns| patterns.keys()) {
        if pattern::matches_pattern(text, "").is_none() {
            found.push(format!("{pointer}/patternProperties/{}", escape(text)));
        }
    }
    for_each_subschema(keywords, |keyword, name, child| {
        let name = name
            .map(|name| format!("/{}", escape(&name)))
            .unwrap_or_default();
        collect(root, child, &format!("{pointer}/{keyword}{name}"), found);
    });
}
