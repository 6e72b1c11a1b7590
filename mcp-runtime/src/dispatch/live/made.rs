use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;

use crate::argument::{Candidates, Completable, Completing};
use crate::context::Context;
use crate::error::{Error, ToolError};
use crate::handler::Body;
use crate::output::{PromptOutput, ResourceOutput, ToolOutput};
use crate::protocol::{JsonObject, Prompt, Resource, ResourceTemplate, Tool};
use crate::registry::{
    Defined, Handler, RegisteredPrompt, RegisteredResource, RegisteredTool, Snapshot,
};
use crate::text::shortened;

/// A definition that is made while the server runs: the protocol's own
/// description of it, and an async closure.
///
/// It goes through the same stages as a linked one: its arguments are checked
/// against the schema that is advertised, its panics are caught, and so on.
#[derive(Debug)]
pub struct Added(Definition);

#[derive(Debug)]
enum Definition {
    Tool(RegisteredTool),
    Prompt(RegisteredPrompt),
    Resource(RegisteredResource),
}

impl Added {
    /// A tool; `input_schema` is published as it is.
    ///
    /// A value that serializes is returned as a [`CallToolResult`], see
    /// [`ToolOutput`].
    ///
    /// [`CallToolResult`]: crate::protocol::CallToolResult
    pub fn tool<F, A, O>(tool: Tool, body: F) -> Self
    where
        F: Fn(JsonObject, Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: ToolOutput,
    {
        let handler = Handler::Made(Box::new(move |inputs| {
            let arguments = inputs.read_object()?;
            let answer = body(arguments, Arc::clone(inputs.context()));
            Ok(Body::future(async move { answer.await?.into_result() }))
        }));
        Self(Definition::Tool(RegisteredTool::made(tool, handler)))
    }

    /// A prompt; only the arguments that it declares are let through.
    pub fn prompt<F, A, O>(prompt: Prompt, body: F) -> Self
    where
        F: Fn(BTreeMap<String, String>, Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: PromptOutput,
    {
        let handler = Handler::Made(Box::new(move |inputs| {
            let arguments = strings(inputs.read_object()?);
            let answer = body(arguments, Arc::clone(inputs.context()));
            Ok(Body::future(async move { answer.await?.into_prompt() }))
        }));
        Self(Definition::Prompt(RegisteredPrompt::made(prompt, handler)))
    }

    /// A resource at one URI.
    pub fn resource<F, A, O>(resource: Resource, body: F) -> Self
    where
        F: Fn(Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: ResourceOutput,
    {
        let handler = Handler::Made(Box::new(move |inputs| {
            let answer = body(Arc::clone(inputs.context()));
            Ok(Body::future(async move { answer.await?.into_contents() }))
        }));
        Self(Definition::Resource(RegisteredResource::made(
            resource, handler,
        )))
    }

    /// A family of resources; the closure gets the variables of the template.
    ///
    /// # Errors
    /// [`Error::UriTemplate`] if the template is none.
    pub fn resource_template<F, A, O>(family: ResourceTemplate, body: F) -> Result<Self, Error>
    where
        F: Fn(BTreeMap<String, String>, Arc<Context>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<O, ToolError>> + Send + 'static,
        O: ResourceOutput,
    {
        let handler = Handler::Made(Box::new(move |inputs| {
            let variables = strings(inputs.read_object()?);
            let answer = body(variables, Arc::clone(inputs.context()));
            Ok(Body::future(async move { answer.await?.into_contents() }))
        }));
        let family = RegisteredResource::made_family(family, handler)?;
        Ok(Self(Definition::Resource(family)))
    }

    /// Completes an argument of a prompt, or a variable of a resource template,
    /// while a person types it, as `#[arg(complete = …)]` does.
    ///
    /// The function may block. It returns a list, of which what fits is ranked,
    /// or a [`Completion`](crate::protocol::Completion) as it is.
    ///
    /// ```
    /// use mcp_runtime::Added;
    /// use mcp_runtime::protocol::{Prompt, PromptArgument};
    ///
    /// let city = PromptArgument { name: "city".to_owned(), ..PromptArgument::default() };
    /// let prompt = Prompt {
    ///     name: "way".to_owned(),
    ///     arguments: vec![city],
    ///     ..Prompt::default()
    /// };
    /// let way = Added::prompt(prompt, |_, _| async { Ok("Where is it?") });
    /// let way = way.complete("city", |_| ["Gdynia", "Rome"])?;
    /// assert!(way.complete("street", |_| ["Main Street"]).is_err());
    /// # Ok::<(), mcp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Contradiction`] if there is no such argument. A tool has none
    /// that could be completed (specification, *Completion*).
    pub fn complete<F, C>(mut self, argument: &str, function: F) -> Result<Self, Error>
    where
        F: Fn(&Completing) -> C + Send + Sync + 'static,
        C: Completable,
    {
        let is_tool = matches!(self.0, Definition::Tool(_));
        let defined = self.0.defined();
        let candidates = Candidates::made(function);
        if !is_tool
            && defined
                .common_mut()
                .arguments
                .complete(argument, candidates)
        {
            return Ok(self);
        }
        let argument = shortened(argument, 80);
        Err(Error::Contradiction {
            kind: defined.kind().word(),
            name: defined.common().name.clone().into_owned(),
            location: None,
            problem: format!("it has no argument `{argument}` that can be completed"),
        })
    }

    /// Lets only callers use it who are granted all of these, as
    /// `#[tool(scopes(…))]` does.
    ///
    /// On a server that knows no callers nobody is.
    ///
    /// ```
    /// use mcp_runtime::Added;
    /// use mcp_runtime::protocol::Prompt;
    ///
    /// let prompt = Prompt { name: "review".to_owned(), ..Prompt::default() };
    /// let prompt = Added::prompt(prompt, |_, _| async { Ok("Review the notes.") });
    /// let prompt = prompt.scopes(&["notes:read"]);
    /// ```
    #[must_use]
    pub fn scopes(mut self, scopes: &'static [&'static str]) -> Self {
        self.0.defined().common_mut().policy.scopes = scopes;
        self
    }

    pub(super) fn add_to(self, snapshot: &mut Snapshot) -> Result<(), Error> {
        match self.0 {
            Definition::Tool(tool) => snapshot.add_tool(tool),
            Definition::Prompt(prompt) => snapshot.add_prompt(prompt),
            Definition::Resource(resource) => snapshot.add_resource(resource),
        }
    }
}

impl Definition {
    fn defined(&mut self) -> &mut dyn Defined {
        match self {
            Self::Tool(tool) => tool,
            Self::Prompt(prompt) => prompt,
            Self::Resource(resource) => resource,
        }
    }
}

/// The schema has let only strings through.
fn strings(arguments: JsonObject) -> BTreeMap<String, String> {
    let pairs = arguments
        .into_iter()
        .filter_map(|(name, value)| match value {
            Value::String(text) => Some((name, text)),
            _ => None,
        });
    pairs.collect()
}
