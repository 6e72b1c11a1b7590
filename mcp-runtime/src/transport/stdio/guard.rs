use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use crate::error::Error;

/// The descriptors of the protocol, out of everybody else's reach.
///
/// While this lives, descriptor 1 points at stderr and descriptor 0 at nothing,
/// so no `println!`, C library or child process can write into the stream or
/// read from it. They are put back when it is dropped.
#[derive(Debug)]
pub(super) struct Descriptors {
    input: OwnedFd,
    output: OwnedFd,
}

impl Descriptors {
    pub(super) fn take() -> io::Result<Self> {
        let taken = Self {
            input: rustix::stdio::stdin().try_clone_to_owned()?,
            output: rustix::stdio::stdout().try_clone_to_owned()?,
        };
        rustix::stdio::dup2_stdout(io::stderr())?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        Ok(taken)
    }

    pub(super) fn input(&self) -> Result<File, Error> {
        copy(&self.input).map_err(Error::io("duplicating stdin"))
    }

    pub(super) fn output(&self) -> Result<File, Error> {
        copy(&self.output).map_err(Error::io("duplicating stdout"))
    }
}

impl Drop for Descriptors {
    fn drop(&mut self) {
        let restored = rustix::stdio::dup2_stdout(&self.output)
            .and_then(|()| rustix::stdio::dup2_stdin(&self.input));
        if let Err(error) = restored {
            tracing::warn!("stdin and stdout could not be put back: {error}");
        }
    }
}

fn copy(descriptor: &OwnedFd) -> io::Result<File> {
    descriptor.try_clone().map(File::from)
}
