use std::borrow::Cow;
#[cfg(feature = "http")]
use std::sync::Arc;
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::definition::{Definition, DefinitionMeta, Handler, HandlerResult, Reply, merge_meta};
use super::descriptor::{CommonDescriptor, ToolDescriptor};
use super::kind::DefinitionKind;
use crate::codec::{Payload, ResultWrapping, Schema};
use crate::output::ToolOutcome;
use crate::protocol::{CacheHints, CallToolResult, JsonObject, Revision, Tool, ToolAnnotations};
#[cfg(feature = "http")]
use crate::schema::{HeaderParameter, header_parameters};

/// A tool of the server. Its schemas are built on first use.
#[derive(Debug)]
pub(crate) struct RegisteredTool {
    pub(super) meta: DefinitionMeta,
    /// The entry in the list of tools, without the schemas.
    tool: Tool<()>,
    output_schema: OnceLock<Option<Value>>,
    build_output_schema: fn() -> Option<Value>,
    #[cfg(feature = "http")]
    headers: OnceLock<Arc<[HeaderParameter]>>,
    handler: Handler<ToolOutcome>,
}

impl RegisteredTool {
    pub(super) fn from_descriptor(descriptor: &'static ToolDescriptor) -> Self {
        let CommonDescriptor {
            name, title, icons, ..
        } = descriptor.definition;
        let (definition, policy) = (&descriptor.definition, descriptor.policy);
        let mut meta =
            DefinitionMeta::from_descriptor(DefinitionKind::Tool, definition, name, policy);
        meta.arguments = meta
            .arguments
            .with_unknown(policy.unknown)
            .with_schema(descriptor.input_schema);
        let annotations = Some(descriptor.annotations);
        let tool = Tool {
            name: name.to_owned(),
            title: title.map(str::to_owned),
            description: Some(definition.full_description()),
            input_schema: (),
            output_schema: None,
            annotations: annotations.filter(|it| *it != ToolAnnotations::default()),
            icons: icons(),
            meta: with_ui(definition.meta.map(|meta| meta()), descriptor.ui),
        };
        Self {
            meta,
            tool,
            output_schema: OnceLock::new(),
            build_output_schema: descriptor.output_schema,
            handler: Handler::Static(descriptor.prepare),
            #[cfg(feature = "http")]
            headers: OnceLock::new(),
        }
    }

    pub(super) fn dynamic(mut tool: Tool, handler: Handler<ToolOutcome>) -> Self {
        let (name, schema) = (&tool.name, std::mem::take(&mut tool.input_schema));
        Self {
            meta: DefinitionMeta::dynamic(DefinitionKind::Tool, name, name, schema),
            output_schema: OnceLock::from(tool.output_schema.take()),
            build_output_schema: || None,
            tool: tool.with_schemas(|_| ()),
            #[cfg(feature = "http")]
            headers: OnceLock::new(),
            handler,
        }
    }

    fn output_schema(&self) -> Option<&Value> {
        let schema = self.output_schema.get_or_init(self.build_output_schema);
        schema.as_ref()
    }

    /// Whether the tool has an app that displays its results (extension
    /// `io.modelcontextprotocol/ui`).
    pub(super) fn has_ui(&self) -> bool {
        let meta = self.tool.meta.as_ref();
        meta.is_some_and(|meta| meta.contains_key(UI))
    }

    /// Returns the URI of the app that displays the results of the tool.
    pub(super) fn ui_resource(&self) -> Option<&str> {
        let ui = self.tool.meta.as_ref()?.get(UI)?;
        ui.get("resourceUri")?.as_str()
    }

    /// Returns the arguments that clients also send in HTTP headers.
    #[cfg(feature = "http")]
    pub(crate) fn header_parameters(&self) -> Arc<[HeaderParameter]> {
        let find = || header_parameters(self.meta.arguments.schema()).into();
        Arc::clone(self.headers.get_or_init(find))
    }

    /// Returns the tool in the format of the newest protocol revision.
    pub(crate) fn to_protocol(&self) -> Tool<Schema<'_>> {
        let input_schema = |()| Schema::Json(self.meta.arguments.schema_json());
        let output_schema = self.output_schema();
        Tool {
            output_schema: output_schema.map(|schema| Schema::Tree(Cow::Borrowed(schema))),
            ..self.tool.clone().with_schemas(input_schema)
        }
    }
}

/// A failure is returned as a result and not as a protocol error, because the model can read
/// results.
impl Definition for RegisteredTool {
    const METHOD: &'static str = "tools/call";
    const WORD: &'static str = "tool";
    type Value = CallToolResult;
    type Request = ();
    type ReplyContext = ResultWrapping;

    fn meta(&self) -> &DefinitionMeta {
        &self.meta
    }

    fn handler(&self) -> &Handler<HandlerResult<Self>> {
        &self.handler
    }

    fn reply_context(&self, (): (), _: CacheHints, revision: Revision) -> ResultWrapping {
        // Build the schema only for protocol revisions that need it.
        ResultWrapping::for_revision(revision, || self.output_schema())
    }

    fn content_bytes(value: &CallToolResult) -> usize {
        value.content_bytes()
    }

    fn reply(value: CallToolResult, wrap: ResultWrapping) -> Reply {
        Ok(Payload::CallTool(value, wrap))
    }

    fn is_failure(value: &CallToolResult) -> bool {
        value.is_error
    }

    fn add_meta(value: &mut CallToolResult, meta: JsonObject) {
        merge_meta(&mut value.meta, meta);
    }

    fn invalid_arguments(text: &str) -> Reply {
        Self::failure(text)
    }

    fn failure(text: &str) -> Reply {
        Ok(CallToolResult::error(text).into())
    }
}

/// The name of the `_meta` member that describes the app of a tool.
const UI: &str = "ui";

/// Adds the URI of the app to the `_meta` of a tool (MCP Apps, `_meta.ui.resourceUri`).
fn with_ui(meta: Option<JsonObject>, uri: Option<&str>) -> Option<JsonObject> {
    let Some(uri) = uri else { return meta };
    let mut meta = meta.unwrap_or_default();
    match meta.entry(UI).or_insert(Value::Null) {
        Value::Object(ui) => _ = ui.insert("resourceUri".to_owned(), uri.into()),
        // Replace a value of another type, because the extension requires an object.
        other => *other = json!({ "resourceUri": uri }),
    }
    Some(meta)
}
