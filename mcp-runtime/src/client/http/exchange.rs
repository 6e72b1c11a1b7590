use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use http_body::Body;
use hyper::body::Incoming;
use tokio::time::Instant;

use super::Shared;
use super::connections::Busy;
use super::events::{Event, Reader};
use super::message;
use crate::client::ClientError;
use crate::context::Outgoing;
use crate::jsonrpc::{Frame, Message, RequestId};
use crate::transport::header_names;

/// The longest message that is read, in bytes.
const LONGEST: usize = 64 * 1024 * 1024;
/// What is read of a refusal.
const REFUSAL: usize = 64 * 1024;
/// How often in a row a stream may end at once, with nothing, before it is given up.
const FRUITLESS: u32 = 5;
/// What lived longer was open: its server had nothing to say, and a proxy ended it.
const AT_ONCE: Duration = Duration::from_secs(5);
/// When to come back if the server does not say.
const RETRY: Duration = Duration::from_secs(1);
/// How soon to come back if the server wants it sooner: what it tells in one event
/// a response would else keep both sides busy.
const SOONEST: Duration = Duration::from_millis(100);
/// How long the end of a response may take whose message has come.
const END: Duration = Duration::from_secs(1);

/// One message, sent and followed to its answer.
pub(super) async fn exchange(shared: Arc<Shared>, bytes: Vec<u8>) -> Result<(), ClientError> {
    let described = shared.describe(&bytes);
    let id = described.id.clone();
    let (in_session, begins) = (!described.is_modern && !described.begins, described.begins);
    let (response, busy) = shared.post(described, bytes).await?;
    if !response.status().is_success() {
        let session = in_session && shared.session().is_some();
        return refused(&shared, response, id.as_ref(), session).await;
    }
    if begins {
        shared.begin(response.headers());
    }
    let Some(id) = id else {
        finish(shared, response.into_body(), busy);
        return Ok(());
    };
    if is(response.headers(), "text/event-stream") {
        let source = Source::new(response.into_body(), busy);
        return Stream::new(shared, in_session).follow(source, &id).await;
    }
    let status = response.status();
    let mut body = response.into_body();
    let text = whole(&mut body, LONGEST).await?;
    shared.connections.give_back(busy);
    if !message::answers(&text, &id) {
        return Err(said(status, &text));
    }
    shared.inbox.send(&text);
    Ok(())
}

/// What a refusal means to the request, in the words of the server where it has some.
async fn refused(
    shared: &Shared,
    response: Response<Incoming>,
    id: Option<&RequestId>,
    session: bool,
) -> Result<(), ClientError> {
    let status = response.status();
    if status == StatusCode::NOT_FOUND && session {
        return Err(ClientError::SessionEnded);
    }
    // The status says enough where the words cannot be read.
    let text = whole(&mut response.into_body(), REFUSAL).await;
    let text = text.unwrap_or_default();
    if id.is_some_and(|id| message::answers(&text, id)) {
        shared.inbox.send(&text);
        return Ok(());
    }
    Err(said(status, &text))
}

fn said(status: StatusCode, text: &[u8]) -> ClientError {
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
        message: crate::text::shortened(text.trim(), 200).into_owned(),
    }
}

fn is(headers: &HeaderMap, media_type: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let value = value.and_then(|value| value.split(|byte| *byte == b';').next());
    value.is_some_and(|value| {
        value
            .trim_ascii()
            .eq_ignore_ascii_case(media_type.as_bytes())
    })
}

async fn piece(body: &mut Incoming) -> Result<Option<Bytes>, ClientError> {
    loop {
        let frame = poll_fn(|task| Pin::new(&mut *body).poll_frame(task)).await;
        match frame.map(|frame| frame.map(hyper::body::Frame::into_data)) {
            None => return Ok(None),
            Some(Ok(Ok(data))) => return Ok(Some(data)),
            // Trailers say nothing here.
            Some(Ok(Err(_))) => {}
            Some(Err(error)) => {
                tracing::debug!("a response broke off: {error}");
                return Err(ClientError::Disconnected);
            }
        }
    }
}

async fn whole(body: &mut Incoming, limit: usize) -> Result<Vec<u8>, ClientError> {
    let mut whole = Vec::new();
    while let Some(piece) = piece(body).await? {
        if whole.len() + piece.len() > limit {
            return Err(too_long(limit));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole)
}

fn too_long(limit: usize) -> ClientError {
    tracing::warn!("the server sent a message of more than {limit} bytes");
    ClientError::TooLong { limit }
}

/// Reads what is left of a response, so that its connection can be used again.
fn finish(shared: Arc<Shared>, mut body: Incoming, busy: Busy) {
    tokio::spawn(async move {
        let rest = tokio::time::timeout(END, whole(&mut body, REFUSAL)).await;
        if matches!(rest, Ok(Ok(_))) {
            shared.connections.give_back(busy);
        }
    });
}

/// One response that is a stream.
pub(super) struct Source {
    body: Incoming,
    busy: Busy,
    reader: Reader,
    opened: Instant,
}

impl Source {
    pub(super) fn new(body: Incoming, busy: Busy) -> Self {
        Self {
            body,
            busy,
            reader: Reader::new(LONGEST),
            opened: Instant::now(),
        }
    }

    /// The next events; `None` at the end, however it came.
    async fn next(&mut self) -> Result<Option<Vec<Event>>, ClientError> {
        let Ok(Some(piece)) = piece(&mut self.body).await else {
            return Ok(None);
        };
        let events = self.reader.read(&piece);
        events.map(Some).map_err(|_| too_long(LONGEST))
    }
}

/// A stream of the server, over as many responses as it takes.
pub(super) struct Stream {
    shared: Arc<Shared>,
    /// Whether it can be resumed, as in a legacy session.
    resumes: bool,
    last: Option<HeaderValue>,
    retry: Duration,
    fruitless: u32,
}

impl Stream {
    pub(super) fn new(shared: Arc<Shared>, resumes: bool) -> Self {
        Self {
            shared,
            resumes,
            last: None,
            retry: RETRY,
            fruitless: 0,
        }
    }

    /// Follows the stream to the answer of a request
    /// (specification of 2025-11-25, *Resumability and Redelivery*).
    async fn follow(mut self, mut source: Source, id: &RequestId) -> Result<(), ClientError> {
        loop {
            while let Some(events) = source.next().await? {
                if self.take(events, Some(id)) {
                    finish(self.shared, source.body, source.busy);
                    return Ok(());
                }
            }
            if !self.resumes || self.last.is_none() {
                return Err(ClientError::Disconnected);
            }
            source = self.resume(&source).await?;
        }
    }

    /// Hears what the server says of itself, for as long as it offers a stream.
    pub(super) async fn listen(mut self) {
        let mut first = self.open().await.ok();
        while let Some(source) = &mut first {
            match source.next().await {
                Ok(Some(events)) => drop(self.take(events, None)),
                Ok(None) => first = self.resume(source).await.ok(),
                Err(_) => break,
            }
        }
        tracing::debug!("the server offers no stream of its own (any more)");
    }

    /// Delivers events; whether one of them is the answer to `id`.
    fn take(&mut self, events: Vec<Event>, id: Option<&RequestId>) -> bool {
        for event in events {
            self.fruitless = 0;
            if let Some(id) = event.id {
                // After an id that no header holds, or none, nothing can be resumed.
                let id = Some(id).filter(|id| !id.is_empty());
                self.last = id.and_then(|id| HeaderValue::from_bytes(id.as_bytes()).ok());
            }
            if let Some(millis) = event.retry {
                self.retry = pause(millis);
            }
            if let Some(message) = event.message {
                let answers = id.is_some_and(|id| message::answers(message.as_bytes(), id));
                self.shared.inbox.send(message.as_bytes());
                if answers {
                    return true;
                }
            }
        }
        false
    }

    /// Comes back for the rest, as late as the server wants.
    async fn resume(&mut self, ended: &Source) -> Result<Source, ClientError> {
        let mut began = ended.opened;
        loop {
            self.fruitless = match began.elapsed() > AT_ONCE {
                true => 0,
                false => self.fruitless + 1,
            };
            if self.fruitless > FRUITLESS {
                return Err(ClientError::Disconnected);
            }
            tokio::time::sleep(self.retry).await;
            began = Instant::now();
            match self.open().await {
                Err(ClientError::Connect(_) | ClientError::Disconnected) => {}
                // A gateway says so of a server that is slow or away for a while.
                Err(ClientError::Http {
                    status: 502..=504, ..
                }) => {}
                opened => return opened,
            }
        }
    }

    async fn open(&self) -> Result<Source, ClientError> {
        let mut headers = HeaderMap::new();
        let events = HeaderValue::from_static("text/event-stream");
        headers.insert(header::ACCEPT, events);
        if let Some(last) = &self.last {
            headers.insert(header_names::LAST_EVENT_ID, last.clone());
        }
        let shared = &self.shared;
        let (response, busy) = shared.ask(Method::GET, headers, Vec::new()).await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && shared.session().is_some() {
            return Err(ClientError::SessionEnded);
        }
        if !status.is_success() || !is(response.headers(), "text/event-stream") {
            return Err(said(status, b"no stream of events"));
        }
        Ok(Source::new(response.into_body(), busy))
    }
}

fn pause(millis: u64) -> Duration {
    Duration::from_millis(millis).max(SOONEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_cannot_make_a_client_come_back_without_a_pause() {
        assert_eq!(pause(0), SOONEST);
        assert_eq!(pause(99), SOONEST);
        assert_eq!(pause(2000), Duration::from_secs(2));
    }
}
