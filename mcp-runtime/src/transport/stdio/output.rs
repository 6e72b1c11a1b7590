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

    /// Adds a message, to be written with the next flush or once a pipe is filled;
    /// `message` is left with a buffer for the next one.
    pub(super) fn push(&self, message: &mut Vec<u8>) {
        self.lock().add(message);
    }

    /// Writes what was gathered; a client that is gone makes it go nowhere.
    pub(super) fn flush(&self) {
        self.lock().flush();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics under the lock; bytes gathered before would still be whole messages.
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Inner {
    fn add(&mut self, message: &mut Vec<u8>) {
        message.push(b'\n');
        if self.broken {
            return;
        }
        // A long message is not copied.
        if message.len() >= FULL {
            self.flush();
        }
        match self.gathered.is_empty() {
            true => std::mem::swap(&mut self.gathered, message),
            false => self.gathered.extend_from_slice(message),
        }
        if self.gathered.len() >= FULL {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.gathered.is_empty() {
            return;
        }
        let written = self.writer.write_all(&self.gathered);
        let written = written.and_then(|()| self.writer.flush());
        self.gathered.clear();
        self.gathered.shrink_to(LARGE);
        if let Err(error) = written {
            self.broken = true;
            tracing::debug!("the client no longer reads: {error}");
        }
    }
}

/// What a pipe holds: gathering more would only take memory.
const FULL: usize = 64 * 1024;

/// A buffer that grew beyond this gives its memory back.
const LARGE: usize = 1024 * 1024;

impl Outgoing for Output {
    /// Written at once: whoever waits for a reply may be waiting for this.
    fn send(&self, message: &[u8]) -> bool {
        let mut inner = self.lock();
        inner.add(&mut message.to_vec());
        inner.flush();
        !inner.broken
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Output").finish_non_exhaustive()
    }
}
