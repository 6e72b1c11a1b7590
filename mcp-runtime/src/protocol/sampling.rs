use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{AudioContent, ContentBlock, ImageContent, JsonObject, Role, TextContent, Tool};

/// The parameters of `sampling/createMessage`, which requests a message from the client's model.
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
    /// The messages of the conversation.
    pub messages: Vec<SamplingMessage>,
    /// The maximum length of the response, in tokens.
    pub max_tokens: u32,
    /// The preferences for the choice of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// The system prompt. The client may change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// The servers whose context the client adds. The value is `none`, `thisServer` or
    /// `allServers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_context: Option<String>,
    /// The sampling temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Strings that end the response when the model generates them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// Additional data for the provider of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// The tools that the model may call (since 2025-11-25). The client must declare the capability
    /// `sampling.tools`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Whether the model must call a tool (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
}

/// A message of a conversation with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamplingMessage {
    /// The sender of the message.
    pub role: Role,
    /// The content of the message. Before 2025-11-25, a message has only one block.
    pub content: SamplingContents,
    /// Additional data for programs (since 2025-11-25). In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// The result of `sampling/createMessage`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageResult {
    /// The sender of the response, which is usually the assistant.
    pub role: Role,
    /// The content of the response.
    pub content: SamplingContents,
    /// The name of the model that generated the response.
    pub model: String,
    /// The reason why the model stopped, for example `endTurn` or `toolUse`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

/// One or more content blocks. A single block is serialized without an array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SamplingContents(pub Vec<SamplingContent>);

/// A content block of a message. The specification names this type `SamplingMessageContentBlock`.
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
    /// The id of the call, which the result repeats.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments of the call.
    pub input: JsonObject,
}

/// The result of a tool call that a model made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultContent {
    /// The id of the call to which this result belongs.
    pub tool_use_id: String,
    /// The content blocks for the model.
    pub content: Vec<ContentBlock>,
    /// The structured content of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// Preferences for the choice of a model. Each priority is a number from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// The preferred models. The most preferred model is first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// The importance of low cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// The importance of speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// The importance of the model's capabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

/// A preferred model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelHint {
    /// The name of the model or a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The setting that controls whether the model must call a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolChoice {
    /// The mode, which is `auto` (the default), `required` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

impl CreateMessageRequestParams {
    /// Creates a request with one text message that has the role `user`.
    pub fn user_message(text: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            messages: vec![SamplingMessage::user(text)],
            max_tokens,
            ..Self::default()
        }
    }
}

impl SamplingMessage {
    /// Creates a text message with the role `user`.
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            content: SamplingContents::text(text),
            meta: None,
        }
    }
}

impl CreateMessageResult {
    /// Creates a result with one text block.
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
    /// Creates contents with one text block.
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
