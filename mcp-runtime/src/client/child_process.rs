use std::future::{Future, ready};
use std::io::{BufRead, BufReader, Read, Write};
use std::pin::Pin;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::budget::{MAX_MESSAGE_BYTES, MessageBudget, MessagePermit};
use super::error::ClientError;
use super::inbox::Inbox;
use super::transport::{ClientTransport, SendFuture};
use crate::context::ClientSink;
use crate::transport::ProcessGroup;

/// How long the processes may take to exit after the standard input was closed, and again
/// after SIGTERM.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// How many messages may wait until the server reads them.
const MAX_PENDING_WRITES: usize = 64 * 1024;
/// How much of the buffer for lines is kept after a long line, in bytes.
const MAX_KEPT_CAPACITY: usize = 1024 * 1024;

/// A server in a child process, with one message per line on its standard input and
/// output.
///
/// Separate threads read and write, so that a full pipe blocks neither direction.
/// Closing or dropping it closes the standard input; processes that do not exit are
/// terminated, and then killed (specification, *Lifecycle*, *Shutdown*, *stdio*).
#[derive(Debug)]
pub(super) struct ChildProcess(Mutex<Option<RunningChild>>);

#[derive(Debug)]
struct RunningChild {
    queue: Arc<WriteQueue>,
    processes: ProcessGroup,
}

/// The messages that wait until the server reads them.
#[derive(Debug)]
struct WriteQueue {
    sender: mpsc::Sender<(Vec<u8>, MessagePermit)>,
    budget: MessageBudget,
}

impl ChildProcess {
    pub(super) fn start(mut command: Command, inbox: Inbox) -> Result<Self, ClientError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut processes = ProcessGroup::spawn(&mut command).map_err(ClientError::Spawn)?;
        let pipes = processes.take_pipes();
        let (sender, messages) = mpsc::channel();
        let budget = MessageBudget::new(MAX_PENDING_WRITES);
        let queue = Arc::new(WriteQueue { sender, budget });
        // From here on an error drops this value, which ends the processes.
        let process = Self(Mutex::new(Some(RunningChild { queue, processes })));
        if let Some((stdin, stdout)) = pipes {
            spawn_thread("mcp-client-write", move || write(stdin, &messages))?;
            spawn_thread("mcp-client-read", move || read(stdout, &inbox))?;
        }
        Ok(process)
    }

    /// Ends the processes in a thread; the receiver resolves when they have exited.
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

    fn queue(&self) -> Option<Arc<WriteQueue>> {
        self.running().as_ref().map(|it| Arc::clone(&it.queue))
    }
}

fn spawn_thread(name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), ClientError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(run);
    thread.map(|_| ()).map_err(ClientError::Spawn)
}

fn write(mut stdin: ChildStdin, messages: &mpsc::Receiver<(Vec<u8>, MessagePermit)>) {
    for (mut message, _permit) in messages {
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
        line.shrink_to(MAX_KEPT_CAPACITY);
        // One byte more is a line that is too long.
        let mut limited = (&mut stdout).take(MAX_MESSAGE_BYTES as u64 + 1);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return inbox.close(),
            Ok(length) if length > MAX_MESSAGE_BYTES => return inbox.reject_long_message(),
            Ok(_) if line.trim_ascii().is_empty() => {}
            Ok(_) if inbox.send(line.trim_ascii()) => {}
            Ok(_) => return,
        }
    }
}

impl WriteQueue {
    /// Queues a message; returns `false` if the server does not read, or has disconnected.
    fn push(&self, message: &[u8], permit: Option<MessagePermit>) -> bool {
        permit.is_some_and(|permit| self.sender.send((message.to_vec(), permit)).is_ok())
    }
}

impl ClientTransport for ChildProcess {
    fn send(&self, message: &[u8]) -> bool {
        let queued = |queue: Arc<WriteQueue>| {
            let permit = queue.budget.try_reserve(message.len());
            queue.push(message, permit)
        };
        self.queue().is_some_and(queued)
    }

    /// Waits until there is room in the queue.
    fn send_and_wait(&self, message: &[u8]) -> SendFuture {
        let result = |sent: bool| sent.then_some(()).ok_or(ClientError::Disconnected);
        let Some(queue) = self.queue() else {
            return Box::pin(ready(result(false)));
        };
        if let Some(permit) = queue.budget.try_reserve(message.len()) {
            return Box::pin(ready(result(queue.push(message, Some(permit)))));
        }
        let reserved = queue.budget.reserve(message.len());
        // A future that nobody polls must not keep the standard input open.
        let (queue, message) = (Arc::downgrade(&queue), message.to_vec());
        Box::pin(async move {
            let permit = reserved.await;
            let queue = queue.upgrade();
            result(queue.is_some_and(|queue| queue.push(&message, permit)))
        })
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let exited = self.shut_down();
        Box::pin(async {
            // An error means that no thread waits for the processes.
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
        let Self {
            queue,
            mut processes,
        } = self;
        // The writing thread writes the queued messages, and then closes the pipe.
        queue.budget.close();
        drop(queue);
        if processes.wait(EXIT_TIMEOUT) || processes.terminate() && processes.wait(EXIT_TIMEOUT) {
            return;
        }
        processes.kill();
    }
}
