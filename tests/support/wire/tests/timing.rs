//! Messages that are right by themselves, but not at every point.

use serde_json::json;

use super::{
    invalid::expect,
    samples::{call, prepared, request},
    script::{
        accepted, answer, content, failure, initialize, initialized, notification, progress,
        rejected, welcome,
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
        accepted(&mut conversation, progress(0.5));
        rejected(
            &mut conversation,
            progress(0.5),
            "/params/progress",
            Rule::Order,
        );
        accepted(&mut conversation, progress(1.0));
        accepted(&mut conversation, content("call", revision));
        rejected(
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
        rejected(
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
    conversation.check_client(&augmented).unwrap();
    let now = "2026-01-01T00:00:00Z";
    let task = json!({"task": {
        "taskId": "t", "status": "working", "createdAt": now, "lastUpdatedAt": now, "ttl": null
    }});
    accepted(&mut conversation, answer("1", V2025_11_25, task.clone()));
    accepted(&mut conversation, progress(1.0));
    conversation
        .check_client(&call(V2025_11_25, "2", json!({})))
        .unwrap();
    rejected(
        &mut conversation,
        answer("2", V2025_11_25, task),
        "/result/task",
        Rule::Order,
    );
}

#[test]
fn request_has_one_response() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        assert_eq!(conversation.unanswered(), ["call"]);
        accepted(&mut conversation, content("call", revision));
        rejected(
            &mut conversation,
            content("call", revision),
            "/id",
            Rule::Order,
        );
        assert!(conversation.unanswered().is_empty());
    }
}

#[test]
fn duplicate_id_is_rejected_for_the_later_request() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        let again = request(revision, "call", "tools/list", json!({}));
        let outcome = conversation.check_client(&again);
        expect(outcome, "/id", Rule::Order, revision, &again);
        accepted(&mut conversation, failure("call", -32600));
        accepted(&mut conversation, content("call", revision));
    }
}

#[test]
fn cancelled_request_may_get_a_response_unless_forbidden() {
    for revision in Revision::ALL {
        let cancel = notification("cancelled", json!({"requestId": "call"}));
        let mut conversation = prepared(revision);
        conversation.check_client(&cancel).unwrap();
        assert!(conversation.unanswered().is_empty());
        accepted(&mut conversation.clone(), content("call", revision));
        conversation.forbid_answer(&json!("call"));
        rejected(
            &mut conversation.clone(),
            progress(1.0),
            "/params/progress",
            Rule::Order,
        );
        rejected(
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
        .check_client(&call(V2026_07_28, "new", json!({})))
        .unwrap();
    conversation
        .check_client(&call(V2025_11_25, "old", json!({})))
        .unwrap();
    let mut crossed = conversation.clone();
    accepted(&mut conversation, content("new", V2026_07_28));
    accepted(&mut conversation, content("old", V2025_11_25));
    let old = content("new", V2025_11_25);
    rejected(&mut crossed, old, "/result/resultType", Rule::Required);
    let new = content("old", V2026_07_28);
    rejected(&mut crossed, new, "/result/resultType", Rule::Forbidden);
}

#[test]
fn initialize_result_is_checked_against_its_own_revision() {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation
        .check_client(&initialize(V2025_11_25, json!({})))
        .unwrap();
    let mut modern = welcome(V2024_11_05, json!({}));
    modern["result"]["serverInfo"]["title"] = json!("Server");
    rejected(
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
    rejected(
        &mut conversation.clone(),
        content("1", V2025_11_25),
        "",
        Rule::Order,
    );
    accepted(&mut conversation, failure("1", -32602));
    conversation.sent_by_client(&json!({"jsonrpc": "2.0", "id": "2", "method": "ping"}));
    accepted(&mut conversation, answer("2", V2025_11_25, json!({})));
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
            V2025_03_26 => accepted(&mut conversation, answers.clone()),
            _ => rejected(&mut conversation, answers.clone(), "", Rule::Envelope),
        }
    }
    let mut conversation = Conversation::new(V2025_03_26);
    conversation.check_client(&calls).unwrap();
    let mut alone = conversation.clone();
    accepted(&mut alone, content("1", V2025_03_26));
    let mixed = json!([content("1", V2025_03_26), {"jsonrpc": "2.0", "id": 1, "method": "ping"}]);
    rejected(&mut conversation.clone(), mixed, "", Rule::Envelope);
    rejected(&mut conversation.clone(), json!([]), "", Rule::Envelope);
    let wrong = json!([content("1", V2025_03_26), {"jsonrpc": "2.0", "id": "2", "result": {}}]);
    rejected(
        &mut conversation,
        wrong,
        "/1/result/content",
        Rule::Required,
    );
    conversation.sent_by_client(&json!([initialize(V2025_03_26, json!({}))]));
    rejected(
        &mut conversation,
        welcome(V2025_03_26, json!({})),
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
            assert!(conversation.check_client(&garbage).is_err(), "{garbage}");
        }
        accepted(&mut conversation, failure("g", -32600));
    }
}
