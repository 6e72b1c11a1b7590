//! Log messages on the stream of their request.

use std::sync::LazyLock;

use mcp_runtime::ClientLog;
use serde_json::{Value, json};
use support::wire::Revision;
use tracing_subscriber::layer::SubscriberExt;

use crate::http::gated_tools::gated;
use support::http_client::{HttpClient, request_meta};
use support::http_server::HttpServer;

static SUBSCRIBER: LazyLock<()> = LazyLock::new(|| {
    let subscriber = tracing_subscriber::registry().with(ClientLog);
    tracing::subscriber::set_global_default(subscriber).unwrap();
});

/// Calls `note`; returns whether the response is a stream, and all messages.
fn call_note(revision: Revision, level: Option<&str>) -> (bool, Vec<Value>) {
    LazyLock::force(&SUBSCRIBER);
    let server = HttpServer::start(gated().1.client_log(["test_server"]));
    let mut client = HttpClient::initialized(&server, revision);
    let mut call = client.new_call("note", json!({}));
    match level {
        Some(level) if revision.is_legacy() => {
            client.request("logging/setLevel", json!({ "level": level }));
        }
        Some(level) => {
            let mut meta = request_meta();
            meta["io.modelcontextprotocol/logLevel"] = level.into();
            call["params"]["_meta"] = meta;
        }
        None => {}
    }
    call["id"] = "note".into();
    client.send(&call, &[]);
    let head = client.connection.read_head();
    if !head.is_stream() {
        let body = client.connection.read_body(&head);
        return (false, vec![client.check(&body)]);
    }
    let mut messages = Vec::new();
    while let Some(event) = client.connection.next_event() {
        if let Some(data) = event.data.filter(|data| !data.is_empty()) {
            messages.push(client.check(&data));
        }
    }
    (true, messages)
}

#[test]
fn log_messages_are_sent_on_the_stream_of_their_request() {
    for revision in Revision::ALL {
        let (is_stream, messages) = call_note(revision, Some("debug"));
        assert!(is_stream, "{revision:?}");
        let data: Vec<&Value> = messages.iter().map(|it| &it["params"]["data"]).collect();
        let with_page = json!({ "message": "noted", "page": 7 });
        assert_eq!(data, [&json!("noted"), &with_page, &Value::Null]);
        assert_eq!(messages[2]["id"], "note");
    }
}

#[test]
fn call_without_notifications_is_one_json_response() {
    let (is_stream, messages) = call_note(Revision::V2026_07_28, None);
    assert!(!is_stream);
    assert_eq!(messages.len(), 1);
    for revision in Revision::ALL {
        let (is_stream, _) = call_note(revision, Some("emergency"));
        assert!(!is_stream, "{revision:?}");
    }
}
