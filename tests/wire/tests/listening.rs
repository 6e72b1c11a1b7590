//! Listen streams.

use serde_json::json;

use super::{
    samples::{acknowledgement, listen, prepared},
    script::{accepted, answer, notification, refused, tagged},
};
use crate::{Conversation, Revision, Revision::V2026_07_28, Rule};

#[test]
fn a_listen_stream_is_acknowledged_first_and_carries_what_was_granted() {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation.check_client(&listen("1")).unwrap();
    let id = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    refused(
        &mut conversation,
        tagged("tools/list_changed", "1"),
        id,
        Rule::Order,
    );
    refused(
        &mut conversation,
        tagged("tools/list_changed", 1),
        id,
        Rule::Order,
    );
    let mut partial = acknowledgement("1");
    partial["params"]["notifications"] = json!({"toolsListChanged": true});
    accepted(&mut conversation, partial);
    accepted(&mut conversation, tagged("tools/list_changed", "1"));
    refused(
        &mut conversation,
        tagged("prompts/list_changed", "1"),
        id,
        Rule::Order,
    );
    refused(&mut conversation, acknowledgement("1"), id, Rule::Order);
    let bare = notification("tools/list_changed", json!({}));
    refused(&mut conversation, bare, "/params/_meta", Rule::Required);
    let wrong = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": 1}});
    let tag = "/result/_meta/io.modelcontextprotocol~1subscriptionId";
    refused(
        &mut conversation.clone(),
        answer("1", V2026_07_28, wrong),
        tag,
        Rule::Value,
    );
    let end = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": "1"}});
    accepted(&mut conversation, answer("1", V2026_07_28, end));
    refused(
        &mut conversation,
        tagged("tools/list_changed", "1"),
        id,
        Rule::Order,
    );
    let mut cancelled = tagged("cancelled", "1");
    cancelled["params"]["requestId"] = json!("1");
    accepted(&mut conversation, cancelled);
}

#[test]
fn an_acknowledgement_grants_no_more_than_was_asked_for() {
    let id = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    for excess in [
        json!({"promptsListChanged": true}),
        json!({"resourceSubscriptions": ["a:b"]}),
    ] {
        let mut conversation = Conversation::new(V2026_07_28);
        let mut asked = listen("1");
        asked["params"]["notifications"] = json!({"toolsListChanged": true});
        conversation.check_client(&asked).unwrap();
        let mut granted = acknowledgement("1");
        granted["params"]["notifications"] = excess;
        refused(&mut conversation, granted, id, Rule::Order);
    }
}

#[test]
fn only_tasks_that_were_granted_are_told() {
    let mut conversation = Conversation::new(V2026_07_28);
    let mut asked = listen("1");
    asked["params"]["notifications"] = json!({"taskIds": ["a", "b"]});
    conversation.check_client(&asked).unwrap();
    let mut granted = acknowledgement("1");
    granted["params"]["notifications"] = json!({"taskIds": ["a"]});
    accepted(&mut conversation, granted);
    let told = |id: &str| {
        let mut told = tagged("tasks", "1");
        let task = json!({
            "taskId": id, "status": "working", "ttlMs": null,
            "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
        });
        let members = told["params"].as_object_mut().unwrap();
        members.extend(task.as_object().unwrap().clone());
        told
    };
    accepted(&mut conversation, told("a"));
    let tag = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    refused(&mut conversation, told("b"), tag, Rule::Order);
}

#[test]
fn a_server_cancels_only_its_own_requests_and_listen_streams() {
    for revision in Revision::ALL {
        let cancelled = notification("cancelled", json!({"requestId": "call"}));
        refused(
            &mut prepared(revision),
            cancelled,
            "/params/requestId",
            Rule::Order,
        );
    }
    let tag = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
    let untagged = notification("cancelled", json!({"requestId": "listen"}));
    refused(&mut prepared(V2026_07_28), untagged, tag, Rule::Value);
}
