use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::blocking_pool::BlockingPool;
use super::options::HttpOptions;
use super::origin_check::HostOriginPolicy;
use super::per_principal_limits::PerPrincipalLimits;
use super::response_timer::ResponseTimer;
use super::sessions::Sessions;
use crate::dispatch::Dispatcher;

/// The state that all requests of an endpoint share.
pub(super) struct EndpointState {
    pub(super) dispatcher: Dispatcher,
    pub(super) options: HttpOptions,
    pub(super) origin_policy: HostOriginPolicy,
    pub(super) sessions: Arc<Sessions>,
    pub(super) limits: PerPrincipalLimits,
    pub(super) blocking_pool: Arc<BlockingPool>,
    pub(super) response_timer: Arc<ResponseTimer>,
    requests: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

impl EndpointState {
    pub(super) fn new(dispatcher: Dispatcher, options: HttpOptions) -> Self {
        Self {
            origin_policy: HostOriginPolicy::new(&options),
            sessions: Sessions::new(&options),
            limits: PerPrincipalLimits::new(&dispatcher.core().server.quotas),
            blocking_pool: Arc::default(),
            response_timer: Arc::new(ResponseTimer::new(options.keep_alive)),
            requests: Arc::new(Semaphore::new(options.max_requests)),
            streams: Arc::new(Semaphore::new(options.max_streams)),
            dispatcher,
            options,
        }
    }

    /// Returns `None` while `max_requests` requests are served.
    pub(super) fn request_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.requests).try_acquire_owned().ok()
    }

    /// Returns `None` while `max_streams` streams are open.
    pub(super) fn stream_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }

    pub(super) fn open_streams(&self) -> usize {
        self.options.max_streams - self.streams.available_permits()
    }
}
