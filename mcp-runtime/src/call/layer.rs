use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::bound::run;
use super::legible::legible;
use crate::context::{Context, RequestScope};
use crate::handler::Body;
use crate::output::Outcome;
use crate::protocol::JsonObject;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Something around the bodies of all tools, after every gate.
///
/// It can change a result, answer in place of a body, or measure it. It never
/// sees a call that was refused, so what it keeps cannot stand in for an
/// authorization; and a call that it answers is audited like any other.
/// Implemented for `async` closures:
///
/// ```
/// use mcp_runtime::{Server, ToolBody, ToolCall};
///
/// let server = Server::new("example", "1.0.0").layer(|call: ToolCall, body: ToolBody| async move {
///     let result = body.run().await;
///     println!("{} is done", call.name);
///     result
/// });
/// ```
pub trait Layer: Send + Sync + 'static {
    /// Does the call, most often by running `body`.
    fn call(&self, call: ToolCall, body: ToolBody) -> BoxFuture<Outcome>;
}

impl<F, A> Layer for F
where
    F: Fn(ToolCall, ToolBody) -> A + Send + Sync + 'static,
    A: Future<Output = Outcome> + Send + 'static,
{
    fn call(&self, call: ToolCall, body: ToolBody) -> BoxFuture<Outcome> {
        Box::pin(self(call, body))
    }
}

/// A call that may be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// The arguments as they came; they are valid.
    pub arguments: JsonObject,
    /// Who calls, and how.
    pub context: Arc<Context>,
}

impl ToolCall {
    pub(super) fn new(name: &str, arguments: Option<&str>, scope: &RequestScope<'_>) -> Self {
        let arguments = legible(arguments);
        let arguments = arguments.and_then(|json| serde_json::from_str(&json).ok());
        Self {
            name: name.to_owned(),
            arguments: arguments.unwrap_or_default(),
            context: Arc::clone(scope.context()),
        }
    }
}

/// What a tool would do.
#[derive(Debug)]
#[must_use = "a body does not run by itself"]
pub struct ToolBody(Body<Outcome>);

impl ToolBody {
    /// Does it.
    ///
    /// # Errors
    /// Those of the tool.
    pub async fn run(self) -> Outcome {
        run(self.0).await
    }
}

/// The body with all layers around it, the first one outermost.
pub(crate) fn layered(
    layers: &[Arc<dyn Layer>],
    call: impl FnOnce() -> ToolCall,
    body: Body<Outcome>,
) -> Body<Outcome> {
    if layers.is_empty() {
        return body;
    }
    let call = call();
    layers.iter().rev().fold(body, |body, layer| {
        let (layer, call) = (Arc::clone(layer), call.clone());
        Body::future(async move { layer.call(call, ToolBody(body)).await })
    })
}

impl fmt::Debug for dyn Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Layer")
    }
}
