use std::sync::Arc;

use http::{Response, StatusCode};
use hyper::body::Incoming;

use super::request_headers::has_response;
use super::response::{
    MAX_ERROR_BYTES, MAX_MESSAGE_BYTES, drain, is_event_stream, read_body, response_error,
};
use super::resumable_stream::{ResumableStream, SseResponse};
use super::state::HttpState;
use crate::client::ClientError;
use crate::context::ClientSink;
use crate::jsonrpc::RequestId;

/// Sends a message in a POST request. If the message is a JSON-RPC request, reads the HTTP response
/// until it contains the JSON-RPC response.
pub(super) async fn exchange(state: Arc<HttpState>, bytes: Vec<u8>) -> Result<(), ClientError> {
    let headers = state.request_headers(&bytes);
    let id = headers.id.clone();
    let is_initialize = headers.is_initialize;
    let in_session = !headers.is_modern && !is_initialize;
    let (response, connection) = state.post(headers, bytes).await?;
    if !response.status().is_success() {
        let in_session = in_session && state.session_id().is_some();
        return handle_error(&state, response, id.as_ref(), in_session).await;
    }
    if is_initialize {
        state.start_session(response.headers());
    }
    let Some(id) = id else {
        drain(state, response.into_body(), connection);
        return Ok(());
    };
    if is_event_stream(response.headers()) {
        let response = SseResponse::new(response.into_body(), connection);
        let stream = ResumableStream::new(state, in_session);
        return stream.read_until_response(response, &id).await;
    }
    let status = response.status();
    let mut body = response.into_body();
    let text = read_body(&mut body, MAX_MESSAGE_BYTES).await?;
    state.connections.put_back(connection);
    if !has_response(&text, &id) {
        return Err(response_error(status, &text));
    }
    state.inbox.send(&text);
    Ok(())
}

/// Delivers the JSON-RPC response in the body of a rejected HTTP request. Returns an error if the
/// body contains no such response.
async fn handle_error(
    state: &HttpState,
    response: Response<Incoming>,
    id: Option<&RequestId>,
    in_session: bool,
) -> Result<(), ClientError> {
    let status = response.status();
    if status == StatusCode::NOT_FOUND && in_session {
        return Err(ClientError::SessionEnded);
    }
    // If the body cannot be read, the error contains only the status.
    let text = read_body(&mut response.into_body(), MAX_ERROR_BYTES).await;
    let text = text.unwrap_or_default();
    if id.is_some_and(|id| has_response(&text, id)) {
        state.inbox.send(&text);
        return Ok(());
    }
    Err(response_error(status, &text))
}
