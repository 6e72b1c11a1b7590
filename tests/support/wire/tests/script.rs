//! Helpers of tests that check whole conversations.

use serde_json::{Value, json};

use super::{invalid::expect, samples::with_server_info};
use crate::wire::{
    Conversation, Revision,
    Revision::{V2025_11_25, V2026_07_28},
    Rule,
};

#[track_caller]
pub(super) fn assert_rejected(
    conversation: &mut Conversation,
    message: Value,
    pointer: &str,
    rule: Rule,
) {
    let revision = conversation.revision();
    let outcome = conversation.sent_by_server(&message);
    expect(outcome, pointer, rule, revision, &message);
}

#[track_caller]
pub(super) fn assert_accepted(conversation: &mut Conversation, message: Value) {
    conversation.sent_by_server(&message).unwrap();
}

pub(super) fn progress(value: f64) -> Value {
    notification("progress", json!({"progressToken": "p", "progress": value}))
}

pub(super) fn notification(name: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": format!("notifications/{name}"), "params": params})
}

pub(super) fn stream_notification(name: &str, id: impl Into<Value>) -> Value {
    let id: Value = id.into();
    notification(
        name,
        json!({"_meta": {"io.modelcontextprotocol/subscriptionId": id}}),
    )
}

pub(super) fn response(id: &str, revision: Revision, result: Value) -> Value {
    let mut result = with_server_info(result, revision);
    if !revision.is_legacy() && result.get("resultType").is_none() {
        result["resultType"] = json!("complete");
    }
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

pub(super) fn failure(id: &str, code: i64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "failed"}})
}

pub(super) fn content(id: &str, revision: Revision) -> Value {
    response(id, revision, json!({"content": []}))
}

/// sessions.
pub(super) fn initialized(capabilities: Value) -> Conversation {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation
        .check_client_message(&initialize(V2025_11_25, json!({})))
        .unwrap();
    assert_accepted(
        &mut conversation,
        initialize_response(V2025_11_25, capabilities),
    );
    conversation
        .check_client_message(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .unwrap();
    conversation
}

pub(super) fn initialize(revision: Revision, capabilities: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": "init", "method": "initialize",
        "params": {
            "protocolVersion": revision.as_str(), "capabilities": capabilities,
            "clientInfo": {"name": "client", "version": "1"}
        }
    })
}

pub(super) fn initialize_response(revision: Revision, capabilities: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": "init",
        "result": {
            "protocolVersion": revision.as_str(), "capabilities": capabilities,
            "serverInfo": {"name": "server", "version": "1"}
        }
    })
}
