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
    file: Mutex<File>,
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
            file: Mutex::new(file),
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
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line)?;
        if self.synced {
            file.sync_data()?;
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
