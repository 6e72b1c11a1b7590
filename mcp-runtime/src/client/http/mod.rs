//! The client side of Streamable HTTP, which sends every message in a POST request (specification,
//! *Transports*, *Streamable HTTP*).
//!
//! This module does not implement TLS. Use a connector or a proxy for TLS.

mod connection_pool;
mod exchange;
mod request_headers;
mod response;
mod resumable_stream;
mod server_address;
mod settings;
mod sse;
mod state;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) use connection_pool::ByteStream;
use connection_pool::ConnectionPool;
use http::{HeaderMap, Method};
use resumable_stream::ResumableStream;
use server_address::ServerAddress;
pub(super) use settings::HttpSettings;
use state::{HttpState, lock};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::ClientError;
use super::budget::MessageBudget;
use super::inbox::Inbox;
use super::transport::{ClientTransport, SendFuture};
use crate::protocol::{Revision, Tool};
use crate::schema::try_header_parameters;

/// The timeout for the server to accept a notification or a response.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(30);
/// The maximum number of notifications that the server has not yet accepted.
const MAX_UNACCEPTED: usize = 1024;
/// The timeout for ending the session.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The transport that sends the messages of a client over HTTP.
#[derive(Debug)]
pub(super) struct HttpClientTransport {
    state: Arc<HttpState>,
    runtime: Handle,
    listen_task: Mutex<Option<AbortHandle>>,
    /// The budget of the notifications that the server has not yet accepted.
    unaccepted: MessageBudget,
}

impl HttpClientTransport {
    /// Creates the transport, which opens a connection with the first message. Call it inside a
    /// tokio runtime.
    pub(super) fn new(
        url: &str,
        settings: HttpSettings,
        inbox: Inbox,
    ) -> Result<Self, ClientError> {
        let HttpSettings { connector, headers } = settings;
        let address = ServerAddress::parse(url, connector.is_some())?;
        let headers = headers.map_err(|reason| ClientError::InvalidConfig { reason })?;
        Ok(Self {
            state: Arc::new(HttpState::new(
                ConnectionPool::new(address, connector),
                inbox,
                headers,
            )),
            runtime: Handle::current(),
            listen_task: Mutex::default(),
            unaccepted: MessageBudget::new(MAX_UNACCEPTED),
        })
    }

    /// Ends the session if the server has started one. Ignores errors, because the server may not
    /// support this.
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
        let Some(permit) = self.unaccepted.try_reserve(message.len()) else {
            return false;
        };
        let sent = self.send_and_wait(message);
        self.runtime.spawn(async move {
            let _permit = permit;
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

    /// Returns `true` in protocol version 2026-07-28. There, closing the connection of the response
    /// cancels the request (specification, *Cancellation*).
    fn cancels_on_drop(&self) -> bool {
        self.state
            .session()
            .revision
            .is_none_or(Revision::is_modern)
    }

    /// Removes tools with an invalid `x-mcp-header`, because a client must not call them over HTTP
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
                tracing::warn!(
                    tool = tool.name,
                    reason,
                    "ignored a tool with an invalid `x-mcp-header`"
                );
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
