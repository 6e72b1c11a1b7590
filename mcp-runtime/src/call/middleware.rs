use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::normalize_arguments::normalize_arguments;
use super::run_handler::run_handler;
use crate::context::{Context, RequestParts};
use crate::handler::PreparedCall;
use crate::output::ToolOutcome;
use crate::protocol::JsonObject;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Wraps the handlers of all tools, after authorization, validation and consent.
///
/// Middleware can measure a call, change its result, or return a result without running the
/// handler. It never receives a rejected call, so a cached result cannot bypass authorization. A
/// call whose handler does not run is audited like any other call.
///
/// The trait is implemented for `async` closures:
///
/// ```
/// use mcp_runtime::{Server, Next, ToolCall};
///
/// let server = Server::new("example", "1.0.0").middleware(|call: ToolCall, next: Next| async move {
///     let result = next.run().await;
///     println!("{} is done", call.name);
///     result
/// });
/// ```
pub trait Middleware: Send + Sync + 'static {
    /// Handles the call, usually by running `next`.
    fn call(&self, call: ToolCall, next: Next) -> BoxFuture<ToolOutcome>;
}

impl<F, A> Middleware for F
where
    F: Fn(ToolCall, Next) -> A + Send + Sync + 'static,
    A: Future<Output = ToolOutcome> + Send + 'static,
{
    fn call(&self, call: ToolCall, next: Next) -> BoxFuture<ToolOutcome> {
        Box::pin(self(call, next))
    }
}

/// A tool call that has passed authorization and validation.
///
/// See [`Middleware`] for an example.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolCall {
    /// The name of the tool.
    pub name: String,
    /// The valid arguments, as the client sent them.
    pub arguments: JsonObject,
    /// The context of the request.
    pub context: Arc<Context>,
}

impl ToolCall {
    pub(super) fn new(name: &str, arguments: Option<&str>, parts: &RequestParts<'_>) -> Self {
        let arguments = normalize_arguments(arguments);
        let arguments = arguments.and_then(|json| serde_json::from_str(&json).ok());
        Self {
            name: name.to_owned(),
            arguments: arguments.unwrap_or_default(),
            context: Arc::clone(parts.context()),
        }
    }
}

/// The inner middleware and the handler of a tool.
///
/// See [`Middleware`] for an example.
#[derive(Debug)]
#[must_use = "the handler only runs when `run` is called"]
pub struct Next(PreparedCall<ToolOutcome>);

impl Next {
    /// Runs the inner middleware and the handler.
    ///
    /// # Errors
    /// Returns the error of the tool, if the tool fails.
    pub async fn run(self) -> ToolOutcome {
        run_handler(self.0).await
    }
}

/// Wraps the handler in all middleware of the server. The first middleware is the outermost.
pub(crate) fn apply_middleware(
    middleware: &[Arc<dyn Middleware>],
    call: &dyn Fn() -> ToolCall,
    handler: PreparedCall<ToolOutcome>,
) -> PreparedCall<ToolOutcome> {
    if middleware.is_empty() {
        return handler;
    }
    let call = call();
    middleware.iter().rev().fold(handler, |inner, outer| {
        let (outer, call) = (Arc::clone(outer), call.clone());
        PreparedCall::future(async move { outer.call(call, Next(inner)).await })
    })
}

impl fmt::Debug for dyn Middleware {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Middleware")
    }
}
