//! A server in a process of its own, every message of which is checked.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wire::{Conversation, Revision};

/// Long enough for anything that does happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// Long enough to believe that nothing happens.
pub(crate) const QUIET: Duration = Duration::from_millis(300);

pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    pub(crate) conversation: Conversation,
}

impl Server {
    /// Starts the server; nothing was said yet.
    pub(crate) fn start() -> Self {
        Self::run(&mut Command::new(env!("CARGO_BIN_EXE_test-server")))
    }

    /// Starts the server and agrees on a revision.
    pub(crate) fn in_revision(revision: Revision) -> Self {
        Self::start().ready(revision)
    }

    /// Agrees on a revision.
    pub(crate) fn ready(self, revision: Revision) -> Self {
        let mut server = self;
        let params = json!({
            "protocolVersion": revision.as_str(),
            "capabilities": {},
            "clientInfo": { "name": "probe", "version": "1" },
        });
        server.say(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        let answer = server.hear();
        assert_eq!(answer["result"]["protocolVersion"], revision.as_str());
        server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    /// Starts a program; nothing was said yet.
    pub(crate) fn run(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, output) = channel();
        thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            input: child.stdin.take(),
            child,
            output,
            conversation: Conversation::new(Revision::V2026_07_28),
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.say_text(&message.to_string());
    }

    pub(crate) fn say_text(&mut self, text: &str) {
        if let Ok(message) = serde_json::from_str(text) {
            self.conversation.sent_by_client(&message);
        }
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
    }

    /// Says what must not be said.
    #[allow(dead_code, reason = "not every test breaks the rules")]
    pub(crate) fn say_unchecked(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    pub(crate) fn call(&mut self, id: impl Into<Value>, tool: &str, arguments: Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        let id = id.into();
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
    }

    /// The next line, which must be a message.
    pub(crate) fn hear(&mut self) -> Value {
        let line = self.output.recv_timeout(PATIENCE).unwrap();
        self.conversation
            .sent_by_server_text(&line)
            .unwrap_or_else(|problems| panic!("{line}\n{problems}"))
    }

    pub(crate) fn hears_nothing(&mut self) {
        if let Ok(line) = self.output.recv_timeout(QUIET) {
            panic!("{line}");
        }
    }

    /// Closes the input, as a client does that has had enough.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Ends the process at once, as a crash does.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the process to end.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the server does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs a command of the server's own; gives back exit code, stdout and stderr.
pub(crate) fn command(arguments: &[&str]) -> (Option<i32>, String, String) {
    run(env!("CARGO_BIN_EXE_test-server"), arguments)
}

/// Runs a program without input; gives back exit code, stdout and stderr.
pub(crate) fn run(program: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
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
