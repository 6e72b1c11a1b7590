use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ToolOutcome, ToolOutput};
use crate::error::ToolError;
use crate::protocol::CallToolResult;
use crate::schema;

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

/// The value as structured content.
pub(super) fn structured<T: Serialize>(value: &T) -> ToolOutcome {
    CallToolResult::structured(value).map_err(ToolError::internal)
}

/// The JSON Schema of `T` as an output schema.
///
/// Use it to implement [`ToolOutput::schema`], which has an example.
#[must_use]
pub fn schema_of<T: JsonSchema + ?Sized>() -> Value {
    schema::normalize_output(schema::schema_of::<T>(schema::output_generator()))
}
