use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

use super::caller::{Caller, TokenRecheck};
use super::event_stream::EventStream;
use super::headers::SessionId;
use super::sessions::Sessions;
use super::sse::KEEP_ALIVE;
use crate::dispatch::{Connection, Dispatcher};
use crate::limits::Share;

/// The body of a response of [`HttpEndpoint`](super::HttpEndpoint). It holds one message or a
/// stream of server-sent events.
///
/// Dropping a stream before its end disconnects the client. For a client of protocol version
/// 2026-07-28, this cancels the call. A legacy client may reconnect to the stream.
pub struct HttpBody(BodyKind);

enum BodyKind {
    Message(Option<Bytes>),
    Events(SseBody),
}

/// One connection of a client to an [`EventStream`].
pub(super) struct SseBody {
    stream: Arc<EventStream>,
    connection: u64,
    interval: Duration,
    /// The timer for keep-alive comments. It is created when the stream waits for the first time.
    keep_alive: Option<Pin<Box<Sleep>>>,
    /// The connection whose calls are cancelled when the client disconnects.
    cancel: Option<Connection>,
    /// The session that ends when the client disconnects.
    end_session: Option<(Arc<Sessions>, SessionId)>,
    _recheck: Option<TokenRecheck>,
    _share: Option<Share>,
}

impl HttpBody {
    pub(crate) fn empty() -> Self {
        Self(BodyKind::Message(None))
    }

    pub(crate) fn message(bytes: Vec<u8>) -> Self {
        Self(BodyKind::Message(Some(bytes.into())))
    }

    pub(super) fn events(events: SseBody) -> Self {
        Self(BodyKind::Events(events))
    }
}

impl SseBody {
    /// Creates a body that sends a comment whenever the stream was silent for `interval`.
    pub(super) fn new(stream: Arc<EventStream>, connection: u64, interval: Duration) -> Self {
        Self {
            stream,
            connection,
            interval,
            keep_alive: None,
            cancel: None,
            end_session: None,
            _recheck: None,
            _share: None,
        }
    }

    /// Cancels all calls of `connection` when the client disconnects.
    pub(super) fn cancel_on_drop(mut self, connection: Connection) -> Self {
        self.cancel = Some(connection);
        self
    }

    /// Ends the session `id` when the client disconnects.
    pub(super) fn end_session_on_drop(mut self, sessions: Arc<Sessions>, id: SessionId) -> Self {
        self.end_session = Some((sessions, id));
        self
    }

    /// Validates the caller's token once per `interval` while the client is connected.
    pub(super) fn recheck_token(
        mut self,
        caller: &Caller,
        dispatcher: &Dispatcher,
        interval: Duration,
    ) -> Self {
        let (stream, connection) = (&self.stream, self.connection);
        self._recheck = caller.recheck_token(dispatcher, interval, stream, connection);
        self
    }

    /// Keeps `share` of a limit in use while the client is connected.
    pub(super) fn with_share(mut self, share: Share) -> Self {
        self._share = Some(share);
        self
    }

    pub(super) fn stream(&self) -> &Arc<EventStream> {
        &self.stream
    }

    fn poll(&mut self, task: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Poll::Ready(events) = self.stream.poll_events(self.connection, task) {
            self.reset_keep_alive();
            return Poll::Ready(events);
        }
        let interval = self.interval;
        let keep_alive = self
            .keep_alive
            .get_or_insert_with(|| Box::pin(sleep(interval)));
        match keep_alive.as_mut().poll(task) {
            Poll::Ready(()) => {
                self.reset_keep_alive();
                Poll::Ready(Some(Bytes::from_static(KEEP_ALIVE)))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn reset_keep_alive(&mut self) {
        if let Some(keep_alive) = &mut self.keep_alive {
            keep_alive.as_mut().reset(Instant::now() + self.interval);
        }
    }
}

impl Drop for SseBody {
    fn drop(&mut self) {
        self.stream.disconnect(self.connection);
        if let Some(connection) = &self.cancel {
            connection.cancel_all();
        }
        if let Some((sessions, id)) = &self.end_session {
            sessions.remove(*id);
        }
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.0 {
            BodyKind::Message(bytes) => {
                Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes))))
            }
            BodyKind::Events(events) => events
                .poll(task)
                .map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, BodyKind::Message(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            BodyKind::Message(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            BodyKind::Events(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.0 {
            BodyKind::Message(_) => "HttpBody(message)",
            BodyKind::Events(_) => "HttpBody(events)",
        })
    }
}
