//! How a conversation ends.

use std::process::Command;

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
    let mut server = patient().ready(Revision::V2025_11_25);
    server.call(1, "sleep", json!({ "millis": 500 }));
    server.call(2, "add", json!({ "a": 1 }));
    assert_eq!(server.hear()["id"], 2);
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

/// A server that would drain for longer than any test waits.
fn patient() -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    Server::run(command.env("DRAIN_SECONDS", "600"))
}

/// Opens listen streams of 2026-07-28 and hears their acknowledgements.
fn listen(server: &mut Server, ids: &[serde_json::Value]) {
    for id in ids {
        server.say(&json!({
            "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen",
            "params": {
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
                "notifications": { "toolsListChanged": true },
            },
        }));
        let method = server.hear()["method"].clone();
        assert_eq!(method, "notifications/subscriptions/acknowledged");
    }
}

/// Each stream ends with its result, and with the notification after it.
fn hear_ends(server: &mut Server, ids: &[serde_json::Value]) {
    let (mut open, mut ended) = (ids.to_vec(), Vec::new());
    for _ in 0..2 * ids.len() {
        let message = server.hear();
        if message["result"]["resultType"] == "complete" {
            let place = open.iter().position(|id| *id == message["id"]);
            ended.push(open.remove(place.unwrap()));
            continue;
        }
        assert_eq!(message["method"], "notifications/cancelled");
        let id = &message["params"]["requestId"];
        let place = ended.iter().position(|ended| ended == id);
        ended.remove(place.unwrap());
    }
    assert!(open.is_empty() && ended.is_empty());
}

#[test]
fn a_listen_stream_that_the_server_ends_is_cancelled_after_its_result() {
    let mut server = Server::start();
    let ids = [json!(1), json!("1"), json!("two")];
    listen(&mut server, &ids);
    server.hang_up();
    hear_ends(&mut server, &ids);
    assert!(server.ended().success());
}

#[test]
fn a_listen_stream_that_the_client_ends_has_no_farewell() {
    let mut server = Server::start();
    listen(&mut server, &[json!(1)]);
    server.say(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 },
    }));
    server.conversation.forbid_answer(&json!(1));
    server.hears_nothing();
    server.hang_up();
    server.hears_nothing();
    assert!(server.ended().success());
}

#[cfg(unix)]
#[test]
fn sigterm_ends_listen_streams_before_it_waits_for_calls() {
    let mut server = patient();
    listen(&mut server, &[json!(1)]);
    let id = server.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status();
    assert!(killed.unwrap().success());
    hear_ends(&mut server, &[json!(1)]);
    assert!(server.ended().success());
}
