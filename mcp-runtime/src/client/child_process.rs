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

/// The time that the server processes have to exit after the client has closed their standard
/// input, and again after SIGTERM.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum number of messages that wait until the server reads them.
const MAX_PENDING_WRITES: usize = 64 * 1024;
/// The capacity in bytes that the line buffer keeps after a long line.
const MAX_KEPT_CAPACITY: usize = 1024 * 1024;

/// The transport to a server in a child process. It sends and receives one message per line on the
/// standard input and output of the process.
///
/// It reads and writes in separate threads, so a full pipe in one direction does not block the
/// other direction. Closing or dropping it closes the standard input, and then terminates and
/// finally kills processes that do not exit (specification, *Lifecycle*, *Shutdown*, *stdio*).
#[derive(Debug)]
pub(super) struct ChildProcess(Mutex<Option<RunningChild>>);

#[derive(Debug)]
struct RunningChild {
    queue: Arc<WriteQueue>,
    processes: ProcessGroup,
}

/// The queue of messages that the server has not yet read.
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
        // If a later step fails, dropping this value ends the processes.
        let process = Self(Mutex::new(Some(RunningChild { queue, processes })));
        if let Some((stdin, stdout)) = pipes {
            spawn_thread("mcp-client-write", move || write(stdin, &messages))?;
            spawn_thread("mcp-client-read", move || read(stdout, &inbox))?;
        }
        Ok(process)
    }

    /// Ends the processes in a separate thread. The receiver resolves when they have exited.
    fn shut_down(&self) -> oneshot::Receiver<()> {
        let (done, exited) = oneshot::channel();
        if let Some(running) = self.running().take() {
            // If the thread cannot start, the client only closes the standard input.
            let _ = spawn_thread("mcp-client-reap", move || {
                running.shut_down();
                // Sending fails only if the client was dropped.
                let _ = done.send(());
            });
        }
        exited
    }

    /// Locks the running child. No user code runs while it is locked, so the value is valid even if
    /// the lock is poisoned.
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
        // Read one byte more than the limit to detect a line that is too long.
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
    /// Queues a message. Returns `false` if the budget is used up or the server has disconnected.
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

    /// Waits for room in the queue, and then queues the message.
    fn send_and_wait(&self, message: &[u8]) -> SendFuture {
        let result = |sent: bool| sent.then_some(()).ok_or(ClientError::Disconnected);
        let Some(queue) = self.queue() else {
            return Box::pin(ready(result(false)));
        };
        if let Some(permit) = queue.budget.try_reserve(message.len()) {
            return Box::pin(ready(result(queue.push(message, Some(permit)))));
        }
        let reserved = queue.budget.reserve(message.len());
        // The future only holds a weak reference, because an abandoned future must not keep the
        // standard input open.
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
            // An error means that the thread could not be started.
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
        // Without a sender, the writing thread writes the queued messages and then closes the pipe.
        queue.budget.close();
        drop(queue);
        if processes.wait(EXIT_TIMEOUT) || processes.terminate() && processes.wait(EXIT_TIMEOUT) {
            return;
        }
        processes.kill();
    }
}
