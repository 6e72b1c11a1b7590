use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, RwLock};

use serde_json::Value;
use serde_json::value::RawValue;

use crate::call;
use crate::jsonrpc::{ErrorCode, ErrorObject, RequestId};

/// The error of a handler. The client sends an [`ErrorObject`] to the server unchanged, see
/// [`DuplexDispatcher::dispatch`].
pub type HandlerError = Box<dyn StdError + Send + Sync>;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A request or notification that the server initiated, with unparsed parameters.
///
/// See [`DuplexDispatcher`] for an example.
#[derive(Clone, Debug)]
pub struct ServerMessage {
    /// The id of a request, or `None` for a notification.
    pub id: Option<RequestId>,
    /// The method, for example `sampling/createMessage`.
    pub method: String,
    /// The JSON text of the parameters as received.
    pub params: Option<Box<RawValue>>,
}

/// A handler of the messages that a server initiates.
///
/// The trait is implemented for closures that take a [`ServerMessage`] and return a future. Pass a
/// closure that also takes the context of the message to [`DuplexDispatcher::set_context_handler`].
/// See [`DuplexDispatcher`] for an example.
pub trait DuplexHandler<C = ()>: Send + Sync + 'static {
    /// Handles a message and returns the result of a request. The dispatcher ignores the result for
    /// a notification.
    fn handle(&self, message: ServerMessage, context: C) -> BoxFuture<Result<Value, HandlerError>>;
}

impl<F, A, C> DuplexHandler<C> for F
where
    F: Fn(ServerMessage) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Value, HandlerError>> + Send + 'static,
{
    fn handle(&self, message: ServerMessage, _: C) -> BoxFuture<Result<Value, HandlerError>> {
        Box::pin(self(message))
    }
}

/// A closure that takes a message and its context.
struct ContextHandler<F>(F);

impl<F, A, C> DuplexHandler<C> for ContextHandler<F>
where
    F: Fn(ServerMessage, C) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Value, HandlerError>> + Send + 'static,
{
    fn handle(&self, message: ServerMessage, context: C) -> BoxFuture<Result<Value, HandlerError>> {
        Box::pin((self.0)(message, context))
    }
}

/// The error that replaces the panic of a handler.
#[derive(Debug, thiserror::Error)]
#[error("the handler panicked")]
struct HandlerPanicked;

/// The error of a handler, and the error response that the server receives.
///
/// The response never contains the text of the cause. In this process, [`source`](StdError::source)
/// returns the cause. See [`DuplexDispatcher`] for an example.
#[derive(Debug, thiserror::Error)]
#[error("{response}")]
pub struct DuplexError {
    /// The error object that the server receives.
    pub response: ErrorObject,
    source: Option<HandlerError>,
}

/// A dispatcher that passes all messages that a server initiates to one handler.
///
/// You can replace the handler at any time. A message that is being handled keeps its handler.
///
/// Each message can have a context of type `C`, for example its connection. A
/// [`Client`](super::Client) uses no context.
///
/// # Examples
/// ```
/// use mcp_runtime::jsonrpc::ErrorCode;
/// use mcp_runtime::client::{DuplexDispatcher, ServerMessage};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let duplex = DuplexDispatcher::new();
/// let request =
///     || ServerMessage { id: Some(1.into()), method: "roots/list".to_owned(), params: None };
/// let error = duplex.dispatch(request()).await.unwrap_err();
/// assert_eq!(error.response.code, ErrorCode::METHOD_NOT_FOUND);
///
/// duplex.set_handler(|_: ServerMessage| async { Ok(json!({ "roots": [] })) });
/// assert_eq!(duplex.dispatch(request()).await.unwrap(), Some(json!({ "roots": [] })));
/// # }
/// ```
pub struct DuplexDispatcher<C = ()> {
    handler: RwLock<Option<Arc<dyn DuplexHandler<C>>>>,
}

impl DuplexDispatcher {
    /// Creates a dispatcher without a handler, for messages without a context.
    ///
    /// For messages with a context, use [`default`](Self::default).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Passes a message without a context to the handler. See
    /// [`dispatch_with`](Self::dispatch_with).
    ///
    /// # Errors
    /// Returns an error in the same cases as [`dispatch_with`](Self::dispatch_with).
    pub async fn dispatch(&self, message: ServerMessage) -> Result<Option<Value>, DuplexError> {
        self.dispatch_with(message, ()).await
    }
}

impl<C: 'static> DuplexDispatcher<C> {
    /// Sets the handler, and replaces the previous one.
    pub fn set_handler(&self, handler: impl DuplexHandler<C>) -> &Self {
        self.replace_handler(Some(Arc::new(handler)))
    }

    /// Sets the handler to a closure that takes each message and its context.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::client::{DuplexDispatcher, ServerMessage};
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let duplex = DuplexDispatcher::<&str>::default();
    /// duplex.set_context_handler(|_, server| async move { Ok(json!({ "server": server })) });
    /// let ping = ServerMessage { id: Some(1.into()), method: "ping".to_owned(), params: None };
    /// let result = duplex.dispatch_with(ping, "files").await.unwrap();
    /// assert_eq!(result, Some(json!({ "server": "files" })));
    /// # }
    /// ```
    pub fn set_context_handler<F, A>(&self, handler: F) -> &Self
    where
        F: Fn(ServerMessage, C) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Value, HandlerError>> + Send + 'static,
    {
        self.set_handler(ContextHandler(handler))
    }

    /// Sets the handler, or removes it for `None`.
    pub fn replace_handler(&self, handler: Option<Arc<dyn DuplexHandler<C>>>) -> &Self {
        // The assignment replaces the whole value, so the value is valid even if the lock is
        // poisoned.
        let mut current = self
            .handler
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *current = handler;
        drop(current);
        self
    }

    /// Passes a message and its context to the handler. Returns the result of a request, or `None`
    /// for a notification.
    ///
    /// # Errors
    /// Returns error −32601 for a request without a handler. If the handler returns an
    /// [`ErrorObject`], it becomes the response unchanged. Any other error, or a panic, becomes
    /// error −32603 with the original error as its source. The client sends no response for the
    /// error of a notification.
    pub async fn dispatch_with(
        &self,
        message: ServerMessage,
        context: C,
    ) -> Result<Option<Value>, DuplexError> {
        let handler = self.handler();
        let is_request = message.id.is_some();
        let Some(handler) = handler else {
            return match is_request {
                true => Err(ErrorObject::method_not_found(&message.method).into()),
                false => Ok(None),
            };
        };
        let method = message.method.clone();
        let outcome = call::catch_panic_async(|| handler.handle(message, context)).await;
        match outcome.unwrap_or_else(|_| Err(HandlerPanicked.into())) {
            Ok(result) => Ok(is_request.then_some(result)),
            Err(error) => Err(DuplexError::new(error, &method)),
        }
    }

    fn handler(&self) -> Option<Arc<dyn DuplexHandler<C>>> {
        let current = self
            .handler
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        current.clone()
    }
}

impl DuplexError {
    fn new(error: HandlerError, method: &str) -> Self {
        match error.downcast::<ErrorObject>() {
            Ok(response) => (*response).into(),
            Err(source) => Self {
                response: ErrorObject::new(
                    ErrorCode::INTERNAL_ERROR,
                    format!("the client failed to handle `{method}`"),
                ),
                source: Some(source),
            },
        }
    }
}

impl From<ErrorObject> for DuplexError {
    fn from(response: ErrorObject) -> Self {
        Self {
            response,
            source: None,
        }
    }
}

impl<C> Default for DuplexDispatcher<C> {
    fn default() -> Self {
        Self {
            handler: RwLock::default(),
        }
    }
}

impl<C: 'static> fmt::Debug for DuplexDispatcher<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_handler = self.handler().is_some();
        write!(formatter, "DuplexDispatcher(has_handler: {has_handler})")
    }
}

#[cfg(test)]
mod tests;
