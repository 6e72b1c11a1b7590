use std::fmt;
use std::io::Write;
use std::sync::{Mutex, MutexGuard};

use crate::context::ClientSink;

/// The only writer to standard output; buffers replies to write several at once.
pub(super) struct MessageWriter(Mutex<BufferedOutput>);

struct BufferedOutput {
    writer: Box<dyn Write + Send>,
    buffer: Vec<u8>,
    broken: bool,
}

impl MessageWriter {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Mutex::new(BufferedOutput {
            writer: Box::new(writer),
            buffer: Vec::new(),
            broken: false,
        }))
    }

    /// Buffers a message, to be written with the next flush or when a pipe's worth is buffered.
    ///
    /// `message` is left with a buffer that the caller reuses for the next message.
    pub(super) fn push(&self, message: &mut Vec<u8>) {
        self.lock().add(message);
    }

    /// Writes the buffered messages; drops them if the client has closed its end.
    pub(super) fn flush(&self) {
        self.lock().flush();
    }

    fn lock(&self) -> MutexGuard<'_, BufferedOutput> {
        // Nothing panics under the lock, and the buffer always holds complete messages.
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl BufferedOutput {
    fn add(&mut self, message: &mut Vec<u8>) {
        message.push(b'\n');
        if self.broken {
            return;
        }
        // A long message is swapped in, not copied.
        if message.len() >= PIPE_CAPACITY {
            self.flush();
        }
        match self.buffer.is_empty() {
            true => std::mem::swap(&mut self.buffer, message),
            false => self.buffer.extend_from_slice(message),
        }
        if self.buffer.len() >= PIPE_CAPACITY {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.buffer.is_empty() {
            return;
        }
        let written = self.writer.write_all(&self.buffer);
        let written = written.and_then(|()| self.writer.flush());
        self.buffer.clear();
        self.buffer.shrink_to(MAX_KEPT_CAPACITY);
        if let Err(error) = written {
            self.broken = true;
            tracing::debug!("the client no longer reads: {error}");
        }
    }
}

/// The capacity of a pipe; buffering more would only use memory.
const PIPE_CAPACITY: usize = 64 * 1024;

/// The size above which the buffer's memory is released.
const MAX_KEPT_CAPACITY: usize = 1024 * 1024;

impl ClientSink for MessageWriter {
    /// Writes at once: the client may need the message before it can send a reply.
    fn send(&self, message: &[u8]) -> bool {
        let mut inner = self.lock();
        inner.add(&mut message.to_vec());
        inner.flush();
        !inner.broken
    }
}

impl fmt::Debug for MessageWriter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MessageWriter")
            .finish_non_exhaustive()
    }
}
