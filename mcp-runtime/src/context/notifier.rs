use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::ClientSink;
use crate::codec;
use crate::protocol::{JsonObject, LoggingLevel, Revision};

/// The lowest level of log messages that a client accepts.
#[derive(Clone, Debug)]
pub(crate) enum LogThreshold {
    /// The current level of the session; 0 stands for none.
    Session(Arc<AtomicU8>),
    /// The level in the request.
    Request(Option<LoggingLevel>),
}

impl LogThreshold {
    /// Whether the client accepts any level, now or later.
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
    /// The progress token of the request, as JSON.
    pub(super) progress_token: Option<String>,
    pub(super) threshold: LogThreshold,
    pub(super) state: Mutex<NotifierState>,
}

#[derive(Debug, Default)]
pub(super) struct NotifierState {
    last_progress: Option<f64>,
    /// Whether the handler has reported progress itself.
    handler_reported: bool,
    ended: bool,
    meta: JsonObject,
}

/// The progress that a heartbeat adds: less than any step that a handler reports.
const HEARTBEAT_STEP: f64 = 1e-9;

impl RequestNotifier {
    /// Sends progress; a value that does not increase is dropped (specification, *Progress*).
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

    /// Sends minimal progress, unless the handler reports progress itself.
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

    /// Whether a log message of that level would be sent.
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

    /// Drops all later notifications of this request, because its reply follows.
    pub(crate) fn end(&self) {
        self.state().ended = true;
    }

    /// Sends a message under the lock, so that messages keep their order. The sink must
    /// not notify about this request, and what it logs is not forwarded.
    fn send(&self, message: &[u8], _locked: &NotifierState) {
        let _guard = ReentrancyGuard::enter();
        self.sink.send(message);
    }

    fn state(&self) -> MutexGuard<'_, NotifierState> {
        // A transport that panics under the lock leaves the state unchanged.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    static NOTIFYING: Cell<bool> = const { Cell::new(false) };
}

/// Marks this thread as sending to a client while it exists, so that events logged
/// meanwhile are not forwarded to the client.
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
