//! Schemas and values in a few English words.

mod limits;
mod shorten;

pub(crate) use shorten::received;

use crate::text::shortened;

use super::Keywords;
use super::keyword::{required, resolved};
use serde_json::Value;

/// So many values or alternatives are named before "or n more".
const NAMED: usize = 12;
const ALTERNATIVES: usize = 5;

/// What the schema expects: "an integer from 1 to 9", "one of `a`, `b`".
///
/// The bounds of an integer width are not told; see [`exactly`].
pub(crate) fn expectation(root: &Value, schema: &Value) -> String {
    Words {
        root,
        widths: false,
    }
    .of(schema, 4)
}

/// As [`expectation`], for a number that misses a bound.
pub(crate) fn exactly(root: &Value, schema: &Value) -> String {
    Words { root, widths: true }.of(schema, 4)
}

/// As [`expectation`], with what the description says about the value.
pub(crate) fn with_description(root: &Value, schema: &Value) -> String {
    let expected = expectation(root, schema);
    let description = schema.get("description").and_then(Value::as_str);
    let first = description
        .and_then(|text| text.lines().next())
        .map(str::trim);
    match first.filter(|line| !line.is_empty()) {
        Some(line) => format!("{expected} ({})", shortened(line, 120)),
        None => expected,
    }
}

struct Words<'a> {
    root: &'a Value,
    widths: bool,
}

impl Words<'_> {
    fn of(&self, schema: &Value, depth: usize) -> String {
        let Some(deeper) = depth.checked_sub(1) else {
            return "a value".to_owned();
        };
        let Value::Object(keywords) = resolved(self.root, schema) else {
            return if schema == &Value::Bool(false) {
                "nothing"
            } else {
                "any value"
            }
            .to_owned();
        };
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return listed(values);
        }
        if let Some(value) = keywords.get("const") {
            return shorten::json(value);
        }
        match keywords.get("type") {
            Some(Value::String(kind)) => self.kind(kind, keywords, deeper),
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                alternatives(
                    kinds
                        .map(|kind| self.kind(kind, keywords, deeper))
                        .collect(),
                )
            }
            _ => self.untyped(keywords, deeper),
        }
    }

    fn untyped(&self, keywords: &Keywords, depth: usize) -> String {
        for combination in ["anyOf", "oneOf", "allOf"] {
            let Some(Value::Array(branches)) = keywords.get(combination) else {
                continue;
            };
            let words = branches.iter().map(|branch| self.of(branch, depth));
            let words: Vec<String> = words.filter(|words| words != "any value").collect();
            if combination == "allOf" && !words.is_empty() {
                return words.join(" and ");
            }
            if words.len() == branches.len() {
                return alternatives(words);
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
            self.kind("number", keywords, depth)
        } else if restricted(&["minLength", "maxLength", "pattern"]) {
            self.kind("string", keywords, depth)
        } else if restricted(&[
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
        ]) {
            self.kind("array", keywords, depth)
        } else if restricted(&["properties", "required", "minProperties", "maxProperties"]) {
            self.kind("object", keywords, depth)
        } else if let Some(not) = keywords.get("not") {
            format!("anything but {}", self.of(not, depth))
        } else {
            "any value".to_owned()
        }
    }

    fn kind(&self, kind: &str, keywords: &Keywords, depth: usize) -> String {
        match kind {
            "boolean" => "true or false".to_owned(),
            "integer" => format!("an integer{}", limits::of_number(keywords, self.widths)),
            "number" => format!("a number{}", limits::of_number(keywords, self.widths)),
            "string" => format!("a string{}", limits::of_string(keywords)),
            "array" => {
                let items = self.items(keywords, depth);
                format!("an array{items}{}", limits::of_array(keywords))
            }
            "object" => format!("an object{}", object(keywords)),
            other => other.to_owned(),
        }
    }

    fn items(&self, keywords: &Keywords, depth: usize) -> String {
        let items = keywords
            .get("items")
            .map(|items| resolved(self.root, items));
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

/// An object is told from its alternatives by its tag, else by what it needs.
fn object(keywords: &Keywords) -> String {
    let required: Vec<&str> = required(keywords).take(4).collect();
    let tag = required.iter().find_map(|name| {
        let values = keywords
            .get("properties")?
            .get(name)?
            .get("enum")?
            .as_array()?;
        let [value] = values.as_slice() else {
            return None;
        };
        Some(format!(" with `{name}` {}", shorten::json(value)))
    });
    let names = || match required.as_slice() {
        [] | [_, _, _, _, ..] => limits::of_object(keywords),
        few => {
            let quoted: Vec<String> = few.iter().map(|name| format!("`{name}`")).collect();
            format!(" with {}", quoted.join(" and "))
        }
    };
    tag.unwrap_or_else(names)
}

fn listed(values: &[Value]) -> String {
    let mut words: Vec<String> = values.iter().take(NAMED).map(shorten::json).collect();
    if let [only] = words.as_slice() {
        return only.clone();
    }
    if values.len() > NAMED {
        words.push(format!("or {} more", values.len() - NAMED));
    }
    format!("one of {}", words.join(", "))
}

fn alternatives(mut words: Vec<String>) -> String {
    let mut seen = Vec::new();
    words.retain(|word| {
        let new = !seen.contains(word);
        seen.push(word.clone());
        new
    });
    if words.len() > ALTERNATIVES {
        let more = words.len() - ALTERNATIVES;
        words.truncate(ALTERNATIVES);
        words.push(format!("{more} more forms"));
    }
    words.join(" or ")
}
