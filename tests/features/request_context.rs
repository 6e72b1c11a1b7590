//! The request context of a handler, and its isolation from other requests.

use std::sync::{Arc, OnceLock};

use mcp_runtime::Dispatcher;
use mcp_runtime::dispatch::{Connection, DispatchOutcome, TransportKind};
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::LoggingLevel;
use serde_json::{Value, json};
use support::Inbox;
use support::wire::{Conversation, Revision};

use support::dispatcher_client::{DispatcherClient, assert_contains, initialize, request_meta};

/// Describes its request.
#[tool(group = "requests", inline)]
fn describe(ctx: &Context) -> Value {
    ctx.set_meta(
        "example.com/answer",
        ctx.meta()["example.com/question"].clone(),
    );
    let client = ctx.client();
    json!({
        "id": ctx.request_id(),
        "revision": ctx.revision().as_str(),
        "channel": ctx.transport().as_str(),
        "client": client.info.as_ref().map(|info| &info.name),
        "roots": client.capabilities.roots.is_some(),
        "known": ctx.principal().is_some(),
        "cancelled": ctx.is_cancelled(),
    })
}

/// The dispatcher, for a handler that calls its own server.
#[derive(Clone, Default)]
pub(crate) struct OwnDispatcher(Arc<OnceLock<Dispatcher>>);

/// Reports progress and logs, then panics if requested.
#[tool(group = "requests")]
async fn inner(ctx: &Context, panics: bool) -> Result<String, ToolError> {
    ctx.progress(10.0, None);
    ctx.log(LoggingLevel::Error, "from within");
    ctx.set_meta("example.com/from", "inner");
    tokio::task::yield_now().await;
    assert!(!panics, "requested");
    ctx.progress(20.0, None);
    Ok(ctx.revision().to_string())
}

/// Calls its own server as another client of another revision.
#[tool(group = "requests")]
async fn outer(ctx: &Context, own: &OwnDispatcher, revision: String, panics: bool) -> String {
    ctx.progress(1.0, None);
    ctx.log(LoggingLevel::Error, "before");
    ctx.set_meta("example.com/from", "outer");
    let revision = Revision::ALL
        .into_iter()
        .find(|it| it.as_str() == revision)
        .unwrap();
    let received = call_inner(own.0.get().unwrap(), revision, panics).await;
    ctx.log(LoggingLevel::Error, "after");
    ctx.progress(2.0, None);
    received
}

/// Calls `inner` as a separate client, checks its notifications, and returns its text.
async fn call_inner(dispatcher: &Dispatcher, revision: Revision, panics: bool) -> String {
    let inbox = Arc::new(Inbox::default());
    let connection = Connection::with_sink(TransportKind::Memory, inbox.clone());
    let mut conversation = Conversation::new(Revision::V2026_07_28);
    let mut params = json!({ "name": "inner", "arguments": { "panics": panics } });
    params["_meta"] = json!({ "progressToken": "inner" });
    let mut requests = Vec::new();
    match revision.is_legacy() {
        true => requests.push(initialize(revision.as_str())),
        false => {
            let mut meta = request_meta();
            meta["progressToken"] = "inner".into();
            meta["io.modelcontextprotocol/logLevel"] = "error".into();
            params["_meta"] = meta;
        }
    }
    requests.push(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    let (mut last, mut received) = (Value::Null, Vec::new());
    for message in requests {
        conversation.sent_by_client(&message);
        let mut reply = Vec::new();
        let dispatched =
            dispatcher.dispatch(message.to_string().as_bytes(), &connection, &mut reply);
        if let DispatchOutcome::Pending(pending) = dispatched {
            reply = pending.run().await.unwrap();
        }
        for text in inbox.take() {
            received.push(conversation.sent_by_server_text(&text).unwrap());
        }
        let text = String::from_utf8(reply).unwrap();
        last = conversation.sent_by_server_text(&text).unwrap();
    }
    let progress: Vec<Value> = received
        .iter()
        .map(|it| it["params"]["progress"].clone())
        .collect();
    let expected = match panics {
        true => json!([10, null]),
        false => json!([10, null, 20]),
    };
    assert_eq!(json!(progress), expected, "{received:?}");
    assert_eq!(last["result"]["isError"] == true, panics, "{last}");
    assert_eq!(connection.calls_in_flight(), 0);
    last["result"]["content"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn server() -> Server {
    Server::new("tests", "1.2.3").groups(["requests"])
}

#[test]
fn handler_sees_its_request() {
    for revision in Revision::ALL {
        let mut client =
            DispatcherClient::connect(server().state(OwnDispatcher::default()), revision);
        for id in [json!("x"), json!(7)] {
            let params = json!({
                "name": "describe", "arguments": {}, "_meta": { "example.com/question": [1] },
            });
            let mut request = client.new_request("tools/call", params);
            request["id"] = id.clone();
            let answer = client.send(&request).unwrap();
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            let received: Value = serde_json::from_str(text).unwrap();
            let expected = json!({
                "id": id, "revision": revision.as_str(), "channel": "memory", "client": "probe",
                "roots": false, "known": false, "cancelled": false,
            });
            assert_eq!(received, expected, "{revision}");
            let meta = json!({ "example.com/answer": [1] });
            assert_contains(&answer["result"]["_meta"], &meta);
        }
    }
}

/// Each request notifies its own client, whatever nested request runs and however it ends.
#[test]
fn nested_request_has_its_own_context() {
    for (revision, within) in Revision::ALL
        .into_iter()
        .flat_map(|it| Revision::ALL.map(|within| (it, within)))
    {
        for panics in [false, true] {
            let own = OwnDispatcher::default();
            let mut client = DispatcherClient::connect(server().state(own.clone()), revision);
            own.0.set(client.dispatcher.clone()).unwrap();
            let mut meta = json!({ "progressToken": "outer" });
            if !revision.is_legacy() {
                meta["io.modelcontextprotocol/logLevel"] = "error".into();
            }
            let arguments = json!({ "revision": within.as_str(), "panics": panics });
            let params = json!({ "name": "outer", "arguments": arguments, "_meta": meta });
            let answer = client.request("tools/call", params);
            let received = client
                .take_notifications()
                .into_iter()
                .map(|message| message["params"].clone());
            let received: Vec<Value> = received
                .map(|params| match params["data"].clone() {
                    Value::Null => params["progress"].clone(),
                    data => data,
                })
                .collect();
            assert_eq!(
                json!(received),
                json!([1, "before", "after", 2]),
                "{revision}"
            );
            let meta = &answer["result"]["_meta"]["example.com/from"];
            assert_eq!(meta, "outer");
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(text == within.as_str(), !panics, "{text}");
            assert_eq!(client.connection.calls_in_flight(), 0);
            let again = client.call("describe", json!({}));
            assert!(again["result"]["_meta"]["example.com/from"].is_null());
        }
    }
}
