//! A server over Streamable HTTP: every message a request of its own
//! (specification, *Transports*, *Streamable HTTP*).
//!
//! TLS is not here: a connector brings it, or a proxy beside the client.

mod address;
mod connections;
mod events;
mod exchange;
mod message;
mod settings;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use address::Address;
use connections::{Busy, Connections};
use http::{HeaderMap, HeaderValue, Method, Request, Response, header};
use hyper::body::Incoming;
use message::{Described, Parameters};
pub(super) use settings::Settings;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::ClientError;
use super::inbox::Inbox;
use super::link::{Carried, Link};
use crate::protocol::{Revision, Tool};
use crate::schema::checked_header_parameters;
use crate::transport::{HttpBody, header_names};

/// How long the server may take to accept what it does not answer.
const ACCEPT: Duration = Duration::from_secs(30);
/// How long the end of a session may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// The way to a server over HTTP.
#[derive(Debug)]
pub(super) struct HttpLink {
    shared: Arc<Shared>,
    runtime: Handle,
    listening: Mutex<Option<AbortHandle>>,
}

/// What all requests of a client share.
pub(super) struct Shared {
    connections: Connections,
    inbox: Inbox,
    /// What the user adds to every request, secrets among it.
    headers: HeaderMap,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    revision: Option<Revision>,
    session: Option<HeaderValue>,
    parameters: Parameters,
}

impl HttpLink {
    /// Must be called inside a tokio runtime; nothing is sent yet.
    pub(super) fn new(url: &str, settings: Settings, inbox: Inbox) -> Result<Self, ClientError> {
        let Settings { connector, headers } = settings;
        let address = Address::parse(url, connector.is_some())?;
        let headers = headers.map_err(|reason| ClientError::Address { reason })?;
        Ok(Self {
            shared: Arc::new(Shared {
                connections: Connections::new(address, connector),
                inbox,
                headers,
                state: Mutex::default(),
            }),
            runtime: Handle::current(),
            listening: Mutex::default(),
        })
    }

    /// Ends the session, if there is one; the server need not allow it.
    fn farewell(&self) -> impl Future<Output = ()> + Send + 'static {
        if let Some(listening) = lock(&self.listening).take() {
            listening.abort();
        }
        let shared = Arc::clone(&self.shared);
        async move {
            if shared.session().is_none() {
                return;
            }
            let ended = shared.ask(Method::DELETE, HeaderMap::new(), Vec::new());
            let ended = tokio::time::timeout(FAREWELL, ended).await;
            shared.state().session = None;
            tracing::debug!(ended = matches!(ended, Ok(Ok(_))), "ended the session");
        }
    }
}

impl Link for HttpLink {
    fn send(&self, message: &[u8]) -> bool {
        let sent = self.carry(message);
        self.runtime.spawn(async move {
            if let Ok(Err(error)) = tokio::time::timeout(ACCEPT, sent).await {
                tracing::warn!("the server did not take a message: {error}");
            }
        });
        true
    }

    fn carry(&self, message: &[u8]) -> Carried {
        let shared = Arc::clone(&self.shared);
        Box::pin(exchange::exchange(shared, message.to_vec()))
    }

    fn speak(&self, revision: Revision) {
        self.shared.state().revision = Some(revision);
    }

    fn listen(&self) {
        let stream = exchange::Stream::new(Arc::clone(&self.shared), true);
        let listening = self.runtime.spawn(stream.listen());
        *lock(&self.listening) = Some(listening.abort_handle());
    }

    /// In 2026-07-28 the end of the response's connection cancels (*Cancellation*).
    fn tells_of_cancellation(&self) -> bool {
        self.shared.state().revision.is_none_or(Revision::is_modern)
    }

    /// A tool whose headers break the rules must not be used over HTTP
    /// (specification of 2026-07-28, *Tools*, *x-mcp-header*).
    fn learn(&self, tools: &mut Vec<Tool>) {
        let mut state = self.shared.state();
        if !state.revision.is_some_and(Revision::is_modern) {
            return;
        }
        tools.retain(|tool| match checked_header_parameters(&tool.input_schema) {
            Ok(parameters) => {
                state.parameters.insert(tool.name.clone(), parameters);
                true
            }
            Err(reason) => {
                tracing::warn!(tool = tool.name, reason, "a tool was left out");
                false
            }
        });
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(self.farewell())
    }
}

impl Drop for HttpLink {
    fn drop(&mut self) {
        let farewell = self.farewell();
        if self.shared.session().is_some() {
            self.runtime.spawn(farewell);
        }
    }
}

impl Shared {
    fn describe(&self, message: &[u8]) -> Described {
        message::describe(message, &self.state().parameters)
    }

    async fn post(
        &self,
        mut described: Described,
        message: Vec<u8>,
    ) -> Result<(Response<Incoming>, Busy), ClientError> {
        message::of_posts(&mut described.headers);
        if described.is_modern || described.begins {
            return self.send(Method::POST, described.headers, message).await;
        }
        self.ask(Method::POST, described.headers, message).await
    }

    /// A request inside of the session.
    async fn ask(
        &self,
        method: Method,
        mut headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(Response<Incoming>, Busy), ClientError> {
        {
            let state = self.state();
            if let Some(session) = &state.session {
                headers.insert(header_names::SESSION_ID, session.clone());
            }
            if let Some(revision) = state.revision {
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
    ) -> Result<(Response<Incoming>, Busy), ClientError> {
        let address = &self.connections.address;
        let mut request = Request::new(match method {
            Method::POST => HttpBody::message(body),
            _ => HttpBody::empty(),
        });
        *request.method_mut() = method;
        *request.uri_mut() = address.target.clone();
        *request.headers_mut() = self.headers.clone();
        let authority = address.authority.clone();
        request.headers_mut().insert(header::HOST, authority);
        // What the protocol says stands before what the user adds.
        for (name, value) in headers {
            if let Some(name) = name {
                request.headers_mut().insert(name, value);
            }
        }
        self.connections.send(request).await
    }

    /// Keeps the session that the answer to the handshake names.
    fn begin(&self, headers: &HeaderMap) {
        self.state().session = headers.get(header_names::SESSION_ID).cloned();
    }

    fn session(&self) -> Option<HeaderValue> {
        self.state().session.clone()
    }

    /// No foreign code runs under the lock, so the state is always whole.
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Shared")
            .field("connections", &self.connections)
            .field("revision", &self.state().revision)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
