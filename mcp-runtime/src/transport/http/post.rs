use std::sync::Arc;

use http::request::Parts;
use http::{HeaderMap, Response, StatusCode, Uri};
use http_body::Body;
use serde_json::value::RawValue;

use super::body::{HttpBody, SseBody};
use super::caller::Caller;
use super::event_queue::FIRST_CONNECTION;
use super::event_stream::EventStream;
use super::headers::{self, AcceptHeader, SessionHeader, VersionHeader};
use super::post_response::{CallShares, PendingResponse, PostOutcome, REPLY_CAPACITY};
use super::request_body::read_body;
use super::responses::ErrorResponse;
use super::session::HttpSession;
use super::state::EndpointState;
use super::{header_validation, http_sse, responses};
use crate::context::ClientSink;
use crate::dispatch::{Connection, RequestMeta, RequestWithMeta};
use crate::jsonrpc::{ErrorObject, Frame, Message, RequestId};
use crate::limits::Share;

/// The maximum size of a body, in bytes, when `max_requests` is reached. The server still reads a
/// small body because its message may cancel a call.
const MAX_UNCOUNTED_BODY: usize = 16 * 1024;

const LISTEN: &str = "subscriptions/listen";

/// Reads the body of a POST request and responds to its message.
pub(super) async fn post<B: Body>(
    state: &EndpointState,
    parts: &Parts,
    body: B,
    caller: &Caller,
    share: Option<Share>,
) -> Response<HttpBody> {
    let (headers, options) = (&parts.headers, &state.options);
    let accept = AcceptHeader::parse(headers);
    if !accept.json && !accept.events {
        let message = "`Accept` must allow `application/json` and `text/event-stream`";
        return responses::rejection(StatusCode::NOT_ACCEPTABLE, message);
    }
    if !headers::is_json(headers) {
        let message = "`Content-Type` must be `application/json`";
        return responses::rejection(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    }
    let max_body = match share {
        Some(_) => options.max_body,
        None => options.max_body.min(MAX_UNCOUNTED_BODY),
    };
    let body = match read_body(body, max_body, options.body_timeout).await {
        Err(_) if share.is_none() => return responses::too_many_requests(),
        Ok(body) => body,
        Err((status, message)) => return responses::rejection(status, message),
    };
    let post = PostRequest {
        state,
        headers,
        caller,
        accept,
    };
    let outcome = post.dispatch(&parts.uri, &body, share.is_some());
    outcome.response(state, caller, share).await
}

/// A POST request whose body the server has read.
struct PostRequest<'a> {
    state: &'a EndpointState,
    headers: &'a HeaderMap,
    caller: &'a Caller,
    accept: AcceptHeader,
}

impl PostRequest<'_> {
    /// Dispatches a message as a stateless request or in its session (specification of 2026-07-28,
    /// *Versioning*, *Backward Compatibility*).
    fn dispatch(&self, uri: &Uri, body: &[u8], is_counted: bool) -> PostOutcome {
        let frame = Frame::parse(body);
        if !is_counted && !is_one_way(&frame) {
            return PostOutcome::Response(responses::too_many_requests());
        }
        if self.state.options.http_with_sse
            && let Some(id) = http_sse::session_id(uri)
        {
            return PostOutcome::Response(http_sse::post(self.state, id, frame, self.caller));
        }
        let outcome = match frame {
            Frame::Single(Ok(Message::Request(request))) => {
                self.request(&RequestWithMeta::new(request))
            }
            Frame::Single(Ok(message)) => self.notification_or_response(message),
            Frame::Single(Err(malformed)) => {
                Err(bad_request(malformed.id.as_ref(), &malformed.error))
            }
            Frame::Batch(elements) => self.batch(elements),
        };
        outcome.unwrap_or_else(|response| PostOutcome::Response(*response))
    }

    fn request(&self, request: &RequestWithMeta<'_>) -> Result<PostOutcome, ErrorResponse> {
        let version = VersionHeader::parse(self.headers);
        if let Some(meta) = &request.stateless {
            return self.stateless(request, meta);
        }
        let (id, method) = (&request.request.id, request.request.method.as_ref());
        if version.is_modern() || (method == "server/discover" && !self.has_session_header()) {
            let missing_version = RequestMeta::default().revision();
            let error = missing_version.err().unwrap_or_else(ErrorObject::internal);
            return Err(bad_request(Some(id), &error));
        }
        if method == "initialize" {
            return Ok(self.initialize(request));
        }
        let session = self.session(version, Some(id))?;
        let calls = usize::from(self.state.dispatcher.method_runs_handlers(method));
        let share = self.call_share(&session, calls)?;
        let (stream, connection) = self.open_stream(&session);
        let mut reply = Vec::with_capacity(REPLY_CAPACITY);
        let dispatcher = &self.state.dispatcher;
        let outcome = dispatcher.dispatch_request(request, &connection, &mut reply);
        let response = self.pending_response(stream);
        Ok(response.into_outcome(outcome, reply, share))
    }

    /// Checks a request of protocol version 2026-07-28 in the order of the specification, and
    /// dispatches it.
    fn stateless(
        &self,
        request: &RequestWithMeta<'_>,
        meta: &RequestMeta<'_>,
    ) -> Result<PostOutcome, ErrorResponse> {
        let (state, id) = (self.state, &request.request.id);
        let reject = |error: ErrorObject| bad_request(Some(id), &error);
        if let Some(version) = meta.version() {
            let header = headers::text(self.headers, &headers::PROTOCOL_VERSION);
            if header != Ok(Some(&version)) {
                let error = header_validation::mismatch("MCP-Protocol-Version");
                return Err(reject(error));
            }
        }
        meta.revision().map_err(reject)?;
        header_validation::check(self.headers, &request.request, &state.dispatcher)
            .map_err(reject)?;
        let shares = self.stateless_shares(&request.request.method)?;
        let limit = state.options.event_buffer;
        let stream = Arc::new(EventStream::new(None, limit, self.accept.events));
        let connection = self.caller.connection(&state.dispatcher, sink(&stream));
        let mut reply = Vec::with_capacity(REPLY_CAPACITY);
        let outcome = state
            .dispatcher
            .dispatch_request(request, &connection, &mut reply);
        let mut response = self.pending_response(stream);
        // A client cancels the call by closing the response stream (specification, *Cancellation*).
        response.body = response.body.cancel_on_drop(connection);
        Ok(response.into_outcome(outcome, reply, shares))
    }

    /// Dispatches `initialize` in a new session. The server stores the session only if the request
    /// succeeds.
    fn initialize(&self, request: &RequestWithMeta<'_>) -> PostOutcome {
        let state = self.state;
        let session = state
            .sessions
            .new_session(&state.dispatcher, &state.options, self.caller);
        let Some(session) = session else {
            return PostOutcome::Response(responses::internal_error());
        };
        let mut reply = Vec::with_capacity(REPLY_CAPACITY);
        let dispatcher = &state.dispatcher;
        let outcome = dispatcher.dispatch_request(request, &session.connection, &mut reply);
        PostOutcome::initialize(state, outcome, reply, session)
    }

    fn notification_or_response(&self, message: Message<'_>) -> Result<PostOutcome, ErrorResponse> {
        let version = VersionHeader::parse(self.headers);
        // Protocol version 2026-07-28 has no notifications from client to server over HTTP.
        if !version.is_modern() || self.has_session_header() {
            let connection = self.session(version, None)?.connection_of(self.caller);
            let frame = Frame::Single(Ok(message));
            let dispatcher = &self.state.dispatcher;
            let _silent = dispatcher.dispatch_frame(frame, &connection, &mut Vec::new());
        }
        let response = responses::empty(StatusCode::ACCEPTED);
        Ok(PostOutcome::Response(response))
    }

    fn batch(&self, elements: Vec<&RawValue>) -> Result<PostOutcome, ErrorResponse> {
        if elements.iter().any(|element| is_stateless(element.get())) {
            let message = "a request of 2026-07-28 must not be part of a batch";
            let error = ErrorObject::invalid_request(message);
            return Err(bad_request(None, &error));
        }
        let session = self.session(VersionHeader::parse(self.headers), None)?;
        let (stream, connection) = self.open_stream(&session);
        let frame = Frame::Batch(elements);
        let share = self.call_share(&session, self.state.calls_of(&frame))?;
        let mut reply = Vec::new();
        let dispatcher = &self.state.dispatcher;
        let outcome = dispatcher.dispatch_frame(frame, &connection, &mut reply);
        let response = self.pending_response(stream);
        Ok(response.into_outcome(outcome, reply, share))
    }

    fn call_share(&self, session: &HttpSession, calls: usize) -> Result<CallShares, ErrorResponse> {
        let share = self.state.session_call_share(session, self.caller, calls)?;
        Ok([share, None])
    }

    /// Takes the shares for a stateless request. A `subscriptions/listen` stream takes shares of
    /// the stream limits instead of the call limit.
    fn stateless_shares(&self, method: &str) -> Result<CallShares, ErrorResponse> {
        let (state, caller) = (self.state, self.caller);
        if method == LISTEN {
            let shares = [state.stream_share(caller), state.listen_share(caller)];
            return match shares.iter().all(Option::is_some) {
                true => Ok(shares),
                false => Err(Box::new(responses::too_many_streams())),
            };
        }
        let runs = state.dispatcher.method_runs_handlers(method);
        let share = runs.then(|| state.call_share(caller, 1)).transpose()?;
        Ok([share, None])
    }

    /// Opens a stream for the messages about a request of a session.
    fn open_stream(&self, session: &HttpSession) -> (Arc<EventStream>, Connection) {
        let stream = session.open_stream(&self.state.options, self.accept.events);
        let connection = session.connection_of(self.caller).on_stream(sink(&stream));
        (stream, connection)
    }

    fn pending_response(&self, stream: Arc<EventStream>) -> PendingResponse {
        let interval = self.state.options.keep_alive;
        PendingResponse {
            body: SseBody::new(stream, FIRST_CONNECTION, interval),
            accept: self.accept,
        }
    }

    fn has_session_header(&self) -> bool {
        SessionHeader::parse(self.headers) != SessionHeader::Missing
    }

    fn session(
        &self,
        version: VersionHeader,
        id: Option<&RequestId>,
    ) -> Result<Arc<HttpSession>, ErrorResponse> {
        let sessions = &self.state.sessions;
        let session = sessions.of_request(self.headers, version, self.caller);
        session.map_err(|(status, message)| {
            let error = ErrorObject::invalid_request(message);
            Box::new(responses::error(status, id, &error))
        })
    }
}

/// Whether a message is a notification, such as `notifications/cancelled`, or a response.
fn is_one_way(frame: &Frame<'_>) -> bool {
    let message = match frame {
        Frame::Single(Ok(message)) => message,
        Frame::Single(Err(_)) | Frame::Batch(_) => return false,
    };
    !matches!(message, Message::Request(_))
}

/// Whether an element of a batch is a request of protocol version 2026-07-28.
fn is_stateless(element: &str) -> bool {
    match Message::parse(element) {
        Ok(Message::Request(request)) => RequestWithMeta::new(request).stateless.is_some(),
        Ok(_) | Err(_) => false,
    }
}

fn bad_request(id: Option<&RequestId>, error: &ErrorObject) -> ErrorResponse {
    Box::new(responses::error(StatusCode::BAD_REQUEST, id, error))
}

fn sink(stream: &Arc<EventStream>) -> Arc<dyn ClientSink> {
    Arc::<EventStream>::clone(stream)
}
