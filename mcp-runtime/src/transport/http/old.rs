//! HTTP with SSE, the transport of 2024-11-05, off unless asked for.
//!
//! One stream carries everything; its first event says where to send messages.
//! The session is the stream: it ends when the client goes away.

use http::{Response, StatusCode, Uri};

use super::authenticate::Caller;
use super::body::{Events, HttpBody};
use super::endpoint::Inner;
use super::limit::Permit;
use super::respond;
use super::session::{Candidate, FOREIGN, SessionId};
use crate::dispatch::Dispatched;
use crate::jsonrpc::ErrorObject;

const PARAMETER: &str = "session_id=";

/// The session that a POST names in its query, as it was told to.
pub(super) fn session(uri: &Uri) -> Option<SessionId> {
    let mut pairs = uri.query()?.split('&');
    SessionId::parse(pairs.find_map(|pair| pair.strip_prefix(PARAMETER))?)
}

/// Opens the stream of a new session.
pub(super) fn get(inner: &Inner, caller: &Caller, permit: Permit) -> Response<HttpBody> {
    let session = inner.sessions.insert(Candidate::new(inner, caller));
    let Some(session) = session else {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        return respond::error(status, None, &ErrorObject::internal());
    };
    let (stream, connection) = session.listen();
    let (path, id) = (&inner.options.path, session.id);
    stream.announce(&format!("{path}?{PARAMETER}{id}"));
    let watch = caller.watch(inner, &stream, connection);
    let events = Events::new(stream, connection, inner.options.keep_alive);
    let events = events.ending(std::sync::Arc::clone(&inner.sessions), id);
    respond::events(events.watched(watch).counted(permit))
}

/// Takes a message; the reply goes to the stream.
pub(super) fn post(
    inner: &Inner,
    id: SessionId,
    body: &[u8],
    caller: &Caller,
    permit: Permit,
) -> Response<HttpBody> {
    let Some(session) = inner.sessions.get(id) else {
        let message = "there is no such session (any more); open a stream again";
        return respond::refusal(StatusCode::NOT_FOUND, message);
    };
    // The stream is its owner's: nobody else may have anything written into it.
    if !session.belongs_to(caller) {
        return respond::refusal(StatusCode::FORBIDDEN, FOREIGN);
    }
    let mut reply = Vec::new();
    let peer = session.peer.spoken_by(caller.principal.as_ref());
    match inner.dispatcher.dispatch(body, &peer, &mut reply) {
        Dispatched::Silent => {}
        Dispatched::Replied(_) => {
            session.send(&reply);
        }
        Dispatched::Pending(pending) => {
            tokio::spawn(async move {
                let _permit = permit;
                if let Some(answer) = pending.answer().await {
                    session.send(&answer.bytes);
                }
            });
        }
    }
    respond::empty(StatusCode::ACCEPTED)
}
