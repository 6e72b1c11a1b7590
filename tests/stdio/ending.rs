//! How a conversation ends.

use std::process::Command;
use std::time::Duration;

use serde_json::json;
use wire::Revision;

use crate::child::Server;

#[test]
fn calls_in_flight_are_answered_after_the_end_of_input() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.call(1, "sleep", json!({ "millis": 300 }));
    server.call(2, "block", json!({ "millis": 300 }));
    server.hang_up();
    server.hear();
    server.hear();
    assert!(server.conversation.unanswered().is_empty());
    assert!(server.ended().success());
}

#[test]
fn a_last_line_without_its_end_is_a_message() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.say_text(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    server.hear();
    server.hang_up();
    assert!(server.ended().success());
}

#[test]
fn an_idle_server_ends_at_once() {
    let mut server = Server::start();
    server.hang_up();
    assert!(server.ended().success());
}

#[test]
fn a_stuck_thread_and_a_stuck_future_do_not_keep_the_process() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.call(1, "block", json!({ "millis": 600_000 }));
    server.call(2, "forever", json!({}));
    server.hang_up();
    assert!(server.ended().success());
}

#[cfg(unix)]
#[test]
fn sigterm_drains_and_ends() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.call(1, "sleep", json!({ "millis": 500 }));
    server.call(2, "add", json!({ "a": 1 }));
    assert_eq!(server.hear()["id"], 2);
    std::thread::sleep(Duration::from_millis(50));
    let id = server.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(server.hear()["result"]["content"][0]["text"], "slept");
    assert!(server.ended().success());
}
