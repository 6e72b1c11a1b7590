use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{ContentBlock, Icon, JsonObject};
use crate::jsonrpc::{Members, text};

/// A tool as `tools/list` shows it; `S` is a schema, owned or lent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool<S = Value> {
    /// What calls name.
    pub name: String,
    /// For people (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// For the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Pictures for people (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The JSON Schema of the arguments; its root is an object.
    pub input_schema: S,
    /// The JSON Schema of the structured result (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<S>,
    /// Hints (since 2025-03-26).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// For programs (since 2025-06-18).
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

impl<S> Tool<S> {
    /// The same tool with its schemas held in another way.
    pub(crate) fn with_schemas<T>(self, hold: impl Fn(S) -> T) -> Tool<T> {
        Tool {
            name: self.name,
            title: self.title,
            description: self.description,
            icons: self.icons,
            input_schema: hold(self.input_schema),
            output_schema: self.output_schema.map(hold),
            annotations: self.annotations,
            meta: self.meta,
        }
    }
}

/// What a tool does to the world: hints, not promises.
///
/// A missing hint means the cautious reading: not read-only, destructive, not
/// idempotent, open to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolAnnotations {
    /// It changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It reaches beyond the server's own data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// The result of `tools/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListToolsResult {
    /// Sorted by name.
    pub tools: Vec<Tool>,
    /// Where the next page begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The parameters of `tools/call`, with the arguments unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallToolRequestParams<'a> {
    /// Which tool.
    pub name: Cow<'a, str>,
    /// Its arguments, as JSON; `null` is none.
    pub arguments: Option<&'a str>,
}

impl<'a> CallToolRequestParams<'a> {
    /// Takes the parameters apart without reading what the arguments are: to do that
    /// twice would be most of what a long call costs.
    ///
    /// `params` must be valid JSON. `None` if it names no tool, or anything twice.
    ///
    /// ```
    /// use mcp_runtime::protocol::CallToolRequestParams;
    ///
    /// let call = CallToolRequestParams::read(r#"{"name":"add","arguments":{"a":1}}"#);
    /// assert_eq!(call.and_then(|call| call.arguments), Some(r#"{"a":1}"#));
    /// ```
    #[must_use]
    pub fn read(params: &'a str) -> Option<Self> {
        Self::measured(params).map(|(read, _)| read)
    }

    /// The same, and how many arrays and objects of the arguments are in one another.
    pub(crate) fn measured(params: &'a str) -> Option<(Self, usize)> {
        let (mut name, mut arguments, mut depth) = (None, None, 0);
        let mut members = Members::of(params);
        while let Some((key, value)) = members.next() {
            let place = match &*key {
                "name" => &mut name,
                "arguments" => {
                    depth = members.depth();
                    &mut arguments
                }
                _ => continue,
            };
            if place.replace(value).is_some() {
                return None;
            }
        }
        let read = Self {
            name: text(name?)?,
            arguments: arguments.filter(|json| *json != "null"),
        };
        Some((read, depth))
    }
}

/// The result of `tools/call`.
///
/// Where `content` is empty and there is structured content, a text block with
/// the same JSON is added on the wire, for clients that read only text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallToolResult {
    /// For the model.
    #[serde(default)]
    pub content: Vec<ContentBlock>,
    /// For programs; it fits the tool's output schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Box<RawValue>>,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// For programs.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

impl CallToolResult {
    /// A result of one text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![ContentBlock::text(text)],
            ..Self::default()
        }
    }

    /// A result of `value` as structured content; its text is the same JSON.
    ///
    /// # Errors
    /// Those of serializing.
    pub fn structured<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self {
            structured_content: Some(serde_json::value::to_raw_value(value)?),
            ..Self::default()
        })
    }

    /// A failure that the model reads.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// How many bytes the text and the data have, before they are escaped.
    pub(crate) fn content_bytes(&self) -> usize {
        let structured = self.structured_content.as_ref();
        let structured = structured.map_or(0, |json| json.get().len());
        let content = self.content.iter().map(ContentBlock::content_bytes);
        structured + content.sum::<usize>()
    }

    /// The text of the first text block.
    #[must_use]
    pub fn first_text(&self) -> Option<&str> {
        self.content.iter().find_map(ContentBlock::as_text)
    }
}
