//! Builds and checks the forms of elicitation: flat schemas whose fields a user fills in.

mod custom_schema;
mod fields;

use std::marker::PhantomData;

pub(crate) use custom_schema::{form_content_error, form_schema_error};
pub use fields::{Elicitable, FormChoice, FormField};
use serde_json::{Map, Value, json};

use super::{Keywords, Problem, Violation, check, internal, normalize_input};
use crate::protocol::JsonObject;

/// A form whose content is deserialized into a `T`.
#[derive(Debug)]
pub(crate) struct ElicitationForm<T> {
    /// The schema that is sent to the client.
    requested_schema: Value,
    /// The schema of `T`, which may be stricter than a form can express.
    type_schema: Value,
    value_type: PhantomData<fn() -> T>,
}

/// Builds the form for `T`.
///
/// # Errors
/// Returns a clause that names the part of `T` that a form does not support.
pub(crate) fn elicitation_form<T: Elicitable>() -> Result<ElicitationForm<T>, String> {
    let schema =
        internal::without_internal_keywords(super::schema_of::<T>(super::input_generator()));
    Ok(ElicitationForm {
        requested_schema: requested_schema(&schema)?,
        type_schema: normalize_input(schema),
        value_type: PhantomData,
    })
}

impl<T: Elicitable> ElicitationForm<T> {
    pub(crate) fn requested_schema(&self) -> &Value {
        &self.requested_schema
    }

    /// Deserializes the content of the client's response. Fields that are not in the form are
    /// ignored.
    ///
    /// # Errors
    /// Returns the first violation of the schema, or the error of serde.
    pub(crate) fn parse(&self, content: JsonObject) -> Result<T, String> {
        let has_field = |name: &str| self.requested_schema["properties"].get(name).is_some();
        let content = content.into_iter().filter(|(name, _)| has_field(name));
        let content = Value::Object(content.collect());
        if let Some(violation) = check(&self.type_schema, &content).first() {
            return Err(violation_message(violation));
        }
        serde_json::from_value(content).map_err(|error| error.to_string())
    }
}

fn violation_message(violation: &Violation) -> String {
    let field = violation.pointer.trim_start_matches('/');
    match &violation.problem {
        Problem::Mismatch { expected, got } => format!("`{field}` must be {expected}, not {got}"),
        Problem::Missing { expected } => format!("`{field}` is missing; it must be {expected}"),
        Problem::Rejected { got } => format!("`{field}` must not be {got}"),
        Problem::Unknown => format!("there is no field `{field}`"),
    }
}

/// Builds the schema of a form (specification, *Elicitation*, *Requested schema*).
fn requested_schema(schema: &Value) -> Result<Value, String> {
    let fields = match (schema["type"].as_str(), schema.get("properties")) {
        (Some("object"), Some(Value::Object(fields))) => fields.clone(),
        (Some("object"), None) if schema.get("oneOf").is_none() => Map::new(),
        _ => return Err("a form is a struct with named fields".to_owned()),
    };
    let mut properties = Map::new();
    for (name, field) in fields {
        let Value::Object(field) = field else {
            return Err(unsupported_field(&name));
        };
        let field = form_field(without_null(field)).ok_or_else(|| unsupported_field(&name))?;
        properties.insert(name, Value::Object(field));
    }
    let mut form = json!({ "type": "object", "properties": properties });
    if let Some(required) = schema.get("required") {
        form["required"] = required.clone();
    }
    Ok(form)
}

fn unsupported_field(name: &str) -> String {
    format!(
        "its field `{name}` is not a string, number, boolean, enum of unit variants or list of such enums"
    )
}

/// The keywords that a field of any type can have.
const COMMON_KEYWORDS: [&str; 3] = ["title", "description", "default"];
const STRING_KEYWORDS: [&str; 3] = ["minLength", "maxLength", "format"];
const NUMBER_KEYWORDS: [&str; 2] = ["minimum", "maximum"];
const LIST_KEYWORDS: [&str; 2] = ["minItems", "maxItems"];
/// The string formats that the specification allows.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// Reduces a field to the keywords that forms allow. Returns `None` if a form cannot have the
/// field.
fn form_field(field: Keywords) -> Option<Keywords> {
    if let Some(choices) = choices(&field) {
        let mut choice = retain_keywords(normalized_annotations(&field), &[]);
        choice.insert("type".to_owned(), json!("string"));
        choice.extend(choices.single_select());
        if let Some(names) = field.get("enumNames") {
            choice.insert("enumNames".to_owned(), names.clone());
        }
        return Some(choice);
    }
    if field.get("type") == Some(&json!("array")) {
        let choices = choices(field.get("items")?.as_object()?)?;
        let mut list = retain_keywords(normalized_annotations(&field), &LIST_KEYWORDS);
        list.insert("type".to_owned(), json!("array"));
        list.insert("items".to_owned(), choices.multi_select());
        return Some(list);
    }
    let Value::Object(mut field) = normalize_input(Value::Object(field)) else {
        return None;
    };
    let format = field.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| !FORMATS.contains(&format)) {
        field.remove("format");
    }
    let keywords: &[&str] = match field.get("type")?.as_str()? {
        "string" => &STRING_KEYWORDS,
        "integer" | "number" => &NUMBER_KEYWORDS,
        "boolean" => &[],
        _ => return None,
    };
    let kind = field.get("type").cloned();
    let mut reduced = retain_keywords(field, keywords);
    reduced.extend(kind.map(|kind| ("type".to_owned(), kind)));
    Some(reduced)
}

/// Returns the normalized annotations of a field, without the keywords that depend on its type.
fn normalized_annotations(field: &Keywords) -> Keywords {
    let annotations = retain_keywords(field.clone(), &LIST_KEYWORDS);
    match normalize_input(Value::Object(annotations)) {
        Value::Object(plain) => plain,
        _ => Keywords::new(),
    }
}

fn retain_keywords(field: Keywords, keywords: &[&str]) -> Keywords {
    let fits = |name: &str| COMMON_KEYWORDS.contains(&name) || keywords.contains(&name);
    let null = |name: &str, value: &Value| name == "default" && value.is_null();
    field
        .into_iter()
        .filter(|(name, value)| fits(name) && !null(name, value))
        .collect()
}

/// The values of an enum, each with an optional title.
struct Choices(Vec<(String, Option<String>)>);

/// Returns the values of a field whose type is an enum of unit variants.
fn choices(field: &Keywords) -> Option<Choices> {
    let mut found = Vec::new();
    let variants = field.get("oneOf").or_else(|| field.get("anyOf"));
    if let Some(variants) = variants {
        for variant in variants.as_array()? {
            let variant = variant.as_object()?;
            let title = variant.get("title").or_else(|| variant.get("description"));
            let title = title.and_then(Value::as_str).map(first_line);
            for value in values(variant)? {
                found.push((value, title.clone()));
            }
        }
    } else {
        found.extend(values(field)?.into_iter().map(|value| (value, None)));
    }
    (!found.is_empty()).then_some(Choices(found))
}

fn values(variant: &Keywords) -> Option<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match (variant.get("const"), variant.get("enum")) {
        (Some(value), _) => Some(vec![text(value)?]),
        (None, Some(Value::Array(values))) => values.iter().map(text).collect(),
        _ => None,
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

impl Choices {
    fn single_select(&self) -> Keywords {
        let (keyword, choices) = match self.titled() {
            Some(titled) => ("oneOf", titled),
            None => ("enum", self.untitled()),
        };
        Keywords::from_iter([(keyword.to_owned(), choices)])
    }

    fn multi_select(&self) -> Value {
        match self.titled() {
            Some(titled) => json!({ "anyOf": titled }),
            None => json!({ "type": "string", "enum": self.untitled() }),
        }
    }

    fn untitled(&self) -> Value {
        self.0.iter().map(|(value, _)| value.as_str()).collect()
    }

    /// Returns the values with their titles, or `None` if no value has a title. The title of a
    /// value without one is the value.
    fn titled(&self) -> Option<Value> {
        self.0.iter().find(|(_, title)| title.is_some())?;
        let choices = self.0.iter().map(
            |(value, title)| json!({ "const": value, "title": title.as_ref().unwrap_or(value) }),
        );
        Some(choices.collect())
    }
}

/// Removes `null` from the field of an `Option`, which leaves the field of its inner type.
fn without_null(mut field: Keywords) -> Keywords {
    let is_null = |schema: &Value| schema["type"] == "null";
    if let Some(Value::Array(list)) = field.get_mut("anyOf") {
        let before = list.len();
        list.retain(|schema| !is_null(schema));
        if let (true, [Value::Object(only)]) = (list.len() < before, list.as_slice()) {
            let only = only.clone();
            field.remove("anyOf");
            for (name, value) in only {
                field.entry(name).or_insert(value);
            }
        }
    }
    if let Some(Value::Array(kinds)) = field.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            field.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = field.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    field
}
