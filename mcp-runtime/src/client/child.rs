use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::error::ClientError;
use super::inbox::Inbox;
use super::link::Link;
use crate::context::Outgoing;

/// How long a server may take to end after its input was closed.
const GRACE: Duration = Duration::from_secs(2);

/// A server in a process of its own, a message a line on its input and output.
///
/// Threads read and write, so that neither side can block the other.
/// Dropping it closes the input; a server that does not end by itself is killed
/// (specification, *Lifecycle*, *Shutdown*, *stdio*).
#[derive(Debug)]
pub(super) struct ChildProcess {
    input: Option<mpsc::Sender<Vec<u8>>>,
    child: Mutex<Option<Child>>,
}

impl ChildProcess {
    pub(super) fn start(mut command: Command, inbox: Inbox) -> Result<Self, ClientError> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(ClientError::Spawn)?;
        let (sender, messages) = mpsc::channel();
        if let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) {
            named("mcp-client-write", move || write(input, &messages))?;
            named("mcp-client-read", move || read(output, &inbox))?;
        }
        Ok(Self {
            input: Some(sender),
            child: Mutex::new(Some(child)),
        })
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
        let sent = |input: &mpsc::Sender<Vec<u8>>| input.send(message.to_vec()).is_ok();
        self.input.as_ref().is_some_and(sent)
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.input = None;
        let child = self.child.get_mut();
        if let Some(child) = child
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .take()
        {
            // Without a thread to wait in, the process ends by the end of its input.
            let _ = named("mcp-client-reap", move || reap(child));
        }
    }
}

fn reap(mut child: Child) {
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(10)),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    // Whatever is left of it cannot be helped from here.
    let _ = child.kill();
    let _ = child.wait();
}
