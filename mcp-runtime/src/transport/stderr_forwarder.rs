use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::net::unix::pipe::Receiver;

use super::output_queue::OutputQueue;
use crate::error::Error;

/// The maximum time that the process waits before it exits until its standard error is written.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// A pipe that replaces standard error, because a write to standard error blocks if no one reads
/// it.
///
/// One thread reads the pipe into a bounded queue, and a second thread writes the queue to the real
/// standard error. Only the second thread blocks if the real standard error is not read. The pipe
/// receives everything that is written to file descriptor 2: logs, `eprintln!`, panic reports and
/// the output of child processes.
///
/// Dropping this value waits a short time until the output is written, and then restores standard
/// error. If the output cannot be written in that time, the pipe stays until the process ends.
#[derive(Debug)]
pub(crate) struct StderrForwarder(Arc<Forwarding>);

#[derive(Debug)]
struct Forwarding {
    /// The real standard error.
    target: OwnedFd,
    /// The read end of the pipe.
    pipe: OwnedFd,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    started: bool,
    queue: OutputQueue,
    /// Whether the writing thread is writing output that it took from the queue.
    writing: bool,
    /// Whether the write end of the pipe is closed.
    ended: bool,
}

impl StderrForwarder {
    /// Redirects standard error to the pipe.
    ///
    /// The two threads start with [`start`](Self::start), or when the first output arrives while
    /// [`start_on_demand`](Self::start_on_demand) is polled.
    pub(crate) fn install() -> Result<Self, Error> {
        Self::redirect().map_err(Error::io("redirecting stderr"))
    }

    /// Redirects standard error only if writing a line to it would block.
    pub(crate) fn install_if_full() -> Result<Option<Self>, Error> {
        let stderr = io::stderr();
        match is_ready(&stderr, PollFlags::OUT, Some(Duration::ZERO)) {
            true => Ok(None),
            false => Self::install().map(Some),
        }
    }

    fn redirect() -> io::Result<Self> {
        let target = rustix::stdio::stderr().try_clone_to_owned()?;
        // Both ends are close-on-exec. A child process inherits only the duplicate of the write end
        // at file descriptor 2.
        let (pipe, writer) = io::pipe()?;
        let pipe = OwnedFd::from(pipe);
        rustix::io::ioctl_fionbio(&pipe, true)?;
        rustix::stdio::dup2_stderr(writer)?;
        let forwarding = Arc::new(Forwarding {
            target,
            pipe,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        if cfg!(panic = "abort") {
            forwarding.drain_after_panics();
        }
        Ok(Self(forwarding))
    }

    pub(crate) fn start(&self) {
        self.0.start();
    }

    /// Starts the two threads when the first output arrives, because most servers write nothing.
    ///
    /// The future never completes, and must be polled on a thread that runs no user code.
    pub(crate) async fn start_on_demand<T>(&self) -> T {
        let pipe = self.0.pipe.try_clone();
        match pipe.and_then(Receiver::from_owned_fd) {
            // Waiting fails only when the runtime shuts down.
            Ok(pipe) => drop(pipe.readable().await),
            Err(error) => tracing::debug!("the output cannot be awaited: {error}"),
        }
        self.start();
        std::future::pending().await
    }
}

impl Drop for StderrForwarder {
    fn drop(&mut self) {
        if self.0.drain(DRAIN_TIMEOUT) && rustix::stdio::dup2_stderr(&self.0.target).is_ok() {
            // This drains the output that was written before the restore.
            self.0.drain(DRAIN_TIMEOUT);
        }
    }
}

impl Forwarding {
    fn start(self: &Arc<Self>) {
        let mut state = self.state();
        if !std::mem::replace(&mut state.started, true) {
            drop(state);
            self.spawn("mcp-stderr-read", Self::read);
            self.spawn("mcp-stderr-write", Self::write);
        }
    }

    fn spawn(self: &Arc<Self>, name: &str, run: impl FnOnce(&Self) + Send + 'static) {
        let forwarding = Arc::clone(self);
        let named = thread::Builder::new().name(name.to_owned());
        if named.spawn(move || run(&forwarding)).is_err() {
            // Without the thread, standard error is restored and output is written to it directly.
            let _ = rustix::stdio::dup2_stderr(&self.target);
        }
    }

    /// Reads the pipe until its write end is closed.
    fn read(&self) {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            is_ready(&self.pipe, PollFlags::IN, None);
            // The lock is held during the read because output must always be in the pipe or in the
            // queue.
            let mut state = self.state();
            match rustix::io::read(&self.pipe, &mut buffer[..]) {
                Ok(0) => state.ended = true,
                Ok(count) => state.queue.push(&buffer[..count]),
                Err(_) => continue,
            }
            let ended = state.ended;
            drop(state);
            self.changed.notify_all();
            if ended {
                return;
            }
        }
    }

    /// Writes the queued output until the pipe has ended.
    fn write(&self) {
        let mut target = self.target.try_clone().map(File::from);
        while let Some(output) = self.next_output() {
            let written = match &mut target {
                Ok(file) => write_all(file, &output),
                Err(_) => Ok(()),
            };
            // If standard error is closed, further output is discarded.
            if let Err(error) = written {
                target = Err(error);
            }
        }
    }

    fn next_output(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        state.writing = false;
        loop {
            if let Some(output) = state.queue.take() {
                state.writing = true;
                return Some(output);
            }
            self.changed.notify_all();
            if state.ended {
                return None;
            }
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until all output is written. Returns `false` if that takes longer than `limit`.
    fn drain(self: &Arc<Self>, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        let mut state = self.state();
        while !self.is_drained(&state) {
            if !state.started {
                drop(state);
                self.start();
                state = self.state();
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let woken = self.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn is_drained(&self, state: &State) -> bool {
        let is_read = !is_ready(&self.pipe, PollFlags::IN, Some(Duration::ZERO)) || state.ended;
        is_read && state.queue.is_empty() && !state.writing
    }

    /// Installs a panic hook that waits until the panic report is written, because the panic may
    /// abort the process.
    fn drain_after_panics(self: &Arc<Self>) {
        let forwarding = Arc::clone(self);
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            previous(panic);
            forwarding.drain(DRAIN_TIMEOUT);
        }));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Poisoning is ignored, because no code panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes all of `output`, even if another process made the file non-blocking.
fn write_all(file: &mut File, mut output: &[u8]) -> io::Result<()> {
    while !output.is_empty() {
        match file.write(output) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => output = &output[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                is_ready(&*file, PollFlags::OUT, None);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Waits until a file descriptor has one of `events`, has an error or is closed at the other end.
/// Returns `false` after `timeout`.
fn is_ready(descriptor: impl AsFd, events: PollFlags, timeout: Option<Duration>) -> bool {
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
    let mut descriptors = [PollFd::new(&descriptor, events)];
    poll(&mut descriptors, timeout.as_ref()).is_ok_and(|ready| ready > 0)
}
