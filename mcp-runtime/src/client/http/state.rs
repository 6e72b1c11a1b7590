use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, HeaderValue, Method, Request, Response, header};
use hyper::body::Incoming;

use super::connection_pool::{ActiveConnection, ConnectionPool};
use super::request_headers::{self, RequestHeaders, ToolHeaderParameters};
use crate::client::ClientError;
use crate::client::inbox::Inbox;
use crate::protocol::Revision;
use crate::transport::{HttpBody, header_names};

/// The state that all requests of a client share.
pub(super) struct HttpState {
    pub(super) connections: ConnectionPool,
    pub(super) inbox: Inbox,
    /// The additional headers of the user for every request, which may contain secrets.
    headers: HeaderMap,
    session: Mutex<SessionState>,
}

#[derive(Default)]
pub(super) struct SessionState {
    pub(super) revision: Option<Revision>,
    pub(super) id: Option<HeaderValue>,
    pub(super) header_parameters: ToolHeaderParameters,
}

impl HttpState {
    pub(super) fn new(connections: ConnectionPool, inbox: Inbox, headers: HeaderMap) -> Self {
        Self {
            connections,
            inbox,
            headers,
            session: Mutex::default(),
        }
    }

    pub(super) fn request_headers(&self, message: &[u8]) -> RequestHeaders {
        request_headers::request_headers(message, &self.session().header_parameters)
    }

    pub(super) async fn post(
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
    pub(super) async fn send_in_session(
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
        // Headers of the protocol replace headers of the user.
        for (name, value) in headers {
            if let Some(name) = name {
                request.headers_mut().insert(name, value);
            }
        }
        self.connections.send(request).await
    }

    /// Stores the session id from the response to `initialize`.
    pub(super) fn start_session(&self, headers: &HeaderMap) {
        self.session().id = headers.get(header_names::SESSION_ID).cloned();
    }

    pub(super) fn session_id(&self) -> Option<HeaderValue> {
        self.session().id.clone()
    }

    /// Locks the session state. No user code runs while it is locked, so the state is valid even if
    /// the lock is poisoned.
    pub(super) fn session(&self) -> MutexGuard<'_, SessionState> {
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

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
