//! Describes schemas and values with short English texts.

mod limits;
mod value;

pub(crate) use value::describe_value;

use crate::text::truncate;

use super::Keywords;
use super::keyword::{dereference, required_names};
use serde_json::Value;

/// The maximum number of values that are listed before "or n more".
const MAX_VALUES: usize = 12;

/// The maximum number of alternatives that are listed before "n more forms".
const MAX_ALTERNATIVES: usize = 5;

/// The maximum depth of nested schemas. Schemas at a greater depth are described as "a value".
const MAX_DEPTH: usize = 4;

/// Describes the expected value, such as "an integer from 1 to 9" or "one of `a`, `b`".
///
/// The description omits bounds that only come from the width of an integer type. See
/// [`describe_schema_with_widths`].
pub(crate) fn describe_schema(root: &Value, schema: &Value) -> String {
    SchemaDescriber {
        root,
        show_widths: false,
    }
    .describe(schema, MAX_DEPTH)
}

/// Describes the expected value with the bounds that come from an integer width. It is used for a
/// number that violates a bound.
pub(crate) fn describe_schema_with_widths(root: &Value, schema: &Value) -> String {
    SchemaDescriber {
        root,
        show_widths: true,
    }
    .describe(schema, MAX_DEPTH)
}

/// Describes the expected value, and appends the first line of the schema's `description`.
pub(crate) fn describe_schema_with_doc(root: &Value, schema: &Value) -> String {
    let expected = describe_schema(root, schema);
    let description = schema.get("description").and_then(Value::as_str);
    let first = description
        .and_then(|text| text.lines().next())
        .map(str::trim);
    match first.filter(|line| !line.is_empty()) {
        Some(line) => format!("{expected} ({})", truncate(line, 120)),
        None => expected,
    }
}

struct SchemaDescriber<'a> {
    root: &'a Value,
    show_widths: bool,
}

impl SchemaDescriber<'_> {
    fn describe(&self, schema: &Value, depth: usize) -> String {
        let Some(deeper) = depth.checked_sub(1) else {
            return "a value".to_owned();
        };
        let Value::Object(keywords) = dereference(self.root, schema) else {
            return if schema == &Value::Bool(false) {
                "nothing"
            } else {
                "any value"
            }
            .to_owned();
        };
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return list_values(values);
        }
        if let Some(value) = keywords.get("const") {
            return value::truncated_json(value);
        }
        match keywords.get("type") {
            Some(Value::String(kind)) => self.describe_type(kind, keywords, deeper),
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                join_alternatives(
                    kinds
                        .map(|kind| self.describe_type(kind, keywords, deeper))
                        .collect(),
                )
            }
            _ => self.describe_untyped(keywords, deeper),
        }
    }

    fn describe_untyped(&self, keywords: &Keywords, depth: usize) -> String {
        for combination in ["anyOf", "oneOf", "allOf"] {
            let Some(Value::Array(branches)) = keywords.get(combination) else {
                continue;
            };
            let words = branches.iter().map(|branch| self.describe(branch, depth));
            let words: Vec<String> = words.filter(|words| words != "any value").collect();
            if combination == "allOf" && !words.is_empty() {
                return words.join(" and ");
            }
            if words.len() == branches.len() {
                return join_alternatives(words);
            }
        }
        let restricted = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
        if restricted(&[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ]) {
            self.describe_type("number", keywords, depth)
        } else if restricted(&["minLength", "maxLength", "pattern"]) {
            self.describe_type("string", keywords, depth)
        } else if restricted(&[
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
        ]) {
            self.describe_type("array", keywords, depth)
        } else if restricted(&["properties", "required", "minProperties", "maxProperties"]) {
            self.describe_type("object", keywords, depth)
        } else if let Some(not) = keywords.get("not") {
            format!("anything but {}", self.describe(not, depth))
        } else {
            "any value".to_owned()
        }
    }

    fn describe_type(&self, kind: &str, keywords: &Keywords, depth: usize) -> String {
        match kind {
            "boolean" => "true or false".to_owned(),
            "integer" => format!(
                "an integer{}",
                limits::number_limits(keywords, self.show_widths)
            ),
            "number" => format!(
                "a number{}",
                limits::number_limits(keywords, self.show_widths)
            ),
            "string" => format!("a string{}", limits::string_limits(keywords)),
            "array" => {
                let items = self.describe_items(keywords, depth);
                format!("an array{items}{}", limits::array_limits(keywords))
            }
            "object" => format!("an object{}", describe_object(keywords)),
            other => other.to_owned(),
        }
    }

    fn describe_items(&self, keywords: &Keywords, depth: usize) -> String {
        let items = keywords
            .get("items")
            .map(|items| dereference(self.root, items));
        if keywords.contains_key("prefixItems") || depth == 0 {
            return String::new();
        }
        let kind = items
            .and_then(|items| items.get("type"))
            .and_then(Value::as_str);
        match kind {
            Some("boolean") => " of booleans".to_owned(),
            Some(kind @ ("integer" | "number" | "string" | "array" | "object")) => {
                format!(" of {kind}s")
            }
            _ => String::new(),
        }
    }
}

/// Describes an object by its tag, or by its required properties if it has no tag. The description
/// therefore differs from those of the other alternatives of a union.
fn describe_object(keywords: &Keywords) -> String {
    let required: Vec<&str> = required_names(keywords).take(4).collect();
    let tag = required.iter().find_map(|name| {
        let values = keywords
            .get("properties")?
            .get(name)?
            .get("enum")?
            .as_array()?;
        let [value] = values.as_slice() else {
            return None;
        };
        Some(format!(" with `{name}` {}", value::truncated_json(value)))
    });
    let names = || match required.as_slice() {
        [] | [_, _, _, _, ..] => limits::object_limits(keywords),
        few => {
            let quoted: Vec<String> = few.iter().map(|name| format!("`{name}`")).collect();
            format!(" with {}", quoted.join(" and "))
        }
    };
    tag.unwrap_or_else(names)
}

fn list_values(values: &[Value]) -> String {
    let mut words: Vec<String> = values
        .iter()
        .take(MAX_VALUES)
        .map(value::truncated_json)
        .collect();
    if let [only] = words.as_slice() {
        return only.clone();
    }
    if values.len() > MAX_VALUES {
        words.push(format!("or {} more", values.len() - MAX_VALUES));
    }
    format!("one of {}", words.join(", "))
}

fn join_alternatives(mut words: Vec<String>) -> String {
    let mut seen = Vec::new();
    words.retain(|word| {
        let new = !seen.contains(word);
        seen.push(word.clone());
        new
    });
    if words.len() > MAX_ALTERNATIVES {
        let more = words.len() - MAX_ALTERNATIVES;
        words.truncate(MAX_ALTERNATIVES);
        words.push(format!("{more} more forms"));
    }
    words.join(" or ")
}
