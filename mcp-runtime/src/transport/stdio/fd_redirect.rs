use std::fs::File;
use std::future::pending;
use std::io;
use std::os::fd::OwnedFd;

use tokio::io::Interest;
use tokio::net::unix::pipe::Receiver;

use crate::error::Error;

/// Private duplicates of standard input and output, which are redirected while this value exists.
///
/// File descriptor 1 refers to stderr and file descriptor 0 to `/dev/null`. Therefore no
/// `println!`, C library or child process can write to or read from the stream of MCP messages.
/// Dropping the value restores both file descriptors.
#[derive(Debug)]
pub(super) struct RedirectedStdio {
    input: OwnedFd,
    output: OwnedFd,
}

impl RedirectedStdio {
    pub(super) fn redirect() -> io::Result<Self> {
        let duplicates = Self {
            input: rustix::stdio::stdin().try_clone_to_owned()?,
            output: rustix::stdio::stdout().try_clone_to_owned()?,
        };
        rustix::stdio::dup2_stdout(io::stderr())?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        Ok(duplicates)
    }

    pub(super) fn input(&self) -> Result<File, Error> {
        duplicate(&self.input).map_err(Error::io("duplicating stdin"))
    }

    pub(super) fn output(&self) -> Result<File, Error> {
        duplicate(&self.output).map_err(Error::io("duplicating stdout"))
    }

    /// Keeps standard input and output redirected, because using the real ones could block on the
    /// client.
    pub(super) fn leave_redirected(self) {
        std::mem::forget(self);
    }

    /// Waits until the client closes its end of standard output, even if the server writes nothing.
    pub(super) async fn reader_gone(&self) {
        let output = self.output.try_clone();
        // A `Sender` would wake up whenever there is room in the pipe, and a `Receiver` does not.
        let output = output.and_then(Receiver::from_owned_fd_unchecked);
        let closed = match &output {
            Ok(output) => output.ready(Interest::ERROR).await.is_ok(),
            // Standard output is not a pipe, and tokio cannot wait for its reader.
            Err(_) => false,
        };
        if !closed {
            pending::<()>().await;
        }
    }
}

impl Drop for RedirectedStdio {
    fn drop(&mut self) {
        let restored = rustix::stdio::dup2_stdout(&self.output)
            .and_then(|()| rustix::stdio::dup2_stdin(&self.input));
        if let Err(error) = restored {
            tracing::warn!("stdin and stdout could not be restored: {error}");
        }
    }
}

fn duplicate(descriptor: &OwnedFd) -> io::Result<File> {
    descriptor.try_clone().map(File::from)
}
