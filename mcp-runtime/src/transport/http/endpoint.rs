use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::HeaderMap;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;

use super::HttpOptions;
use super::authenticate::Caller;
use super::body::{Events, HttpBody};
use super::clients::Clients;
use super::event::EventId;
use super::gate::{Gate, Refused};
use super::hands::Hands;
use super::headers::{self, Accepts, Named};
use super::limit::{Limit, Permit};
use super::pace::Pace;
use super::post::Post;
use super::read::read;
use super::respond::{busy, crowded, not_allowed};
use super::sessions::Sessions;
use super::{cors, old, respond};
use crate::dispatch::Dispatcher;

/// The endpoint of a server: a `tower` service for one path of any HTTP server.
///
/// Serves every revision: sessions up to 2025-11-25, single requests since
/// 2026-07-28. Clones share their sessions. Must be called inside a tokio runtime.
///
/// ```
/// use mcp_runtime::{HttpOptions, Server};
/// # use mcp_runtime::prelude::*;
/// # /// Adds.
/// # #[tool(inline)]
/// # fn add(a: i64, b: i64) -> i64 { a + b }
///
/// let server = Server::new("example", "1.0.0").http(HttpOptions::new().public_host("example.com"));
/// let endpoint = server.http_endpoint()?;
/// // let app = axum::Router::new().route_service("/mcp", endpoint);
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[derive(Clone)]
pub struct HttpEndpoint(Arc<Inner>);

pub(super) struct Inner {
    pub(super) dispatcher: Dispatcher,
    pub(super) options: HttpOptions,
    pub(super) sessions: Arc<Sessions>,
    gate: Gate,
    limit: Limit,
    pub(super) streams: Limit,
    pub(super) hands: Arc<Hands>,
    pub(super) clients: Clients,
    pub(super) pace: Arc<Pace>,
}

impl HttpEndpoint {
    /// An endpoint for a server that is built.
    #[must_use]
    pub fn new(dispatcher: Dispatcher, options: HttpOptions) -> Self {
        Self(Arc::new(Inner {
            gate: Gate::new(&options),
            limit: Limit::new(options.max_requests),
            streams: Limit::new(options.max_streams),
            hands: Arc::default(),
            clients: Clients::of(&dispatcher.core().service.quotas),
            pace: Arc::new(Pace::new(options.keep_alive)),
            sessions: Sessions::new(&options),
            dispatcher,
            options,
        }))
    }

    /// What answers the messages, for whoever changes what is served.
    #[must_use]
    pub fn dispatcher(&self) -> &Dispatcher {
        &self.0.dispatcher
    }

    /// How many legacy sessions are alive.
    #[must_use]
    pub fn session_count(&self) -> usize {
        self.0.sessions.len()
    }

    /// How many streams stand open that wait for news.
    #[must_use]
    pub fn stream_count(&self) -> usize {
        self.0.streams.taken()
    }

    /// Ends every session and its streams, as when the server stops.
    ///
    /// Requests of 2026-07-28 are not touched.
    pub fn end_sessions(&self) {
        self.0.sessions.clear();
    }

    /// Ends the streams that no request waits for, as before the server stops.
    ///
    /// They would keep an HTTP server from ending gracefully. Calls go on.
    pub fn end_streams(&self) {
        self.0.dispatcher.handle().end_streams();
        self.0.sessions.hush();
    }

    pub(super) fn knows_callers(&self) -> bool {
        self.0.dispatcher.core().service.guards.validator.is_some()
    }

    /// Whether a path is that of the server, or of what it tells about itself.
    pub(super) fn answers(&self, path: &str) -> bool {
        let metadata = self.0.dispatcher.resource_metadata();
        path == self.0.options.path
            || metadata.is_some_and(|metadata| metadata.paths().iter().any(|it| it == path))
    }

    pub(super) fn options(&self) -> &HttpOptions {
        &self.0.options
    }

    /// Answers one HTTP request, whatever its path.
    pub async fn handle<B: Body>(&self, request: Request<B>) -> Response<HttpBody> {
        let (parts, body) = request.into_parts();
        let inner = &self.0;
        let authority = parts.uri.authority().map(http::uri::Authority::as_str);
        let admitted = match inner.gate.admit(&parts.headers, authority) {
            Ok(admitted) => admitted,
            Err(Refused(message)) => {
                tracing::warn!("{message}");
                return respond::refusal(StatusCode::FORBIDDEN, message);
            }
        };
        let mut response = if let Some(document) = inner.metadata(&parts) {
            document
        } else {
            match (&parts.method, &admitted.cors) {
                (&Method::OPTIONS, Some(_)) => cors::preflight(&parts.headers),
                _ => match inner.limit.enter() {
                    Some(permit) => inner.serve(&parts, body, permit).await,
                    None => busy(),
                },
            }
        };
        inner.name_scopes(&mut response);
        if let Some(origin) = admitted.cors {
            cors::allow(&mut response, origin);
        }
        response
    }
}

impl Inner {
    async fn serve<B: Body>(&self, parts: &Parts, body: B, permit: Permit) -> Response<HttpBody> {
        let caller = match self.caller(parts).await {
            Ok(caller) => caller,
            Err(refused) => return *refused,
        };
        match parts.method {
            Method::POST => self.post(parts, body, &caller, permit).await,
            Method::GET => self.get(&parts.headers, &caller),
            Method::DELETE => self.delete(&parts.headers, &caller),
            _ => not_allowed("GET, POST, DELETE"),
        }
    }

    async fn post<B: Body>(
        &self,
        parts: &Parts,
        body: B,
        caller: &Caller,
        permit: Permit,
    ) -> Response<HttpBody> {
        let headers = &parts.headers;
        let accepts = Accepts::of(headers);
        if !accepts.json && !accepts.events {
            let message = "`Accept` must allow `application/json` and `text/event-stream`";
            return respond::refusal(StatusCode::NOT_ACCEPTABLE, message);
        }
        if !headers::is_json(headers) {
            let message = "`Content-Type` must be `application/json`";
            return respond::refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
        }
        let (limit, timeout) = (self.options.max_body, self.options.body_timeout);
        let body = match read(body, limit, timeout).await {
            Ok(body) => body,
            Err((status, message)) => return respond::refusal(status, message),
        };
        if self.options.http_with_sse
            && let Some(id) = old::session(&parts.uri)
        {
            return old::post(self, id, &body, caller, permit);
        }
        let post = Post {
            inner: self,
            headers,
            caller,
            accepts,
        };
        post.message(&body).response(self, caller, permit).await
    }

    /// The stream for what no request asked for, or the rest of one that broke.
    fn get(&self, headers: &HeaderMap, caller: &Caller) -> Response<HttpBody> {
        let version = headers::version(headers);
        if version.is_modern() {
            return not_allowed("POST");
        }
        if !Accepts::of(headers).events {
            let message = "`Accept` must allow `text/event-stream`";
            return respond::refusal(StatusCode::NOT_ACCEPTABLE, message);
        }
        let Some(permit) = self.streams.enter() else {
            return crowded();
        };
        if self.options.http_with_sse && headers::session(headers) == Named::Nothing {
            return old::get(self, caller, permit);
        }
        let session = match self.session(headers, version, caller) {
            Ok(session) => session,
            Err((status, message)) => return respond::refusal(status, message),
        };
        let (stream, connection) = match headers::text(headers, &headers::LAST_EVENT_ID) {
            Ok(None) => session.listen(),
            Ok(Some(id)) if let Some(last) = EventId::parse(id) => session.resume(last),
            _ => {
                let message = "`Last-Event-ID` is not an id of this server";
                return respond::refusal(StatusCode::BAD_REQUEST, message);
            }
        };
        let watch = caller.watch(self, &stream, connection);
        let events = Events::new(stream, connection, self.options.keep_alive);
        respond::events(events.watched(watch).counted(permit))
    }

    /// Ends a session at the client's wish.
    fn delete(&self, headers: &HeaderMap, caller: &Caller) -> Response<HttpBody> {
        let version = headers::version(headers);
        if version.is_modern() {
            return not_allowed("POST");
        }
        match self.session(headers, version, caller) {
            Ok(session) => {
                self.sessions.remove(session.id);
                respond::empty(StatusCode::NO_CONTENT)
            }
            Err((status, message)) => respond::refusal(status, message),
        }
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
