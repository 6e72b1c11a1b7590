//! ListenStream streams.

use serde_json::json;

use super::{
    samples::{acknowledgement, listen, prepared},
    script::{assert_accepted, assert_rejected, notification, response, stream_notification},
};
use crate::wire::{Conversation, Revision, Revision::V2026_07_28, Rule};

#[test]
fn listen_stream_is_acknowledged_first_and_sends_accepted_notifications_only() {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation.check_client_message(&listen("1")).unwrap();
    let id = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    assert_rejected(
        &mut conversation,
        stream_notification("tools/list_changed", "1"),
        id,
        Rule::Order,
    );
    assert_rejected(
        &mut conversation,
        stream_notification("tools/list_changed", 1),
        id,
        Rule::Order,
    );
    let mut partial = acknowledgement("1");
    partial["params"]["notifications"] = json!({"toolsListChanged": true});
    assert_accepted(&mut conversation, partial);
    assert_accepted(
        &mut conversation,
        stream_notification("tools/list_changed", "1"),
    );
    assert_rejected(
        &mut conversation,
        stream_notification("prompts/list_changed", "1"),
        id,
        Rule::Order,
    );
    assert_rejected(&mut conversation, acknowledgement("1"), id, Rule::Order);
    let bare = notification("tools/list_changed", json!({}));
    assert_rejected(&mut conversation, bare, "/params/_meta", Rule::Required);
    let wrong = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": 1}});
    let tag = "/result/_meta/io.modelcontextprotocol~1subscriptionId";
    assert_rejected(
        &mut conversation.clone(),
        response("1", V2026_07_28, wrong),
        tag,
        Rule::Value,
    );
    let end = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": "1"}});
    assert_accepted(&mut conversation, response("1", V2026_07_28, end));
    assert_rejected(
        &mut conversation,
        stream_notification("tools/list_changed", "1"),
        id,
        Rule::Order,
    );
    let mut cancelled = stream_notification("cancelled", "1");
    cancelled["params"]["requestId"] = json!("1");
    assert_accepted(&mut conversation, cancelled);
}

#[test]
fn acknowledgement_accepts_no_more_than_requested() {
    let id = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    for excess in [
        json!({"promptsListChanged": true}),
        json!({"resourceSubscriptions": ["a:b"]}),
    ] {
        let mut conversation = Conversation::new(V2026_07_28);
        let mut asked = listen("1");
        asked["params"]["notifications"] = json!({"toolsListChanged": true});
        conversation.check_client_message(&asked).unwrap();
        let mut granted = acknowledgement("1");
        granted["params"]["notifications"] = excess;
        assert_rejected(&mut conversation, granted, id, Rule::Order);
    }
}

#[test]
fn only_accepted_tasks_are_notified() {
    let mut conversation = Conversation::new(V2026_07_28);
    let mut asked = listen("1");
    asked["params"]["notifications"] = json!({"taskIds": ["a", "b"]});
    conversation.check_client_message(&asked).unwrap();
    let mut granted = acknowledgement("1");
    granted["params"]["notifications"] = json!({"taskIds": ["a"]});
    assert_accepted(&mut conversation, granted);
    let told = |id: &str| {
        let mut told = stream_notification("tasks", "1");
        let task = json!({
            "taskId": id, "status": "working", "ttlMs": null,
            "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
        });
        let members = told["params"].as_object_mut().unwrap();
        members.extend(task.as_object().unwrap().clone());
        told
    };
    assert_accepted(&mut conversation, told("a"));
    let tag = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    assert_rejected(&mut conversation, told("b"), tag, Rule::Order);
}

#[test]
fn server_cancels_only_its_own_requests_and_listen_streams() {
    for revision in Revision::ALL {
        let cancelled = notification("cancelled", json!({"requestId": "call"}));
        assert_rejected(
            &mut prepared(revision),
            cancelled,
            "/params/requestId",
            Rule::Order,
        );
    }
    let tag = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    let untagged = notification("cancelled", json!({"requestId": "listen"}));
    assert_rejected(&mut prepared(V2026_07_28), untagged, tag, Rule::Value);
}
