//! The seam out: from what a function returns to a `CallToolResult`.
//!
//! A type that implements [`ToolOutput`] decides for itself; any other type
//! that has a JSON form and a JSON Schema becomes structured content. Which of
//! the two applies is found by method resolution in generated code ([`probe`]),
//! because the second cannot be a blanket implementation beside the first.

mod content;
mod id64;
mod kind;
mod page;
mod prompt;
mod resource;
mod structured;
mod values;

use serde_json::Value;

pub use content::Content;
pub use id64::{Id64, Integer64};
pub(crate) use kind::Probe;
pub use kind::{
    DirectKind, DisplayedKind, Output, OwnErrorKind, SplitFallible, SplitPlain, StructuredKind,
    TracedKind, probe, tool_result,
};
pub use page::{Cursor, Page};
pub use prompt::{PromptOutcome, PromptOutput, prompt_result};
pub use resource::{ResourceOutcome, ResourceOutput, resource_result};
pub use structured::Structured;
pub use values::schema_of;

use crate::error::ToolError;
use crate::protocol::CallToolResult;

/// What a call comes to before it is encoded.
pub type Outcome = Result<CallToolResult, ToolError>;

/// A type that knows how it is shown as a tool's result.
///
/// Implemented for strings (text), `()` (an empty success), [`Content`] and lists
/// and tuples of it, [`Structured`], and [`CallToolResult`] itself. Implement it
/// for a type of your own to choose its content.
///
/// ```
/// use mcp_runtime::{Text, ToolOutput, Value, prelude::*, protocol::CallToolResult, schema_of};
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
    /// The result of a call that returned this value.
    ///
    /// # Errors
    /// A [`ToolError`] if the value cannot be shown; the model is told.
    fn into_result(self) -> Result<CallToolResult, ToolError>;

    /// The JSON Schema of the structured content, if there always is one.
    #[must_use]
    fn schema() -> Option<Value> {
        None
    }
}
