//! What the tests that follow a conversation have in common.

use serde_json::{Value, json};

use super::{invalid::expect, samples::with_server_info};
use crate::wire::{
    Conversation, Revision,
    Revision::{V2025_11_25, V2026_07_28},
    Rule,
};

#[track_caller]
pub(super) fn rejected(conversation: &mut Conversation, message: Value, pointer: &str, rule: Rule) {
    let revision = conversation.revision();
    let outcome = conversation.sent_by_server(&message);
    expect(outcome, pointer, rule, revision, &message);
}

#[track_caller]
pub(super) fn accepted(conversation: &mut Conversation, message: Value) {
    conversation.sent_by_server(&message).unwrap();
}

pub(super) fn progress(value: f64) -> Value {
    notification("progress", json!({"progressToken": "p", "progress": value}))
}

pub(super) fn notification(name: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": format!("notifications/{name}"), "params": params})
}

pub(super) fn tagged(name: &str, id: impl Into<Value>) -> Value {
    let id: Value = id.into();
    notification(
        name,
        json!({"_meta": {"io.modelcontextprotocol/subscriptionId": id}}),
    )
}

pub(super) fn answer(id: &str, revision: Revision, result: Value) -> Value {
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
    answer(id, revision, json!({"content": []}))
}

/// sessions.
pub(super) fn initialized(capabilities: Value) -> Conversation {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation
        .check_client(&initialize(V2025_11_25, json!({})))
        .unwrap();
    accepted(&mut conversation, welcome(V2025_11_25, capabilities));
    conversation
        .check_client(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
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

pub(super) fn welcome(revision: Revision, capabilities: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": "init",
        "result": {
            "protocolVersion": revision.as_str(), "capabilities": capabilities,
            "serverInfo": {"name": "server", "version": "1"}
        }
    })
}
