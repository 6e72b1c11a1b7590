//! A bounded queue for output that another thread writes later.

/// The maximum number of queued bytes.
const MAX_BYTES: usize = 256 * 1024;

/// Queues output for a slow reader, and drops whole lines when the queue is full.
///
/// After the queue has dropped a line, it drops all further lines until the queued output is taken.
/// A notice then states how many bytes are missing.
#[derive(Debug, Default)]
pub(super) struct OutputQueue {
    bytes: Vec<u8>,
    dropped_bytes: usize,
    /// Whether the start of a line was dropped and the end of that line has not arrived yet.
    in_dropped_line: bool,
    /// Whether the output that was taken last ends in the middle of a line.
    in_line: bool,
}

impl OutputQueue {
    pub(super) fn push(&mut self, output: &[u8]) {
        for piece in output.split_inclusive(|byte| *byte == b'\n') {
            let fits = self.bytes.len() + piece.len() <= MAX_BYTES;
            if fits && self.dropped_bytes == 0 && !self.in_dropped_line {
                self.bytes.extend_from_slice(piece);
            } else {
                self.dropped_bytes += piece.len();
                self.in_dropped_line = !piece.ends_with(b"\n");
            }
        }
    }

    /// Removes and returns all queued output, or `None` if there is nothing to write.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        if self.bytes.is_empty() {
            return self.take_notice();
        }
        self.in_line = !self.bytes.ends_with(b"\n");
        Some(std::mem::take(&mut self.bytes))
    }

    fn take_notice(&mut self) -> Option<Vec<u8>> {
        let bytes = std::mem::take(&mut self.dropped_bytes);
        let line_end = if self.in_line { "\n" } else { "" };
        let notice = || {
            format!(
                "{line_end}[{bytes} bytes of output are missing: standard error was not read]\n"
            )
        };
        let notice = (bytes > 0).then(notice)?;
        self.in_line = false;
        Some(notice.into_bytes())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.dropped_bytes == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(queue: &mut OutputQueue) -> String {
        String::from_utf8(queue.take().unwrap_or_default()).unwrap()
    }

    #[test]
    fn output_is_returned_unchanged() {
        let mut queue = OutputQueue::default();
        queue.push(b"a\nb");
        queue.push(b"c\n");
        assert_eq!(taken(&mut queue), "a\nbc\n");
        assert!(queue.is_empty() && queue.take().is_none());
    }

    #[test]
    fn a_full_queue_drops_lines_and_tells_how_much() {
        let mut queue = OutputQueue::default();
        queue.push(&[b'x'; MAX_BYTES - 1]);
        queue.push(b"yy");
        queue.push(b"y\nz\n");
        assert!(queue.bytes.len() < MAX_BYTES);
        assert_eq!(taken(&mut queue).len(), MAX_BYTES - 1);
        queue.push(b"late\npart");
        let notice = taken(&mut queue);
        assert!(notice.starts_with("\n[15 bytes"), "{notice}");
        // If the start of a line was dropped, the end of that line is dropped too.
        queue.push(b"ly\n");
        assert!(taken(&mut queue).starts_with("[3 bytes"));
        queue.push(b"next\n");
        assert_eq!(taken(&mut queue), "next\n");
        assert!(queue.is_empty());
    }
}
