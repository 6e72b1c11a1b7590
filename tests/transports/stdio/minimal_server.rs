//! A server without configuration, which starts tokio's threads on its first call.

use std::process::Command;

use serde_json::{Value, json};
use support::wire::Revision;

use support::process::ServerProcess;

fn start() -> ServerProcess {
    let program = env!("CARGO_BIN_EXE_minimal-server");
    ServerProcess::spawn(&mut Command::new(program)).initialize(Revision::V2025_11_25)
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn every_handler_has_a_tokio_runtime() {
    let millis = json!({ "millis": 10 });
    let calls = [
        ("runtime", json!({}), "MultiThread"),
        ("wait", millis.clone(), "slept"),
        ("sleep", millis.clone(), "slept"),
        ("spawn", millis, "slept"),
    ];
    for (first, arguments, expected) in calls {
        let mut server = start();
        server.call(1, first, arguments);
        assert_eq!(text(&server.receive()), expected, "{first}");
        server.call(2, "late", json!({}));
        assert!(text(&server.receive()).contains("did not finish within 50ms"));
        server.close_input();
        assert!(server.wait_for_exit().success());
    }
}

#[test]
fn calls_in_flight_complete_on_shutdown() {
    let mut server = start();
    server.call(1, "sleep", json!({ "millis": 200 }));
    server.call(2, "wait", json!({ "millis": 200 }));
    server.close_input();
    server.receive();
    server.receive();
    assert!(server.conversation.pending_requests().is_empty());
    assert!(server.wait_for_exit().success());
}

#[cfg(unix)]
#[test]
fn sigterm_ends_an_unused_server() {
    let mut server = start();
    let id = server.pid().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.unwrap().success());
    assert!(server.wait_for_exit().success());
}

#[cfg(target_os = "linux")]
#[test]
fn unused_server_has_two_threads() {
    let mut server = start();
    for (id, method) in ["ping", "tools/list"].into_iter().enumerate() {
        server.send(&json!({ "jsonrpc": "2.0", "id": id + 1, "method": method }));
        server.receive();
    }
    let threads = |server: &ServerProcess| {
        let tasks = format!("/proc/{}/task", server.pid());
        std::fs::read_dir(tasks).unwrap().count()
    };
    assert_eq!(threads(&server), 2);
    server.call(3, "runtime", json!({}));
    server.receive();
    assert!(threads(&server) > 2);
}
