//! What a body knows of its request, and that it is of no other request.

use std::sync::{Arc, OnceLock};

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::LoggingLevel;
use mcp_runtime::{Channel, Dispatched, Dispatcher, Peer};
use serde_json::{Value, json};
use wire::{Conversation, Inbox, Revision};

use crate::talk::{ALL, Talk, assert_contains, claim, initialize};

/// Tells what it knows of its request.
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
        "channel": ctx.channel().as_str(),
        "client": client.info.as_ref().map(|info| &info.name),
        "roots": client.capabilities.roots.is_some(),
        "known": ctx.principal().is_some(),
        "cancelled": ctx.is_cancelled(),
    })
}

/// The server itself, for a body that calls it.
#[derive(Clone, Default)]
pub(crate) struct Itself(Arc<OnceLock<Dispatcher>>);

/// Tells a little, and panics if it is told to.
#[tool(group = "requests")]
async fn inner(ctx: &Context, panics: bool) -> Result<String, ToolError> {
    ctx.progress(10.0, None);
    ctx.log(LoggingLevel::Error, "from within");
    ctx.set_meta("example.com/from", "inner");
    tokio::task::yield_now().await;
    assert!(!panics, "as it was told to");
    ctx.progress(20.0, None);
    Ok(ctx.revision().to_string())
}

/// Calls the server that it belongs to, as another client of another revision.
#[tool(group = "requests")]
async fn outer(ctx: &Context, itself: &Itself, revision: String, panics: bool) -> String {
    ctx.progress(1.0, None);
    ctx.log(LoggingLevel::Error, "before");
    ctx.set_meta("example.com/from", "outer");
    let revision = ALL.into_iter().find(|it| it.as_str() == revision).unwrap();
    let told = call_inner(itself.0.get().unwrap(), revision, panics).await;
    ctx.log(LoggingLevel::Error, "after");
    ctx.progress(2.0, None);
    told
}

/// What a client of its own hears of a call, as one text.
async fn call_inner(dispatcher: &Dispatcher, revision: Revision, panics: bool) -> String {
    let inbox = Arc::new(Inbox::default());
    let peer = Peer::through(Channel::Memory, inbox.clone());
    let mut conversation = Conversation::new(Revision::V2026_07_28);
    let mut params = json!({ "name": "inner", "arguments": { "panics": panics } });
    params["_meta"] = json!({ "progressToken": "inner" });
    let mut said = Vec::new();
    match revision.is_legacy() {
        true => said.push(initialize(revision.as_str())),
        false => {
            let mut meta = claim();
            meta["progressToken"] = "inner".into();
            meta["io.modelcontextprotocol/logLevel"] = "error".into();
            params["_meta"] = meta;
        }
    }
    said.push(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    let (mut last, mut told) = (Value::Null, Vec::new());
    for message in said {
        conversation.sent_by_client(&message);
        let mut reply = Vec::new();
        let dispatched = dispatcher.dispatch(message.to_string().as_bytes(), &peer, &mut reply);
        if let Dispatched::Pending(pending) = dispatched {
            reply = pending.run().await.unwrap();
        }
        for text in inbox.take() {
            told.push(conversation.sent_by_server_text(&text).unwrap());
        }
        let text = String::from_utf8(reply).unwrap();
        last = conversation.sent_by_server_text(&text).unwrap();
    }
    let progress: Vec<Value> = told
        .iter()
        .map(|it| it["params"]["progress"].clone())
        .collect();
    let expected = match panics {
        true => json!([10, null]),
        false => json!([10, null, 20]),
    };
    assert_eq!(json!(progress), expected, "{told:?}");
    assert_eq!(last["result"]["isError"] == true, panics, "{last}");
    assert_eq!(peer.calls_in_flight(), 0);
    last["result"]["content"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn server() -> Server {
    Server::new("tests", "1.2.3").groups(["requests"])
}

#[test]
fn a_body_knows_its_request() {
    for revision in ALL {
        let mut talk = Talk::with(server().state(Itself::default()), revision);
        for id in [json!("x"), json!(7)] {
            let params = json!({
                "name": "describe", "arguments": {}, "_meta": { "example.com/question": [1] },
            });
            let mut request = talk.request("tools/call", params);
            request["id"] = id.clone();
            let answer = talk.say(&request).unwrap();
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            let told: Value = serde_json::from_str(text).unwrap();
            let expected = json!({
                "id": id, "revision": revision.as_str(), "channel": "memory", "client": "probe",
                "roots": false, "known": false, "cancelled": false,
            });
            assert_eq!(told, expected, "{revision}");
            let meta = json!({ "example.com/answer": [1] });
            assert_contains(&answer["result"]["_meta"], &meta);
        }
    }
}

/// Each request tells its own client, whatever runs inside of it and however that ends.
#[test]
fn a_request_within_a_request_is_another_one() {
    for (revision, within) in ALL
        .into_iter()
        .flat_map(|it| ALL.map(|within| (it, within)))
    {
        for panics in [false, true] {
            let itself = Itself::default();
            let mut talk = Talk::with(server().state(itself.clone()), revision);
            itself.0.set(talk.dispatcher.clone()).unwrap();
            let mut meta = json!({ "progressToken": "outer" });
            if !revision.is_legacy() {
                meta["io.modelcontextprotocol/logLevel"] = "error".into();
            }
            let arguments = json!({ "revision": within.as_str(), "panics": panics });
            let params = json!({ "name": "outer", "arguments": arguments, "_meta": meta });
            let answer = talk.ask("tools/call", params);
            let told = talk
                .news()
                .into_iter()
                .map(|message| message["params"].clone());
            let told: Vec<Value> = told
                .map(|params| match params["data"].clone() {
                    Value::Null => params["progress"].clone(),
                    data => data,
                })
                .collect();
            assert_eq!(json!(told), json!([1, "before", "after", 2]), "{revision}");
            let meta = &answer["result"]["_meta"]["example.com/from"];
            assert_eq!(meta, "outer");
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(text == within.as_str(), !panics, "{text}");
            assert_eq!(talk.peer.calls_in_flight(), 0);
            let again = talk.call("describe", json!({}));
            assert!(again["result"]["_meta"]["example.com/from"].is_null());
        }
    }
}
