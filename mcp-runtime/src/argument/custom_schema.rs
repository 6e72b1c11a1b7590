use serde_json::Value;

use super::Parameter;
use crate::schema;

/// A JSON Schema that the server author wrote. It is sent to clients unchanged, and it is enforced.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a JSON Schema",
    label = "neither a JSON value nor a string",
    note = "`input_schema` takes a `serde_json::Value`, or its text, such as `include_str!(\"schema.json\")`"
)]
pub trait CustomSchema {
    /// Returns the schema as a JSON value.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON.
    fn into_schema(self) -> Result<Value, String>;
}

impl CustomSchema for Value {
    fn into_schema(self) -> Result<Value, String> {
        Ok(self)
    }
}

impl CustomSchema for &str {
    fn into_schema(self) -> Result<Value, String> {
        serde_json::from_str(self).map_err(|error| format!("`input_schema` is not JSON: {error}"))
    }
}

impl CustomSchema for String {
    fn into_schema(self) -> Result<Value, String> {
        self.as_str().into_schema()
    }
}

/// Converts the value of the attribute key `input_schema` to a JSON value.
///
/// # Errors
/// Returns an error if the text is not JSON.
pub fn custom_schema<S: CustomSchema>(schema: S) -> Result<Value, String> {
    schema.into_schema()
}

/// Returns the reasons why a custom schema cannot be used with these parameters.
pub(super) fn errors(schema: &Value, parameters: &[Parameter]) -> Vec<String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return vec!["`input_schema` must have `\"type\": \"object\"` at its root".to_owned()];
    }
    let unsupported = schema::unsupported_keywords(schema);
    let mut errors: Vec<String> = unsupported
        .iter()
        .map(|place| format!("`input_schema` has `{place}`, which cannot be enforced; remove it"))
        .collect();
    let required: Vec<&str> = schema
        .as_object()
        .into_iter()
        .flat_map(schema::required_names)
        .collect();
    for parameter in parameters {
        let name = parameter.name;
        if schema
            .pointer("/properties")
            .is_none_or(|all| all.get(name).is_none())
        {
            errors.push(format!("`input_schema` has no property `{name}`"));
        } else if parameter.is_required() && !required.contains(&name) {
            errors.push(format!(
                "`input_schema` does not require `{name}`; require it, or take an `Option`"
            ));
        }
    }
    errors
}
