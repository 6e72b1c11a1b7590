//! GET and DELETE requests, which only legacy sessions support.

use http::{HeaderMap, Response, StatusCode};

use super::body::{HttpBody, SseBody};
use super::caller::Caller;
use super::headers::{self, AcceptHeader, InvalidHeader, SessionHeader, VersionHeader};
use super::sse::EventId;
use super::state::EndpointState;
use super::{http_sse, responses};

/// Opens a stream for messages that do not belong to a request, or resumes an earlier stream.
pub(super) fn get(
    state: &EndpointState,
    headers: &HeaderMap,
    caller: &Caller,
) -> Response<HttpBody> {
    let version = VersionHeader::parse(headers);
    if version.is_modern() {
        return responses::method_not_allowed("POST");
    }
    if !AcceptHeader::parse(headers).events {
        let message = "`Accept` must allow `text/event-stream`";
        return responses::rejection(StatusCode::NOT_ACCEPTABLE, message);
    }
    let Some(share) = state.stream_share(caller) else {
        return responses::too_many_streams();
    };
    let options = &state.options;
    if options.http_with_sse && SessionHeader::parse(headers) == SessionHeader::Missing {
        return http_sse::get(state, caller, share);
    }
    let session = match state.sessions.of_request(headers, version, caller) {
        Ok(session) => session,
        Err((status, message)) => return responses::rejection(status, message),
    };
    let (stream, connection) = match headers::text(headers, &headers::LAST_EVENT_ID) {
        Ok(None) => session.connect(),
        Ok(Some(id)) => match EventId::parse(id).and_then(|last| session.resume(last)) {
            Some(resumed) => resumed,
            None => return unknown_event(),
        },
        Err(InvalidHeader) => return unknown_event(),
    };
    let interval = options.token_recheck_interval;
    let body = SseBody::new(stream, connection, options.keep_alive)
        .recheck_token(caller, &state.dispatcher, interval)
        .with_share(share);
    responses::events(body)
}

fn unknown_event() -> Response<HttpBody> {
    let message = "`Last-Event-ID` is not an id of this server, or nothing follows that event";
    responses::rejection(StatusCode::BAD_REQUEST, message)
}

/// Ends a session.
pub(super) fn delete(
    state: &EndpointState,
    headers: &HeaderMap,
    caller: &Caller,
) -> Response<HttpBody> {
    let version = VersionHeader::parse(headers);
    if version.is_modern() {
        return responses::method_not_allowed("POST");
    }
    match state.sessions.of_request(headers, version, caller) {
        Ok(session) => {
            state.sessions.remove(session.id);
            responses::empty(StatusCode::NO_CONTENT)
        }
        Err((status, message)) => responses::rejection(status, message),
    }
}
