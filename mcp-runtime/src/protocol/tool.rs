use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{ContentBlock, Icon, JsonObject};
use crate::jsonrpc::{Members, decode_string};

/// The definition of a tool in the result of `tools/list`. `S` is the type of the schemas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool<S = Value> {
    /// The name of the tool in requests.
    pub name: String,
    /// A name for display to the user (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Icons (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The JSON Schema of the arguments. The root of the schema has the type `object`.
    pub input_schema: S,
    /// The JSON Schema of the structured content (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<S>,
    /// Hints about the behaviour of the tool (since 2025-03-26).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Additional data for programs (since 2025-06-18). In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

impl<S> Tool<S> {
    /// Converts the input schema and the output schema with `convert`.
    pub(crate) fn with_schemas<T>(self, convert: impl Fn(S) -> T) -> Tool<T> {
        Tool {
            name: self.name,
            title: self.title,
            description: self.description,
            icons: self.icons,
            input_schema: convert(self.input_schema),
            output_schema: self.output_schema.map(convert),
            annotations: self.annotations,
            meta: self.meta,
        }
    }
}

/// Hints about the behaviour of a tool. A client must not rely on them.
///
/// If the hints are missing, clients assume that the tool changes data, is destructive, is not
/// idempotent, and accesses external systems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolAnnotations {
    /// Whether the tool only reads data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// Whether the tool may delete or overwrite data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Whether a repeated call with the same arguments has no additional effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// Whether the tool interacts with systems outside of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// The result of `tools/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListToolsResult {
    /// One page of the tools. The list is sorted by name.
    pub tools: Vec<Tool>,
    /// The cursor of the next page, or `None` on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The parameters of `tools/call` with unparsed arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallToolRequestParams<'a> {
    /// The name of the tool.
    pub name: Cow<'a, str>,
    /// The arguments as JSON text, or `None` if the member is missing or `null`.
    pub arguments: Option<&'a str>,
}

impl<'a> CallToolRequestParams<'a> {
    /// Parses the parameters but not the arguments. The handler's argument types parse the
    /// arguments later.
    ///
    /// `params` must be valid JSON. Returns `None` if `name` is missing or a member occurs twice.
    ///
    /// ```
    /// use mcp_runtime::protocol::CallToolRequestParams;
    ///
    /// let call = CallToolRequestParams::parse(r#"{"name":"add","arguments":{"a":1}}"#);
    /// assert_eq!(call.and_then(|call| call.arguments), Some(r#"{"a":1}"#));
    /// ```
    #[must_use]
    pub fn parse(params: &'a str) -> Option<Self> {
        Self::parse_with_depth(params).map(|(request, _)| request)
    }

    /// Parses the parameters like [`parse`](Self::parse) and also returns the nesting depth of the
    /// arguments.
    pub(crate) fn parse_with_depth(params: &'a str) -> Option<(Self, usize)> {
        let (mut name, mut arguments, mut depth) = (None, None, 0);
        let mut members = Members::of(params);
        while let Some((key, value)) = members.next() {
            let field = match &*key {
                "name" => &mut name,
                "arguments" => {
                    depth = members.depth();
                    &mut arguments
                }
                _ => continue,
            };
            if field.replace(value).is_some() {
                return None;
            }
        }
        let request = Self {
            name: decode_string(name?)?,
            arguments: arguments.filter(|json| *json != "null"),
        };
        Some((request, depth))
    }
}

/// The result of `tools/call`.
///
/// If `content` is empty and there is structured content, the server adds a text block with the
/// same JSON. Some clients read only text.
///
/// ```
/// use mcp_runtime::protocol::CallToolResult;
///
/// let result = CallToolResult::error("There is no such file.");
/// assert!(result.is_error);
/// assert_eq!(result.first_text(), Some("There is no such file."));
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallToolResult {
    /// The content blocks for the model.
    #[serde(default)]
    pub content: Vec<ContentBlock>,
    /// The structured content, which must match the output schema of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Box<RawValue>>,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Additional data for programs. In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

impl CallToolResult {
    /// Creates a result with one text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![ContentBlock::text(text)],
            ..Self::default()
        }
    }

    /// Creates a result with structured content. The server adds the same JSON as text.
    ///
    /// # Errors
    /// Returns an error if `value` cannot be serialized.
    pub fn structured<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self {
            structured_content: Some(serde_json::value::to_raw_value(value)?),
            ..Self::default()
        })
    }

    /// Creates an error result with a text for the model.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// Returns the length of the content in bytes before JSON escaping.
    pub(crate) fn content_bytes(&self) -> usize {
        let structured = self.structured_content.as_ref();
        let structured = structured.map_or(0, |json| json.get().len());
        let content = self.content.iter().map(ContentBlock::content_bytes);
        structured + content.sum::<usize>()
    }

    /// Returns the text of the first text block. Returns `None` if there is no text block.
    #[must_use]
    pub fn first_text(&self) -> Option<&str> {
        self.content.iter().find_map(ContentBlock::as_text)
    }
}
