use std::net::SocketAddr;
use std::sync::Arc;

use super::blocking_pool::BlockingPool;
use super::caller::Caller;
use super::options::HttpOptions;
use super::origin_check::HostOriginPolicy;
use super::response_timer::ResponseTimer;
use super::responses::{self, ErrorResponse};
use super::session::HttpSession;
use super::sessions::Sessions;
use crate::dispatch::{Dispatcher, MAX_LISTEN_STREAMS};
use crate::jsonrpc::Frame;
use crate::limits::{CallerKey, Share, Shares};

/// The maximum number of calls of a session that run at the same time.
///
/// The number of connections does not limit these calls, because they continue after a legacy
/// client has disconnected.
const MAX_SESSION_CALLS: usize = 256;

/// The state that all requests of an endpoint share.
pub(super) struct EndpointState {
    pub(super) dispatcher: Dispatcher,
    pub(super) options: HttpOptions,
    pub(super) origin_policy: HostOriginPolicy,
    pub(super) sessions: Arc<Sessions>,
    pub(super) blocking_pool: Arc<BlockingPool>,
    pub(super) response_timer: Arc<ResponseTimer>,
    requests: Arc<Shares>,
    /// The running calls, including those whose client has disconnected.
    calls: Arc<Shares>,
    streams: Arc<Shares>,
    listen_streams: Arc<Shares>,
}

impl EndpointState {
    pub(super) fn new(dispatcher: Dispatcher, options: HttpOptions) -> Self {
        Self {
            origin_policy: HostOriginPolicy::new(&options),
            sessions: Sessions::new(&options),
            blocking_pool: Arc::default(),
            response_timer: Arc::new(ResponseTimer::new(options.keep_alive)),
            requests: Shares::new(options.max_requests),
            calls: Shares::new(options.max_requests),
            streams: Shares::new(options.max_streams),
            listen_streams: Shares::new(MAX_LISTEN_STREAMS),
            dispatcher,
            options,
        }
    }

    /// Takes a share of `max_requests` for the client at `address`.
    pub(super) fn request_share(&self, address: Option<SocketAddr>) -> Option<Share> {
        let caller = address.map(|it| CallerKey::address(it.ip()));
        self.requests.acquire(caller, 1)
    }

    /// Returns the maximum number of calls that a message can start.
    pub(super) fn calls_of(&self, frame: &Frame<'_>) -> usize {
        match frame {
            Frame::Single(_) => usize::from(self.dispatcher.runs_handlers(frame)),
            Frame::Batch(elements) => elements.len(),
        }
    }

    /// Takes a share for calls in a session. The calls continue if their client disconnects.
    pub(super) fn session_call_share(
        &self,
        session: &HttpSession,
        caller: &Caller,
        calls: usize,
    ) -> Result<Option<Share>, ErrorResponse> {
        if calls == 0 {
            return Ok(None);
        }
        let in_flight = session.connection.calls_in_flight();
        if in_flight + calls > MAX_SESSION_CALLS {
            return Err(Box::new(responses::too_many_calls()));
        }
        self.call_share(caller, calls).map(Some)
    }

    /// Takes a share of the call limit. The calls hold the share until they end.
    pub(super) fn call_share(&self, caller: &Caller, calls: usize) -> Result<Share, ErrorResponse> {
        let share = self.calls.acquire(caller.key, calls);
        share.ok_or_else(|| Box::new(responses::too_many_calls()))
    }

    /// Takes a share of `max_streams` for one stream.
    pub(super) fn stream_share(&self, caller: &Caller) -> Option<Share> {
        self.streams.acquire(caller.key, 1)
    }

    /// Takes a share of the limit for `subscriptions/listen` streams.
    pub(super) fn listen_share(&self, caller: &Caller) -> Option<Share> {
        self.listen_streams.acquire(caller.key, 1)
    }

    pub(super) fn open_streams(&self) -> usize {
        self.streams.used()
    }
}
