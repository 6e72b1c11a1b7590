use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Outcome, ToolOutput};
use crate::error::ToolError;
use crate::protocol::CallToolResult;
use crate::schema;

impl ToolOutput for CallToolResult {
    fn into_result(self) -> Outcome {
        Ok(self)
    }
}

impl ToolOutput for () {
    fn into_result(self) -> Outcome {
        Ok(CallToolResult::default())
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl ToolOutput for $type {
            fn into_result(self) -> Outcome {
                Ok(CallToolResult::text(self))
            }
        }
    )*};
}

text!(String, &'static str, Box<str>, Cow<'static, str>);

/// A value as structured content: written once, here.
pub(super) fn structured<T: Serialize>(value: &T) -> Outcome {
    CallToolResult::structured(value).map_err(ToolError::internal)
}

/// The JSON Schema of `T` as tools advertise their results.
///
/// For an implementation of [`ToolOutput::schema`].
#[must_use]
pub fn schema_of<T: JsonSchema + ?Sized>() -> Value {
    schema::output(schema::of::<T>(schema::output_generator()))
}
