//! Messages that depend on earlier ones: capabilities, log levels, schemas.

use serde_json::json;

use super::{
    invalid::tools_list,
    samples::{call, prepared, request},
    script::{
        assert_accepted, assert_rejected, content, initialize, initialize_response, initialized,
        notification, response,
    },
};
use crate::wire::{
    Conversation,
    Revision::{V2025_06_18, V2025_11_25, V2026_07_28},
    Rule,
};

#[test]
fn log_message_needs_a_requested_level() {
    let message = |level: &str| notification("message", json!({"level": level, "data": 1}));
    let mut conversation = Conversation::new(V2026_07_28);
    let mut quiet = call(V2026_07_28, "1", json!({}));
    let mut loud = call(V2026_07_28, "2", json!({}));
    let level = "io.modelcontextprotocol/logLevel";
    quiet["params"]["_meta"]
        .as_object_mut()
        .unwrap()
        .remove(level);
    loud["params"]["_meta"][level] = json!("error");
    conversation.check_client_message(&quiet).unwrap();
    assert_rejected(
        &mut conversation,
        message("error"),
        "/params/level",
        Rule::Order,
    );
    conversation.check_client_message(&loud).unwrap();
    assert_accepted(&mut conversation, message("alert"));
    assert_rejected(
        &mut conversation,
        message("info"),
        "/params/level",
        Rule::Order,
    );
    assert_accepted(&mut conversation, content("2", V2026_07_28));
    assert_rejected(
        &mut conversation,
        message("alert"),
        "/params/level",
        Rule::Order,
    );

    let mut session = initialized(json!({"logging": {}}));
    assert_accepted(&mut session, message("debug"));
    let set = request(
        V2025_11_25,
        "3",
        "logging/setLevel",
        json!({"level": "error"}),
    );
    session.check_client_message(&set).unwrap();
    assert_accepted(&mut session, response("3", V2025_11_25, json!({})));
    assert_accepted(&mut session, message("error"));
    assert_rejected(&mut session, message("info"), "/params/level", Rule::Order);
}

#[test]
fn server_uses_only_declared_capabilities() {
    let mut conversation = initialized(json!({"prompts": {"listChanged": false}}));
    conversation
        .check_client_message(&call(V2025_11_25, "1", json!({})))
        .unwrap();
    assert_rejected(
        &mut conversation,
        content("1", V2025_11_25),
        "/result",
        Rule::Capability,
    );
    let changed = notification("prompts/list_changed", json!({}));
    assert_rejected(&mut conversation, changed, "", Rule::Capability);
    let message = notification("message", json!({"level": "error", "data": 1}));
    assert_rejected(&mut conversation, message, "", Rule::Capability);

    let mut modern = Conversation::new(V2026_07_28);
    let discover = request(V2026_07_28, "1", "server/discover", json!({}));
    modern.check_client_message(&discover).unwrap();
    let discovery = json!({
        "supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 0, "cacheScope": "public"
    });
    assert_accepted(&mut modern, response("1", V2026_07_28, discovery));
    modern
        .check_client_message(&call(V2026_07_28, "2", json!({})))
        .unwrap();
    assert_rejected(
        &mut modern,
        content("2", V2026_07_28),
        "/result",
        Rule::Capability,
    );
}

#[test]
fn server_requests_need_a_client_capability() {
    let roots = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
    let url = json!({"mode": "url", "message": "", "url": "a:b", "elicitationId": "e"});
    let link = json!({"jsonrpc": "2.0", "id": 2, "method": "elicitation/create", "params": url});
    let mut conversation = Conversation::new(V2026_07_28);
    conversation
        .check_client_message(&initialize(V2025_11_25, json!({"elicitation": {}})))
        .unwrap();
    assert_accepted(
        &mut conversation,
        initialize_response(V2025_11_25, json!({})),
    );
    assert_rejected(&mut conversation.clone(), roots.clone(), "", Rule::Order);
    conversation.sent_by_client(&notification("initialized", json!({})));
    assert_rejected(&mut conversation, roots, "", Rule::Capability);
    assert_rejected(&mut conversation, link, "", Rule::Capability);

    let cases = [
        (json!({}), false),
        (json!({"elicitation": {}}), true),
        (json!({"elicitation": {"form": {}}}), true),
        (json!({"elicitation": {"url": {}}}), false),
    ];
    for (capabilities, fine) in cases {
        let mut modern = Conversation::new(V2026_07_28);
        let mut asked = call(V2026_07_28, "1", json!({}));
        asked["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        modern.check_client_message(&asked).unwrap();
        let form = json!({"message": "", "requestedSchema": {"type": "object", "properties": {}}});
        let questions = json!({"a": {"method": "elicitation/create", "params": form}});
        let result = json!({"resultType": "input_required", "inputRequests": questions});
        let message = response("1", V2026_07_28, result);
        match fine {
            true => assert_accepted(&mut modern, message),
            false => assert_rejected(
                &mut modern,
                message,
                "/result/inputRequests/a",
                Rule::Capability,
            ),
        }
    }
}

#[test]
fn task_needs_the_capability_in_2025_11_25() {
    let now = "2026-01-01T00:00:00Z";
    let task = json!({"task": {
        "taskId": "t", "status": "working", "createdAt": now, "lastUpdatedAt": now, "ttl": null
    }});
    let tasks = json!({"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}});
    for (capabilities, fine) in [(tasks, true), (json!({"tools": {}, "tasks": {}}), false)] {
        let mut conversation = initialized(capabilities);
        let mut asked = call(V2025_11_25, "1", json!({}));
        asked["params"]["task"] = json!({});
        conversation.check_client_message(&asked).unwrap();
        let message = response("1", V2025_11_25, task.clone());
        match fine {
            true => assert_accepted(&mut conversation, message),
            false => assert_rejected(&mut conversation, message, "/result/task", Rule::Capability),
        }
    }
}

#[test]
fn task_needs_the_extension_in_2026_07_28() {
    let mut conversation = Conversation::new(V2026_07_28);
    let mut asked = request(V2026_07_28, "1", "tasks/cancel", json!({"taskId": "t"}));
    asked["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    conversation.check_client_message(&asked).unwrap();
    assert_rejected(
        &mut conversation,
        response("1", V2026_07_28, json!({})),
        "/result",
        Rule::Capability,
    );
}

#[test]
fn structured_content_matches_the_listed_schema() {
    for revision in [V2025_06_18, V2025_11_25, V2026_07_28] {
        let tool = json!({
            "name": "add", "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object", "required": ["sum"]}
        });
        let mut conversation = prepared(revision);
        let list = request(revision, "1", "tools/list", json!({}));
        conversation.check_client_message(&list).unwrap();
        assert_accepted(&mut conversation, tools_list(tool, revision));
        let output = "/result/structuredContent";
        for (result, fine) in [
            (json!({"content": []}), false),
            (json!({"content": [], "structuredContent": {}}), false),
            (
                json!({"content": [], "structuredContent": {"sum": 3}}),
                true,
            ),
            (json!({"content": [], "isError": true}), true),
        ] {
            let message = response("call", revision, result);
            match fine {
                true => assert_accepted(&mut conversation.clone(), message),
                false => assert_rejected(&mut conversation.clone(), message, output, Rule::Value),
            }
        }
    }
}

#[test]
fn all_pages_of_a_list_share_a_cache_scope() {
    let mut conversation = Conversation::new(V2026_07_28);
    let page = |id, scope| {
        let page = json!({"tools": [], "ttlMs": 0, "cacheScope": scope, "nextCursor": "2"});
        response(id, V2026_07_28, page)
    };
    let list = request(V2026_07_28, "1", "tools/list", json!({}));
    conversation.check_client_message(&list).unwrap();
    assert_accepted(&mut conversation, page("1", "public"));
    let list = request(V2026_07_28, "2", "tools/list", json!({"cursor": "2"}));
    conversation.check_client_message(&list).unwrap();
    assert_accepted(&mut conversation.clone(), page("2", "public"));
    assert_rejected(
        &mut conversation,
        page("2", "private"),
        "/result/cacheScope",
        Rule::Value,
    );
}
