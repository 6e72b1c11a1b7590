//! Converts the return value of a handler to a `CallToolResult`, a `GetPromptResult` or the
//! contents of a resource.
//!
//! A tool can return a type that implements [`ToolOutput`], or any type that implements `Serialize`
//! and `JsonSchema`. Values of the second kind become structured content. Rust does not allow two
//! overlapping blanket implementations, so generated code selects the conversion by method
//! resolution (see `select`).

mod content;
mod id64;
mod page;
mod prompt;
mod resource;
mod select;
mod structured;
mod values;

use serde_json::Value;

pub use content::Content;
pub use id64::{Id64, Integer64};
pub use page::{Cursor, Page};
pub use prompt::PromptOutput;
#[doc(hidden)]
pub use prompt::{PromptOutcome, prompt_result};
pub use resource::ResourceOutput;
#[doc(hidden)]
pub use resource::{ResourceOutcome, resource_result};
pub(crate) use select::TypeTag;
#[doc(hidden)]
pub use select::{
    DisplayKind, OutputConverter, ResultKind, SerializeKind, StdErrorKind, ToolErrorKind,
    ToolOutputKind, ValueKind, tool_result, type_tag,
};
pub use structured::Structured;
pub use values::schema_of;

use crate::error::ToolError;
use crate::protocol::CallToolResult;

/// The result of a tool call before it is serialized.
pub type ToolOutcome = Result<CallToolResult, ToolError>;

/// A type that can be converted to the result of a tool call.
///
/// The trait is implemented for strings (text content), `()` (empty content), types that implement
/// [`Content`], lists and tuples of such types, [`Structured`], and [`CallToolResult`]. Implement
/// this trait for your own type to choose the content of the result.
///
/// ```
/// use mcp_runtime::output::schema_of;
/// use mcp_runtime::{Text, ToolOutput, Value, prelude::*, protocol::CallToolResult};
///
/// struct Celsius(f64);
///
/// impl ToolOutput for Celsius {
///     fn into_result(self) -> Result<CallToolResult, ToolError> {
///         let mut result = CallToolResult::structured(&self.0)?;
///         result.content.push(Text::new(format!("{:.1} °C", self.0)).into());
///         Ok(result)
///     }
///
///     fn schema() -> Option<Value> {
///         Some(schema_of::<f64>())
///     }
/// }
///
/// /// Measures the temperature.
/// #[tool(read_only)]
/// fn measure() -> Celsius {
///     Celsius(20.0)
/// }
/// assert_eq!(measure().into_result().unwrap().first_text(), Some("20.0 °C"));
/// ```
pub trait ToolOutput {
    /// Converts the value to the result of the tool call.
    ///
    /// # Errors
    /// Returns an error if the value cannot be converted. The model receives the text of the error.
    fn into_result(self) -> Result<CallToolResult, ToolError>;

    /// Returns the JSON Schema of the structured content. Return `Some` only if every result has
    /// structured content. The default implementation returns `None`.
    #[must_use]
    fn schema() -> Option<Value> {
        None
    }
}
