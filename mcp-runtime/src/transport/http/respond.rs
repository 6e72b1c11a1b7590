use http::header::{self, HeaderValue};
use http::{Response, StatusCode};

use super::body::{Events, HttpBody};
use crate::dispatch::Status;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, RequestId};

/// The HTTP status of a reply.
///
/// Revisions before 2026-07-28 pin none for errors of a method; they get 200.
pub(super) fn status(reply: Status) -> StatusCode {
    let Some(code) = reply.error else {
        return StatusCode::OK;
    };
    match code {
        ErrorCode::PARSE_ERROR | ErrorCode::INVALID_REQUEST => StatusCode::BAD_REQUEST,
        ErrorCode::UNAUTHENTICATED => StatusCode::UNAUTHORIZED,
        ErrorCode::FORBIDDEN => StatusCode::FORBIDDEN,
        ErrorCode::RATE_LIMITED => StatusCode::TOO_MANY_REQUESTS,
        _ if !reply.modern => StatusCode::OK,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        ErrorCode::HEADER_MISMATCH
        | ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY
        | ErrorCode::UNSUPPORTED_PROTOCOL_VERSION => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// The scopes that a refused request needs.
#[derive(Clone, Debug)]
pub(super) struct Needed(pub(super) Vec<String>);

/// What a refusal says to programs, in its `data`.
#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Advice {
    scopes: Option<Vec<String>>,
    retry_after: Option<u64>,
}

impl Advice {
    fn of(message: &[u8]) -> Self {
        #[derive(serde::Deserialize)]
        struct Refusal {
            error: Error,
        }
        #[derive(serde::Deserialize)]
        struct Error {
            data: Advice,
        }
        let refusal = serde_json::from_slice::<Refusal>(message);
        refusal.map(|it| it.error.data).unwrap_or_default()
    }
}

/// One message; a refusal tells in its headers too what it says to programs.
pub(super) fn json(status: StatusCode, message: Vec<u8>) -> Response<HttpBody> {
    let advice = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => {
            Advice::of(&message)
        }
        _ => Advice::default(),
    };
    let mut response = Response::new(HttpBody::message(message));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    if let Some(seconds) = advice.retry_after {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    if let Some(scopes) = advice.scopes {
        response.extensions_mut().insert(Needed(scopes));
    }
    response
}

/// A status and nothing else.
pub(super) fn empty(status: StatusCode) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = status;
    response
}

/// A stream that neither proxies nor caches may hold back or change.
pub(super) fn events(events: Events) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::events(events));
    let headers = response.headers_mut();
    let text = HeaderValue::from_static;
    headers.insert(header::CONTENT_TYPE, text("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, text("no-cache, no-transform"));
    headers.insert("x-accel-buffering", text("no"));
    response
}

/// A refusal, as a JSON-RPC error.
pub(super) fn error(
    status: StatusCode,
    id: Option<&RequestId>,
    error: &ErrorObject,
) -> Response<HttpBody> {
    tracing::debug!(status = status.as_u16(), "refused: {error}");
    let mut message = Vec::new();
    jsonrpc::write_error(&mut message, id, error);
    json(status, message)
}

/// A refusal of what is wrong with the HTTP request itself.
pub(super) fn refusal(status: StatusCode, message: impl Into<String>) -> Response<HttpBody> {
    error(status, None, &ErrorObject::invalid_request(message.into()))
}

/// The answer to a method that is not served.
pub(super) fn not_allowed(allowed: &'static str) -> Response<HttpBody> {
    let message = format!("only {allowed} here");
    let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, message);
    let allowed = HeaderValue::from_static(allowed);
    response.headers_mut().insert(header::ALLOW, allowed);
    response
}

/// The answer to one request too many.
pub(super) fn busy() -> Response<HttpBody> {
    unavailable("too many requests are being served; see `HttpOptions::max_requests`")
}

/// The answer to one stream too many.
pub(super) fn crowded() -> Response<HttpBody> {
    unavailable("too many streams stand open; see `HttpOptions::max_streams`")
}

fn unavailable(message: &'static str) -> Response<HttpBody> {
    tracing::warn!("{message}");
    let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE, message);
    let seconds = HeaderValue::from_static("1");
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}
