//! Messages that are valid, but not at every point of a conversation.

use serde_json::json;

use super::{
    invalid::expect,
    samples::{call, prepared, request},
    script::{
        assert_accepted, assert_rejected, content, failure, initialize, initialize_response,
        initialized, notification, progress, response,
    },
};
use crate::wire::{
    Conversation, Revision,
    Revision::{V2024_11_05, V2025_03_26, V2025_11_25, V2026_07_28},
    Rule,
};

#[test]
fn progress_increases_and_stops_at_the_result() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        assert_accepted(&mut conversation, progress(0.5));
        assert_rejected(
            &mut conversation,
            progress(0.5),
            "/params/progress",
            Rule::Order,
        );
        assert_accepted(&mut conversation, progress(1.0));
        assert_accepted(&mut conversation, content("call", revision));
        assert_rejected(
            &mut conversation,
            progress(2.0),
            "/params/progress",
            Rule::Order,
        );
    }
}

#[test]
fn progress_needs_the_token_of_a_request() {
    for revision in Revision::ALL {
        let unknown = notification("progress", json!({"progressToken": 1, "progress": 1}));
        assert_rejected(
            &mut prepared(revision),
            unknown,
            "/params/progress",
            Rule::Order,
        );
    }
}

#[test]
fn task_keeps_its_progress_token_in_2025_11_25() {
    let mut conversation = Conversation::new(V2025_11_25);
    let mut augmented = call(V2025_11_25, "1", json!({"progressToken": "p"}));
    augmented["params"]["task"] = json!({});
    conversation.check_client_message(&augmented).unwrap();
    let now = "2026-01-01T00:00:00Z";
    let task = json!({"task": {
        "taskId": "t", "status": "working", "createdAt": now, "lastUpdatedAt": now, "ttl": null
    }});
    assert_accepted(&mut conversation, response("1", V2025_11_25, task.clone()));
    assert_accepted(&mut conversation, progress(1.0));
    conversation
        .check_client_message(&call(V2025_11_25, "2", json!({})))
        .unwrap();
    assert_rejected(
        &mut conversation,
        response("2", V2025_11_25, task),
        "/result/task",
        Rule::Order,
    );
}

#[test]
fn request_has_one_response() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        assert_eq!(conversation.pending_requests(), ["call"]);
        assert_accepted(&mut conversation, content("call", revision));
        assert_rejected(
            &mut conversation,
            content("call", revision),
            "/id",
            Rule::Order,
        );
        assert!(conversation.pending_requests().is_empty());
    }
}

#[test]
fn duplicate_id_is_rejected_for_the_later_request() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        let again = request(revision, "call", "tools/list", json!({}));
        let outcome = conversation.check_client_message(&again);
        expect(outcome, "/id", Rule::Order, revision, &again);
        assert_accepted(&mut conversation, failure("call", -32600));
        assert_accepted(&mut conversation, content("call", revision));
    }
}

#[test]
fn cancelled_request_may_get_a_response_unless_forbidden() {
    for revision in Revision::ALL {
        let cancel = notification("cancelled", json!({"requestId": "call"}));
        let mut conversation = prepared(revision);
        conversation.check_client_message(&cancel).unwrap();
        assert!(conversation.pending_requests().is_empty());
        assert_accepted(&mut conversation.clone(), content("call", revision));
        conversation.forbid_response(&json!("call"));
        assert_rejected(
            &mut conversation.clone(),
            progress(1.0),
            "/params/progress",
            Rule::Order,
        );
        assert_rejected(
            &mut conversation,
            content("call", revision),
            "/id",
            Rule::Order,
        );
    }
}

#[test]
fn legacy_and_stateless_messages_share_one_connection() {
    let mut conversation = initialized(json!({"tools": {}}));
    conversation
        .check_client_message(&call(V2026_07_28, "new", json!({})))
        .unwrap();
    conversation
        .check_client_message(&call(V2025_11_25, "old", json!({})))
        .unwrap();
    let mut crossed = conversation.clone();
    assert_accepted(&mut conversation, content("new", V2026_07_28));
    assert_accepted(&mut conversation, content("old", V2025_11_25));
    let old = content("new", V2025_11_25);
    assert_rejected(&mut crossed, old, "/result/resultType", Rule::Required);
    let new = content("old", V2026_07_28);
    assert_rejected(&mut crossed, new, "/result/resultType", Rule::Forbidden);
}

#[test]
fn initialize_result_is_checked_against_its_own_revision() {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation
        .check_client_message(&initialize(V2025_11_25, json!({})))
        .unwrap();
    let mut modern = initialize_response(V2024_11_05, json!({}));
    modern["result"]["serverInfo"]["title"] = json!("Server");
    assert_rejected(
        &mut conversation,
        modern,
        "/result/serverInfo/title",
        Rule::Forbidden,
    );
    assert_eq!(conversation.revision(), V2024_11_05);
}

#[test]
fn only_initialize_and_ping_succeed_before_the_session() {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation.sent_by_client(&call(V2025_11_25, "1", json!({})));
    assert_rejected(
        &mut conversation.clone(),
        content("1", V2025_11_25),
        "",
        Rule::Order,
    );
    assert_accepted(&mut conversation, failure("1", -32602));
    conversation.sent_by_client(&json!({"jsonrpc": "2.0", "id": "2", "method": "ping"}));
    assert_accepted(&mut conversation, response("2", V2025_11_25, json!({})));
}

#[test]
fn only_2025_03_26_allows_batches() {
    let calls = json!([
        call(V2025_03_26, "1", json!({})),
        call(V2025_03_26, "2", json!({}))
    ]);
    let answers = json!([content("2", V2025_03_26), content("1", V2025_03_26)]);
    for revision in Revision::ALL {
        let mut conversation = Conversation::new(revision);
        conversation.sent_by_client(&calls);
        match revision {
            V2025_03_26 => assert_accepted(&mut conversation, answers.clone()),
            _ => assert_rejected(&mut conversation, answers.clone(), "", Rule::Envelope),
        }
    }
    let mut conversation = Conversation::new(V2025_03_26);
    conversation.check_client_message(&calls).unwrap();
    let mut alone = conversation.clone();
    assert_accepted(&mut alone, content("1", V2025_03_26));
    let mixed = json!([content("1", V2025_03_26), {"jsonrpc": "2.0", "id": 1, "method": "ping"}]);
    assert_rejected(&mut conversation.clone(), mixed, "", Rule::Envelope);
    assert_rejected(&mut conversation.clone(), json!([]), "", Rule::Envelope);
    let wrong = json!([content("1", V2025_03_26), {"jsonrpc": "2.0", "id": "2", "result": {}}]);
    assert_rejected(
        &mut conversation,
        wrong,
        "/1/result/content",
        Rule::Required,
    );
    conversation.sent_by_client(&json!([initialize(V2025_03_26, json!({}))]));
    assert_rejected(
        &mut conversation,
        initialize_response(V2025_03_26, json!({})),
        "",
        Rule::Envelope,
    );
}

#[test]
fn message_is_one_line_with_one_value() {
    let text = content("call", V2025_11_25).to_string();
    let mut conversation = prepared(V2025_11_25);
    for wrong in [
        format!("{text}\n"),
        text.replace(':', ":\n"),
        format!("{text}{text}"),
        String::new(),
    ] {
        let problems = conversation.sent_by_server_text(&wrong).unwrap_err();
        assert_eq!(problems[0].rule, Rule::Envelope);
    }
    assert_eq!(
        conversation.sent_by_server_text(&text).unwrap()["id"],
        "call"
    );
}

#[test]
fn invalid_client_messages_are_tolerated() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        for garbage in [
            json!(null),
            json!([[], 1, null]),
            json!({"id": "g"}),
            json!({"id": null, "method": "ping"}),
            json!({"id": [1], "method": 7, "params": 8}),
            json!({"method": "notifications/cancelled", "params": 8}),
            json!({"id": "x", "result": {}}),
        ] {
            assert!(
                conversation.check_client_message(&garbage).is_err(),
                "{garbage}"
            );
        }
        assert_accepted(&mut conversation, failure("g", -32600));
    }
}
