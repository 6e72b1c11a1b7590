use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

use super::table::{Entry, Routed};
use super::{Dispatcher, Peer};
use crate::call::{Reply, Work};
use crate::context::{Context, RequestScope};
use crate::jsonrpc::{ErrorObject, Request};
use crate::protocol::JsonObject;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What a method of a user's own answers.
pub(crate) type MethodAnswer = BoxFuture<Result<JsonObject, ErrorObject>>;

/// A method of a user's own, given to [`Server::method`](crate::Server::method).
///
/// Implemented for `async` closures of one [`MethodCall`].
///
/// ```
/// use mcp_runtime::{MethodCall, Server, protocol::JsonObject};
///
/// let server = Server::new("example", "1.0.0").method("example/echo", |call: MethodCall| async {
///     let mut result = JsonObject::new();
///     result.insert("params".to_owned(), call.params.unwrap_or_default());
///     Ok(result)
/// });
/// ```
pub trait Method: Send + Sync + 'static {
    /// Answers a request with the members of its result.
    fn call(&self, call: MethodCall) -> BoxFuture<Result<JsonObject, ErrorObject>>;
}

impl<F, A> Method for F
where
    F: Fn(MethodCall) -> A + Send + Sync + 'static,
    A: Future<Output = Result<JsonObject, ErrorObject>> + Send + 'static,
{
    fn call(&self, call: MethodCall) -> MethodAnswer {
        Box::pin(self(call))
    }
}

/// Something around a method, given to [`Server::wrap_method`](crate::Server::wrap_method).
pub(crate) type Wrapper = Arc<dyn Fn(MethodCall, Next) -> MethodAnswer + Send + Sync>;

/// A request to a method of a user's own.
#[derive(Clone, Debug)]
pub struct MethodCall {
    /// The name of the method.
    pub method: String,
    /// The parameters, an object if present.
    pub params: Option<Value>,
    /// Who asks, in which revision.
    pub context: Arc<Context>,
}

/// What a wrapped method would have done.
#[derive(Debug)]
pub struct Next {
    dispatcher: Dispatcher,
    peer: Peer,
    entry: Arc<Entry>,
}

impl MethodCall {
    pub(super) fn new(call: &Routed<'_>) -> Self {
        let params = call.request.params.map(|params| params.get());
        Self {
            method: call.request.method.clone().into_owned(),
            params: params.and_then(|params| serde_json::from_str(params).ok()),
            context: Arc::clone(call.scope.context()),
        }
    }
}

impl Next {
    pub(super) fn new(dispatcher: &Dispatcher, peer: &Peer, entry: &Arc<Entry>) -> Self {
        Self {
            dispatcher: dispatcher.clone(),
            peer: peer.clone(),
            entry: Arc::clone(entry),
        }
    }

    /// Goes on to the method itself.
    ///
    /// # Errors
    /// Those of the method.
    pub async fn run(self, call: MethodCall) -> Result<JsonObject, ErrorObject> {
        let revision = call.context.revision;
        let work = self.work(&call)?;
        // Nobody reads what a cancelled request answers.
        let reply = work.run(&call.context.cancellation).await;
        let payload = reply.unwrap_or_else(|| Err(ErrorObject::internal()))?;
        let mut json = Vec::new();
        self.dispatcher
            .core()
            .codec
            .write(&mut json, revision, &payload);
        serde_json::from_slice(&json).map_err(|_| ErrorObject::internal())
    }

    /// In the scope of the wrapper's own request, so that both are cancelled together.
    fn work(&self, call: &MethodCall) -> Result<Work<Reply>, ErrorObject> {
        let params = call.params.as_ref().map(serde_json::value::to_raw_value);
        let params = params.transpose().map_err(|_| ErrorObject::internal())?;
        let request = Request {
            id: call.context.id.clone(),
            method: call.method.as_str().into(),
            params: params.as_deref(),
        };
        let scope = RequestScope::of(&call.context, request.meta());
        let routed = Routed {
            request: &request,
            scope: &scope,
            peer: &self.peer,
        };
        Ok(self.entry.call(&self.dispatcher, &routed))
    }
}
