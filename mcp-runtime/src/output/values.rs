use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use memchr::memmem;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ToolOutcome, ToolOutput};
use crate::error::ToolError;
use crate::protocol::CallToolResult;
use crate::schema::{self, Problem};

impl ToolOutput for CallToolResult {
    fn into_result(self) -> ToolOutcome {
        Ok(self)
    }
}

impl ToolOutput for () {
    fn into_result(self) -> ToolOutcome {
        Ok(CallToolResult::default())
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl ToolOutput for $type {
            fn into_result(self) -> ToolOutcome {
                Ok(CallToolResult::text(self))
            }
        }
    )*};
}

text!(String, &'static str, Box<str>, Cow<'static, str>);

/// Converts a value to a result with structured content.
///
/// # Errors
/// Returns an error if the value cannot be serialized. Returns an error if the JSON contains a
/// `null` that the schema does not allow. For example, NaN is serialized as `null`.
pub(super) fn structured<T: Serialize + JsonSchema>(value: &T) -> ToolOutcome {
    let result = CallToolResult::structured(value).map_err(ToolError::internal)?;
    let json = result.structured_content.as_ref().map_or("", |it| it.get());
    match memmem::find(json.as_bytes(), b"null").and_then(|_| violation(schema_of::<T>, json)) {
        Some(text) => Err(ToolError::internal(text)),
        None => Ok(result),
    }
}

type OutputSchemaCache = HashMap<fn() -> Value, Arc<Value>>;

/// The cached output schemas of all types with a value whose JSON contained `null`.
static CACHE: LazyLock<RwLock<OutputSchemaCache>> = LazyLock::new(RwLock::default);

/// Returns the text for the log about the first schema violation.
fn violation(schema_of: fn() -> Value, json: &str) -> Option<String> {
    let value: Value = serde_json::from_str(json).ok()?;
    let cached = || {
        let cache = CACHE.read().unwrap_or_else(PoisonError::into_inner);
        cache.get(&schema_of).map(Arc::clone)
    };
    let schema = cached().unwrap_or_else(|| {
        let schema = Arc::new(schema_of());
        let mut cache = CACHE.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cache.entry(schema_of).or_insert(schema))
    });
    let violation = schema::check(&schema, &value).into_iter().next()?;
    let pointer = &violation.pointer;
    Some(match violation.problem {
        Problem::Mismatch { expected, got } => format!(
            "the result does not match its output schema at `{pointer}`: expected {expected}, \
             got {got} (a number that is NaN or infinite is `null` in JSON)"
        ),
        _ => format!("the result does not match its output schema at `{pointer}`"),
    })
}

/// Returns the JSON Schema of `T` for use as an output schema.
///
/// Use this function to implement [`ToolOutput::schema`]. See [`ToolOutput`] for an example.
#[must_use]
pub fn schema_of<T: JsonSchema + ?Sized>() -> Value {
    schema::normalize_output(schema::schema_of::<T>(schema::output_generator()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error<T: Serialize + JsonSchema>(value: &T) -> Option<String> {
        let error = structured(value).err()?;
        Some(error.log_detail().to_string())
    }

    #[test]
    fn a_number_that_json_does_not_have_is_an_error() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let text = error(&(1, vec![0.0, number])).unwrap();
            assert!(text.contains("`/1/1`"), "{text}");
        }
        assert_eq!(error(&(1.5, Some("null"), None::<f64>)), None);
        assert_eq!(error(&Value::Null), None);
    }
}
