use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;

use super::definition::{DefinitionMeta, Handler};
use super::prompt::RegisteredPrompt;
use super::resource::RegisteredResource;
use super::snapshot::Snapshot;
use super::tool::RegisteredTool;
use crate::argument::{Completable, CompletionRequest, CompletionSource};
use crate::context::Context;
use crate::error::{Error, ToolError};
use crate::handler::PreparedCall;
use crate::output::{PromptOutput, ResourceOutput, ToolOutput};
use crate::protocol::{JsonObject, Prompt, Resource, ResourceTemplate, Tool};
use crate::text::truncate;

/// A definition that you add at run time. It consists of a protocol description and an async
/// closure, which is the handler.
///
/// Calls of a dynamic definition run through the same pipeline stages as calls of a static
/// definition. For example, arguments are validated against the schema that clients receive, and
/// panics are caught. Add the definition with [`ServerHandle::add`](crate::ServerHandle::add),
/// which has an example.
#[derive(Debug)]
pub struct DynamicDefinition(AnyDefinition);

#[derive(Debug)]
enum AnyDefinition {
    Tool(RegisteredTool),
    Prompt(RegisteredPrompt),
    Resource(RegisteredResource),
}

impl DynamicDefinition {
    /// Creates a dynamic tool. Clients receive its `input_schema` unchanged.
    ///
    /// The value that the handler returns is converted to a [`CallToolResult`]. See [`ToolOutput`].
    ///
    /// ```
    /// use mcp_runtime::dispatch::DynamicDefinition;
    /// use mcp_runtime::protocol::Tool;
    /// use serde_json::json;
    ///
    /// let tool = Tool {
    ///     name: "shout".to_owned(),
    ///     input_schema: json!({
    ///         "type": "object",
    ///         "properties": { "text": { "type": "string" } },
    ///         "required": ["text"],
    ///     }),
    ///     ..Tool::default()
    /// };
    /// let tool = DynamicDefinition::tool(tool, |arguments, _context| async move {
    ///     Ok(arguments["text"].to_string().to_uppercase())
    /// });
    /// ```
    ///
    /// [`CallToolResult`]: crate::protocol::CallToolResult
    pub fn tool<F, A, O>(tool: Tool, handler: F) -> Self
    where
        F: Fn(JsonObject, Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: ToolOutput,
    {
        let handler = Handler::Dynamic(Box::new(move |inputs| {
            let arguments = inputs.read_object()?;
            let returned = handler(arguments, Arc::clone(inputs.context()));
            Ok(PreparedCall::future(async move {
                returned.await?.into_result()
            }))
        }));
        Self(AnyDefinition::Tool(RegisteredTool::dynamic(tool, handler)))
    }

    /// Creates a dynamic prompt. A request with an undeclared argument is rejected.
    ///
    /// See [`complete`](Self::complete) for an example.
    pub fn prompt<F, A, O>(prompt: Prompt, handler: F) -> Self
    where
        F: Fn(BTreeMap<String, String>, Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: PromptOutput,
    {
        let handler = Handler::Dynamic(Box::new(move |inputs| {
            let arguments = strings(inputs.read_object()?);
            let returned = handler(arguments, Arc::clone(inputs.context()));
            Ok(PreparedCall::future(async move {
                returned.await?.into_prompt()
            }))
        }));
        let prompt = RegisteredPrompt::dynamic(prompt, handler);
        Self(AnyDefinition::Prompt(prompt))
    }

    /// Creates a dynamic resource with a fixed URI.
    ///
    /// ```
    /// use mcp_runtime::dispatch::DynamicDefinition;
    /// use mcp_runtime::protocol::Resource;
    ///
    /// let resource = Resource {
    ///     uri: "note://today".to_owned(),
    ///     name: "today".to_owned(),
    ///     ..Resource::default()
    /// };
    /// let resource = DynamicDefinition::resource(resource, |_context| async { Ok("Nothing.") });
    /// ```
    pub fn resource<F, A, O>(resource: Resource, handler: F) -> Self
    where
        F: Fn(Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: ResourceOutput,
    {
        let handler = Handler::Dynamic(Box::new(move |inputs| {
            let returned = handler(Arc::clone(inputs.context()));
            Ok(PreparedCall::future(async move {
                returned.await?.into_contents()
            }))
        }));
        let resource = RegisteredResource::dynamic(resource, handler);
        Self(AnyDefinition::Resource(resource))
    }

    /// Creates a dynamic resource template. The closure receives the values of the template's
    /// variables.
    ///
    /// ```
    /// use mcp_runtime::dispatch::DynamicDefinition;
    /// use mcp_runtime::protocol::ResourceTemplate;
    ///
    /// let template = ResourceTemplate {
    ///     uri_template: "note://{day}".to_owned(),
    ///     name: "note".to_owned(),
    ///     ..ResourceTemplate::default()
    /// };
    /// let template = DynamicDefinition::resource_template(template, |variables, _context| async move {
    ///     Ok(format!("Nothing on {}.", variables["day"]))
    /// })?;
    /// # Ok::<(), mcp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::UriTemplate`] if the URI template is invalid.
    pub fn resource_template<F, A, O>(template: ResourceTemplate, handler: F) -> Result<Self, Error>
    where
        F: Fn(BTreeMap<String, String>, Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: ResourceOutput,
    {
        let handler = Handler::Dynamic(Box::new(move |inputs| {
            let variables = strings(inputs.read_object()?);
            let returned = handler(variables, Arc::clone(inputs.context()));
            Ok(PreparedCall::future(async move {
                returned.await?.into_contents()
            }))
        }));
        let template = RegisteredResource::dynamic_template(template, handler)?;
        Ok(Self(AnyDefinition::Resource(template)))
    }

    /// Adds a completion function for an argument of a prompt or a variable of a resource template.
    /// It has the same effect as `#[arg(complete = …)]`: clients can suggest values while the user
    /// types.
    ///
    /// The function may block. If it returns a list, the matching values are ranked and sent to the
    /// client. If it returns a [`Completion`](crate::protocol::Completion), the completion is sent
    /// unchanged.
    ///
    /// ```
    /// use mcp_runtime::dispatch::DynamicDefinition;
    /// use mcp_runtime::protocol::{Prompt, PromptArgument};
    ///
    /// let city = PromptArgument { name: "city".to_owned(), ..PromptArgument::default() };
    /// let prompt = Prompt {
    ///     name: "way".to_owned(),
    ///     arguments: vec![city],
    ///     ..Prompt::default()
    /// };
    /// let way = DynamicDefinition::prompt(prompt, |_, _| async { Ok("Where is it?") });
    /// let way = way.complete("city", |_| ["Gdynia", "Rome"])?;
    /// assert!(way.complete("street", |_| ["Main Street"]).is_err());
    /// # Ok::<(), mcp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::InvalidDefinition`] if there is no such argument, or if the definition is a
    /// tool. Arguments of tools cannot be completed (specification, *Completion*).
    pub fn complete<F, C>(mut self, argument: &str, function: F) -> Result<Self, Error>
    where
        F: Fn(&CompletionRequest) -> C + Send + Sync + 'static,
        C: Completable,
    {
        let is_tool = matches!(self.0, AnyDefinition::Tool(_));
        let meta = self.0.meta_mut();
        let source = CompletionSource::function(function);
        if !is_tool && meta.arguments.set_completion(argument, source) {
            return Ok(self);
        }
        let argument = truncate(argument, 80);
        Err(meta.error(format!(
            "it has no argument `{argument}` that can be completed"
        )))
    }

    /// Sets the scopes that a caller needs. The caller must have all of them. It has the same
    /// effect as `#[tool(scopes(…))]`.
    ///
    /// A server without authentication denies all callers.
    ///
    /// ```
    /// use mcp_runtime::dispatch::DynamicDefinition;
    /// use mcp_runtime::protocol::Prompt;
    ///
    /// let prompt = Prompt { name: "review".to_owned(), ..Prompt::default() };
    /// let prompt = DynamicDefinition::prompt(prompt, |_, _| async { Ok("Review the notes.") });
    /// let prompt = prompt.scopes(&["notes:read"]);
    /// ```
    #[must_use]
    pub fn scopes(mut self, scopes: &'static [&'static str]) -> Self {
        self.0.meta_mut().policy.scopes = scopes;
        self
    }

    /// Allows values of a resource template's variables that are absolute paths or contain `..`
    /// segments or NUL. It has the same effect as `#[resource(allow_path_traversal)]`.
    ///
    /// By default, a URI with such a value does not match the template, because a handler that
    /// appends the value to a directory would access files outside of it.
    ///
    /// ```
    /// use mcp_runtime::dispatch::DynamicDefinition;
    /// use mcp_runtime::protocol::ResourceTemplate;
    ///
    /// let template = ResourceTemplate {
    ///     uri_template: "route://{+path}".to_owned(),
    ///     name: "route".to_owned(),
    ///     ..ResourceTemplate::default()
    /// };
    /// let template = DynamicDefinition::resource_template(template, |variables, _| async move {
    ///     Ok(format!("The route {}.", variables["path"]))
    /// })?;
    /// let template = template.allow_path_traversal();
    /// # Ok::<(), mcp_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn allow_path_traversal(mut self) -> Self {
        if let AnyDefinition::Resource(resource) = &mut self.0 {
            resource.allow_path_traversal = true;
        }
        self
    }

    pub(crate) fn add_to(self, snapshot: &mut Snapshot) -> Result<(), Error> {
        match self.0 {
            AnyDefinition::Tool(tool) => snapshot.add_tool(tool),
            AnyDefinition::Prompt(prompt) => snapshot.add_prompt(prompt),
            AnyDefinition::Resource(resource) => snapshot.add_resource(resource),
        }
    }
}

impl AnyDefinition {
    fn meta_mut(&mut self) -> &mut DefinitionMeta {
        match self {
            Self::Tool(tool) => &mut tool.meta,
            Self::Prompt(prompt) => &mut prompt.meta,
            Self::Resource(resource) => &mut resource.meta,
        }
    }
}

/// Converts the arguments to strings. The schema guarantees that all arguments are strings.
fn strings(arguments: JsonObject) -> BTreeMap<String, String> {
    let pairs = arguments
        .into_iter()
        .filter_map(|(name, value)| match value {
            Value::String(text) => Some((name, text)),
            _ => None,
        });
    pairs.collect()
}
