//! The client side of Streamable HTTP, where every message is a POST request
//! (specification, *Transports*, *Streamable HTTP*).
//!
//! TLS is left to the user's connector, or to a proxy.

mod connection_pool;
mod exchange;
mod request_headers;
mod response;
mod resumable_stream;
mod server_address;
mod settings;
mod sse;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use connection_pool::{ActiveConnection, ConnectionPool};
use http::{HeaderMap, HeaderValue, Method, Request, Response, header};
use hyper::body::Incoming;
use request_headers::{RequestHeaders, ToolHeaderParameters};
use resumable_stream::ResumableStream;
use server_address::ServerAddress;
pub(super) use settings::HttpSettings;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::ClientError;
use super::inbox::Inbox;
use super::transport::{ClientTransport, SendFuture};
use crate::protocol::{Revision, Tool};
use crate::schema::try_header_parameters;
use crate::transport::{HttpBody, header_names};

/// How long the server may take to accept a notification or a response.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(30);
/// How long ending the session may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Sends the messages of a client over HTTP.
#[derive(Debug)]
pub(super) struct HttpClientTransport {
    state: Arc<HttpState>,
    runtime: Handle,
    listen_task: Mutex<Option<AbortHandle>>,
}

/// The state that all requests of a client share.
pub(super) struct HttpState {
    connections: ConnectionPool,
    inbox: Inbox,
    /// The user's additional headers of every request, which may contain secrets.
    headers: HeaderMap,
    session: Mutex<SessionState>,
}

#[derive(Default)]
struct SessionState {
    revision: Option<Revision>,
    id: Option<HeaderValue>,
    header_parameters: ToolHeaderParameters,
}

impl HttpClientTransport {
    /// Must be called inside a tokio runtime; does not connect yet.
    pub(super) fn new(
        url: &str,
        settings: HttpSettings,
        inbox: Inbox,
    ) -> Result<Self, ClientError> {
        let HttpSettings { connector, headers } = settings;
        let address = ServerAddress::parse(url, connector.is_some())?;
        let headers = headers.map_err(|reason| ClientError::InvalidConfig { reason })?;
        Ok(Self {
            state: Arc::new(HttpState {
                connections: ConnectionPool::new(address, connector),
                inbox,
                headers,
                session: Mutex::default(),
            }),
            runtime: Handle::current(),
            listen_task: Mutex::default(),
        })
    }

    /// Ends the session, if there is one; the server may not support this.
    fn end_session(&self) -> impl Future<Output = ()> + Send + 'static {
        if let Some(listen_task) = lock(&self.listen_task).take() {
            listen_task.abort();
        }
        let state = Arc::clone(&self.state);
        async move {
            if state.session_id().is_none() {
                return;
            }
            let ended = state.send_in_session(Method::DELETE, HeaderMap::new(), Vec::new());
            let ended = tokio::time::timeout(CLOSE_TIMEOUT, ended).await;
            state.session().id = None;
            tracing::debug!(ended = matches!(ended, Ok(Ok(_))), "ended the session");
        }
    }
}

impl ClientTransport for HttpClientTransport {
    fn send(&self, message: &[u8]) -> bool {
        let sent = self.send_and_wait(message);
        self.runtime.spawn(async move {
            if let Ok(Err(error)) = tokio::time::timeout(ACCEPT_TIMEOUT, sent).await {
                tracing::warn!("the server did not accept a message: {error}");
            }
        });
        true
    }

    fn send_and_wait(&self, message: &[u8]) -> SendFuture {
        let state = Arc::clone(&self.state);
        Box::pin(exchange::exchange(state, message.to_vec()))
    }

    fn set_revision(&self, revision: Revision) {
        self.state.session().revision = Some(revision);
    }

    fn listen(&self) {
        let stream = ResumableStream::new(Arc::clone(&self.state), true);
        let listen_task = self.runtime.spawn(stream.listen());
        *lock(&self.listen_task) = Some(listen_task.abort_handle());
    }

    /// In 2026-07-28, closing the connection of the response cancels the request
    /// (*Cancellation*).
    fn cancels_on_drop(&self) -> bool {
        self.state.session().revision.is_none_or(Revision::is_modern)
    }

    /// Removes tools with an invalid `x-mcp-header`, which must not be called over HTTP
    /// (specification of 2026-07-28, *Tools*, *x-mcp-header*).
    fn filter_tools(&self, tools: &mut Vec<Tool>) {
        let mut session = self.state.session();
        if !session.revision.is_some_and(Revision::is_modern) {
            return;
        }
        tools.retain(|tool| match try_header_parameters(&tool.input_schema) {
            Ok(parameters) => {
                let name = tool.name.clone();
                session.header_parameters.insert(name, parameters);
                true
            }
            Err(reason) => {
                tracing::warn!(tool = tool.name, reason, "ignored a tool with an invalid `x-mcp-header`");
                false
            }
        });
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(self.end_session())
    }
}

impl Drop for HttpClientTransport {
    fn drop(&mut self) {
        let end_session = self.end_session();
        if self.state.session_id().is_some() {
            self.runtime.spawn(end_session);
        }
    }
}

impl HttpState {
    fn request_headers(&self, message: &[u8]) -> RequestHeaders {
        request_headers::request_headers(message, &self.session().header_parameters)
    }

    async fn post(
        &self,
        mut request: RequestHeaders,
        message: Vec<u8>,
    ) -> Result<(Response<Incoming>, ActiveConnection), ClientError> {
        request_headers::insert_post_headers(&mut request.headers);
        if request.is_modern || request.is_initialize {
            return self.send(Method::POST, request.headers, message).await;
        }
        self.send_in_session(Method::POST, request.headers, message)
            .await
    }

    /// Sends a request with the headers of the session.
    async fn send_in_session(
        &self,
        method: Method,
        mut headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(Response<Incoming>, ActiveConnection), ClientError> {
        {
            let session = self.session();
            if let Some(id) = &session.id {
                headers.insert(header_names::SESSION_ID, id.clone());
            }
            if let Some(revision) = session.revision {
                let version = HeaderValue::from_static(revision.as_str());
                headers.insert(header_names::PROTOCOL_VERSION, version);
            }
        }
        self.send(method, headers, body).await
    }

    async fn send(
        &self,
        method: Method,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(Response<Incoming>, ActiveConnection), ClientError> {
        let address = &self.connections.address;
        let mut request = Request::new(match method {
            Method::POST => HttpBody::message(body),
            _ => HttpBody::empty(),
        });
        *request.method_mut() = method;
        *request.uri_mut() = address.path_and_query.clone();
        *request.headers_mut() = self.headers.clone();
        let authority = address.authority.clone();
        request.headers_mut().insert(header::HOST, authority);
        // The headers of the protocol replace those of the user.
        for (name, value) in headers {
            if let Some(name) = name {
                request.headers_mut().insert(name, value);
            }
        }
        self.connections.send(request).await
    }

    /// Stores the session id of the response to the handshake.
    fn start_session(&self, headers: &HeaderMap) {
        self.session().id = headers.get(header_names::SESSION_ID).cloned();
    }

    fn session_id(&self) -> Option<HeaderValue> {
        self.session().id.clone()
    }

    /// No user code runs under the lock, so a poisoned state is still consistent.
    fn session(&self) -> MutexGuard<'_, SessionState> {
        lock(&self.session)
    }
}

impl fmt::Debug for HttpState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpState")
            .field("connections", &self.connections)
            .field("revision", &self.session().revision)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
