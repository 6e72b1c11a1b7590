use std::sync::Arc;

use http::{HeaderValue, Response, StatusCode};

use super::blocking_pool::BlockingPool;
use super::body::{HttpBody, SseBody};
use super::caller::Caller;
use super::event_stream::{EventStream, ResponseStart};
use super::headers::{AcceptHeader, SESSION_ID};
use super::responses;
use super::session::HttpSession;
use super::state::EndpointState;
use crate::dispatch::{DispatchOutcome, DispatchReply, PendingCall};
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::limits::Share;

/// The initial capacity of a reply buffer in bytes. Most replies fit without a reallocation.
pub(super) const REPLY_CAPACITY: usize = 512;

/// The shares of the limits that a call holds until it ends, even if its client has disconnected.
pub(super) type CallShares = [Option<Share>; 2];

/// A response whose form is not decided yet. It becomes one message or a stream of events.
pub(super) struct PendingResponse {
    pub(super) body: SseBody,
    pub(super) accept: AcceptHeader,
}

/// The result of dispatching a POST request.
pub(super) enum PostOutcome {
    Response(Response<HttpBody>),
    /// The server still has to run the call.
    Call(PendingResponse, PendingCall, CallShares),
    /// The server still has to run the `initialize` request.
    Initialize(PendingCall, HttpSession),
}

impl PendingResponse {
    pub(super) fn into_outcome(
        self,
        outcome: DispatchOutcome,
        reply: Vec<u8>,
        shares: CallShares,
    ) -> PostOutcome {
        let stream = self.body.stream();
        match outcome {
            DispatchOutcome::Silent => {
                PostOutcome::Response(responses::empty(StatusCode::ACCEPTED))
            }
            DispatchOutcome::Replied(status) => {
                let code = responses::status_code(status);
                let plain = self.accept.json || code != StatusCode::OK;
                if plain && !stream.is_opened() {
                    return PostOutcome::Response(responses::json(code, reply));
                }
                stream.open();
                let bytes = reply;
                stream.finish(Some(DispatchReply { status, bytes }));
                PostOutcome::Response(responses::events(self.body))
            }
            DispatchOutcome::Pending(call) => {
                if !self.accept.json {
                    stream.open();
                }
                PostOutcome::Call(self, call, shares)
            }
        }
    }

    /// Waits for the start of the response, and responds with one message or a stream of events.
    ///
    /// The response is a stream if the call sends events, or if it takes so long that a proxy could
    /// close a silent connection.
    async fn response(
        self,
        state: &EndpointState,
        caller: &Caller,
        id: Option<RequestId>,
        share: Option<Share>,
    ) -> Response<HttpBody> {
        let stream = self.body.stream();
        let start = loop {
            match state.response_timer.limit(stream.response_start()).await {
                Some(start) => break start,
                None => stream.open(),
            }
        };
        match start {
            ResponseStart::Events => {
                let interval = state.options.token_recheck_interval;
                let body = match share {
                    Some(share) => self.body.with_share(share),
                    None => self.body,
                };
                responses::events(body.recheck_token(caller, &state.dispatcher, interval))
            }
            ResponseStart::Reply(Some(reply)) => {
                responses::json(responses::status_code(reply.status), reply.bytes)
            }
            ResponseStart::SessionEnded => {
                let message = "the session ended before the call";
                let error = ErrorObject::invalid_request(message);
                responses::error(StatusCode::NOT_FOUND, id.as_ref(), &error)
            }
            // The call was cancelled and the client does not wait for the response.
            ResponseStart::Reply(None) => responses::empty(StatusCode::ACCEPTED),
        }
    }
}

impl PostOutcome {
    pub(super) fn initialize(
        state: &EndpointState,
        outcome: DispatchOutcome,
        bytes: Vec<u8>,
        session: HttpSession,
    ) -> Self {
        match outcome {
            DispatchOutcome::Silent => Self::Response(initialized(state, None, session)),
            DispatchOutcome::Replied(status) => {
                let reply = Some(DispatchReply { status, bytes });
                Self::Response(initialized(state, reply, session))
            }
            DispatchOutcome::Pending(call) => Self::Initialize(call, session),
        }
    }

    /// Runs the call if there is one, and returns the response.
    pub(super) async fn response(
        self,
        state: &EndpointState,
        caller: &Caller,
        share: Option<Share>,
    ) -> Response<HttpBody> {
        match self {
            Self::Response(response) => response,
            Self::Call(response, call, shares) => {
                let finish = FinishOnDrop(Arc::clone(response.body.stream()));
                let id = call.id().cloned();
                // A `subscriptions/listen` stream does not count as a request.
                let share = share.filter(|_| !call.is_long_lived());
                spawn(&state.blocking_pool, call, finish, shares);
                response.response(state, caller, id, share).await
            }
            Self::Initialize(call, session) => {
                let reply = call.run_to_reply().await;
                initialized(state, reply, session)
            }
        }
    }
}

/// Runs a call in its own task, because the call must continue if a legacy client disconnects and
/// reconnects.
fn spawn(pool: &Arc<BlockingPool>, call: PendingCall, finish: FinishOnDrop, shares: CallShares) {
    if !call.is_blocking() {
        tokio::spawn(async move {
            let _shares = shares;
            let reply = call.run_to_reply().await;
            finish.0.finish(reply);
        });
        return;
    }
    pool.run(move || {
        let _shares = shares;
        let mut bytes = Vec::with_capacity(REPLY_CAPACITY);
        if let DispatchOutcome::Replied(status) = call.run_blocking(&mut bytes) {
            finish.0.finish(Some(DispatchReply { status, bytes }));
        }
    });
}

/// Ends a stream without a reply if its call panics.
struct FinishOnDrop(Arc<EventStream>);

impl Drop for FinishOnDrop {
    fn drop(&mut self) {
        self.0.finish(None);
    }
}

/// Responds to `initialize`, and stores the session if the request succeeded.
fn initialized(
    state: &EndpointState,
    reply: Option<DispatchReply>,
    session: HttpSession,
) -> Response<HttpBody> {
    let Some(reply) = reply else {
        return responses::empty(StatusCode::ACCEPTED);
    };
    let mut response = responses::json(responses::status_code(reply.status), reply.bytes);
    if reply.status.error.is_some() {
        return response;
    }
    let Ok(id) = HeaderValue::try_from(session.id.to_string()) else {
        return responses::internal_error();
    };
    state.sessions.insert(session);
    response.headers_mut().insert(SESSION_ID, id);
    response
}
