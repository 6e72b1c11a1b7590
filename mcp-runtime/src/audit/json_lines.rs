use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::{AuditError, AuditRecord, AuditSink};

/// An audit sink that appends records to a file, one JSON object per line.
///
/// Each record is passed to the operating system before the reply is sent. A record therefore
/// survives a crash of the process. With [`sync_writes`](Self::sync_writes), it also survives a
/// crash of the machine. On Unix, a new file is readable by its owner only.
///
/// ```no_run
/// use mcp_runtime::{Server, audit::JsonLines};
///
/// let server = Server::new("example", "1.0.0").audit_required(JsonLines::open("audit.jsonl")?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonLines {
    lines: Mutex<LineWriter<File>>,
    sync_writes: bool,
}

impl JsonLines {
    /// Opens or creates the file. Adds a line break if a crash has truncated the last line.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or created.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        if !ends_with_newline(&mut file)? {
            file.write_all(b"\n")?;
        }
        Ok(Self {
            lines: Mutex::new(LineWriter::new(file)),
            sync_writes: false,
        })
    }

    /// Makes the sink wait until each record is on disk. By default, the sink does not wait.
    #[must_use]
    pub fn sync_writes(mut self) -> Self {
        self.sync_writes = true;
        self
    }
}

impl AuditSink for JsonLines {
    fn record(&self, record: &AuditRecord) -> Result<(), AuditError> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        // A poisoned lock can still be used, because a panic does not leave an invalid state.
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.append(&line)?;
        if self.sync_writes {
            lines.out.sync_data()?;
        }
        Ok(())
    }
}

/// A writer that starts each record on a new line, even after a truncated line.
#[derive(Debug)]
struct LineWriter<W> {
    out: W,
    /// Whether the last line was truncated, for example because the disk was full.
    truncated: bool,
}

impl<W: Write> LineWriter<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            truncated: false,
        }
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if self.truncated {
            self.write(b"\n")?;
        }
        self.write(line)
    }

    /// Writes all bytes, and tracks whether the last line is truncated if an error occurs.
    fn write(&mut self, mut rest: &[u8]) -> io::Result<()> {
        while !rest.is_empty() {
            match self.out.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    let (written, unwritten) = rest.split_at(count.min(rest.len()));
                    self.truncated = !written.ends_with(b"\n");
                    rest = unwritten;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn ends_with_newline(file: &mut File) -> io::Result<bool> {
    // Seeking fails for a pipe, for example, which has no earlier content.
    let Ok(length) = file.seek(SeekFrom::End(0)) else {
        return Ok(true);
    };
    if length == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full disk for tests, which fails after a number of bytes.
    #[derive(Debug, Default)]
    struct Disk {
        written: Vec<u8>,
        left: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.left);
            if fits == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.left -= fits;
            self.written.extend_from_slice(&bytes[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_truncated_by_a_full_disk_corrupts_no_other() {
        for left in 0..12 {
            let mut lines = LineWriter::new(Disk::default());
            lines.out.left = 6 + left;
            lines.append(b"first\n").unwrap();
            let complete = lines.append(b"second\n").is_ok();
            // A retry fails too while the disk is full.
            let again = complete || lines.append(b"second\n").is_ok();
            assert_eq!(again, left >= 7);
            lines.out.left = 100;
            lines.append(b"third\n").unwrap();
            lines.append(b"fourth\n").unwrap();
            let written = String::from_utf8(lines.out.written).unwrap();
            let truncated = &"second"[..left.min(6)];
            let expected = match truncated {
                "" => "first\nthird\nfourth\n".to_owned(),
                truncated => format!("first\n{truncated}\nthird\nfourth\n"),
            };
            assert_eq!(written, expected, "{left} bytes were left");
        }
    }
}
