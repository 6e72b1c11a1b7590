use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, RwLock};

use serde_json::Value;
use serde_json::value::RawValue;

use crate::jsonrpc::{ErrorCode, ErrorObject, RequestId};

/// The error of a handler. An [`ErrorObject`] is sent to the server as it is; see
/// [`DuplexDispatcher::dispatch`].
pub type HandlerError = Box<dyn StdError + Send + Sync>;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A request or notification that the server initiated, with unparsed parameters.
///
/// See [`DuplexDispatcher`] for an example.
#[derive(Clone, Debug)]
pub struct ServerMessage {
    /// The id of a request; `None` for a notification.
    pub id: Option<RequestId>,
    /// The method, for example `sampling/createMessage`.
    pub method: String,
    /// The JSON text of the parameters as received.
    pub params: Option<Box<RawValue>>,
}

/// Handles the messages that a server initiates.
///
/// Implemented for closures that take a [`ServerMessage`] and return a future. See
/// [`DuplexDispatcher`] for an example.
pub trait DuplexHandler: Send + Sync + 'static {
    /// Handles a message and returns the result of a request; the result is ignored for
    /// a notification.
    fn handle(&self, message: ServerMessage) -> BoxFuture<Result<Value, HandlerError>>;
}

impl<F, A> DuplexHandler for F
where
    F: Fn(ServerMessage) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Value, HandlerError>> + Send + 'static,
{
    fn handle(&self, message: ServerMessage) -> BoxFuture<Result<Value, HandlerError>> {
        Box::pin(self(message))
    }
}

/// The error of a handler, with the response for the server.
///
/// The response never contains the text of the cause, which is available in this process
/// as the [`source`](StdError::source). See [`DuplexDispatcher`] for an example.
#[derive(Debug, thiserror::Error)]
#[error("{response}")]
pub struct DuplexError {
    /// The error object that the server receives.
    pub response: ErrorObject,
    source: Option<HandlerError>,
}

/// Passes the messages that a server initiates to one handler, whatever their method.
///
/// The handler can be replaced at any time; a message that is being handled keeps the
/// handler that it started with.
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
#[derive(Default)]
pub struct DuplexDispatcher {
    handler: RwLock<Option<Arc<dyn DuplexHandler>>>,
}

impl DuplexDispatcher {
    /// Creates a dispatcher without a handler.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the handler, in place of the previous one.
    pub fn set_handler(&self, handler: impl DuplexHandler) -> &Self {
        self.replace_handler(Some(Arc::new(handler)))
    }

    /// Sets or removes the handler.
    pub fn replace_handler(&self, handler: Option<Arc<dyn DuplexHandler>>) -> &Self {
        // The value is replaced as a whole, so a poisoned lock is still consistent.
        let mut current = self
            .handler
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *current = handler;
        drop(current);
        self
    }

    /// Passes a message to the handler; returns the result of a request, or `None` for a
    /// notification.
    ///
    /// # Errors
    /// −32601 for a request if there is no handler. An [`ErrorObject`] of the handler is
    /// returned as it is; any other error becomes −32603, with the original as its
    /// source. The error of a notification is not sent to the server.
    pub async fn dispatch(&self, message: ServerMessage) -> Result<Option<Value>, DuplexError> {
        let handler = self.handler();
        let is_request = message.id.is_some();
        let Some(handler) = handler else {
            return match is_request {
                true => Err(ErrorObject::method_not_found(&message.method).into()),
                false => Ok(None),
            };
        };
        let method = message.method.clone();
        match handler.handle(message).await {
            Ok(result) => Ok(is_request.then_some(result)),
            Err(error) => Err(DuplexError::new(error, &method)),
        }
    }

    fn handler(&self) -> Option<Arc<dyn DuplexHandler>> {
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

impl fmt::Debug for DuplexDispatcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_handler = self.handler().is_some();
        write!(formatter, "DuplexDispatcher(has_handler: {has_handler})")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde_json::json;

    use super::*;

    fn message(id: Option<i64>, params: Option<&str>) -> ServerMessage {
        ServerMessage {
            id: id.map(RequestId::from),
            method: "sampling/createMessage".to_owned(),
            params: params.map(|json| RawValue::from_string(json.to_owned()).unwrap()),
        }
    }

    #[tokio::test]
    async fn without_a_handler_requests_fail_and_notifications_are_dropped() {
        let duplex = DuplexDispatcher::new();
        let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
        assert_eq!(error.response.code, ErrorCode::METHOD_NOT_FOUND);
        assert!(error.response.message.contains("sampling/createMessage"));
        assert_eq!(duplex.dispatch(message(None, None)).await.unwrap(), None);
    }

    #[tokio::test]
    async fn parameters_are_passed_unchanged() {
        let seen = Arc::new(Mutex::new(String::new()));
        let duplex = DuplexDispatcher::new();
        let keep = Arc::clone(&seen);
        duplex.set_handler(move |message: ServerMessage| {
            message
                .params
                .unwrap()
                .get()
                .clone_into(&mut keep.lock().unwrap());
            async { Ok(json!({})) }
        });
        let unusual = r#"{ "unknown" : 1.50, "_meta":{"b":1,"a":2} }"#;
        duplex
            .dispatch(message(Some(1), Some(unusual)))
            .await
            .unwrap();
        assert_eq!(*seen.lock().unwrap(), unusual);
    }

    #[tokio::test]
    async fn an_error_object_is_passed_on_and_other_errors_become_the_source() {
        let duplex = DuplexDispatcher::new();
        let own = ErrorObject::new(ErrorCode(-1), "rejected").with_data(json!([1]));
        let passed = own.clone();
        duplex.set_handler(move |_: ServerMessage| {
            let own = own.clone();
            async { Err(own.into()) }
        });
        let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
        assert_eq!(error.response, passed);
        assert!(error.source().is_none());

        duplex.set_handler(|_: ServerMessage| async { Err("the disk is full".into()) });
        let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
        assert_eq!(error.response.code, ErrorCode::INTERNAL_ERROR);
        assert!(error.response.message.contains("sampling/createMessage"));
        assert!(!error.to_string().contains("disk"));
        assert_eq!(error.source().unwrap().to_string(), "the disk is full");
    }

    #[tokio::test]
    async fn a_message_keeps_the_handler_that_it_started_with() {
        let duplex = Arc::new(DuplexDispatcher::new());
        let (release, released) = tokio::sync::oneshot::channel::<()>();
        let released = Arc::new(Mutex::new(Some(released)));
        duplex.set_handler(move |_: ServerMessage| {
            let released = released.lock().unwrap().take().unwrap();
            async {
                released.await.unwrap();
                Ok(json!("first"))
            }
        });
        let first = duplex.dispatch(message(Some(1), None));
        let mut first = std::pin::pin!(first);
        assert!(poll_once(first.as_mut()).is_pending());
        duplex.set_handler(|_: ServerMessage| async { Ok(json!("second")) });
        let second = duplex.dispatch(message(Some(2), None)).await.unwrap();
        assert_eq!(second, Some(json!("second")));
        duplex.replace_handler(None);
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Some(json!("first")));
        assert!(duplex.dispatch(message(Some(3), None)).await.is_err());
    }

    fn poll_once<F: Future>(future: Pin<&mut F>) -> std::task::Poll<F::Output> {
        future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
    }
}
