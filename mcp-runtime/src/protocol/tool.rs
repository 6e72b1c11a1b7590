use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{ContentBlock, Icon, JsonObject};
use crate::jsonrpc::{Members, decode_string};

/// A tool, as `tools/list` returns it; `S` is the type of its schemas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool<S = Value> {
    /// The name that calls use.
    pub name: String,
    /// A human-readable name (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Icons (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The JSON Schema of the arguments; its root has the type `object`.
    pub input_schema: S,
    /// The JSON Schema of the structured result (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<S>,
    /// Hints about the behaviour of the tool (since 2025-03-26).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Additional data for programs, the member `_meta` (since 2025-06-18).
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

impl<S> Tool<S> {
    /// Converts the schemas with `convert`.
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

/// Hints about the behaviour of a tool. They are not guarantees.
///
/// Clients assume the most cautious value for a missing hint: not read-only, destructive, not
/// idempotent, open world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolAnnotations {
    /// The tool changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may delete or overwrite data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// A repeated call with the same arguments has no further effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool interacts with systems outside of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// The result of `tools/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListToolsResult {
    /// One page of the tools, sorted by name.
    pub tools: Vec<Tool>,
    /// The cursor of the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The parameters of `tools/call`; the arguments are not parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallToolRequestParams<'a> {
    /// The name of the tool.
    pub name: Cow<'a, str>,
    /// The arguments as JSON; `None` if they are absent or `null`.
    pub arguments: Option<&'a str>,
}

impl<'a> CallToolRequestParams<'a> {
    /// Parses the parameters without parsing the arguments, since parsing them twice
    /// would dominate the cost of a long call.
    ///
    /// `params` must be valid JSON. Returns `None` if `name` is missing or a member is
    /// duplicated.
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

    /// Like [`parse`](Self::parse), and also returns the nesting depth of the arguments.
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
/// If `content` is empty and there is structured content, the server adds a text block with
/// the same JSON, for clients that read only text.
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
    /// The structured result, which conforms to the output schema of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Box<RawValue>>,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Additional data for programs, the member `_meta`.
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

    /// Creates a result with structured content; its text is the same JSON.
    ///
    /// # Errors
    /// The error of serde if `value` cannot be serialized.
    pub fn structured<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self {
            structured_content: Some(serde_json::value::to_raw_value(value)?),
            ..Self::default()
        })
    }

    /// Creates an error result, whose text the model reads.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// The length of the content in bytes, before JSON escaping.
    pub(crate) fn content_bytes(&self) -> usize {
        let structured = self.structured_content.as_ref();
        let structured = structured.map_or(0, |json| json.get().len());
        let content = self.content.iter().map(ContentBlock::content_bytes);
        structured + content.sum::<usize>()
    }

    /// Returns the text of the first text block.
    #[must_use]
    pub fn first_text(&self) -> Option<&str> {
        self.content.iter().find_map(ContentBlock::as_text)
    }
}
