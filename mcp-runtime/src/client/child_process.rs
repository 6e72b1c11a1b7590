use std::io::{BufRead, BufReader, Write};
use std::pin::Pin;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::error::ClientError;
use super::inbox::Inbox;
use super::transport::ClientTransport;
use crate::context::ClientSink;
use crate::transport::send_sigterm;

/// How long a process may take to exit after its standard input was closed, and again
/// after SIGTERM.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// A server in a child process, with one message per line on its standard input and
/// output.
///
/// Separate threads read and write, so that a full pipe blocks neither direction.
/// Closing or dropping it closes the standard input; a process that does not exit is
/// terminated, and then killed (specification, *Lifecycle*, *Shutdown*, *stdio*).
#[derive(Debug)]
pub(super) struct ChildProcess(Mutex<Option<RunningChild>>);

#[derive(Debug)]
struct RunningChild {
    input: mpsc::Sender<Vec<u8>>,
    child: Child,
}

impl ChildProcess {
    pub(super) fn start(mut command: Command, inbox: Inbox) -> Result<Self, ClientError> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(ClientError::Spawn)?;
        let (input, messages) = mpsc::channel();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        // From here on an error drops this value, which ends the process.
        let process = Self(Mutex::new(Some(RunningChild { input, child })));
        if let (Some(stdin), Some(stdout)) = (stdin, stdout) {
            spawn_thread("mcp-client-write", move || write(stdin, &messages))?;
            spawn_thread("mcp-client-read", move || read(stdout, &inbox))?;
        }
        Ok(process)
    }

    /// Ends the process in a thread; the receiver resolves when the process has exited.
    fn shut_down(&self) -> oneshot::Receiver<()> {
        let (done, exited) = oneshot::channel();
        if let Some(running) = self.running().take() {
            // If no thread can be started, closing the standard input must suffice.
            let _ = spawn_thread("mcp-client-reap", move || {
                running.shut_down();
                // The receiver is gone if the client was dropped.
                let _ = done.send(());
            });
        }
        exited
    }

    /// No user code runs under the lock, so a poisoned value is still consistent.
    fn running(&self) -> MutexGuard<'_, Option<RunningChild>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn spawn_thread(name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), ClientError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(run);
    thread.map(|_| ()).map_err(ClientError::Spawn)
}

fn write(mut stdin: ChildStdin, messages: &mpsc::Receiver<Vec<u8>>) {
    for mut message in messages {
        message.push(b'\n');
        if stdin.write_all(&message).is_err() {
            return;
        }
    }
}

fn read(stdout: ChildStdout, inbox: &Inbox) {
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match stdout.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return inbox.close(),
            Ok(_) if line.trim_ascii().is_empty() => {}
            Ok(_) if inbox.send(line.trim_ascii()) => {}
            Ok(_) => return,
        }
    }
}

impl ClientTransport for ChildProcess {
    fn send(&self, message: &[u8]) -> bool {
        let running = self.running();
        let sent = |running: &RunningChild| running.input.send(message.to_vec()).is_ok();
        running.as_ref().is_some_and(sent)
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let exited = self.shut_down();
        Box::pin(async {
            // An error means that no thread waits for the process.
            let _ = exited.await;
        })
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        drop(self.shut_down());
    }
}

impl RunningChild {
    fn shut_down(self) {
        let Self { input, mut child } = self;
        // The writing thread writes the queued messages, and then closes the pipe.
        drop(input);
        if wait_for_exit(&mut child) || send_sigterm(&child) && wait_for_exit(&mut child) {
            return;
        }
        // These fail only if the process has already exited.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Returns whether the process exits in time, or cannot be waited for.
fn wait_for_exit(child: &mut Child) -> bool {
    let deadline = Instant::now() + EXIT_TIMEOUT;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(10)),
            Ok(Some(_)) | Err(_) => return true,
        }
    }
    false
}
