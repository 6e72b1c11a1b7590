use std::borrow::Cow;

use serde_json::Value;

use super::{Outcome, ToolOutput};
use crate::error::ToolError;
use crate::protocol::{CallToolResult, ContentBlock};

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

impl ToolOutput for ContentBlock {
    fn into_result(self) -> Outcome {
        vec![self].into_result()
    }
}

impl ToolOutput for Vec<ContentBlock> {
    fn into_result(self) -> Outcome {
        Ok(CallToolResult {
            content: self,
            ..CallToolResult::default()
        })
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
pub(super) fn structured<T: serde::Serialize>(value: &T) -> Outcome {
    let json = serde_json::value::to_raw_value(value).map_err(ToolError::internal)?;
    Ok(CallToolResult {
        structured_content: Some(json),
        ..CallToolResult::default()
    })
}

pub(super) fn schema_of<T: schemars::JsonSchema>() -> Option<Value> {
    Some(crate::schema::output(crate::schema::of::<T>(
        crate::schema::output_generator(),
    )))
}
