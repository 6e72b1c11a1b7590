//! Generates an example value from a schema.

use crate::schema::Keywords;
use crate::schema::check::is_valid;
use crate::schema::format::string_format;
use crate::schema::keyword::{dereference, required_names, subschemas};
use serde_json::{Map, Value, json};

/// Candidates for a generated string. The first valid candidate is used.
const STRINGS: [&str; 14] = [
    "text",
    "a",
    "A",
    "1",
    "ab",
    "AB",
    "12",
    "abc",
    "ABC",
    "123",
    "1234",
    "12345",
    "a@example.org",
    "https://example.org/",
];

/// The document that contains the schemas of the generated values.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) root: &'a Value,
    /// The string that is used wherever the schema accepts it.
    pub(super) preferred: Option<&'a str>,
}

/// Returns a value that the schema declares, such as its default, or a simple value if it declares
/// none.
///
/// The value may be invalid for a complex schema, so the caller must check it.
pub(super) fn generate(document: Document<'_>, schema: &Value, depth: usize) -> Option<Value> {
    let root = document.root;
    let deeper = depth.checked_sub(1)?;
    declared_value(root, schema).or_else(|| {
        let resolved = dereference(root, schema);
        declared_value(root, resolved).or_else(|| generate_by_type(document, resolved, deeper))
    })
}

/// Returns the first valid value of `default`, `examples`, `const` and `enum`.
fn declared_value(root: &Value, schema: &Value) -> Option<Value> {
    let first = |keyword: &str| schema.get(keyword)?.as_array()?.first();
    let candidates = [
        schema.get("default"),
        first("examples"),
        schema.get("const"),
        first("enum"),
    ];
    let mut candidates = candidates.into_iter().flatten();
    candidates
        .find(|value| is_valid(root, schema, value))
        .cloned()
}

fn generate_by_type(document: Document<'_>, schema: &Value, depth: usize) -> Option<Value> {
    let root = document.root;
    let Value::Object(keywords) = schema else {
        return Some(json!("value"));
    };
    for combination in ["anyOf", "oneOf", "allOf"] {
        let branches = keywords
            .get(combination)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let mut samples = branches.filter_map(|branch| generate(document, branch, depth));
        if let Some(found) = samples.find(|value| is_valid(root, schema, value)) {
            return Some(found);
        }
    }
    let kind = match keywords.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        kind => kind.and_then(Value::as_str),
    };
    match kind {
        Some("null") => Some(Value::Null),
        Some("boolean") => Some(json!(true)),
        Some("integer" | "number") => first_valid(root, schema, numbers(keywords)),
        Some("string") => first_valid(root, schema, strings(keywords, document.preferred)),
        Some("array") => generate_array(document, keywords, depth),
        Some("object") => generate_object(document, keywords, depth),
        _ => first_valid(
            root,
            schema,
            [json!("value"), json!(1), json!({}), json!([])],
        ),
    }
}

fn first_valid(
    root: &Value,
    schema: &Value,
    candidates: impl IntoIterator<Item = Value>,
) -> Option<Value> {
    candidates
        .into_iter()
        .find(|candidate| is_valid(root, schema, candidate))
}

fn numbers(keywords: &Keywords) -> Vec<Value> {
    let mut candidates = vec![json!(1)];
    for keyword in ["minimum", "maximum", "multipleOf"] {
        candidates.extend(keywords.get(keyword).cloned());
    }
    for (keyword, step) in [("exclusiveMinimum", 1), ("exclusiveMaximum", -1)] {
        let bound = keywords.get(keyword).and_then(Value::as_i64);
        candidates.extend(
            bound
                .and_then(|bound| bound.checked_add(step))
                .map(Value::from),
        );
        let bound = keywords.get(keyword).and_then(Value::as_f64);
        candidates.extend(bound.map(|bound| json!(bound + f64::from(step as i32) / 2.0)));
    }
    candidates.push(json!(0));
    candidates
}

fn strings(keywords: &Keywords, preferred: Option<&str>) -> Vec<Value> {
    let format = keywords.get("format").and_then(Value::as_str);
    let of_format = format.and_then(string_format).map(|format| format.example);
    let size = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
    let length = size("minLength")
        .or(size("maxLength"))
        .unwrap_or(4)
        .min(200);
    let length = usize::try_from(length).unwrap_or(4);
    let mut candidates: Vec<Value> = of_format
        .into_iter()
        .chain(preferred)
        .map(Value::from)
        .collect();
    candidates.extend(STRINGS.map(Value::from));
    candidates.extend(
        ["text", "1", "A"]
            .map(|text| Value::from(text.chars().cycle().take(length).collect::<String>())),
    );
    candidates
}

fn generate_array(document: Document<'_>, keywords: &Keywords, depth: usize) -> Option<Value> {
    let size = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
    let prefix = keywords.get("prefixItems").and_then(Value::as_array);
    let mut items: Vec<Value> = Vec::new();
    for schema in prefix.into_iter().flatten() {
        items.push(generate(document, schema, depth)?);
    }
    let length = size("minItems")
        .unwrap_or(0)
        .max(1)
        .min(size("maxItems").unwrap_or(u64::MAX));
    let length = usize::try_from(length.min(50)).unwrap_or(1);
    let rest = keywords
        .get("items")
        .and_then(|schema| generate(document, schema, depth));
    let min = size("minItems").unwrap_or(0);
    match rest {
        Some(item) => items.resize(items.len().max(length), item),
        None if min > 0 && items.is_empty() => return None,
        None => {}
    }
    Some(Value::Array(items))
}

fn generate_object(document: Document<'_>, keywords: &Keywords, depth: usize) -> Option<Value> {
    let mut members = Map::new();
    for name in required_names(keywords) {
        let schema = subschemas(keywords, "properties").and_then(|properties| properties.get(name));
        let value = match schema {
            Some(schema) => generate(document, schema, depth)?,
            None => json!("value"),
        };
        members.insert(name.to_owned(), value);
    }
    Some(Value::Object(members))
}
