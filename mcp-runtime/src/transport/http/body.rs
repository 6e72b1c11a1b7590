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

use super::authenticate::Watch;
use super::limit::Permit;
use super::session::SessionId;
use super::sessions::Sessions;
use super::stream::Stream;
use crate::dispatch::Peer;

/// A comment, which readers of events skip (HTML, *Server-sent events*).
const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

/// The body of a response of [`HttpEndpoint`](super::HttpEndpoint).
///
/// One message, or a stream of events that ends with the client's interest.
pub struct HttpBody(Kind);

enum Kind {
    Message(Option<Bytes>),
    Events(Events),
}

/// A client's end of a stream.
pub(super) struct Events {
    stream: Arc<Stream>,
    connection: u64,
    interval: Duration,
    /// Made when there is something to wait for.
    keep_alive: Option<Pin<Box<Sleep>>>,
    /// Whose calls end when the client goes away.
    cancels: Option<Peer>,
    /// Which session ends when the client goes away.
    ends: Option<(Arc<Sessions>, SessionId)>,
    _watch: Option<Watch>,
    _permit: Option<Permit>,
}

impl HttpBody {
    pub(crate) fn empty() -> Self {
        Self(Kind::Message(None))
    }

    pub(crate) fn message(bytes: Vec<u8>) -> Self {
        Self(Kind::Message(Some(bytes.into())))
    }

    pub(super) fn events(events: Events) -> Self {
        Self(Kind::Events(events))
    }
}

impl Events {
    pub(super) fn new(stream: Arc<Stream>, connection: u64, interval: Duration) -> Self {
        Self {
            stream,
            connection,
            interval,
            keep_alive: None,
            cancels: None,
            ends: None,
            _watch: None,
            _permit: None,
        }
    }

    /// The client's going away cancels the calls of `peer`.
    pub(super) fn cancelling(mut self, peer: Peer) -> Self {
        self.cancels = Some(peer);
        self
    }

    /// The client's going away ends a session.
    pub(super) fn ending(mut self, sessions: Arc<Sessions>, id: SessionId) -> Self {
        self.ends = Some((sessions, id));
        self
    }

    pub(super) fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Somebody looks whether the client may still listen, as long as it does.
    pub(super) fn watched(mut self, watch: Option<Watch>) -> Self {
        self._watch = watch;
        self
    }

    /// The stream counts as a request that is served.
    pub(super) fn counted(mut self, permit: Permit) -> Self {
        self._permit = Some(permit);
        self
    }

    fn poll(&mut self, task: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Poll::Ready(events) = self.stream.poll_events(self.connection, task) {
            self.rest();
            return Poll::Ready(events);
        }
        let interval = self.interval;
        let keep_alive = self
            .keep_alive
            .get_or_insert_with(|| Box::pin(sleep(interval)));
        match keep_alive.as_mut().poll(task) {
            Poll::Ready(()) => {
                self.rest();
                Poll::Ready(Some(Bytes::from_static(KEEP_ALIVE)))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn rest(&mut self) {
        if let Some(keep_alive) = &mut self.keep_alive {
            keep_alive.as_mut().reset(Instant::now() + self.interval);
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.stream.disconnected(self.connection);
        if let Some(peer) = &self.cancels {
            peer.cancel_all();
        }
        if let Some((sessions, id)) = &self.ends {
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
            Kind::Message(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Kind::Events(events) => events
                .poll(task)
                .map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Kind::Message(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Message(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Kind::Events(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.0 {
            Kind::Message(_) => "HttpBody(message)",
            Kind::Events(_) => "HttpBody(events)",
        })
    }
}
