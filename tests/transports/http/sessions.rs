//! Sessions of revisions up to 2025-11-25.

use std::time::Duration;

use mcp_runtime::transport::HttpOptions;
use serde_json::{Value, json};
use support::wire::Revision;

use crate::http::gated_tools::{start_server, start_server_with};
use support::http_client::{HttpClient, OMIT, initialize};
use support::http_connection::TIMEOUT;

fn legacy() -> impl Iterator<Item = Revision> {
    Revision::ALL
        .into_iter()
        .filter(|revision| revision.is_legacy())
}

fn list(client: &mut HttpClient, session: &str) -> (u16, Option<Value>) {
    let request = client.new_request("tools/list", json!({}));
    let (head, answer) = client.post(&request, &[("Mcp-Session-Id", session)]);
    (head.status, answer)
}

#[test]
fn unknown_or_missing_session_id_is_rejected() {
    for revision in legacy() {
        let server = start_server();
        let mut client = HttpClient::initialized(&server, revision);
        let own = client.session_id.clone().unwrap();
        assert_eq!(list(&mut client, &own).0, 200, "{revision:?}");
        assert_eq!(list(&mut client, OMIT).0, 400, "{revision:?}");
        for unknown in ["made-up", "0123456789abcdef0123456789abcdef", ""] {
            assert_eq!(list(&mut client, unknown).0, 404, "{revision:?} {unknown}");
        }
    }
}

#[test]
fn notifications_and_responses_need_a_session() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 7, "result": {} }),
    ] {
        let mut status = |session| {
            client
                .post(&message, &[("Mcp-Session-Id", session)])
                .0
                .status
        };
        assert_eq!(status(OMIT), 400);
        assert_eq!(status("made-up"), 404);
        assert_eq!(client.post(&message, &[]).0.status, 202);
    }
}

#[test]
fn deleted_session_is_unknown() {
    for revision in legacy() {
        let server = start_server();
        let mut client = HttpClient::initialized(&server, revision);
        let session = client.session_id.clone().unwrap();
        let delete = |expected| {
            let mut connection = server.connect();
            connection.send_request("DELETE", &[("Mcp-Session-Id", &session)], None);
            assert_eq!(connection.read_head().status, expected);
        };
        delete(204);
        delete(404);
        assert_eq!(list(&mut client, &session).0, 404);
        assert_eq!(server.endpoint.session_count(), 0);
    }
    let server = start_server();
    let mut connection = server.connect();
    connection.send_request("DELETE", &[], None);
    assert_eq!(connection.read_head().status, 400);
}

#[test]
fn session_ids_are_unique() {
    let server = start_server();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..100 {
        let session = HttpClient::initialized(&server, Revision::V2025_11_25)
            .session_id
            .unwrap();
        assert!(seen.insert(session));
    }
}

#[test]
fn rejected_requests_leave_no_session() {
    let server = start_server();
    let mut client = HttpClient::new(&server, Revision::V2025_11_25);
    let mut broken = initialize("2025-11-25");
    broken["params"] = json!({});
    assert!(client.post(&broken, &[]).1.unwrap()["error"].is_object());
    list(&mut client, OMIT);
    list(&mut client, "made-up");
    let mut message = initialize("2025-11-25");
    for header in [
        ("Accept", "text/html"),
        ("Content-Type", "text/plain"),
        ("Host", "evil"),
    ] {
        message["id"] = header.0.into();
        client.send(&message, &[header]);
        assert!(client.connection.read_response().0.status >= 400);
    }
    assert_eq!(server.endpoint.session_count(), 0);
}

#[test]
fn least_recently_used_session_is_evicted() {
    let server = start_server_with(HttpOptions::new().max_sessions(2));
    let mut first = HttpClient::initialized(&server, Revision::V2025_11_25);
    std::thread::sleep(Duration::from_millis(2));
    let mut second = HttpClient::initialized(&server, Revision::V2025_11_25);
    std::thread::sleep(Duration::from_millis(2));
    let status = |client: &mut HttpClient| {
        let session = client.session_id.clone().unwrap();
        list(client, &session).0
    };
    assert_eq!(status(&mut first), 200);
    let mut third = HttpClient::initialized(&server, Revision::V2025_11_25);
    assert_eq!(status(&mut second), 404);
    assert_eq!(status(&mut first), 200);
    assert_eq!(status(&mut third), 200);
    assert_eq!(server.endpoint.session_count(), 2);
}

#[test]
fn idle_session_expires_unless_it_has_a_stream() {
    let server =
        start_server_with(HttpOptions::new().session_idle_timeout(Duration::from_millis(200)));
    let mut idle = HttpClient::initialized(&server, Revision::V2025_11_25);
    let mut listening = HttpClient::initialized(&server, Revision::V2025_11_25);
    assert_eq!(listening.open_stream(&[]).status, 200);
    let deadline = std::time::Instant::now() + TIMEOUT;
    while server.endpoint.session_count() > 1 {
        assert!(std::time::Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(20));
    }
    let session = idle.session_id.clone().unwrap();
    assert_eq!(list(&mut idle, &session).0, 404);
    let _stream = listening.reconnect(&server);
    let session = listening.session_id.clone().unwrap();
    assert_eq!(list(&mut listening, &session).0, 200);
}

#[test]
fn losing_a_stream_does_not_end_its_session() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    for _ in 0..3 {
        let head = client.open_stream(&[]);
        assert!(head.is_stream());
        client.reconnect(&server).close();
    }
    let session = client.session_id.clone().unwrap();
    assert_eq!(list(&mut client, &session).0, 200);
}
