use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body::Body;
use hyper::body::Incoming;

use super::connection_pool::ActiveConnection;
use super::state::HttpState;
use crate::client::ClientError;
pub(super) use crate::client::budget::MAX_MESSAGE_BYTES;
use crate::jsonrpc::{Frame, Message};

/// The maximum length of an error response that the client reads, in bytes.
pub(super) const MAX_ERROR_BYTES: usize = 64 * 1024;
/// The timeout for the rest of a response after the message has arrived.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the client error for an unexpected response.
pub(super) fn response_error(status: StatusCode, text: &[u8]) -> ClientError {
    if let Frame::Single(Ok(Message::Response(response))) = Frame::parse(text)
        && let (None, Err(error)) = (response.id, response.outcome)
        && status != StatusCode::UNAUTHORIZED
        && status != StatusCode::FORBIDDEN
    {
        return ClientError::Protocol(error);
    }
    let text = String::from_utf8_lossy(text);
    ClientError::Http {
        status: status.as_u16(),
        message: crate::text::truncate(text.trim(), 200).into_owned(),
    }
}

pub(super) fn is_event_stream(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let media_type = value.and_then(|value| value.split(|byte| *byte == b';').next());
    media_type.is_some_and(|it| it.trim_ascii().eq_ignore_ascii_case(b"text/event-stream"))
}

/// Reads the next data of a body. Returns `None` at the end of the body.
pub(super) async fn next_chunk(body: &mut Incoming) -> Result<Option<Bytes>, ClientError> {
    loop {
        let frame = poll_fn(|task| Pin::new(&mut *body).poll_frame(task)).await;
        match frame.map(|frame| frame.map(hyper::body::Frame::into_data)) {
            None => return Ok(None),
            Some(Ok(Ok(data))) => return Ok(Some(data)),
            // Ignore trailers.
            Some(Ok(Err(_))) => {}
            Some(Err(error)) => {
                tracing::debug!("a response ended early: {error}");
                return Err(ClientError::Disconnected);
            }
        }
    }
}

pub(super) async fn read_body(body: &mut Incoming, limit: usize) -> Result<Vec<u8>, ClientError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = next_chunk(body).await? {
        if bytes.len() + chunk.len() > limit {
            return Err(message_too_long(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

pub(super) fn message_too_long(limit: usize) -> ClientError {
    tracing::warn!("the server sent a message of more than {limit} bytes");
    ClientError::MessageTooLong { limit }
}

/// Reads the rest of a response in the background. The pool can then reuse its connection.
pub(super) fn drain(state: Arc<HttpState>, mut body: Incoming, connection: ActiveConnection) {
    tokio::spawn(async move {
        let rest = read_body(&mut body, MAX_ERROR_BYTES);
        let rest = tokio::time::timeout(DRAIN_TIMEOUT, rest).await;
        if matches!(rest, Ok(Ok(_))) {
            state.connections.put_back(connection);
        }
    });
}
