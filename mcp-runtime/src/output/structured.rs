use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ToolOutcome, ToolOutput, schema_of, values};
use crate::protocol::ContentBlock;

/// A structured value with a custom text. The text replaces the JSON that the server would send as
/// text.
///
/// For example, a tool can send a long value to programs and a short summary to the model. The
/// output schema is the schema of `T`.
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
/// /// Reports the weather.
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
    /// The value for programs, sent as `structuredContent`.
    pub value: T,
    /// The text for the model. Clients with a protocol version before 2025-06-18 receive only this
    /// text.
    pub text: String,
}

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn into_result(self) -> ToolOutcome {
        let mut result = values::structured(&self.value)?;
        result.content.push(ContentBlock::text(self.text));
        Ok(result)
    }

    fn schema() -> Option<Value> {
        Some(schema_of::<T>())
    }
}
