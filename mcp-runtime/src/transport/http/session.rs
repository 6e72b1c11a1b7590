use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::HttpOptions;
use super::authenticate::Caller;
use super::endpoint::Inner;
use super::event::EventId;
use super::log::Log;
use super::stream::{Numbering, Stream};
use crate::context::Outgoing;
use crate::dispatch::Peer;
use crate::protocol::Revision;

/// One legacy client: all that is kept of it between requests.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: SessionId,
    /// Speaks through the stream that no request asked for.
    pub(super) peer: Peer,
    log: Arc<Log>,
    standing: Arc<Stream>,
    /// Milliseconds on the clock of the sessions.
    pub(super) used: AtomicU64,
}

/// What somebody is told who comes with the session of another.
pub(super) const FOREIGN: &str = "the session belongs to another caller";

/// 128 bits that cannot be guessed, visible ASCII on the wire
/// (specification of 2025-11-25, *Session Management*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SessionId(u128);

impl SessionId {
    /// `None` where the system has no randomness to give.
    fn random() -> Option<Self> {
        let mut bytes = [0; 16];
        getrandom::getrandom(&mut bytes).ok()?;
        Some(Self(u128::from_ne_bytes(bytes)))
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = plain.then(|| u128::from_str_radix(text, 16));
        number?.ok().map(Self)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// A session that is not agreed on yet.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) peer: Peer,
    log: Arc<Log>,
    standing: Arc<Stream>,
}

impl Candidate {
    pub(super) fn new(inner: &Inner, caller: &Caller) -> Self {
        let options = &inner.options;
        let log = Log::new(options.event_buffer);
        let standing = log.begin(|number| {
            let numbering = Numbering {
                log: Arc::clone(&log),
                number,
                primed: None,
            };
            Stream::standing(numbering, options.event_buffer)
        });
        let outgoing: Arc<dyn Outgoing> = Arc::<Stream>::clone(&standing);
        Self {
            peer: inner.clients.peer(caller, outgoing),
            log,
            standing,
        }
    }

    /// Becomes a session once the handshake has succeeded.
    pub(super) fn agreed(self) -> Option<Session> {
        Some(Session {
            id: SessionId::random()?,
            peer: self.peer,
            log: self.log,
            standing: self.standing,
            used: AtomicU64::new(0),
        })
    }
}

impl Session {
    pub(super) fn revision(&self) -> Revision {
        self.peer.revision().unwrap_or(Revision::V2025_03_26)
    }

    pub(super) fn belongs_to(&self, caller: &Caller) -> bool {
        let peer = self.peer.spoken_by(caller.principal.as_ref());
        peer.owns_session()
    }

    /// Whether a call or a stream keeps the session from being idle.
    pub(super) fn is_busy(&self) -> bool {
        self.standing.is_connected() || self.peer.calls_in_flight() > 0
    }

    /// A stream for the messages about one request.
    pub(super) fn stream(&self, options: &HttpOptions, takes_events: bool) -> Arc<Stream> {
        let primed = self.revision() >= Revision::V2025_11_25;
        self.log.begin(|number| {
            let numbering = Numbering {
                log: Arc::clone(&self.log),
                number,
                primed: primed.then_some(options.retry),
            };
            Stream::new(Some(numbering), options.event_buffer, takes_events)
        })
    }

    /// Sends something that no request asked for.
    pub(super) fn send(&self, message: &[u8]) -> bool {
        self.standing.send(message)
    }

    /// The stream for what no request asked for.
    pub(super) fn listen(&self) -> (Arc<Stream>, u64) {
        let connection = self.standing.connect(None);
        (Arc::clone(&self.standing), connection)
    }

    /// The rest of the stream that `last` was received on, and of no other
    /// (specification of 2025-11-25, *Resumability and Redelivery*).
    pub(super) fn resume(&self, last: EventId) -> (Arc<Stream>, u64) {
        if let Some(stream) = self.log.live(last.stream) {
            let connection = stream.connect(Some(last.sequence));
            return (stream, connection);
        }
        let rest = Stream::replayed(self.log.after(last));
        (Arc::new(rest), super::connection::FIRST)
    }

    /// Ends the stream for what no request asked for.
    pub(super) fn hush(&self) {
        self.standing.end();
    }

    /// Cancels every call and ends every stream.
    pub(super) fn end(&self) {
        self.peer.cancel_all();
        self.log.close();
    }

    pub(super) fn last_used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}
