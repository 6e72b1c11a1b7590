use http::header::{self, HeaderMap, HeaderValue};
use http::{Response, StatusCode};

use super::body::HttpBody;
use super::responses;

/// Adds CORS headers that allow pages of `origin` to read the response and its MCP headers.
pub(super) fn allow_origin(response: &mut Response<HttpBody>, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("Mcp-Session-Id, Retry-After, WWW-Authenticate"),
    );
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
}

/// Responds to a CORS preflight request.
///
/// The response allows every requested header, because the names of `Mcp-Param-…` headers are not
/// fixed.
pub(super) fn preflight(request: &HeaderMap) -> Response<HttpBody> {
    let mut response = responses::empty(StatusCode::NO_CONTENT);
    let headers = response.headers_mut();
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static("GET, POST, DELETE"),
    );
    if let Some(names) = request.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    headers.insert(
        header::ACCESS_CONTROL_MAX_AGE,
        HeaderValue::from_static("600"),
    );
    response
}
