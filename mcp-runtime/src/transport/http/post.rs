use std::sync::Arc;

use http::{HeaderMap, Response, StatusCode};
use serde_json::value::RawValue;

use super::authenticate::Caller;
use super::body::{Events, HttpBody};
use super::connection::FIRST;
use super::endpoint::Inner;
use super::exchange::{Exchange, Outcome};
use super::headers::{self, Accepts, Named, Version};
use super::session::{Candidate, FOREIGN, Session};
use super::stream::Stream;
use super::{mirror, respond};
use crate::context::Outgoing;
use crate::dispatch::{Claim, Opened, Peer};
use crate::jsonrpc::{ErrorObject, Frame, Message, RequestId};
use crate::protocol::meta;

/// One POST, whose body has arrived.
pub(super) struct Post<'a> {
    pub(super) inner: &'a Inner,
    pub(super) headers: &'a HeaderMap,
    pub(super) caller: &'a Caller,
    pub(super) accepts: Accepts,
}

/// What most replies fit into, in bytes, so that they are not copied as they grow.
const REPLY: usize = 512;

type Refused = Box<Response<HttpBody>>;

impl Post<'_> {
    /// Decides to which era a message belongs, and answers it there
    /// (specification of 2026-07-28, *Versioning*, *Backward Compatibility*).
    pub(super) fn message(&self, body: &[u8]) -> Outcome {
        let outcome = match Frame::parse(body) {
            Frame::Single(Ok(Message::Request(request))) => self.request(&Opened::new(request)),
            Frame::Single(Ok(message)) => self.told(message),
            Frame::Single(Err(malformed)) => Err(bad(malformed.id.as_ref(), &malformed.error)),
            Frame::Batch(elements) => self.batch(elements),
        };
        outcome.unwrap_or_else(|refused| Outcome::Response(*refused))
    }

    fn request(&self, opened: &Opened<'_>) -> Result<Outcome, Refused> {
        let version = headers::version(self.headers);
        if let Some(claim) = &opened.claim {
            return self.modern(opened, claim);
        }
        let method = opened.request.method.as_ref();
        if version.is_modern() || (method == "server/discover" && !self.names_a_session()) {
            let unclaimed = Claim::default().revision();
            let error = unclaimed.err().unwrap_or_else(ErrorObject::internal);
            return Err(bad(Some(&opened.request.id), &error));
        }
        if method == "initialize" {
            return Ok(self.initialize(opened));
        }
        let session = self.session(version, Some(&opened.request.id))?;
        let stream = session.stream(&self.inner.options, self.accepts.events);
        let peer = self.speaking(session.peer.on_stream(outgoing(&stream)));
        let mut reply = Vec::with_capacity(REPLY);
        let dispatched = self.inner.dispatcher.request(opened, &peer, &mut reply);
        Ok(self.exchange(stream).dispatched(dispatched, reply))
    }

    /// A request that needs no session; its checks stand in the order of the specification.
    fn modern(&self, opened: &Opened<'_>, claim: &Claim<'_>) -> Result<Outcome, Refused> {
        let request = &opened.request;
        let refuse = |error: &ErrorObject| bad(Some(&request.id), error);
        if let Some(claimed) = claim.version() {
            let header = headers::text(self.headers, &headers::PROTOCOL_VERSION);
            if header != Ok(Some(&claimed)) {
                return Err(refuse(&mirror::mismatch("MCP-Protocol-Version")));
            }
        }
        claim.revision().map_err(|error| refuse(&error))?;
        mirror::check(self.headers, request, &self.inner.dispatcher)
            .map_err(|error| refuse(&error))?;
        let limit = self.inner.options.event_buffer;
        let stream = Arc::new(Stream::new(None, limit, self.accepts.events));
        let peer = self.inner.clients.peer(self.caller, outgoing(&stream));
        let mut reply = Vec::with_capacity(REPLY);
        let dispatched = self.inner.dispatcher.request(opened, &peer, &mut reply);
        // The client's going away is how 2026-07-28 cancels (*Cancellation*).
        let mut exchange = self.exchange(stream);
        exchange.events = exchange.events.cancelling(peer);
        Ok(exchange.dispatched(dispatched, reply))
    }

    /// The handshake; its session is kept only if it succeeds.
    fn initialize(&self, opened: &Opened<'_>) -> Outcome {
        let candidate = Candidate::new(self.inner, self.caller);
        let mut reply = Vec::with_capacity(REPLY);
        let dispatcher = &self.inner.dispatcher;
        let dispatched = dispatcher.request(opened, &candidate.peer, &mut reply);
        Outcome::handshake(dispatched, reply, candidate)
    }

    /// A notification or a response, which are never answered.
    fn told(&self, message: Message<'_>) -> Result<Outcome, Refused> {
        let version = headers::version(self.headers);
        // No notification of 2026-07-28 goes from client to server over HTTP.
        if !version.is_modern() || self.names_a_session() {
            let session = self.session(version, None)?;
            let frame = Frame::Single(Ok(message));
            let mut none = Vec::new();
            let _ = self.inner.dispatcher.dispatch_frame(
                frame,
                &self.speaking(session.peer.clone()),
                &mut none,
            );
        }
        Ok(Outcome::Response(respond::empty(StatusCode::ACCEPTED)))
    }

    fn batch(&self, elements: Vec<&RawValue>) -> Result<Outcome, Refused> {
        let claims = |element: &&RawValue| element.get().contains(meta::PROTOCOL_VERSION);
        if elements.iter().any(claims) {
            let error = ErrorObject::invalid_request("a request of 2026-07-28 stands alone");
            return Err(bad(None, &error));
        }
        let session = self.session(headers::version(self.headers), None)?;
        let stream = session.stream(&self.inner.options, self.accepts.events);
        let peer = self.speaking(session.peer.on_stream(outgoing(&stream)));
        let (frame, mut reply) = (Frame::Batch(elements), Vec::new());
        let dispatched = self
            .inner
            .dispatcher
            .dispatch_frame(frame, &peer, &mut reply);
        Ok(self.exchange(stream).dispatched(dispatched, reply))
    }

    /// The same end with who sends this message, who need not be who opened the session.
    fn speaking(&self, peer: Peer) -> Peer {
        peer.spoken_by(self.caller.principal.as_ref())
    }

    fn exchange(&self, stream: Arc<Stream>) -> Exchange {
        let interval = self.inner.options.keep_alive;
        Exchange {
            events: Events::new(stream, FIRST, interval),
            accepts: self.accepts,
        }
    }

    fn names_a_session(&self) -> bool {
        headers::session(self.headers) != Named::Nothing
    }

    fn session(&self, version: Version, id: Option<&RequestId>) -> Result<Arc<Session>, Refused> {
        let session = self.inner.session(self.headers, version, self.caller);
        session.map_err(|(status, message)| {
            let error = ErrorObject::invalid_request(message);
            Box::new(respond::error(status, id, &error))
        })
    }
}

impl Inner {
    /// The session that a legacy request names.
    ///
    /// What was agreed on counts, not what the header says, as long as that is
    /// a revision at all.
    pub(super) fn session(
        &self,
        headers: &HeaderMap,
        version: Version,
        caller: &Caller,
    ) -> Result<Arc<Session>, (StatusCode, &'static str)> {
        if version == Version::Unknown {
            let message = "`MCP-Protocol-Version` is not a version that is served";
            return Err((StatusCode::BAD_REQUEST, message));
        }
        let unknown = (
            StatusCode::NOT_FOUND,
            "there is no such session (any more); send `initialize` again",
        );
        let session = match headers::session(headers) {
            Named::Nothing => Err((
                StatusCode::BAD_REQUEST,
                "`Mcp-Session-Id` is missing; send `initialize` first, or claim a version in `_meta`",
            )),
            Named::Session(id) => self.sessions.get(id).ok_or(unknown),
            Named::Unknown => Err(unknown),
        }?;
        if !session.belongs_to(caller) {
            return Err((StatusCode::FORBIDDEN, FOREIGN));
        }
        Ok(session)
    }
}

fn bad(id: Option<&RequestId>, error: &ErrorObject) -> Refused {
    Box::new(respond::error(StatusCode::BAD_REQUEST, id, error))
}

fn outgoing(stream: &Arc<Stream>) -> Arc<dyn Outgoing> {
    Arc::<Stream>::clone(stream)
}
