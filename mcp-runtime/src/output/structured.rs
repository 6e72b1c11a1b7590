use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Outcome, ToolOutput, schema_of, values};
use crate::protocol::ContentBlock;

/// A structured value with a text of the author's own instead of its JSON.
///
/// Programs read the value, and the model the text, so a long value can be
/// summed up for it. The output schema is that of the value.
///
/// ```
/// use mcp_runtime::{Structured, prelude::*};
///
/// #[json]
/// struct Weather {
///     celsius: f64,
///     humidity: f64,
/// }
///
/// /// Tells the weather.
/// #[tool(read_only)]
/// fn weather() -> Structured<Weather> {
///     let value = Weather { celsius: 20.5, humidity: 0.4 };
///     let text = format!("{} °C and dry", value.celsius);
///     Structured { value, text }
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Structured<T> {
    /// For programs; it becomes `structuredContent`.
    pub value: T,
    /// For the model, and all that clients before 2025-06-18 get.
    pub text: String,
}

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn into_result(self) -> Outcome {
        let mut result = values::structured(&self.value)?;
        result.content.push(ContentBlock::text(self.text));
        Ok(result)
    }

    fn schema() -> Option<Value> {
        Some(schema_of::<T>())
    }
}
