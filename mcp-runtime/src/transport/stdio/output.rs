use std::fmt;
use std::io::Write;
use std::sync::{Mutex, MutexGuard};

use crate::context::Outgoing;

/// The one writer: replies gather here and leave in one write.
pub(super) struct Output(Mutex<Inner>);

struct Inner {
    writer: Box<dyn Write + Send>,
    gathered: Vec<u8>,
    broken: bool,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Mutex::new(Inner {
            writer: Box::new(writer),
            gathered: Vec::new(),
            broken: false,
        }))
    }

    /// Adds a message, to be written with the next flush.
    pub(super) fn push(&self, message: &[u8]) {
        let mut inner = self.lock();
        if !inner.broken {
            inner.gathered.extend_from_slice(message);
            inner.gathered.push(b'\n');
        }
    }

    /// Writes what was gathered; a client that is gone makes it go nowhere.
    pub(super) fn flush(&self) {
        let inner = &mut *self.lock();
        if inner.gathered.is_empty() {
            return;
        }
        let written = inner
            .writer
            .write_all(&inner.gathered)
            .and_then(|()| inner.writer.flush());
        inner.gathered.clear();
        if inner.gathered.capacity() > LARGE {
            inner.gathered.shrink_to(LARGE);
        }
        if let Err(error) = written {
            inner.broken = true;
            tracing::debug!("the client no longer reads: {error}");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics under the lock; bytes gathered before would still be whole messages.
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A buffer that grew beyond this gives its memory back.
const LARGE: usize = 1024 * 1024;

impl Outgoing for Output {
    /// Written at once: whoever waits for a reply may be waiting for this.
    fn send(&self, message: &[u8]) -> bool {
        self.push(message);
        self.flush();
        !self.lock().broken
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Output").finish_non_exhaustive()
    }
}
