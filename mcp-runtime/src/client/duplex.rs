use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, RwLock};

use serde_json::Value;
use serde_json::value::RawValue;

use crate::jsonrpc::{ErrorCode, ErrorObject, RequestId};

/// Any error of a handler; one that is an [`ErrorObject`] goes to the server as it is.
pub type HandlerError = Box<dyn StdError + Send + Sync>;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A request or notification that the server began, with its parameters untouched.
#[derive(Clone, Debug)]
pub struct ServerMessage {
    /// To be answered with this id; a notification has none.
    pub id: Option<RequestId>,
    /// For example `sampling/createMessage`.
    pub method: String,
    /// The JSON text as it came.
    pub params: Option<Box<RawValue>>,
}

/// What takes the messages that a server begins.
///
/// Implemented for closures of one [`ServerMessage`] that give a future.
pub trait DuplexHandler: Send + Sync + 'static {
    /// Gives the result of a request; what it gives for a notification is dropped.
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

/// Why a message of the server has no result: what to answer, and the cause.
///
/// The answer never holds the text of the cause, which stays in this process as
/// the [`source`](StdError::source).
#[derive(Debug, thiserror::Error)]
#[error("{answer}")]
pub struct DuplexError {
    /// What the server is answered.
    pub answer: ErrorObject,
    source: Option<HandlerError>,
}

/// Hands the messages that a server begins to one handler.
///
/// It knows no method and no revision. The handler can be changed at any time:
/// a message that is being handled keeps the handler that it began with.
///
/// ```
/// use mcp_runtime::jsonrpc::ErrorCode;
/// use mcp_runtime::{DuplexDispatcher, ServerMessage};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let duplex = DuplexDispatcher::new();
/// let ask = || ServerMessage { id: Some(1.into()), method: "roots/list".to_owned(), params: None };
/// let refused = duplex.dispatch(ask()).await.unwrap_err();
/// assert_eq!(refused.answer.code, ErrorCode::METHOD_NOT_FOUND);
///
/// duplex.set_handler(|_: ServerMessage| async { Ok(json!({ "roots": [] })) });
/// assert_eq!(duplex.dispatch(ask()).await.unwrap(), Some(json!({ "roots": [] })));
/// # }
/// ```
#[derive(Default)]
pub struct DuplexDispatcher {
    handler: RwLock<Option<Arc<dyn DuplexHandler>>>,
}

impl DuplexDispatcher {
    /// One without a handler.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers the handler, in place of any before it.
    pub fn set_handler(&self, handler: impl DuplexHandler) -> &Self {
        self.replace_handler(Some(Arc::new(handler)))
    }

    /// Registers a shared handler; `None` is as if there never was one.
    pub fn replace_handler(&self, handler: Option<Arc<dyn DuplexHandler>>) -> &Self {
        // A poisoned lock still holds a whole handler: it is only ever replaced.
        let mut held = self
            .handler
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *held = handler;
        drop(held);
        self
    }

    /// Hands one message on; the result of a request, `None` for a notification.
    ///
    /// # Errors
    /// A request without a handler is −32601. An [`ErrorObject`] of the handler
    /// passes as it is; any other error becomes −32603, with the original as its
    /// source. A notification's error has nobody to go to but the caller's log.
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
            Err(error) => Err(DuplexError::of(error, &method)),
        }
    }

    fn handler(&self) -> Option<Arc<dyn DuplexHandler>> {
        let held = self
            .handler
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        held.clone()
    }
}

impl DuplexError {
    fn of(error: HandlerError, method: &str) -> Self {
        match error.downcast::<ErrorObject>() {
            Ok(answer) => (*answer).into(),
            Err(source) => Self {
                answer: ErrorObject::new(
                    ErrorCode::INTERNAL_ERROR,
                    format!("the client failed to handle `{method}`"),
                ),
                source: Some(source),
            },
        }
    }
}

impl From<ErrorObject> for DuplexError {
    fn from(answer: ErrorObject) -> Self {
        Self {
            answer,
            source: None,
        }
    }
}

impl fmt::Debug for DuplexDispatcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let handles = self.handler().is_some();
        write!(formatter, "DuplexDispatcher({handles})")
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
    async fn without_a_handler_a_request_is_refused_and_a_notification_dropped() {
        let duplex = DuplexDispatcher::new();
        let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
        assert_eq!(error.answer.code, ErrorCode::METHOD_NOT_FOUND);
        assert!(error.answer.message.contains("sampling/createMessage"));
        assert_eq!(duplex.dispatch(message(None, None)).await.unwrap(), None);
    }

    #[tokio::test]
    async fn parameters_arrive_as_they_were_sent() {
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
        let odd = r#"{ "unknown" : 1.50, "_meta":{"b":1,"a":2} }"#;
        duplex.dispatch(message(Some(1), Some(odd))).await.unwrap();
        assert_eq!(*seen.lock().unwrap(), odd);
    }

    #[tokio::test]
    async fn an_error_object_passes_and_any_other_error_is_hidden_behind_its_source() {
        let duplex = DuplexDispatcher::new();
        let own = ErrorObject::new(ErrorCode(-1), "rejected").with_data(json!([1]));
        let passed = own.clone();
        duplex.set_handler(move |_: ServerMessage| {
            let own = own.clone();
            async { Err(own.into()) }
        });
        let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
        assert_eq!(error.answer, passed);
        assert!(error.source().is_none());

        duplex.set_handler(|_: ServerMessage| async { Err("the disk is full".into()) });
        let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
        assert_eq!(error.answer.code, ErrorCode::INTERNAL_ERROR);
        assert!(error.answer.message.contains("sampling/createMessage"));
        assert!(!error.to_string().contains("disk"));
        assert_eq!(error.source().unwrap().to_string(), "the disk is full");
    }

    #[tokio::test]
    async fn a_message_keeps_the_handler_that_it_began_with() {
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
        assert!(futures_poll(first.as_mut()).is_pending());
        duplex.set_handler(|_: ServerMessage| async { Ok(json!("second")) });
        let second = duplex.dispatch(message(Some(2), None)).await.unwrap();
        assert_eq!(second, Some(json!("second")));
        duplex.replace_handler(None);
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Some(json!("first")));
        assert!(duplex.dispatch(message(Some(3), None)).await.is_err());
    }

    fn futures_poll<F: Future>(future: Pin<&mut F>) -> std::task::Poll<F::Output> {
        future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
    }
}
