//! A server that sets nothing up, and so starts tokio's threads with its first call.

use std::process::Command;

use serde_json::{Value, json};
use wire::Revision;

use crate::child::Server;

fn started() -> Server {
    let program = env!("CARGO_BIN_EXE_plain-server");
    Server::run(&mut Command::new(program)).ready(Revision::V2025_11_25)
}

fn said(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn bodies_have_a_runtime_whatever_they_are() {
    let millis = json!({ "millis": 10 });
    let calls = [
        ("runtime", json!({}), "MultiThread"),
        ("wait", millis.clone(), "slept"),
        ("sleep", millis.clone(), "slept"),
        ("spawn", millis, "slept"),
    ];
    for (first, arguments, expected) in calls {
        let mut server = started();
        server.call(1, first, arguments);
        assert_eq!(said(&server.hear()), expected, "{first}");
        server.call(2, "late", json!({}));
        assert!(said(&server.hear()).contains("did not finish within 50ms"));
        server.hang_up();
        assert!(server.ended().success());
    }
}

#[test]
fn calls_in_flight_are_drained() {
    let mut server = started();
    server.call(1, "sleep", json!({ "millis": 200 }));
    server.call(2, "wait", json!({ "millis": 200 }));
    server.hang_up();
    server.hear();
    server.hear();
    assert!(server.conversation.unanswered().is_empty());
    assert!(server.ended().success());
}

#[cfg(unix)]
#[test]
fn sigterm_ends_a_server_that_was_never_called() {
    let mut server = started();
    let id = server.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.unwrap().success());
    assert!(server.ended().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_that_was_never_called_has_two_threads() {
    let mut server = started();
    for (id, method) in ["ping", "tools/list"].into_iter().enumerate() {
        server.say(&json!({ "jsonrpc": "2.0", "id": id + 1, "method": method }));
        server.hear();
    }
    let threads = |server: &Server| {
        let tasks = format!("/proc/{}/task", server.id());
        std::fs::read_dir(tasks).unwrap().count()
    };
    assert_eq!(threads(&server), 2);
    server.call(3, "runtime", json!({}));
    server.hear();
    assert!(threads(&server) > 2);
}
