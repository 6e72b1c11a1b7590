use std::io::{ErrorKind, Read};

/// The free space that the buffer gets when it grows, in bytes.
const CHUNK: usize = 64 * 1024;
/// The initial size of the buffer, which saves memory if the client sends short messages.
const FIRST: usize = 8 * 1024;

/// Reads lines of bounded length from a byte stream.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    source: R,
    limit: usize,
    buffer: Vec<u8>,
    /// The range of unprocessed bytes in the buffer.
    start: usize,
    end: usize,
    /// The end of the bytes that were already searched for a line end.
    searched: usize,
    /// Whether the reader is skipping the rest of an oversized line.
    skipping: bool,
    ended: bool,
}

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line without its terminator. It is never blank.
    Message(&'a [u8]),
    /// A line that is longer than the limit and is skipped.
    Oversized,
    /// The end of the input.
    End,
}

impl<R: Read> LineReader<R> {
    pub(super) fn new(source: R, limit: usize) -> Self {
        Self {
            source,
            limit,
            buffer: vec![0; FIRST],
            start: 0,
            end: 0,
            searched: 0,
            skipping: false,
            ended: false,
        }
    }

    /// Returns the next line. Calls `before_read` before each read, because the read may block.
    pub(super) fn next(&mut self, mut before_read: impl FnMut()) -> Line<'_> {
        loop {
            if let Some((from, to)) = self.take_line() {
                if to - from > self.limit {
                    return Line::Oversized;
                }
                return Line::Message(&self.buffer[from..to]);
            }
            if self.end - self.start > self.limit && !self.skipping {
                self.skipping = true;
                return Line::Oversized;
            }
            if self.ended {
                return Line::End;
            }
            before_read();
            self.fill();
        }
    }

    /// Consumes the next complete line that is not blank, and returns its range in the buffer.
    fn take_line(&mut self) -> Option<(usize, usize)> {
        loop {
            let unread = &self.buffer[self.searched..self.end];
            let to = match memchr::memchr(b'\n', unread) {
                Some(offset) => self.searched + offset,
                // The last line may lack a terminator.
                None if self.ended && self.start < self.end => self.end,
                None => {
                    self.searched = self.end;
                    if self.skipping {
                        self.start = self.end;
                    }
                    return None;
                }
            };
            let from = std::mem::replace(&mut self.start, (to + 1).min(self.end));
            self.searched = self.start;
            let skipped = std::mem::take(&mut self.skipping);
            if !skipped && !self.buffer[from..to].trim_ascii().is_empty() {
                return Some((from, to));
            }
        }
    }

    /// Makes room in the buffer, and then reads once from the source.
    fn fill(&mut self) {
        let was_full = self.end == self.buffer.len();
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        let min_free = if was_full { CHUNK / 2 } else { FIRST / 2 };
        if self.buffer.len() - self.end < min_free {
            self.buffer.resize(self.end + CHUNK, 0);
        } else if self.end == 0 && self.buffer.len() > 16 * CHUNK {
            // This releases the memory of a long line.
            self.buffer = vec![0; CHUNK];
        }
        match self.source.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.ended = true,
            Ok(count) => self.end += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                tracing::debug!("reading standard input failed: {error}");
                self.ended = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns its bytes in pieces of a fixed size.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (piece, rest) = self.0.split_at(count);
            buffer[..count].copy_from_slice(piece);
            self.0 = rest;
            Ok(count)
        }
    }

    fn check(input: &str, limit: usize, expected: &[&str]) {
        for size in [1, 2, 3, 7, 1000] {
            let mut lines = LineReader::new(Pieces(input.as_bytes(), size), limit);
            let mut seen = Vec::new();
            loop {
                match lines.next(|| {}) {
                    Line::Message(line) => seen.push(String::from_utf8(line.to_vec()).unwrap()),
                    Line::Oversized => seen.push("<oversized>".to_owned()),
                    Line::End => break,
                }
            }
            assert_eq!(seen, expected, "{input:?} in pieces of {size}");
        }
    }

    #[test]
    fn lines_are_complete_and_blank_lines_are_skipped() {
        check("", 10, &[]);
        check("a\nbc\n", 10, &["a", "bc"]);
        check("a\n\n \r\nb", 10, &["a", "b"]);
    }

    #[test]
    fn a_line_over_the_limit_is_reported_once_and_skipped() {
        check("abcdefghij\nk\n", 5, &["<oversized>", "k"]);
        check("k\nabcdefghij", 5, &["k", "<oversized>"]);
        check("abcde\nk\n", 5, &["abcde", "k"]);
    }
}
