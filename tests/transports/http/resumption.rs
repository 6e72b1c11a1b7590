//! Resumption of broken and closed streams.

use mcp_runtime::transport::HttpOptions;
use serde_json::{Value, json};
use support::wire::Revision;

use crate::http::gated_tools::start_server_with;
use crate::http::streams::{WITH_ELICITATION, answer, elicit, server, text, wait_for};
use support::http_client::HttpClient;

#[test]
fn broken_stream_can_be_resumed() {
    for revision in WITH_ELICITATION {
        let (_, server) = server();
        let mut client = HttpClient::initialized(&server, revision);
        let (_, event, request) = elicit(&mut client);
        client.reconnect(&server).close();
        answer(&mut client, &request);
        let head = client.open_stream(&[("Last-Event-ID", event.id.as_deref().unwrap())]);
        assert!(head.is_stream());
        assert_eq!(text(&client.next_message().unwrap().1), "Ada");
        assert_eq!(client.next_message(), None);
    }
}

#[test]
fn finished_stream_can_be_replayed() {
    let (_, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    let (before, _, request) = elicit(&mut client);
    let stream = client.reconnect(&server);
    answer(&mut client, &request);
    client.connection = stream;
    assert_eq!(text(&client.next_message().unwrap().1), "Ada");
    assert_eq!(client.next_message(), None);
    for _ in 0..2 {
        client.open_stream(&[("Last-Event-ID", before[0].id.as_deref().unwrap())]);
        let again = client.connection.next_event().unwrap();
        assert!(again.data.unwrap().contains("elicitation/create"));
        assert!(
            client
                .connection
                .next_event()
                .unwrap()
                .data
                .unwrap()
                .contains("Ada")
        );
        assert_eq!(client.connection.next_event(), None);
    }
}

/// Calls a tool that reports progress; returns the id of the first event.
fn report(client: &mut HttpClient) -> String {
    let mut call = client.new_call("report", json!({}));
    call["params"]["_meta"]["progressToken"] = "t".into();
    client.send(&call, &[]);
    assert!(client.connection.read_head().is_stream());
    let primed = client.connection.next_event().unwrap();
    while client.connection.next_event().is_some() {}
    primed.id.unwrap()
}

#[test]
fn oldest_events_are_evicted() {
    let replay = |bytes: usize| {
        let server = start_server_with(HttpOptions::new().event_buffer(bytes));
        let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
        let first = report(&mut client);
        report(&mut client);
        client.open_stream(&[("Last-Event-ID", &first)]);
        let mut progress = Vec::new();
        while let Some(event) = client.connection.next_event() {
            let message: Value = serde_json::from_str(&event.data.unwrap()).unwrap();
            progress.push(message["params"]["progress"].clone());
        }
        progress
    };
    let all = [json!(1), json!(2), json!(3), Value::Null];
    assert_eq!(replay(64 * 1024), all);
    // Enough for one call and the end of another.
    assert_eq!(replay(600), all[3..]);
}

#[test]
fn last_event_id_must_belong_to_the_session() {
    let (_, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    for id in ["nonsense", "1", "-", "1-x", ""] {
        let head = client.open_stream(&[("Last-Event-ID", id)]);
        assert_eq!(head.status, 400, "{id}");
        client.connection.read_body(&head);
    }
    assert_eq!(
        client.open_stream(&[("Accept", "application/json")]).status,
        406
    );
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    assert_eq!(
        client.open_stream(&[("Mcp-Session-Id", "made-up")]).status,
        404
    );
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    assert_eq!(
        client
            .open_stream(&[("Mcp-Session-Id", support::http_client::OMIT)])
            .status,
        400
    );
}

#[test]
fn closed_stream_is_resumed_for_the_result() {
    let (gate, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    let call = client.new_call("wait", json!({}));
    client.send(&call, &[]);
    assert!(client.connection.read_head().is_stream());
    let primed = client.connection.next_event().unwrap();
    assert_eq!((primed.retry, primed.data.as_deref()), (Some(50), Some("")));
    assert_eq!(client.connection.next_event(), None);
    wait_for(&gate.reached);
    assert!(
        client
            .open_stream(&[("Last-Event-ID", &primed.id.unwrap())])
            .is_stream()
    );
    gate.open.notify_one();
    let (_, result) = client.next_message().unwrap();
    assert_eq!(
        (text(&result), &result["id"]),
        ("closed: true", &call["id"])
    );
    assert_eq!(client.next_message(), None);
}

#[test]
fn stream_of_a_client_that_cannot_resume_stays_open() {
    for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
        let (gate, server) = server();
        let mut client = HttpClient::initialized(&server, revision);
        let call = client.new_call("wait", json!({}));
        client.send(&call, &[]);
        wait_for(&gate.reached);
        gate.open.notify_one();
        let (head, body) = client.connection.read_response();
        assert!(!head.is_stream());
        assert_eq!(text(&client.check(&body)), "closed: false");
    }
}

#[test]
fn several_server_streams_share_the_messages() {
    let (_, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    assert!(client.open_stream(&[]).is_stream());
    let mut first = client.reconnect(&server);
    assert!(client.open_stream(&[]).is_stream());
    let handle = server.endpoint.dispatcher().handle();
    assert!(handle.disable_tool("nothing"));
    let (event, notification) = client.next_message().unwrap();
    assert_eq!(notification["method"], "notifications/tools/list_changed");
    client.reconnect(&server).close();
    let deadline = std::time::Instant::now() + support::http_connection::TIMEOUT;
    while server.endpoint.stream_count() > 1 {
        assert!(std::time::Instant::now() < deadline);
    }
    assert!(handle.enable_tool("nothing"));
    let again = first.next_event().unwrap();
    assert!(again.data.unwrap().contains("tools/list_changed"));
    assert_ne!(again.id, event.id);
}

#[test]
fn event_that_nothing_follows_is_400() {
    let (_, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    let (first, last) = {
        let mut call = client.new_call("report", json!({}));
        call["params"]["_meta"]["progressToken"] = "t".into();
        client.send(&call, &[]);
        assert!(client.connection.read_head().is_stream());
        let mut ids = Vec::new();
        while let Some(event) = client.connection.next_event() {
            ids.push(event.id.unwrap());
        }
        (ids[0].clone(), ids.pop().unwrap())
    };
    let (stream, sequence) = last.split_once('-').unwrap();
    let next = format!("{stream}-{}", sequence.parse::<u64>().unwrap() + 1);
    for id in [&last, &next, "7-0", "0-1"] {
        let head = client.open_stream(&[("Last-Event-ID", id)]);
        assert_eq!(head.status, 400, "{id}");
        client.connection.read_body(&head);
    }
    assert!(client.open_stream(&[("Last-Event-ID", &first)]).is_stream());
}
