use http::header::{self, HeaderValue};
use http::{Response, StatusCode};

use super::body::{HttpBody, SseBody};
use crate::dispatch::DispatchStatus;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, RequestId};

/// Returns the HTTP status of a reply.
///
/// Protocol versions before 2026-07-28 define no status for errors of a method. The server responds
/// to such an error with status 200.
pub(super) fn status_code(status: DispatchStatus) -> StatusCode {
    let Some(code) = status.error else {
        return StatusCode::OK;
    };
    match code {
        ErrorCode::PARSE_ERROR | ErrorCode::INVALID_REQUEST => StatusCode::BAD_REQUEST,
        ErrorCode::UNAUTHENTICATED => StatusCode::UNAUTHORIZED,
        ErrorCode::FORBIDDEN => StatusCode::FORBIDDEN,
        ErrorCode::RATE_LIMITED => StatusCode::TOO_MANY_REQUESTS,
        _ if !status.modern => StatusCode::OK,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        ErrorCode::HEADER_MISMATCH
        | ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY
        | ErrorCode::UNSUPPORTED_PROTOCOL_VERSION => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// The scopes that a denied request requires. The response holds this value as an extension.
#[derive(Clone, Debug)]
pub(super) struct RequiredScopes(pub(super) Vec<String>);

/// The parts of an error's `data` that the server also sends as headers.
#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ErrorData {
    scopes: Option<Vec<String>>,
    retry_after: Option<u64>,
}

impl ErrorData {
    fn parse(message: &[u8]) -> Self {
        #[derive(serde::Deserialize)]
        struct Reply {
            error: Error,
        }
        #[derive(serde::Deserialize)]
        struct Error {
            data: ErrorData,
        }
        let reply = serde_json::from_slice::<Reply>(message);
        reply.map(|it| it.error.data).unwrap_or_default()
    }
}

/// A response that rejects a request.
pub(super) type ErrorResponse = Box<Response<HttpBody>>;

/// Creates a response with one message. If the message is an error, its `data` can add headers.
pub(super) fn json(status: StatusCode, message: Vec<u8>) -> Response<HttpBody> {
    let data = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => {
            ErrorData::parse(&message)
        }
        _ => ErrorData::default(),
    };
    let mut response = Response::new(HttpBody::message(message));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    if let Some(seconds) = data.retry_after {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    if let Some(scopes) = data.scopes {
        response.extensions_mut().insert(RequiredScopes(scopes));
    }
    response
}

/// Creates a response without a body.
pub(super) fn empty(status: StatusCode) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = status;
    response
}

/// Creates a response with a stream of events. Its headers tell proxies and caches not to buffer or
/// change the events.
pub(super) fn events(body: SseBody) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::events(body));
    let headers = response.headers_mut();
    let text = HeaderValue::from_static;
    headers.insert(header::CONTENT_TYPE, text("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, text("no-cache, no-transform"));
    headers.insert("x-accel-buffering", text("no"));
    response
}

/// Creates a response with a JSON-RPC error.
pub(super) fn error(
    status: StatusCode,
    id: Option<&RequestId>,
    error: &ErrorObject,
) -> Response<HttpBody> {
    tracing::debug!(status = status.as_u16(), "rejected: {error}");
    let mut message = Vec::new();
    jsonrpc::write_error(&mut message, id, error);
    json(status, message)
}

/// Creates a response that rejects a request because of its HTTP headers or body.
pub(super) fn rejection(status: StatusCode, message: impl Into<String>) -> Response<HttpBody> {
    error(status, None, &ErrorObject::invalid_request(message.into()))
}

pub(super) fn internal_error() -> Response<HttpBody> {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    error(status, None, &ErrorObject::internal())
}

pub(super) fn method_not_allowed(allowed: &'static str) -> Response<HttpBody> {
    let message = format!("only {allowed} here");
    let mut response = rejection(StatusCode::METHOD_NOT_ALLOWED, message);
    let allowed = HeaderValue::from_static(allowed);
    response.headers_mut().insert(header::ALLOW, allowed);
    response
}

pub(super) fn too_many_requests() -> Response<HttpBody> {
    unavailable("too many requests are being served; see `HttpOptions::max_requests`")
}

pub(super) fn too_many_streams() -> Response<HttpBody> {
    unavailable("too many streams are open; see `HttpOptions::max_streams`")
}

pub(super) fn too_many_calls() -> Response<HttpBody> {
    unavailable("too many calls of this caller are running; wait for them or cancel them")
}

fn unavailable(message: &'static str) -> Response<HttpBody> {
    tracing::warn!("{message}");
    let mut response = rejection(StatusCode::SERVICE_UNAVAILABLE, message);
    let seconds = HeaderValue::from_static("1");
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, seconds);
    response
}
