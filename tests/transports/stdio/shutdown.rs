//! Shutdown at the end of input and on SIGTERM.

use std::process::Command;

use serde_json::json;
use support::wire::Revision;

use support::process::ServerProcess;

#[test]
fn calls_in_flight_complete_after_end_of_input() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    server.call(1, "sleep", json!({ "millis": 300 }));
    server.call(2, "block", json!({ "millis": 300 }));
    server.close_input();
    server.receive();
    server.receive();
    assert!(server.conversation.pending_requests().is_empty());
    assert!(server.wait_for_exit().success());
}

#[test]
fn server_ends_after_its_last_message() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    server.send_text(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    server.receive();
    server.close_input();
    assert!(server.wait_for_exit().success());
}

#[test]
fn idle_server_ends_at_once() {
    let mut server = ServerProcess::start();
    server.close_input();
    assert!(server.wait_for_exit().success());
}

#[test]
fn stuck_handlers_do_not_keep_the_process_alive() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    server.call(1, "block", json!({ "millis": 600_000 }));
    server.call(2, "forever", json!({}));
    server.close_input();
    assert!(server.wait_for_exit().success());
}

#[cfg(unix)]
#[test]
fn sigterm_completes_calls_and_exits() {
    let mut server = with_long_shutdown_timeout().initialize(Revision::V2025_11_25);
    server.call(1, "sleep", json!({ "millis": 500 }));
    server.call(2, "add", json!({ "a": 1 }));
    assert_eq!(server.receive()["id"], 2);
    let id = server.pid().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(server.receive()["result"]["content"][0]["text"], "slept");
    assert!(server.wait_for_exit().success());
}

/// A server whose shutdown timeout is longer than any test waits.
fn with_long_shutdown_timeout() -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    ServerProcess::spawn(command.env("SHUTDOWN_TIMEOUT_SECONDS", "600"))
}

/// Opens listen streams of 2026-07-28 and reads their acknowledgements.
fn listen(server: &mut ServerProcess, ids: &[serde_json::Value]) {
    for id in ids {
        server.send(&json!({
            "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen",
            "params": {
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
                "notifications": { "toolsListChanged": true },
            },
        }));
        let method = server.receive()["method"].clone();
        assert_eq!(method, "notifications/subscriptions/acknowledged");
    }
}

/// Checks that each stream ends with its result, then with a cancelled notification.
fn assert_streams_end(server: &mut ServerProcess, ids: &[serde_json::Value]) {
    let (mut open, mut ended) = (ids.to_vec(), Vec::new());
    for _ in 0..2 * ids.len() {
        let message = server.receive();
        if message["result"]["resultType"] == "complete" {
            let position = open.iter().position(|id| *id == message["id"]);
            ended.push(open.remove(position.unwrap()));
            continue;
        }
        assert_eq!(message["method"], "notifications/cancelled");
        let id = &message["params"]["requestId"];
        let position = ended.iter().position(|ended| ended == id);
        ended.remove(position.unwrap());
    }
    assert!(open.is_empty() && ended.is_empty());
}

#[test]
fn ended_listen_stream_gets_result_then_cancelled_notification() {
    let mut server = ServerProcess::start();
    let ids = [json!(1), json!("1"), json!("two")];
    listen(&mut server, &ids);
    server.close_input();
    assert_streams_end(&mut server, &ids);
    assert!(server.wait_for_exit().success());
}

#[test]
fn cancelled_listen_stream_gets_no_final_message() {
    let mut server = ServerProcess::start();
    listen(&mut server, &[json!(1)]);
    server.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 },
    }));
    server.conversation.forbid_response(&json!(1));
    server.assert_silent();
    server.close_input();
    server.assert_silent();
    assert!(server.wait_for_exit().success());
}

#[cfg(unix)]
#[test]
fn sigterm_ends_listen_streams_before_waiting_for_calls() {
    let mut server = with_long_shutdown_timeout();
    listen(&mut server, &[json!(1)]);
    let id = server.pid().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status();
    assert!(killed.unwrap().success());
    assert_streams_end(&mut server, &[json!(1)]);
    assert!(server.wait_for_exit().success());
}
