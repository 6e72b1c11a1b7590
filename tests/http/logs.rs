//! What a tool logs, on the stream of the request that it serves.

use std::sync::LazyLock;

use mcp_runtime::ClientLog;
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;
use wire::Revision;

use crate::caller::{ALL, Caller, claim};
use crate::host::Host;
use crate::talkative::gated;

static SUBSCRIBER: LazyLock<()> = LazyLock::new(|| {
    let subscriber = tracing_subscriber::registry().with(ClientLog);
    tracing::subscriber::set_global_default(subscriber).unwrap();
});

/// What comes of a call of `note`, and whether it came as a stream.
fn noted(revision: Revision, level: Option<&str>) -> (bool, Vec<Value>) {
    LazyLock::force(&SUBSCRIBER);
    let host = Host::of(gated().1.client_log(["test_server"]));
    let mut caller = Caller::ready(&host, revision);
    let mut call = caller.call("note", json!({}));
    match level {
        Some(level) if revision.is_legacy() => {
            caller.ask("logging/setLevel", json!({ "level": level }));
        }
        Some(level) => {
            let mut meta = claim();
            meta["io.modelcontextprotocol/logLevel"] = level.into();
            call["params"]["_meta"] = meta;
        }
        None => {}
    }
    call["id"] = "note".into();
    caller.send(&call, &[]);
    let head = caller.line.head();
    if !head.is_stream() {
        let body = caller.line.body(&head);
        return (false, vec![caller.heard(&body)]);
    }
    let mut messages = Vec::new();
    while let Some(event) = caller.line.event() {
        if let Some(data) = event.data.filter(|data| !data.is_empty()) {
            messages.push(caller.heard(&data));
        }
    }
    (true, messages)
}

#[test]
fn what_a_tool_logs_comes_on_the_stream_of_its_request() {
    for revision in ALL {
        let (is_stream, messages) = noted(revision, Some("debug"));
        assert!(is_stream, "{revision:?}");
        let data: Vec<&Value> = messages.iter().map(|it| &it["params"]["data"]).collect();
        let with_page = json!({ "message": "noted", "page": 7 });
        assert_eq!(data, [&json!("noted"), &with_page, &Value::Null]);
        assert_eq!(messages[2]["id"], "note");
    }
}

#[test]
fn a_call_that_tells_nothing_is_one_message() {
    let (is_stream, messages) = noted(Revision::V2026_07_28, None);
    assert!(!is_stream);
    assert_eq!(messages.len(), 1);
    for revision in ALL {
        let (is_stream, _) = noted(revision, Some("emergency"));
        assert!(!is_stream, "{revision:?}");
    }
}
