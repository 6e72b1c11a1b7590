use serde_json::Value;

use super::Parameter;
use crate::schema;

/// A schema that its author wrote: passed on untouched, and enforced.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no JSON Schema",
    label = "neither JSON nor text",
    note = "`input_schema` takes a `serde_json::Value`, or the text of one: `include_str!(\"schema.json\")`"
)]
pub trait HandWritten {
    /// The schema; an error says why it is none.
    ///
    /// # Errors
    /// The text is no JSON.
    fn schema(self) -> Result<Value, String>;
}

impl HandWritten for Value {
    fn schema(self) -> Result<Value, String> {
        Ok(self)
    }
}

impl HandWritten for &str {
    fn schema(self) -> Result<Value, String> {
        serde_json::from_str(self).map_err(|error| format!("`input_schema` is no JSON: {error}"))
    }
}

impl HandWritten for String {
    fn schema(self) -> Result<Value, String> {
        self.as_str().schema()
    }
}

/// Reads what stands behind `input_schema`.
///
/// # Errors
/// As `HandWritten::schema`.
pub fn hand_written<S: HandWritten>(schema: S) -> Result<Value, String> {
    schema.schema()
}

/// Everything that keeps a schema written by hand from being enforced for these parameters.
pub(super) fn mistakes(schema: &Value, parameters: &[Parameter]) -> Vec<String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return vec!["`input_schema` must have `\"type\": \"object\"` at its root".to_owned()];
    }
    let unsupported = schema::unsupported(schema);
    let mut mistakes: Vec<String> = unsupported
        .iter()
        .map(|place| format!("`input_schema` has `{place}`, which cannot be enforced; remove it"))
        .collect();
    let required: Vec<&str> = schema
        .as_object()
        .into_iter()
        .flat_map(schema::required)
        .collect();
    for parameter in parameters {
        let name = parameter.name;
        if schema
            .pointer("/properties")
            .is_none_or(|all| all.get(name).is_none())
        {
            mistakes.push(format!("`input_schema` has no property `{name}`"));
        } else if parameter.is_required() && !required.contains(&name) {
            mistakes.push(format!(
                "`input_schema` does not require `{name}`; require it, or take an `Option`"
            ));
        }
    }
    mistakes
}
