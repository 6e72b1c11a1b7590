//! Converts what a function returns to a `CallToolResult`, a `GetPromptResult` or the
//! contents of a resource.
//!
//! A type that implements [`ToolOutput`] converts itself; any other type that serializes
//! and has a JSON Schema becomes structured content. Two blanket implementations would
//! overlap, so generated code selects one of the two by method resolution ([`select`]).

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

/// The result of a tool call before it is encoded.
pub type ToolOutcome = Result<CallToolResult, ToolError>;

/// A type that converts itself to the result of a tool.
///
/// Implemented for strings (text), `()` (empty content), [`Content`] and lists and
/// tuples of it, [`Structured`], and [`CallToolResult`] itself. Implement it for your
/// own type to choose its content.
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
    /// Converts the value to the result of the call.
    ///
    /// # Errors
    /// The value cannot be converted; the model reads the error.
    fn into_result(self) -> Result<CallToolResult, ToolError>;

    /// The JSON Schema of the structured content, if every result has structured content.
    /// Defaults to `None`.
    #[must_use]
    fn schema() -> Option<Value> {
        None
    }
}
