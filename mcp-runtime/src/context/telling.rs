use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::Outgoing;
use crate::codec;
use crate::protocol::{JsonObject, LoggingLevel, Revision};

/// From which level on a client wants log messages.
#[derive(Clone, Debug)]
pub(crate) enum Threshold {
    /// As its session says at the time; 0 stands for never.
    Session(Arc<AtomicU8>),
    /// As the request said.
    Request(Option<LoggingLevel>),
}

impl Threshold {
    /// Whether there is a level that is wanted, now or later.
    #[cfg(feature = "client-log")]
    pub(crate) fn may_admit(&self) -> bool {
        !matches!(self, Self::Request(None))
    }

    fn admits(&self, level: LoggingLevel) -> bool {
        let least = match self {
            Self::Session(level) => LoggingLevel::from_u8(level.load(Ordering::Relaxed)),
            Self::Request(level) => *level,
        };
        least.is_some_and(|least| level >= least)
    }
}

/// What the body of one request tells its client before the reply.
#[derive(Debug)]
pub(crate) struct Telling {
    pub(super) outgoing: Arc<dyn Outgoing>,
    pub(super) revision: Revision,
    /// As JSON, as the request had it.
    pub(super) token: Option<String>,
    pub(super) threshold: Threshold,
    pub(super) told: Mutex<Told>,
}

#[derive(Debug, Default)]
pub(super) struct Told {
    last: Option<f64>,
    /// The body itself has told its progress.
    reported: bool,
    ended: bool,
    meta: JsonObject,
}

/// So little that it is less than whatever a body reports.
const BEAT: f64 = 1e-9;

impl Telling {
    /// Progress must grow (specification, *Progress*), so what does not is left out.
    pub(super) fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.token else { return };
        let mut told = self.told();
        let grows = told.last.is_none_or(|last| progress > last);
        if told.ended || !grows || !progress.is_finite() {
            tracing::debug!(progress, "progress that does not grow was not told");
            return;
        }
        told.last = Some(progress);
        told.reported = true;
        let message = codec::progress(self.revision, token, progress, total, message);
        self.send(&message, &told);
    }

    /// A sign of life from a body that has told nothing of its progress.
    pub(crate) fn beat(&self) {
        let Some(token) = &self.token else { return };
        let mut told = self.told();
        if told.ended || told.reported {
            return;
        }
        let next = told.last.unwrap_or(0.0) + BEAT;
        told.last = Some(next);
        let message = codec::progress(self.revision, token, next, None, None);
        self.send(&message, &told);
    }

    /// Whether a log message of that level would be sent.
    #[cfg(feature = "client-log")]
    pub(crate) fn wants(&self, level: LoggingLevel) -> bool {
        self.threshold.admits(level)
    }

    pub(crate) fn log(&self, level: LoggingLevel, logger: Option<&str>, data: &Value) {
        if !self.threshold.admits(level) {
            return;
        }
        let told = self.told();
        if !told.ended {
            self.send(&codec::log_message(level, logger, data), &told);
        }
    }

    pub(super) fn set_meta(&self, key: String, value: Value) {
        self.told().meta.insert(key, value);
    }

    pub(crate) fn take_meta(&self) -> JsonObject {
        std::mem::take(&mut self.told().meta)
    }

    /// The reply follows: nothing more is told about this request.
    pub(crate) fn end(&self) {
        self.told().ended = true;
    }

    /// Under the lock, so that messages keep their order: whoever takes them must
    /// not tell anything of this request, nor have told what it logs.
    fn send(&self, message: &[u8], _told: &Told) {
        let _mark = Mark::set();
        self.outgoing.send(message);
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        // A transport that panics under the lock leaves what was told as it is.
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    static MARKED: Cell<bool> = const { Cell::new(false) };
}

/// Marks a thread as one that tells a client something, until it is dropped: what
/// is logged meanwhile is not told.
#[derive(Debug)]
pub(crate) struct Mark {
    before: bool,
}

impl Mark {
    pub(crate) fn set() -> Self {
        let before = MARKED.replace(true);
        Self { before }
    }

    #[cfg(feature = "client-log")]
    pub(crate) fn is_set() -> bool {
        MARKED.get()
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        MARKED.set(self.before);
    }
}
