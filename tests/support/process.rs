//! A server in a child process, with every message checked.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::wire::{Conversation, Revision};
use serde_json::{Value, json};

/// How long a test waits for something that must happen.
pub const TIMEOUT: Duration = Duration::from_secs(20);
/// How long a test waits to conclude that nothing happens.
pub const QUIET_PERIOD: Duration = Duration::from_millis(300);

/// A child process that serves on standard input and output; dropping it kills it.
pub struct ServerProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    pub conversation: Conversation,
}

impl ServerProcess {
    /// Starts `test-server` and sends nothing.
    pub fn start() -> Self {
        Self::spawn(&mut Command::new(program("test-server")))
    }

    /// Starts `test-server` and initializes a session.
    pub fn in_revision(revision: Revision) -> Self {
        Self::start().initialize(revision)
    }

    /// Initializes a session.
    pub fn initialize(self, revision: Revision) -> Self {
        let mut server = self;
        let params = json!({
            "protocolVersion": revision.as_str(),
            "capabilities": {},
            "clientInfo": { "name": "probe", "version": "1" },
        });
        server
            .send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        let answer = server.receive();
        assert_eq!(answer["result"]["protocolVersion"], revision.as_str());
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    /// Starts a program and sends nothing.
    pub fn spawn(command: &mut Command) -> Self {
        Self::spawn_with_stderr(command, Stdio::null()).0
    }

    /// Starts a program with its own standard error; returns the end that reads a pipe.
    pub fn spawn_with_stderr(command: &mut Command, stderr: Stdio) -> (Self, Option<ChildStderr>) {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let errors = child.stderr.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, output) = channel();
        thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        let server = Self {
            input: child.stdin.take(),
            child,
            output,
            conversation: Conversation::new(Revision::V2026_07_28),
        };
        (server, errors)
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let id = self.pid().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.unwrap().success());
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    /// Sends a line that need not be a valid message.
    pub fn send_text(&mut self, text: &str) {
        if let Ok(message) = serde_json::from_str(text) {
            self.conversation.sent_by_client(&message);
        }
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
    }

    /// Sends a message that violates the protocol, unseen by the checker.
    pub fn send_unchecked(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Sends a `tools/call` request.
    pub fn call(&mut self, id: impl Into<Value>, tool: &str, arguments: Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        let id = id.into();
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
    }

    /// Reads the next message.
    pub fn receive(&mut self) -> Value {
        let line = self.output.recv_timeout(TIMEOUT).unwrap();
        self.conversation
            .sent_by_server_text(&line)
            .unwrap_or_else(|problems| panic!("{line}\n{problems}"))
    }

    /// Reads the next message, unseen by the checker.
    pub fn receive_unchecked(&mut self) -> String {
        self.output.recv_timeout(TIMEOUT).unwrap()
    }

    /// Panics if the server sends anything within a short time.
    pub fn assert_silent(&mut self) {
        if let Ok(line) = self.output.recv_timeout(QUIET_PERIOD) {
            panic!("{line}");
        }
    }

    /// Closes the standard input of the server.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the process to end.
    pub fn wait_for_exit(&mut self) -> ExitStatus {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the server does not exit");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The path of a binary of this package, which cargo builds before the tests.
///
/// `CARGO_BIN_EXE_*` is set for integration tests only, not for this library; a test
/// runs in `deps`, one folder below the binaries.
pub fn program(name: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let binaries = test.parent().and_then(|deps| deps.parent()).unwrap();
    binaries.join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// Runs a command of `test-server`; returns exit code, stdout and stderr.
pub fn run_test_server(arguments: &[&str]) -> (Option<i32>, String, String) {
    run_program(program("test-server"), arguments)
}

/// Runs a program without input; returns exit code, stdout and stderr.
pub fn run_program(
    program: impl AsRef<OsStr>,
    arguments: &[&str],
) -> (Option<i32>, String, String) {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut output, mut errors) = (String::new(), String::new());
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut output)
        .unwrap();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    (child.wait().unwrap().code(), output, errors)
}
