use std::sync::Arc;

use http::{HeaderValue, Response, StatusCode};
use tokio::time::timeout;

use super::authenticate::Caller;
use super::body::{Events, HttpBody};
use super::connection::FIRST;
use super::endpoint::Inner;
use super::hands::Hands;
use super::headers::{Accepts, SESSION_ID};
use super::limit::Permit;
use super::respond;
use super::session::Candidate;
use super::stream::{Beginning, Stream};
use crate::dispatch::{Answer, Dispatched, Pending, Status};
use crate::jsonrpc::ErrorObject;

/// A request on its way to its response.
pub(super) struct Exchange {
    pub(super) events: Events,
    pub(super) accepts: Accepts,
}

/// What a POST comes to.
pub(super) enum Outcome {
    /// The response is there.
    Response(Response<HttpBody>),
    /// The call is still to run.
    Pending(Exchange, Pending),
    /// The handshake has been answered.
    Agreed(Option<Answer>, Candidate),
    /// The handshake is still to be answered.
    Agreeing(Pending, Candidate),
}

impl Exchange {
    pub(super) fn dispatched(self, dispatched: Dispatched, reply: Vec<u8>) -> Outcome {
        let stream = self.events.stream();
        match dispatched {
            Dispatched::Silent => Outcome::Response(respond::empty(StatusCode::ACCEPTED)),
            Dispatched::Replied(status) => {
                let code = respond::status(status);
                let plain = self.accepts.json || code != StatusCode::OK;
                if plain && !stream.is_opened() {
                    return Outcome::Response(respond::json(code, reply));
                }
                stream.open();
                stream.finish(Some(answer(status, reply)));
                Outcome::Response(respond::events(self.events))
            }
            Dispatched::Pending(pending) => {
                if !self.accepts.json {
                    stream.open();
                }
                Outcome::Pending(self, pending)
            }
        }
    }

    /// Answers as one message if the call says nothing before, and as events if
    /// it does, or takes so long that something between would close the connection.
    async fn response(self, inner: &Inner, caller: &Caller) -> Response<HttpBody> {
        let stream = self.events.stream();
        let beginning = loop {
            match timeout(inner.options.keep_alive, stream.beginning()).await {
                Ok(beginning) => break beginning,
                Err(_) => stream.open(),
            }
        };
        match beginning {
            Beginning::Events => {
                let watch = caller.watch(inner, stream, FIRST);
                respond::events(self.events.watched(watch))
            }
            Beginning::Answer(Some(answer)) => {
                respond::json(respond::status(answer.status), answer.bytes)
            }
            // Cancelled: the client has stopped waiting.
            Beginning::Answer(None) => respond::empty(StatusCode::ACCEPTED),
        }
    }
}

impl Outcome {
    pub(super) fn handshake(dispatched: Dispatched, reply: Vec<u8>, candidate: Candidate) -> Self {
        match dispatched {
            Dispatched::Silent => Self::Agreed(None, candidate),
            Dispatched::Replied(status) => Self::Agreed(Some(answer(status, reply)), candidate),
            Dispatched::Pending(pending) => Self::Agreeing(pending, candidate),
        }
    }

    /// Runs what is left to run.
    pub(super) async fn response(
        self,
        inner: &Inner,
        caller: &Caller,
        permit: Permit,
    ) -> Response<HttpBody> {
        match self {
            Self::Response(response) => response,
            Self::Pending(exchange, pending) => {
                // What only listens takes no place of a call.
                let permit = match pending.is_long_lived() {
                    true => inner.streams.enter(),
                    false => Some(permit),
                };
                let Some(permit) = permit else {
                    return respond::crowded();
                };
                let finish = Finish(Arc::clone(exchange.events.stream()));
                start(&inner.hands, pending, finish, permit);
                exchange.response(inner, caller).await
            }
            Self::Agreed(answer, candidate) => agree(inner, answer, candidate),
            Self::Agreeing(pending, candidate) => agree(inner, pending.answer().await, candidate),
        }
    }
}

/// Runs a call apart from the connection, which a legacy client may lose and renew.
///
/// One that blocks goes straight to a thread that may, and from there to its stream.
fn start(hands: &Arc<Hands>, pending: Pending, finish: Finish, permit: Permit) {
    if !pending.is_blocking() {
        tokio::spawn(async move {
            let _permit = permit;
            let answer = pending.answer().await;
            finish.0.finish(answer);
        });
        return;
    }
    hands.run(move || {
        let _permit = permit;
        let mut reply = Vec::new();
        if let Dispatched::Replied(status) = pending.run_here(&mut reply) {
            finish.0.finish(Some(answer(status, reply)));
        }
    });
}

/// Ends a stream also where a method of the user's own panics.
struct Finish(Arc<Stream>);

impl Drop for Finish {
    fn drop(&mut self) {
        self.0.finish(None);
    }
}

/// Keeps the session if the handshake has succeeded.
fn agree(inner: &Inner, answer: Option<Answer>, candidate: Candidate) -> Response<HttpBody> {
    let Some(answer) = answer else {
        return respond::empty(StatusCode::ACCEPTED);
    };
    let mut response = respond::json(respond::status(answer.status), answer.bytes);
    if answer.status.error.is_some() {
        return response;
    }
    let session = inner.sessions.insert(candidate);
    let id = session.and_then(|session| HeaderValue::try_from(session.id.to_string()).ok());
    let Some(id) = id else {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        return respond::error(status, None, &ErrorObject::internal());
    };
    response.headers_mut().insert(SESSION_ID, id);
    response
}

fn answer(status: Status, bytes: Vec<u8>) -> Answer {
    Answer { status, bytes }
}
