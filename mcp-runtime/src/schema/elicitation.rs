//! Forms: the flat schemas that a person can be asked to fill in.

mod by_hand;
mod fields;

use std::marker::PhantomData;

pub(crate) use by_hand::{answer_misfit, misfit};
pub use fields::{Elicitable, FormChoice, FormField};
use serde_json::{Map, Value, json};

use super::{Keywords, Problem, Violation, check, normalise};
use crate::protocol::JsonObject;

/// A form for a `T`, and how it is read.
#[derive(Debug)]
pub(crate) struct Form<T> {
    /// What the person is shown.
    requested: Value,
    /// What the type itself demands, which may be more than a form can say.
    demanded: Value,
    read: PhantomData<fn() -> T>,
}

/// The form of `T`; an error says which part no form can hold.
pub(crate) fn form<T: Elicitable>() -> Result<Form<T>, String> {
    let told = super::of::<T>(super::generator());
    Ok(Form {
        requested: requested(&told)?,
        demanded: normalise(told),
        read: PhantomData,
    })
}

impl<T: Elicitable> Form<T> {
    pub(crate) fn requested(&self) -> &Value {
        &self.requested
    }

    /// Reads what was filled in; fields that were not asked for are left out.
    pub(crate) fn read(&self, content: JsonObject) -> Result<T, String> {
        let asked = |name: &str| self.requested["properties"].get(name).is_some();
        let content = content.into_iter().filter(|(name, _)| asked(name));
        let content = Value::Object(content.collect());
        if let Some(violation) = check(&self.demanded, &content).first() {
            return Err(told(violation));
        }
        serde_json::from_value(content).map_err(|error| error.to_string())
    }
}

fn told(violation: &Violation) -> String {
    let field = violation.pointer.trim_start_matches('/');
    match &violation.problem {
        Problem::Mismatch { expected, got } => format!("`{field}` must be {expected}, not {got}"),
        Problem::Missing { expected } => format!("`{field}` is missing; it is {expected}"),
        Problem::Rejected { got } => format!("`{field}` must not be {got}"),
        Problem::Unknown => format!("there is no field `{field}`"),
    }
}

/// The schema of a form (specification, *Elicitation*, *Requested schema*).
fn requested(told: &Value) -> Result<Value, String> {
    let fields = match (told["type"].as_str(), told.get("properties")) {
        (Some("object"), Some(Value::Object(fields))) => fields.clone(),
        (Some("object"), None) if told.get("oneOf").is_none() => Map::new(),
        _ => return Err("a form is a struct of named fields".to_owned()),
    };
    let mut properties = Map::new();
    for (name, field) in fields {
        let Value::Object(field) = field else {
            return Err(no_field(&name));
        };
        let field = primitive(without_null(field)).ok_or_else(|| no_field(&name))?;
        properties.insert(name, Value::Object(field));
    }
    let mut form = json!({ "type": "object", "properties": properties });
    if let Some(required) = told.get("required") {
        form["required"] = required.clone();
    }
    Ok(form)
}

fn no_field(name: &str) -> String {
    format!(
        "its field `{name}` is no string, number, boolean, enum of plain variants or list of such enums"
    )
}

const ANY: [&str; 3] = ["title", "description", "default"];
const STRING: [&str; 3] = ["minLength", "maxLength", "format"];
const NUMBER: [&str; 2] = ["minimum", "maximum"];
const LIST: [&str; 2] = ["minItems", "maxItems"];
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// One field with the keywords that a form may have; `None` if it is none.
fn primitive(field: Keywords) -> Option<Keywords> {
    if let Some(choices) = choices(&field) {
        let mut choice = kept(plain(&field), &[]);
        choice.insert("type".to_owned(), json!("string"));
        choice.extend(choices.single());
        if let Some(names) = field.get("enumNames") {
            choice.insert("enumNames".to_owned(), names.clone());
        }
        return Some(choice);
    }
    if field.get("type") == Some(&json!("array")) {
        let choices = choices(field.get("items")?.as_object()?)?;
        let mut list = kept(plain(&field), &LIST);
        list.insert("type".to_owned(), json!("array"));
        list.insert("items".to_owned(), choices.several());
        return Some(list);
    }
    let Value::Object(mut field) = normalise(Value::Object(field)) else {
        return None;
    };
    let format = field.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| !FORMATS.contains(&format)) {
        field.remove("format");
    }
    let keywords: &[&str] = match field.get("type")?.as_str()? {
        "string" => &STRING,
        "integer" | "number" => &NUMBER,
        "boolean" => &[],
        _ => return None,
    };
    let kind = field.get("type").cloned();
    let mut kept = kept(field, keywords);
    kept.extend(kind.map(|kind| ("type".to_owned(), kind)));
    Some(kept)
}

/// The annotations as the normaliser leaves them, without what is particular to the type.
fn plain(field: &Keywords) -> Keywords {
    let annotations = kept(field.clone(), &LIST);
    match normalise(Value::Object(annotations)) {
        Value::Object(plain) => plain,
        _ => Keywords::new(),
    }
}

fn kept(field: Keywords, keywords: &[&str]) -> Keywords {
    let fits = |name: &str| ANY.contains(&name) || keywords.contains(&name);
    let null = |name: &str, value: &Value| name == "default" && value.is_null();
    field
        .into_iter()
        .filter(|(name, value)| fits(name) && !null(name, value))
        .collect()
}

/// The values of an enum, each with its title if it has one.
struct Choices(Vec<(String, Option<String>)>);

/// What schemars says of an enum of plain variants.
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
    fn single(&self) -> Keywords {
        let (keyword, choices) = match self.titled() {
            Some(titled) => ("oneOf", titled),
            None => ("enum", self.untitled()),
        };
        Keywords::from_iter([(keyword.to_owned(), choices)])
    }

    fn several(&self) -> Value {
        match self.titled() {
            Some(titled) => json!({ "anyOf": titled }),
            None => json!({ "type": "string", "enum": self.untitled() }),
        }
    }

    fn untitled(&self) -> Value {
        self.0.iter().map(|(value, _)| value.as_str()).collect()
    }

    /// With one title, all have one: a value without is its own.
    fn titled(&self) -> Option<Value> {
        self.0.iter().find(|(_, title)| title.is_some())?;
        let choices = self.0.iter().map(
            |(value, title)| json!({ "const": value, "title": title.as_ref().unwrap_or(value) }),
        );
        Some(choices.collect())
    }
}

/// The field of an `Option` as that of what is in it: it need not be filled in.
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
