use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use hyper::body::Incoming;
use tokio::time::Instant;

use super::connection_pool::ActiveConnection;
use super::request_headers::has_response;
use super::response::{
    MAX_MESSAGE_BYTES, drain, is_event_stream, message_too_long, next_chunk, response_error,
};
use super::sse::{SseEvent, SseParser};
use super::state::HttpState;
use crate::client::ClientError;
use crate::context::ClientSink;
use crate::jsonrpc::RequestId;
use crate::transport::header_names;

/// The maximum number of consecutive responses without events that end immediately. The client then
/// gives up the stream.
const MAX_EMPTY_RESPONSES: u32 = 5;
/// The time up to which a response counts as ended immediately. If a response without events lasts
/// longer, a proxy probably closed an idle connection.
const SHORT_RESPONSE: Duration = Duration::from_secs(5);
/// The delay before reconnecting if the server does not set one.
const DEFAULT_RETRY: Duration = Duration::from_secs(1);
/// The shortest delay before reconnecting. Without it, a server that sends one event per response
/// would keep both sides busy.
const MIN_RETRY: Duration = Duration::from_millis(100);

/// A response whose body is an event stream.
pub(super) struct SseResponse {
    body: Incoming,
    connection: ActiveConnection,
    parser: SseParser,
    opened: Instant,
}

impl SseResponse {
    pub(super) fn new(body: Incoming, connection: ActiveConnection) -> Self {
        Self {
            body,
            connection,
            parser: SseParser::new(MAX_MESSAGE_BYTES),
            opened: Instant::now(),
        }
    }

    /// Reads the next events. Returns `None` once the response has ended or failed.
    async fn next(&mut self) -> Result<Option<Vec<SseEvent>>, ClientError> {
        let Ok(Some(chunk)) = next_chunk(&mut self.body).await else {
            return Ok(None);
        };
        let events = self.parser.parse(&chunk);
        events
            .map(Some)
            .map_err(|_| message_too_long(MAX_MESSAGE_BYTES))
    }
}

/// An event stream of the server that may continue over several responses.
pub(super) struct ResumableStream {
    state: Arc<HttpState>,
    /// Whether the client can resume the stream, as in a legacy session.
    is_resumable: bool,
    last_event_id: Option<HeaderValue>,
    retry: Duration,
    empty_responses: u32,
}

impl ResumableStream {
    pub(super) fn new(state: Arc<HttpState>, is_resumable: bool) -> Self {
        Self {
            state,
            is_resumable,
            last_event_id: None,
            retry: DEFAULT_RETRY,
            empty_responses: 0,
        }
    }

    /// Reads the stream until it contains the response to a request (specification of 2025-11-25,
    /// *Resumability and Redelivery*).
    pub(super) async fn read_until_response(
        mut self,
        mut response: SseResponse,
        id: &RequestId,
    ) -> Result<(), ClientError> {
        loop {
            while let Some(events) = response.next().await? {
                if self.deliver(events, Some(id)) {
                    drain(self.state, response.body, response.connection);
                    return Ok(());
                }
            }
            if !self.is_resumable || self.last_event_id.is_none() {
                return Err(ClientError::Disconnected);
            }
            response = self.resume(&response).await?;
        }
    }

    /// Opens the stream for messages that the server initiates in a session, and reads it until the
    /// server ends it.
    pub(super) async fn listen(mut self) {
        let mut response = self.open().await.ok();
        while let Some(current) = &mut response {
            match current.next().await {
                Ok(Some(events)) => drop(self.deliver(events, None)),
                Ok(None) => response = self.resume(current).await.ok(),
                Err(_) => break,
            }
        }
        tracing::debug!("the stream of the server has ended or is not supported");
    }

    /// Delivers events. Returns whether one of them contains the response to the request with `id`.
    fn deliver(&mut self, events: Vec<SseEvent>, id: Option<&RequestId>) -> bool {
        for event in events {
            self.empty_responses = 0;
            if let Some(event_id) = event.id {
                // The client cannot resume the stream after an id that is empty or invalid in a
                // header.
                let event_id = Some(event_id).filter(|id| !id.is_empty());
                self.last_event_id =
                    event_id.and_then(|id| HeaderValue::from_bytes(id.as_bytes()).ok());
            }
            if let Some(millis) = event.retry {
                self.retry = retry_delay(millis);
            }
            if let Some(message) = event.message {
                let is_response = id.is_some_and(|id| has_response(message.as_bytes(), id));
                self.state.inbox.send(message.as_bytes());
                if is_response {
                    return true;
                }
            }
        }
        false
    }

    /// Waits for the delay that the server sets, and reconnects to continue the stream.
    async fn resume(&mut self, ended: &SseResponse) -> Result<SseResponse, ClientError> {
        let mut opened = ended.opened;
        loop {
            self.empty_responses = match opened.elapsed() > SHORT_RESPONSE {
                true => 0,
                false => self.empty_responses + 1,
            };
            if self.empty_responses > MAX_EMPTY_RESPONSES {
                return Err(ClientError::Disconnected);
            }
            tokio::time::sleep(self.retry).await;
            opened = Instant::now();
            match self.open().await {
                Err(ClientError::Connect(_) | ClientError::Disconnected) => {}
                // A gateway returns these statuses while the server is slow or unavailable.
                Err(ClientError::Http {
                    status: 502..=504, ..
                }) => {}
                result => return result,
            }
        }
    }

    async fn open(&self) -> Result<SseResponse, ClientError> {
        let mut headers = HeaderMap::new();
        let event_stream = HeaderValue::from_static("text/event-stream");
        headers.insert(header::ACCEPT, event_stream);
        if let Some(id) = &self.last_event_id {
            headers.insert(header_names::LAST_EVENT_ID, id.clone());
        }
        let state = &self.state;
        let request = state.send_in_session(Method::GET, headers, Vec::new());
        let (response, connection) = request.await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && state.session_id().is_some() {
            return Err(ClientError::SessionEnded);
        }
        if !status.is_success() || !is_event_stream(response.headers()) {
            return Err(response_error(status, b"not an event stream"));
        }
        Ok(SseResponse::new(response.into_body(), connection))
    }
}

fn retry_delay(millis: u64) -> Duration {
    Duration::from_millis(millis).max(MIN_RETRY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_retry_delay_has_a_minimum() {
        assert_eq!(retry_delay(0), MIN_RETRY);
        assert_eq!(retry_delay(99), MIN_RETRY);
        assert_eq!(retry_delay(2000), Duration::from_secs(2));
    }
}
