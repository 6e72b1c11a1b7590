//! What of a schema is not checked.

use crate::schema::keyword::{each_child, escape, target};
use crate::schema::pattern;
use serde_json::Value;

/// Keywords that restrict an instance and that `check` does not know.
const UNKNOWN: [&str; 7] = [
    "$dynamicRef",
    "$recursiveRef",
    "additionalItems",
    "dependencies",
    "disallow",
    "extends",
    "unevaluatedItems",
];

/// JSON Pointers to the keywords that are published but not enforced.
///
/// These are keywords of other drafts, references out of the document, and
/// patterns beyond the regular expressions that are understood.
pub(crate) fn unsupported(schema: &Value) -> Vec<String> {
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
            ("$ref", Value::String(reference)) => target(root, reference).is_some(),
            ("pattern", Value::String(text)) => pattern::matches(text, "").is_some(),
            ("items", Value::Array(_)) => false,
            (keyword, _) => !UNKNOWN.contains(&keyword),
        };
        if !understood {
            found.push(format!("{pointer}/{}", escape(keyword)));
        }
    }
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    for text in patterns.into_iter().flat_map(|patterns| patterns.keys()) {
        if pattern::matches(text, "").is_none() {
            found.push(format!("{pointer}/patternProperties/{}", escape(text)));
        }
    }
    each_child(keywords, |keyword, name, child| {
        let name = name
            .map(|name| format!("/{}", escape(&name)))
            .unwrap_or_default();
        collect(root, child, &format!("{pointer}/{keyword}{name}"), found);
    });
}
