//! Clients that stop reading, or whose end of standard output is gone.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::process::{ServerProcess, TIMEOUT, program};
use support::wire::Revision;

const SERVERS: [&str; 2] = ["test-server", "minimal-server"];

/// A server whose standard output the test holds unread.
fn start(name: &str) -> (Child, ChildStdin) {
    let mut child = Command::new(program(name))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let input = child.stdin.take().unwrap();
    (child, input)
}

fn wait_for_exit(mut child: Child) {
    let deadline = Instant::now() + TIMEOUT;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("the server does not exit");
}

fn send(input: &mut ChildStdin, message: &Value) {
    writeln!(input, "{message}").unwrap();
}

fn initialize() -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

#[test]
fn client_without_a_reader_is_as_the_end_of_input() {
    for name in SERVERS {
        let (mut child, input) = start(name);
        drop(child.stdout.take());
        wait_for_exit(child);
        drop(input);
    }
    // Also after a session and a reply that cannot be written.
    let (mut child, mut input) = start("test-server");
    send(&mut input, &initialize());
    drop(child.stdout.take());
    // Fails if the server has exited already.
    let _ = writeln!(input, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#);
    wait_for_exit(child);
    drop(input);
}

#[test]
fn client_that_stops_reading_does_not_hold_up_sigterm() {
    for name in SERVERS {
        let (child, mut input) = start(name);
        send(&mut input, &initialize());
        // More than a pipe holds, from every thread that could wait for it.
        let (tool, arguments) = match name {
            "test-server" => ("long_text", json!({ "bytes": 200_000 })),
            _ => ("repeat", json!({ "bytes": 200_000 })),
        };
        for id in 1..=8 {
            let params = json!({ "name": tool, "arguments": arguments });
            send(
                &mut input,
                &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }),
            );
        }
        send(
            &mut input,
            &json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list" }),
        );
        std::thread::sleep(Duration::from_millis(200));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.unwrap().success());
        wait_for_exit(child);
        drop(input);
    }
}

#[test]
fn second_signal_ends_at_once() {
    for first in ["SIGTERM", "end of input"] {
        let mut command = Command::new(program("test-server"));
        let command = command.env("SHUTDOWN_TIMEOUT_SECONDS", "600");
        let mut server = ServerProcess::spawn(command).initialize(Revision::V2025_11_25);
        server.call(1, "block", json!({ "millis": 600_000 }));
        server.call(2, "forever", json!({}));
        server.call(3, "add", json!({ "a": 1 }));
        assert_eq!(server.receive()["id"], 3);
        // Its end shows that the first signal or the end of input was handled.
        let listen = json!({
            "jsonrpc": "2.0", "id": 4, "method": "subscriptions/listen",
            "params": {
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
                "notifications": { "toolsListChanged": true },
            },
        });
        server.send_unchecked(&listen);
        server.receive_unchecked();
        match first {
            "SIGTERM" => server.terminate(),
            _ => server.close_input(),
        }
        server.receive_unchecked();
        server.terminate();
        assert!(server.wait_for_exit().success(), "{first}");
    }
}
