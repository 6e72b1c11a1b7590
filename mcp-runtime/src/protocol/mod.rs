//! The types of the MCP schema.
//!
//! The types have the names and members of the newest protocol revision. When a message is
//! serialized for an older revision, `codec` removes the members that this revision does not have.
//! In these comments, "since 2025-06-18" means that the protocol version 2025-06-18 added the item.

mod completion;
mod content;
mod elicitation;
mod icon;
mod input;
mod lifecycle;
mod logging;
pub(crate) mod meta;
mod prompt;
mod resource;
mod revision;
mod roots;
mod sampling;
mod subscription;
mod task;
mod tool;

pub use completion::{
    CompleteRequestParams, Completion, CompletionArgument, CompletionContext, CompletionReference,
};
pub use content::{
    Annotations, AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceContents,
    ResourceLink, Role, TextContent,
};
pub use elicitation::{
    ElicitAction, ElicitRequestFormParams, ElicitRequestParams, ElicitRequestUrlParams,
    ElicitResult, UrlMode,
};
pub use icon::Icon;
pub use input::{InputRequest, InputRequiredResult};
pub use lifecycle::{
    ClientCapabilities, DiscoverResult, Implementation, InitializeRequestParams, InitializeResult,
    ListChangedCapability, ResourcesCapability, ServerCapabilities,
};
pub use logging::LoggingLevel;
pub use prompt::{
    GetPromptRequestParams, GetPromptResult, ListPromptsResult, Prompt, PromptArgument,
    PromptMessage,
};
pub use resource::{
    CacheHints, CacheScope, ListResourceTemplatesResult, ListResourcesResult,
    ReadResourceRequestParams, ReadResourceResult, Resource, ResourceTemplate,
};
pub use revision::{Revision, UnknownRevision};
pub use roots::{ListRootsResult, Root};
pub use sampling::{
    CreateMessageRequestParams, CreateMessageResult, ModelHint, ModelPreferences, SamplingContent,
    SamplingContents, SamplingMessage, ToolChoice, ToolResultContent, ToolUseContent,
};
pub use subscription::{SubscriptionFilter, SubscriptionsListenRequestParams};
pub use task::{Task, TaskStatus};
pub use tool::{CallToolRequestParams, CallToolResult, ListToolsResult, Tool, ToolAnnotations};

/// A JSON object, such as `_meta`.
pub type JsonObject = serde_json::Map<String, serde_json::Value>;
