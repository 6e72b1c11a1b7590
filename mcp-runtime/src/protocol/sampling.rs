use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{AudioContent, ContentBlock, ImageContent, JsonObject, Role, TextContent, Tool};

/// A question to the client's model, the parameters of `sampling/createMessage`.
///
/// ```
/// use mcp_runtime::protocol::CreateMessageRequestParams;
///
/// let question = CreateMessageRequestParams::ask("What is the capital of France?", 100);
/// assert_eq!(question.max_tokens, 100);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageRequestParams {
    /// The conversation so far.
    pub messages: Vec<SamplingMessage>,
    /// The longest answer, in tokens.
    pub max_tokens: u32,
    /// Which kind of model would suit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// The system prompt; the client may change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// `none`, `thisServer` or `allServers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_context: Option<String>,
    /// How freely the model chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Texts that end the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// For the provider of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// What the model may call (since 2025-11-25, where the client declares it).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Whether it must call something (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
}

/// One turn of a conversation with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamplingMessage {
    /// Whose turn it is.
    pub role: Role,
    /// What is said: one block, or several (since 2025-11-25; before, one a message).
    pub content: SamplingContents,
    /// For programs (since 2025-11-25).
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageResult {
    /// Usually the assistant.
    pub role: Role,
    /// The answer.
    pub content: SamplingContents,
    /// Which model it was.
    pub model: String,
    /// Why it stopped, for example `endTurn` or `toolUse`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

/// One or several blocks; one is written without a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SamplingContents(pub Vec<SamplingContent>);

/// A piece of a conversation with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SamplingContent {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// Sound (since 2025-03-26).
    Audio(AudioContent),
    /// The model calls a tool (since 2025-11-25).
    ToolUse(ToolUseContent),
    /// What the tool gave back (since 2025-11-25).
    ToolResult(ToolResultContent),
}

/// A call that a model makes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolUseContent {
    /// Names the call.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// The arguments.
    pub input: JsonObject,
}

/// The result of a call that a model made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultContent {
    /// Which call it answers.
    pub tool_use_id: String,
    /// The result, for the model.
    pub content: Vec<ContentBlock>,
    /// The result, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// What matters in the choice of a model; each priority is from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// Parts of model names, the best first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// How much a low price matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// How much speed matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// How much ability matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

/// A hint at a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelHint {
    /// A part of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Whether a model must call a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolChoice {
    /// `auto`, `required` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

impl CreateMessageRequestParams {
    /// A question of one text.
    pub fn ask(text: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            messages: vec![SamplingMessage::user(text)],
            max_tokens,
            ..Self::default()
        }
    }
}

impl SamplingMessage {
    /// A text of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            content: SamplingContents::text(text),
            meta: None,
        }
    }
}

impl CreateMessageResult {
    /// An answer of one text.
    pub fn text(text: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            role: Role::Assistant,
            content: SamplingContents::text(text),
            model: model.into(),
            stop_reason: Some("endTurn".to_owned()),
        }
    }

    /// The text of the first text block.
    #[must_use]
    pub fn first_text(&self) -> Option<&str> {
        self.content.0.iter().find_map(|block| match block {
            SamplingContent::Text(content) => Some(content.text.as_str()),
            _ => None,
        })
    }
}

impl SamplingContents {
    /// One block of text.
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
