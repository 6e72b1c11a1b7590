//! The HTTP responses for authorization: `WWW-Authenticate` challenges and protected resource
//! metadata.

use http::header::{self, HeaderValue};
use http::request::Parts;
use http::{HeaderMap, Method, Response, StatusCode};

use super::body::HttpBody;
use super::headers::VersionHeader;
use super::responses::{self, RequiredScopes};
use crate::auth::Challenge;
use crate::dispatch::Dispatcher;
use crate::jsonrpc::{ErrorCode, ErrorObject};

/// Creates a response with status 401 for a missing or invalid token. The server does not read the
/// body of the request, and takes the protocol version from the `MCP-Protocol-Version` header.
pub(super) fn unauthenticated(
    dispatcher: &Dispatcher,
    headers: &HeaderMap,
    challenge: Challenge,
) -> Response<HttpBody> {
    let code = match VersionHeader::parse(headers).is_modern() {
        true => ErrorCode::UNAUTHENTICATED,
        false => ErrorCode::LEGACY_UNAUTHENTICATED,
    };
    let error = ErrorObject::new(code, "a valid token is needed");
    let mut response = responses::error(StatusCode::UNAUTHORIZED, None, &error);
    set_challenge(&mut response, dispatcher, challenge);
    response
}

/// Adds a challenge with the required scopes to the response of a denied request.
pub(super) fn add_scope_challenge(response: &mut Response<HttpBody>, dispatcher: &Dispatcher) {
    let Some(RequiredScopes(scopes)) = response.extensions_mut().remove() else {
        return;
    };
    let challenge = match response.status() {
        StatusCode::UNAUTHORIZED => Challenge::no_token(),
        _ => Challenge::insufficient_scope(),
    };
    set_challenge(response, dispatcher, challenge.scopes(scopes));
}

fn set_challenge(response: &mut Response<HttpBody>, dispatcher: &Dispatcher, challenge: Challenge) {
    let challenge = dispatcher.with_resource_metadata(challenge).to_string();
    // A challenge contains only visible ASCII characters and is always a valid header value.
    if let Ok(value) = HeaderValue::try_from(challenge) {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, value);
    }
}

/// Whether `path` is one of the paths of the protected resource metadata.
pub(super) fn is_metadata_path(dispatcher: &Dispatcher, path: &str) -> bool {
    let metadata = dispatcher.resource_metadata();
    metadata.is_some_and(|metadata| metadata.paths().iter().any(|it| it == path))
}

/// Returns the protected resource metadata if the path of the request is one of its paths. The
/// client needs no token for it (RFC 9728 §3).
pub(super) fn resource_metadata(
    parts: &Parts,
    dispatcher: &Dispatcher,
) -> Option<Response<HttpBody>> {
    let metadata = dispatcher.resource_metadata()?;
    if parts.method != Method::GET || !is_metadata_path(dispatcher, parts.uri.path()) {
        return None;
    }
    let json = metadata.to_json().into_bytes();
    Some(responses::json(StatusCode::OK, json))
}
