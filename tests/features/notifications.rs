use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mcp_runtime::dispatch::{Connection, DispatchOutcome, DynamicDefinition, TransportKind};
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{LoggingLevel, Tool};
use serde_json::{Value, json};
use support::Inbox;
use support::wire::{Conversation, Revision};
use tokio::runtime::Builder;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains, initialize, request_meta};

fn call(client: &mut DispatcherClient, name: &str, meta: Value) -> Value {
    client.request(
        "tools/call",
        json!({ "name": name, "arguments": {}, "_meta": meta }),
    )
}

#[test]
fn progress_increases_and_stops_at_the_response() {
    for revision in Revision::ALL {
        for token in [json!("t"), json!(7)] {
            let mut client = DispatcherClient::connect(server(), revision);
            let answer = call(&mut client, "steps", json!({ "progressToken": token }));
            assert_contains(
                &answer["result"]["_meta"],
                &json!({ "example.com/steps": 3 }),
            );
            let received: Vec<Value> = client
                .take_notifications()
                .into_iter()
                .map(|message| {
                    assert_eq!(message["method"], "notifications/progress");
                    message["params"].clone()
                })
                .collect();
            let mut expected = json!([
                { "progressToken": token, "progress": 1, "total": 3 },
                { "progressToken": token, "progress": 2.5, "total": 3, "message": "almost" },
                { "progressToken": token, "progress": 3 },
            ]);
            if revision < Revision::V2025_03_26 {
                expected[1].as_object_mut().unwrap().remove("message");
            }
            assert_eq!(json!(received), expected, "{revision}");
        }
    }
}

#[test]
fn progress_needs_a_progress_token() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server(), revision);
        call(&mut client, "steps", json!({}));
        assert_eq!(client.take_notifications(), Vec::<Value>::new());
    }
}

/// Reports progress once, between two pauses.
#[tool(group = "extra")]
async fn late(ctx: &Context) {
    tokio::time::sleep(Duration::from_millis(50)).await;
    ctx.progress(0.5, None);
    tokio::time::sleep(Duration::from_millis(50)).await;
}

/// The progress notifications of a call, on a paused clock.
fn heartbeats(revision: Revision, tool: &str, token: Option<Value>) -> Vec<f64> {
    let clock = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let dispatcher = server()
        .heartbeat(Duration::from_millis(20))
        .build()
        .unwrap();
    let inbox = Arc::new(Inbox::default());
    let connection = Connection::with_sink(TransportKind::Memory, inbox.clone());
    let mut conversation = Conversation::new(Revision::V2026_07_28);
    let mut meta = if revision.is_legacy() {
        json!({})
    } else {
        request_meta()
    };
    if let Some(token) = token {
        meta["progressToken"] = token;
    }
    let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let initialize_request = revision.is_legacy().then(|| initialize(revision.as_str()));
    let mut received = Vec::new();
    clock.block_on(async {
        for message in initialize_request.into_iter().chain([call]) {
            conversation.sent_by_client(&message);
            let mut reply = Vec::new();
            let text = message.to_string();
            if let DispatchOutcome::Pending(pending) =
                dispatcher.dispatch(text.as_bytes(), &connection, &mut reply)
            {
                reply = pending.run().await.unwrap();
            }
            for text in inbox.take() {
                received.push(conversation.sent_by_server_text(&text).unwrap());
            }
            let reply = String::from_utf8(reply).unwrap();
            conversation.sent_by_server_text(&reply).unwrap();
        }
    });
    received
        .iter()
        .map(|it| it["params"]["progress"].as_f64().unwrap())
        .collect()
}

#[test]
fn heartbeat_reports_progress_of_a_silent_call() {
    for revision in Revision::ALL {
        let heartbeats = |tool: &str, token| heartbeats(revision, tool, token);
        assert_eq!(heartbeats("slow", Some(json!("t"))).len(), 2, "{revision}");
        assert_eq!(heartbeats("slow", None), Vec::<f64>::new());
        // Heartbeats stop once the handler reports progress itself.
        let received = heartbeats("late", Some(json!(7)));
        assert_eq!(
            (received.len(), received.last()),
            (3, Some(&0.5)),
            "{received:?}"
        );
    }
}

/// Returns at once, on a blocking thread.
#[tool]
fn may_block() {}

/// A blocked reading thread could not send heartbeats.
#[test]
fn heartbeat_call_does_not_block_the_reading_thread() {
    let server = server().heartbeat(Duration::from_millis(20));
    let dispatcher = server.build().unwrap();
    let blocks = |meta: Value| {
        let params = json!({ "name": "may_block", "_meta": meta });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let connection = Connection::with_sink(TransportKind::Memory, Arc::new(Inbox::default()));
        match dispatcher.dispatch(call.to_string().as_bytes(), &connection, &mut Vec::new()) {
            DispatchOutcome::Pending(pending) => pending.is_blocking(),
            outcome => panic!("{outcome:?}"),
        }
    };
    assert!(blocks(request_meta()));
    let mut meta = request_meta();
    meta["progressToken"] = json!("t");
    assert!(!blocks(meta));
}

#[test]
fn no_notification_is_sent_after_the_response() {
    for revision in Revision::ALL {
        let context_slot = Arc::new(OnceLock::new());
        let mut client = DispatcherClient::connect(server(), revision);
        let tool = Tool {
            name: "keeps".to_owned(),
            input_schema: json!({ "type": "object" }),
            ..Tool::default()
        };
        let slot = Arc::clone(&context_slot);
        let tool = DynamicDefinition::tool(tool, move |_, context| {
            context.progress(1.0, None);
            context.log(LoggingLevel::Error, "early");
            slot.set(context).unwrap();
            async { Ok("done") }
        });
        client.dispatcher.handle().add(tool).unwrap();
        client.take_notifications();
        let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "error" });
        call(&mut client, "keeps", meta);
        assert_eq!(client.take_notifications().len(), 2, "{revision}");
        let context = context_slot.get().unwrap();
        context.progress(2.0, None);
        context.log(LoggingLevel::Error, "late");
        assert_eq!(
            client.take_notifications(),
            Vec::<Value>::new(),
            "{revision}"
        );
    }
}

fn levels(client: &mut DispatcherClient) -> Vec<Value> {
    let notifications = client.take_notifications().into_iter();
    notifications
        .map(|message| message["params"]["level"].clone())
        .collect()
}

#[test]
fn session_sets_its_log_level() {
    for revision in Revision::ALL
        .into_iter()
        .filter(|revision| revision.is_legacy())
    {
        let mut client = DispatcherClient::connect(server(), revision);
        call(&mut client, "logs", json!({}));
        assert_eq!(
            levels(&mut client).len(),
            8,
            "`info` and above, and one more"
        );
        assert_eq!(
            client.request("logging/setLevel", json!({ "level": "alert" }))["result"],
            json!({})
        );
        call(&mut client, "logs", json!({}));
        assert_eq!(levels(&mut client), ["alert", "emergency"]);
        let answer = client.request("logging/setLevel", json!({ "level": "loud" }));
        assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
    }
}

#[test]
fn stateless_request_sets_its_log_level() {
    let level = |level: &str| json!({ "io.modelcontextprotocol/logLevel": level });
    let mut client = DispatcherClient::connect(server(), Revision::V2026_07_28);
    call(&mut client, "logs", json!({}));
    assert_eq!(levels(&mut client), Vec::<Value>::new());
    call(&mut client, "logs", level("critical"));
    assert_eq!(levels(&mut client), ["critical", "alert", "emergency"]);
    let answer = call(&mut client, "logs", level("loud"));
    assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
}

#[test]
fn log_message_can_name_its_logger() {
    let mut client = DispatcherClient::connect(server(), Revision::V2025_11_25);
    call(&mut client, "logs", json!({}));
    let last = client.take_notifications().pop().unwrap();
    assert_eq!(
        last["params"],
        json!({ "level": "error", "logger": "disk", "data": [1, 2] })
    );
}
