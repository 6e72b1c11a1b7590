use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::{AuditError, AuditRecord, AuditSink};

/// A file with one JSON object a line, to which records are appended.
///
/// A record is with the operating system before the call is answered, so it
/// outlives a crash of the process; [`synced`](Self::synced) lets it outlive one
/// of the machine. On Unix only the owner can read a file that is made here.
///
/// ```no_run
/// use mcp_runtime::{Server, audit::JsonLines};
///
/// let server = Server::new("example", "1.0.0").audit_required(JsonLines::open("audit.jsonl")?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonLines {
    lines: Mutex<Lines<File>>,
    synced: bool,
}

impl JsonLines {
    /// Opens the file, or makes it; a line that a crash cut off is ended.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        if !ends_a_line(&mut file)? {
            file.write_all(b"\n")?;
        }
        Ok(Self {
            lines: Mutex::new(Lines::of(file)),
            synced: false,
        })
    }

    /// Waits after each record until it is on the disk.
    #[must_use]
    pub fn synced(mut self) -> Self {
        self.synced = true;
        self
    }
}

impl AuditSink for JsonLines {
    fn record(&self, record: &AuditRecord) -> Result<(), AuditError> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        // Whatever happened under the lock, the next line can be written.
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.append(&line)?;
        if self.synced {
            lines.out.sync_data()?;
        }
        Ok(())
    }
}

/// Lines, each of which begins on its own whatever became of the one before.
#[derive(Debug)]
struct Lines<W> {
    out: W,
    /// Whether a line was cut off, as by a full disk, and is not ended yet.
    torn: bool,
}

impl<W: Write> Lines<W> {
    fn of(out: W) -> Self {
        Self { out, torn: false }
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if self.torn {
            self.write(b"\n")?;
        }
        self.write(line)
    }

    /// As `write_all`, which does not say how far it came.
    fn write(&mut self, mut rest: &[u8]) -> io::Result<()> {
        while !rest.is_empty() {
            match self.out.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    let (written, unwritten) = rest.split_at(count.min(rest.len()));
                    self.torn = !written.ends_with(b"\n");
                    rest = unwritten;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    // What cannot be sought in, as a pipe, has nothing before.
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

    /// A disk with so many bytes left.
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
    fn a_line_that_a_full_disk_cut_off_spoils_no_other() {
        for left in 0..12 {
            let mut lines = Lines::of(Disk::default());
            lines.out.left = 6 + left;
            lines.append(b"first\n").unwrap();
            let whole = lines.append(b"second\n").is_ok();
            // Nor does trying again while the disk is full.
            let again = whole || lines.append(b"second\n").is_ok();
            assert_eq!(again, left >= 7);
            lines.out.left = 100;
            lines.append(b"third\n").unwrap();
            lines.append(b"fourth\n").unwrap();
            let written = String::from_utf8(lines.out.written).unwrap();
            let torn = &"second"[..left.min(6)];
            let expected = match torn {
                "" => "first\nthird\nfourth\n".to_owned(),
                torn => format!("first\n{torn}\nthird\nfourth\n"),
            };
            assert_eq!(written, expected, "{left} bytes were left");
        }
    }
}
