use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};

use tokio::sync::Notify;

use crate::context::ClientSink;

/// The only writer to standard output. It buffers replies and writes several of them at once.
pub(super) struct MessageWriter {
    output: Mutex<BufferedOutput>,
    /// Notified when writing fails.
    failed: Notify,
}

struct BufferedOutput {
    writer: Box<dyn Write + Send>,
    buffer: Vec<u8>,
    broken: bool,
}

impl MessageWriter {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        let output = BufferedOutput {
            writer: Box::new(writer),
            buffer: Vec::new(),
            broken: false,
        };
        Self {
            output: Mutex::new(output),
            failed: Notify::new(),
        }
    }

    /// Waits until writing has failed.
    pub(super) async fn failed(&self) {
        self.failed.notified().await;
    }

    /// Buffers a message until the next flush, or until the buffered messages exceed the capacity
    /// of a pipe.
    ///
    /// Leaves an allocated buffer in `message`, which the caller reuses for the next message.
    pub(super) fn push(&self, message: &mut Vec<u8>) {
        let written = self.lock().add(message);
        self.report(written);
    }

    /// Writes the buffered messages, or drops them if the client has closed its end of the pipe.
    pub(super) fn flush(&self) {
        let written = self.lock().flush();
        self.report(written);
    }

    fn report(&self, written: io::Result<()>) {
        if let Err(error) = written {
            tracing::debug!("the client no longer reads: {error}");
            self.failed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BufferedOutput> {
        // A poisoned buffer still holds complete messages, because no code panics while it holds
        // this lock.
        self.output
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl BufferedOutput {
    fn add(&mut self, message: &mut Vec<u8>) -> io::Result<()> {
        message.push(b'\n');
        if self.broken {
            return Ok(());
        }
        // A long message replaces the buffer instead of being copied into it.
        if message.len() >= PIPE_CAPACITY {
            self.flush()?;
        }
        match self.buffer.is_empty() {
            true => std::mem::swap(&mut self.buffer, message),
            false => self.buffer.extend_from_slice(message),
        }
        if self.buffer.len() >= PIPE_CAPACITY {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let written = self.writer.write_all(&self.buffer);
        let written = written.and_then(|()| self.writer.flush());
        self.buffer.clear();
        self.buffer.shrink_to(MAX_KEPT_CAPACITY);
        self.broken |= written.is_err();
        written
    }
}

/// The capacity of a pipe in bytes. Buffering more than this would only use memory.
const PIPE_CAPACITY: usize = 64 * 1024;

/// The buffer capacity in bytes above which its memory is released.
const MAX_KEPT_CAPACITY: usize = 1024 * 1024;

impl ClientSink for MessageWriter {
    /// Writes the message at once, because the call may wait until the client has answered it.
    fn send(&self, message: &[u8]) -> bool {
        let mut output = self.lock();
        let written = output.add(&mut message.to_vec());
        let written = written.and_then(|()| output.flush());
        let is_open = !output.broken;
        drop(output);
        self.report(written);
        is_open
    }
}

impl fmt::Debug for MessageWriter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MessageWriter")
            .finish_non_exhaustive()
    }
}
