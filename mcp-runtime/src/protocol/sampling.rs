use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{AudioContent, ContentBlock, ImageContent, JsonObject, Role, TextContent, Tool};

/// The parameters of `sampling/createMessage`: a request to the client's model.
///
/// ```
/// use mcp_runtime::protocol::CreateMessageRequestParams;
///
/// let request = CreateMessageRequestParams::user_message("What is the capital of France?", 100);
/// assert_eq!(request.max_tokens, 100);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageRequestParams {
    /// The conversation.
    pub messages: Vec<SamplingMessage>,
    /// The maximum length of the response, in tokens.
    pub max_tokens: u32,
    /// The preferences for the choice of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// The system prompt; the client may change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// The context that the client adds: `none`, `thisServer` or `allServers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_context: Option<String>,
    /// The sampling temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Strings at which the model stops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// Additional data for the provider of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// The tools that the model may call (since 2025-11-25, if the client declares support).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Whether the model must call a tool (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
}

/// A message of a conversation with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamplingMessage {
    /// The sender.
    pub role: Role,
    /// The content: one block, or several since 2025-11-25.
    pub content: SamplingContents,
    /// Additional data for programs, the member `_meta` (since 2025-11-25).
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// The result of `sampling/createMessage`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageResult {
    /// The sender, usually the assistant.
    pub role: Role,
    /// The content of the response.
    pub content: SamplingContents,
    /// The name of the model.
    pub model: String,
    /// Why the model stopped, for example `endTurn` or `toolUse`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

/// One or more content blocks; a single block is serialized without an array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SamplingContents(pub Vec<SamplingContent>);

/// A content block of a conversation with a model, the type `SamplingMessageContentBlock`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SamplingContent {
    /// Text.
    Text(TextContent),
    /// An image.
    Image(ImageContent),
    /// Audio (since 2025-03-26).
    Audio(AudioContent),
    /// A tool call by the model (since 2025-11-25).
    ToolUse(ToolUseContent),
    /// The result of a tool call (since 2025-11-25).
    ToolResult(ToolResultContent),
}

/// A tool call by a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolUseContent {
    /// The id of the call.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments.
    pub input: JsonObject,
}

/// The result of a tool call by a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultContent {
    /// The id of the call.
    pub tool_use_id: String,
    /// The result for the model.
    pub content: Vec<ContentBlock>,
    /// The structured result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// Preferences for the choice of a model; each priority is from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// Preferred models, best first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// The importance of low cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// The importance of speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// The importance of ability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

/// A preferred model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelHint {
    /// A part of the model's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Whether a model must call a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolChoice {
    /// `auto` (the default), `required` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

impl CreateMessageRequestParams {
    /// Creates a request with one text message of the user.
    pub fn user_message(text: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            messages: vec![SamplingMessage::user(text)],
            max_tokens,
            ..Self::default()
        }
    }
}

impl SamplingMessage {
    /// Creates a text message of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            content: SamplingContents::text(text),
            meta: None,
        }
    }
}

impl CreateMessageResult {
    /// Creates a result with one text.
    pub fn text(text: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            role: Role::Assistant,
            content: SamplingContents::text(text),
            model: model.into(),
            stop_reason: Some("endTurn".to_owned()),
        }
    }

    /// Returns the text of the first text block.
    #[must_use]
    pub fn first_text(&self) -> Option<&str> {
        self.content.0.iter().find_map(|block| match block {
            SamplingContent::Text(content) => Some(content.text.as_str()),
            _ => None,
        })
    }
}

impl SamplingContents {
    /// Creates one text block.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self(vec![SamplingContent::Text(TextContent {
            text,
            ..TextContent::default()
        })])
    }
}

impl Serialize for SamplingContents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [block] => block.serialize(serializer),
            blocks => blocks.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for SamplingContents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum OneOrMany {
            Many(Vec<SamplingContent>),
            One(Box<SamplingContent>),
        }
        Ok(Self(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::Many(blocks) => blocks,
            OneOrMany::One(block) => vec![*block],
        }))
    }
}
