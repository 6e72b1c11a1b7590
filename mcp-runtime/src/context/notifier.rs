use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::ClientSink;
use crate::codec;
use crate::protocol::{JsonObject, LoggingLevel, Revision};

/// The minimum level of log messages that a client accepts.
#[derive(Clone, Debug)]
pub(crate) enum LogThreshold {
    /// The current level of the session, or 0 if the session has no level.
    Session(Arc<AtomicU8>),
    /// The level in the `_meta` of the request.
    Request(Option<LoggingLevel>),
}

impl LogThreshold {
    /// Whether the client accepts log messages of any level, or may do so later.
    #[cfg(feature = "client-log")]
    pub(crate) fn may_allow(&self) -> bool {
        !matches!(self, Self::Request(None))
    }

    fn allows(&self, level: LoggingLevel) -> bool {
        let minimum = match self {
            Self::Session(level) => LoggingLevel::from_u8(level.load(Ordering::Relaxed)),
            Self::Request(level) => *level,
        };
        minimum.is_some_and(|minimum| level >= minimum)
    }
}

/// Sends the progress notifications and log messages of one request to its client.
#[derive(Debug)]
pub(crate) struct RequestNotifier {
    pub(super) sink: Arc<dyn ClientSink>,
    pub(super) revision: Revision,
    /// The progress token of the request, as JSON text.
    pub(super) progress_token: Option<String>,
    pub(super) threshold: LogThreshold,
    pub(super) state: Mutex<NotifierState>,
}

#[derive(Debug, Default)]
pub(super) struct NotifierState {
    last_progress: Option<f64>,
    /// Whether the handler has reported progress.
    handler_reported: bool,
    ended: bool,
    meta: JsonObject,
}

/// The progress that a heartbeat adds. It is smaller than the steps that handlers report.
const HEARTBEAT_STEP: f64 = 1e-9;

impl RequestNotifier {
    /// Sends a progress notification. Drops a value that does not increase (specification,
    /// *Progress*).
    pub(super) fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.progress_token else {
            return;
        };
        let mut state = self.state();
        let increases = state.last_progress.is_none_or(|last| progress > last);
        if state.ended || !increases || !progress.is_finite() {
            tracing::debug!(progress, "progress that does not increase was not sent");
            return;
        }
        state.last_progress = Some(progress);
        state.handler_reported = true;
        let message = codec::progress(self.revision, token, progress, total, message);
        self.send(&message, &state);
    }

    /// Sends a progress notification with a minimal increase, unless the handler has reported
    /// progress.
    pub(crate) fn heartbeat(&self) {
        let Some(token) = &self.progress_token else {
            return;
        };
        let mut state = self.state();
        if state.ended || state.handler_reported {
            return;
        }
        let next = state.last_progress.unwrap_or(0.0) + HEARTBEAT_STEP;
        state.last_progress = Some(next);
        let message = codec::progress(self.revision, token, next, None, None);
        self.send(&message, &state);
    }

    /// Whether the client accepts log messages of this level.
    #[cfg(feature = "client-log")]
    pub(crate) fn accepts(&self, level: LoggingLevel) -> bool {
        self.threshold.allows(level)
    }

    pub(crate) fn log(&self, level: LoggingLevel, logger: Option<&str>, data: &Value) {
        if !self.threshold.allows(level) {
            return;
        }
        let state = self.state();
        if !state.ended {
            self.send(&codec::log_message(level, logger, data), &state);
        }
    }

    pub(super) fn set_meta(&self, key: String, value: Value) {
        self.state().meta.insert(key, value);
    }

    pub(crate) fn take_meta(&self) -> JsonObject {
        std::mem::take(&mut self.state().meta)
    }

    /// Drops all later notifications of this request. It is called before the reply is sent.
    pub(crate) fn end(&self) {
        self.state().ended = true;
    }

    /// Sends a message while the state is locked, which keeps the messages in order. Therefore the
    /// sink must not send notifications about this request, and its log events are not forwarded to
    /// the client.
    fn send(&self, message: &[u8], _locked: &NotifierState) {
        let _guard = ReentrancyGuard::enter();
        self.sink.send(message);
    }

    fn state(&self) -> MutexGuard<'_, NotifierState> {
        // A poisoned state is still consistent, because a panic of the sink does not change it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    static NOTIFYING: Cell<bool> = const { Cell::new(false) };
}

/// A guard that marks the current thread as sending to a client. Events that are logged while the
/// guard exists are not forwarded to the client.
#[derive(Debug)]
pub(crate) struct ReentrancyGuard {
    previous: bool,
}

impl ReentrancyGuard {
    pub(crate) fn enter() -> Self {
        let previous = NOTIFYING.replace(true);
        Self { previous }
    }

    #[cfg(feature = "client-log")]
    pub(crate) fn is_entered() -> bool {
        NOTIFYING.get()
    }
}

impl Drop for ReentrancyGuard {
    fn drop(&mut self) {
        NOTIFYING.set(self.previous);
    }
}
