//! The HTTP with SSE transport of protocol version 2024-11-05. It is off by default.
//!
//! One stream carries all messages to the client. Its first event states the URI to which the
//! client must POST its messages. The session ends when the client disconnects from the stream.

use std::sync::Arc;

use http::{Response, StatusCode, Uri};

use super::body::{HttpBody, SseBody};
use super::caller::Caller;
use super::headers::SessionId;
use super::responses;
use super::sessions::NOT_OWNER;
use super::state::EndpointState;
use crate::dispatch::DispatchOutcome;
use crate::jsonrpc::Frame;
use crate::limits::Share;

const PARAMETER: &str = "session_id=";

/// Returns the session id in the query of a POST request.
pub(super) fn session_id(uri: &Uri) -> Option<SessionId> {
    let mut pairs = uri.query()?.split('&');
    SessionId::parse(pairs.find_map(|pair| pair.strip_prefix(PARAMETER))?)
}

/// Opens a session and responds with its stream.
pub(super) fn get(state: &EndpointState, caller: &Caller, share: Share) -> Response<HttpBody> {
    let options = &state.options;
    let Some(session) = state
        .sessions
        .new_session(&state.dispatcher, options, caller)
    else {
        return responses::internal_error();
    };
    let session = state.sessions.insert(session);
    let (stream, connection) = session.connect();
    let (path, id) = (&options.path, session.id);
    stream.send_endpoint(&format!("{path}?{PARAMETER}{id}"));
    let interval = options.token_recheck_interval;
    let body = SseBody::new(stream, connection, options.keep_alive)
        .end_session_on_drop(Arc::clone(&state.sessions), id)
        .recheck_token(caller, &state.dispatcher, interval)
        .with_share(share);
    responses::events(body)
}

/// Accepts a message. The server sends the reply on the stream of the session.
pub(super) fn post(
    state: &EndpointState,
    id: SessionId,
    frame: Frame<'_>,
    caller: &Caller,
) -> Response<HttpBody> {
    let Some(session) = state.sessions.get(id) else {
        let message = "the session does not exist or has ended; open a stream again";
        return responses::rejection(StatusCode::NOT_FOUND, message);
    };
    // Another caller must not be able to cause messages on the stream of the session's owner.
    if !session.is_owned_by(caller) {
        return responses::rejection(StatusCode::FORBIDDEN, NOT_OWNER);
    }
    let share = match state.session_call_share(&session, caller, state.calls_of(&frame)) {
        Ok(share) => share,
        Err(response) => return *response,
    };
    let mut reply = Vec::new();
    let connection = session.connection_of(caller);
    match state
        .dispatcher
        .dispatch_frame(frame, &connection, &mut reply)
    {
        DispatchOutcome::Silent => {}
        DispatchOutcome::Replied(_) => {
            session.send(&reply);
        }
        DispatchOutcome::Pending(call) => {
            tokio::spawn(async move {
                let _share = share;
                if let Some(reply) = call.run_to_reply().await {
                    session.send(&reply.bytes);
                }
            });
        }
    }
    responses::empty(StatusCode::ACCEPTED)
}
