use std::io::{BufRead, BufReader, Write};
use std::pin::Pin;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::error::ClientError;
use super::inbox::Inbox;
use super::link::Link;
use crate::context::Outgoing;
use crate::transport::terminate;

/// How long a server may take to end after its input was closed, and again after
/// it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// A server in a process of its own, a message a line on its input and output.
///
/// Threads read and write, so that neither side can block the other.
/// Closing or dropping it closes the input; a server that does not end by itself is
/// asked to, and killed at last (specification, *Lifecycle*, *Shutdown*, *stdio*).
#[derive(Debug)]
pub(super) struct ChildProcess(Mutex<Option<Running>>);

#[derive(Debug)]
struct Running {
    input: mpsc::Sender<Vec<u8>>,
    child: Child,
}

impl ChildProcess {
    pub(super) fn start(mut command: Command, inbox: Inbox) -> Result<Self, ClientError> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(ClientError::Spawn)?;
        let (input, messages) = mpsc::channel();
        let (writes, reads) = (child.stdin.take(), child.stdout.take());
        // From here on it is ended whatever fails.
        let started = Self(Mutex::new(Some(Running { input, child })));
        if let (Some(writes), Some(reads)) = (writes, reads) {
            named("mcp-client-write", move || write(writes, &messages))?;
            named("mcp-client-read", move || read(reads, &inbox))?;
        }
        Ok(started)
    }

    /// Ends the process, in a thread that says when it is done.
    fn end(&self) -> oneshot::Receiver<()> {
        let (done, ended) = oneshot::channel();
        if let Some(running) = self.running().take() {
            // Without a thread to wait in, the process ends by the end of its input.
            let _ = named("mcp-client-reap", move || {
                running.end();
                // Whoever let go of the client does not wait.
                let _ = done.send(());
            });
        }
        ended
    }

    /// No foreign code runs under the lock, so what is there is whole.
    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn named(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), ClientError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(body);
    thread.map(|_| ()).map_err(ClientError::Spawn)
}

fn write(mut input: ChildStdin, messages: &mpsc::Receiver<Vec<u8>>) {
    for mut message in messages {
        message.push(b'\n');
        if input.write_all(&message).is_err() {
            return;
        }
    }
}

fn read(output: ChildStdout, inbox: &Inbox) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return inbox.end(),
            Ok(_) if line.trim_ascii().is_empty() => {}
            Ok(_) if inbox.send(line.trim_ascii()) => {}
            Ok(_) => return,
        }
    }
}

impl Link for ChildProcess {
    fn send(&self, message: &[u8]) -> bool {
        let running = self.running();
        let sent = |running: &Running| running.input.send(message.to_vec()).is_ok();
        running.as_ref().is_some_and(sent)
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let ended = self.end();
        Box::pin(async {
            // An error says that there is nothing to wait for.
            let _ = ended.await;
        })
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        drop(self.end());
    }
}

impl Running {
    fn end(self) {
        let Self { input, mut child } = self;
        // What is queued is written before the thread that writes closes the input.
        drop(input);
        if is_over(&mut child) || terminate(&child) && is_over(&mut child) {
            return;
        }
        // Whatever is left of it cannot be helped from here.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Whether the process ends within the grace; one that cannot be asked counts as over.
fn is_over(child: &mut Child) -> bool {
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(10)),
            Ok(Some(_)) | Err(_) => return true,
        }
    }
    false
}
