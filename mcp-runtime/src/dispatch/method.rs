use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

use super::builtin_method::{BuiltinMethod, RoutedRequest};
use super::connection::Connection;
use super::core::Core;
use crate::call::{self, CustomMethodCall, Execution, Reply};
use crate::codec::Payload;
use crate::context::{Context, RequestParts};
use crate::jsonrpc::{ErrorObject, Request};
use crate::protocol::JsonObject;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The future of a custom method, which returns the members of its result.
pub(crate) type MethodFuture = BoxFuture<Result<JsonObject, ErrorObject>>;

/// A custom method, which you add with [`Server::method`](crate::Server::method).
///
/// The trait is implemented for `async` closures that take a [`MethodCall`].
///
/// ```
/// use mcp_runtime::dispatch::MethodCall;
/// use mcp_runtime::{Server, protocol::JsonObject};
///
/// let server = Server::new("example", "1.0.0").method("example/echo", |call: MethodCall| async {
///     let mut result = JsonObject::new();
///     result.insert("params".to_owned(), call.params.unwrap_or_default());
///     Ok(result)
/// });
/// ```
pub trait Method: Send + Sync + 'static {
    /// Handles a request and returns the members of its result.
    fn call(&self, call: MethodCall) -> BoxFuture<Result<JsonObject, ErrorObject>>;
}

impl<F, A> Method for F
where
    F: Fn(MethodCall) -> A + Send + Sync + 'static,
    A: Future<Output = Result<JsonObject, ErrorObject>> + Send + 'static,
{
    fn call(&self, call: MethodCall) -> MethodFuture {
        Box::pin(self(call))
    }
}

/// A function that wraps a method. See [`Server::wrap_method`](crate::Server::wrap_method).
pub(crate) type MethodWrapper = Arc<dyn Fn(MethodCall, NextMethod) -> MethodFuture + Send + Sync>;

/// A request to a custom [`Method`] or to a method that is wrapped with
/// [`Server::wrap_method`](crate::Server::wrap_method).
#[derive(Clone, Debug)]
pub struct MethodCall {
    /// The name of the method.
    pub method: String,
    /// The parameters, which are an object if the request has any.
    pub params: Option<Value>,
    /// The context of the request, which contains its caller, protocol revision and `_meta`.
    pub context: Arc<Context>,
}

/// The method that a wrapper calls. See [`Server::wrap_method`](crate::Server::wrap_method).
#[derive(Debug)]
pub struct NextMethod {
    core: Arc<Core>,
    connection: Connection,
    entry: Arc<MethodEntry>,
    /// The number of other requests and tasks of the client that were in flight when the request
    /// arrived.
    in_flight: usize,
}

/// A method in the method table of the server.
pub(super) enum MethodEntry {
    Builtin(BuiltinMethod),
    /// A custom method. Its name is `'static` because audit records borrow it.
    Custom(&'static str, Arc<dyn Method>),
    Wrapped(MethodWrapper, Arc<MethodEntry>),
}

impl MethodCall {
    fn new(routed: &RoutedRequest<'_>) -> Self {
        let params = routed.request.params.map(|params| params.get());
        Self {
            method: routed.request.method.clone().into_owned(),
            params: params.and_then(|params| serde_json::from_str(params).ok()),
            context: Arc::clone(routed.parts.context()),
        }
    }
}

impl NextMethod {
    /// Runs the wrapped method.
    ///
    /// # Errors
    /// Returns an error if the method returns an error.
    pub async fn run(self, call: MethodCall) -> Result<JsonObject, ErrorObject> {
        let revision = call.context.revision;
        let execution = self.execution(&call)?;
        // A cancelled request has no reply, so the client never receives this error.
        let reply = execution.run(&call.context.cancellation).await;
        let payload = reply.unwrap_or_else(|| Err(ErrorObject::internal()))?;
        self.core.to_json(revision, &payload)
    }

    /// Starts the method with the context of the wrapper. A cancellation therefore stops both.
    fn execution(&self, call: &MethodCall) -> Result<Execution<Reply>, ErrorObject> {
        let params = call.params.as_ref().map(serde_json::value::to_raw_value);
        let params = params.transpose().map_err(|_| ErrorObject::internal())?;
        let request = Request {
            id: call.context.id.clone(),
            method: call.method.as_str().into(),
            params: params.as_deref(),
        };
        let mut parts = RequestParts::of(&call.context, request.meta());
        parts.in_flight = self.in_flight;
        let routed = RoutedRequest {
            request: &request,
            parts: &parts,
            connection: &self.connection,
        };
        Ok(self.entry.call(&self.core, &routed))
    }
}

impl MethodEntry {
    /// Checks whether the method exists in the revision and for the connection of a request.
    pub(super) fn exists(&self, core: &Core, routed: &RoutedRequest<'_>) -> bool {
        match self {
            Self::Builtin(route) => route.exists(core, routed),
            Self::Custom(..) => true,
            Self::Wrapped(_, inner) => inner.exists(core, routed),
        }
    }

    pub(super) fn call(
        self: &Arc<Self>,
        core: &Arc<Core>,
        routed: &RoutedRequest<'_>,
    ) -> Execution<Reply> {
        let mut gate = None;
        let start: Box<dyn FnOnce() -> MethodFuture + Send> = match self.as_ref() {
            Self::Builtin(route) => return (route.run)(core, routed),
            Self::Custom(name, method) => {
                let started = CustomMethodCall::start(&core.server, routed.parts, name);
                gate = match started {
                    Ok(started) => Some(started),
                    Err(error) => return Execution::Ready(Err(error)),
                };
                let (method, call) = (Arc::clone(method), MethodCall::new(routed));
                Box::new(move || method.call(call))
            }
            Self::Wrapped(wrapper, inner) => {
                let next = NextMethod {
                    core: Arc::clone(core),
                    connection: routed.connection.clone(),
                    entry: Arc::clone(inner),
                    in_flight: routed.parts.in_flight,
                };
                let (wrapper, call) = (Arc::clone(wrapper), MethodCall::new(routed));
                Box::new(move || wrapper(call, next))
            }
        };
        let method = routed.request.method.clone().into_owned();
        Execution::Future(Box::pin(async move {
            let result = call::catch_panic_async(start).await.unwrap_or_else(|_| {
                tracing::error!(method, "a custom method panicked");
                Err(ErrorObject::internal())
            });
            let result = match gate {
                Some(gate) => gate.finish(result),
                None => result,
            };
            result.map(Payload::Object)
        }))
    }
}

impl fmt::Debug for MethodEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Builtin(_) => "Builtin",
            Self::Custom(..) => "Custom",
            Self::Wrapped(..) => "Wrapped",
        })
    }
}
