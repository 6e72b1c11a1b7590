//! Finds the strings of a value that do not have the form of their `format`.

use serde_json::Value;

use super::check::is_valid;
use super::format::{StringFormat, string_format};
use super::keyword::{dereference, push_token, subschemas};

/// Returns the JSON Pointer and the format of each string that does not have the form of its
/// `format`.
pub(crate) fn misformed_strings(
    root: &Value,
    schema: &Value,
    instance: &Value,
) -> Vec<(String, &'static StringFormat)> {
    let mut search = MisformedStrings {
        root,
        pointer: String::new(),
        found: Vec::new(),
    };
    search.visit(schema, instance, MAX_DEPTH);
    search.found
}

/// The maximum depth of nested schemas. Schemas at a greater depth are not searched.
const MAX_DEPTH: usize = 32;

struct MisformedStrings<'a> {
    root: &'a Value,
    pointer: String,
    found: Vec<(String, &'static StringFormat)>,
}

impl MisformedStrings<'_> {
    fn visit(&mut self, schema: &Value, instance: &Value, depth: usize) {
        let Some(deeper) = depth.checked_sub(1) else {
            return;
        };
        let root = self.root;
        let Some(keywords) = dereference(root, schema).as_object() else {
            return;
        };
        let format = keywords.get("format").and_then(Value::as_str);
        if let (Some(format), Some(text)) = (format.and_then(string_format), instance.as_str())
            && !(format.has_form)(text)
        {
            self.found.push((self.pointer.clone(), format));
        }
        let properties = subschemas(keywords, "properties");
        for (name, value) in instance.as_object().into_iter().flatten() {
            let property = properties.and_then(|properties| properties.get(name));
            let schema = property.or_else(|| keywords.get("additionalProperties"));
            self.visit_child(name, schema, value, deeper);
        }
        for (index, value) in instance.as_array().into_iter().flatten().enumerate() {
            self.visit_child(&index.to_string(), keywords.get("items"), value, deeper);
        }
        for combination in ["allOf", "anyOf", "oneOf"] {
            let branches = keywords.get(combination).and_then(Value::as_array);
            let mut valid = branches
                .into_iter()
                .flatten()
                .filter(|branch| is_valid(root, branch, instance));
            if combination == "allOf" {
                valid.for_each(|branch| self.visit(branch, instance, deeper));
            } else {
                self.visit_one_of(valid.by_ref().collect(), instance, deeper);
            }
        }
    }

    fn visit_child(&mut self, token: &str, schema: Option<&Value>, value: &Value, depth: usize) {
        let Some(schema) = schema else {
            return;
        };
        let length = self.pointer.len();
        push_token(&mut self.pointer, token);
        self.visit(schema, value, depth);
        self.pointer.truncate(length);
    }

    /// Searches the alternatives of a union. Reports no string if all strings have their form in
    /// one of the alternatives.
    fn visit_one_of(&mut self, branches: Vec<&Value>, instance: &Value, depth: usize) {
        let before = self.found.len();
        for branch in branches {
            self.found.truncate(before);
            self.visit(branch, instance, depth);
            if self.found.len() == before {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn misformed_strings_are_found_where_they_are() {
        let date = json!({ "type": "string", "format": "date" });
        let schema = json!({
            "type": "object",
            "properties": {
                "day": date,
                "days": { "type": "array", "items": date },
                "either": { "anyOf": [date, { "type": "string", "format": "uuid" }] },
            },
        });
        let found = |instance: Value| -> Vec<String> {
            let found = misformed_strings(&schema, &schema, &instance);
            found.into_iter().map(|(pointer, _)| pointer).collect()
        };
        assert_eq!(found(json!({ "day": "02.01.2026" })), ["/day"]);
        assert_eq!(found(json!({ "day": "2026-02-29" })), ["/day"]);
        assert_eq!(found(json!({ "days": ["2024-02-29", "x"] })), ["/days/1"]);
        assert_eq!(found(json!({ "either": "2026-01-31" })), [""; 0]);
        assert_eq!(
            found(json!({ "either": string_format("uuid").map(|format| format.example) })),
            [""; 0]
        );
        assert_eq!(found(json!({ "either": "x" })), ["/either"]);
    }
}
