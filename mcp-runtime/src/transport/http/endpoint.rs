use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;

use super::body::HttpBody;
use super::caller::{self, Caller};
use super::options::HttpOptions;
use super::post::post;
use super::state::EndpointState;
use super::{auth_responses, cors, responses, session_requests};
use crate::dispatch::Dispatcher;
use crate::limits::Share;

/// A `tower` service for an MCP server. You can mount it in any HTTP server.
///
/// The service supports all protocol versions. It uses sessions for versions up to 2025-11-25 and
/// stateless requests for 2026-07-28. Clones of an endpoint share their sessions. The service must
/// be called inside a tokio runtime.
///
/// ```
/// use mcp_runtime::Server;
/// use mcp_runtime::transport::HttpOptions;
/// # use mcp_runtime::prelude::*;
/// # /// Adds.
/// # #[tool(inline)]
/// # fn add(a: i64, b: i64) -> i64 { a + b }
///
/// let options = HttpOptions::new().public_host("example.com");
/// let server = Server::new("example", "1.0.0").http(options);
/// let endpoint = server.http_endpoint()?;
/// // let app = axum::Router::new().route_service("/mcp", endpoint);
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[derive(Clone)]
pub struct HttpEndpoint(Arc<EndpointState>);

impl HttpEndpoint {
    /// Creates an endpoint for a dispatcher. Most servers use
    /// [`Server::http_endpoint`](crate::Server::http_endpoint) instead.
    #[must_use]
    pub fn new(dispatcher: Dispatcher, options: HttpOptions) -> Self {
        Self(Arc::new(EndpointState::new(dispatcher, options)))
    }

    /// Returns the dispatcher of the endpoint.
    #[must_use]
    pub fn dispatcher(&self) -> &Dispatcher {
        &self.0.dispatcher
    }

    /// Returns the number of open legacy sessions.
    #[must_use]
    pub fn session_count(&self) -> usize {
        self.0.sessions.len()
    }

    /// Returns the number of open streams that wait for notifications.
    #[must_use]
    pub fn stream_count(&self) -> usize {
        self.0.open_streams()
    }

    /// Ends all sessions with their calls and streams. Call this function when the server shuts
    /// down.
    ///
    /// Requests of protocol version 2026-07-28 continue.
    pub fn end_sessions(&self) {
        self.0.sessions.clear();
    }

    /// Ends the streams that do not belong to a call. Call this function before the server shuts
    /// down.
    ///
    /// A graceful shutdown cannot complete while these streams are open. Calls continue.
    pub fn close_listen_streams(&self) {
        self.0.dispatcher.handle().close_listen_streams();
        self.0.sessions.end_server_streams();
    }

    /// Whether `path` is the path of the endpoint or of the protected resource metadata.
    pub(super) fn serves_path(&self, path: &str) -> bool {
        // Many clients add a slash to the end of the URL or remove it.
        without_slash(path) == without_slash(&self.0.options.path)
            || auth_responses::is_metadata_path(&self.0.dispatcher, path)
    }

    pub(super) fn options(&self) -> &HttpOptions {
        &self.0.options
    }

    /// Responds to one HTTP request. This function does not check the path of the request.
    pub async fn handle<B: Body>(&self, request: Request<B>) -> Response<HttpBody> {
        let (parts, body) = request.into_parts();
        let state = &*self.0;
        if header_bytes(&parts) > state.options.max_header_bytes {
            let message = "the headers are too large; see `HttpOptions::max_header_bytes`";
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return responses::rejection(status, message);
        }
        let cors_origin = match state.origin_policy.check(&parts) {
            Ok(cors_origin) => cors_origin,
            Err((status, message)) => {
                tracing::warn!("{message}");
                return responses::rejection(status, message);
            }
        };
        let metadata = auth_responses::resource_metadata(&parts, &state.dispatcher);
        let mut response = if let Some(metadata) = metadata {
            metadata
        } else if parts.method == Method::OPTIONS && cors_origin.is_some() {
            cors::preflight(&parts.headers)
        } else {
            let share = state.request_share(caller::address(&parts));
            route(state, &parts, body, share).await
        };
        auth_responses::add_scope_challenge(&mut response, &state.dispatcher);
        if let Some(origin) = cors_origin {
            cors::allow_origin(&mut response, origin);
        }
        response
    }
}

fn without_slash(path: &str) -> &str {
    path.strip_suffix('/').unwrap_or(path)
}

/// Returns the length of the request line and headers in HTTP/1.1 format.
fn header_bytes(parts: &Parts) -> usize {
    let target = parts.uri.path_and_query().map_or(0, |it| it.as_str().len());
    let authority = parts.uri.authority().map_or(0, |it| it.as_str().len());
    let line = parts.method.as_str().len() + target + authority + " HTTP/1.1\r\n\r\n".len();
    let headers = parts.headers.iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    line + headers.sum::<usize>()
}

/// Authenticates the caller and responds according to the HTTP method.
///
/// If `share` is `None`, the limit `max_requests` is reached and the server handles only requests
/// that can end calls or sessions.
async fn route<B: Body>(
    state: &EndpointState,
    parts: &Parts,
    body: B,
    share: Option<Share>,
) -> Response<HttpBody> {
    if share.is_none() && !matches!(parts.method, Method::POST | Method::DELETE) {
        return responses::too_many_requests();
    }
    let caller = match Caller::authenticate(parts, &state.dispatcher).await {
        Ok(caller) => caller,
        Err(challenge) => {
            return auth_responses::unauthenticated(&state.dispatcher, &parts.headers, challenge);
        }
    };
    match parts.method {
        Method::POST => post(state, parts, body, &caller, share).await,
        Method::GET => session_requests::get(state, &parts.headers, &caller),
        Method::DELETE => session_requests::delete(state, &parts.headers, &caller),
        _ => responses::method_not_allowed("GET, POST, DELETE"),
    }
}

impl<B> tower_service::Service<Request<B>> for HttpEndpoint
where
    B: Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let this = self.clone();
        Box::pin(async move { Ok(this.handle(request).await) })
    }
}

impl fmt::Debug for HttpEndpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpEndpoint")
            .field("options", &self.0.options)
            .field("sessions", &self.session_count())
            .finish_non_exhaustive()
    }
}
