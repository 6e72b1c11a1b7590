//! Messages that are right by themselves, but not at every point.

use serde_json::{Value, json};

use super::{
    refused::{expect, tools_list},
    samples::{acknowledgement, call, listen, prepared, request, with_server_info},
};
use crate::{
    Conversation, Revision,
    Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28},
    Rule,
};

#[track_caller]
fn refused(conversation: &mut Conversation, message: Value, pointer: &str, rule: Rule) {
    let revision = conversation.revision();
    let outcome = conversation.sent_by_server(&message);
    expect(outcome, pointer, rule, revision, &message);
}

#[track_caller]
fn accepted(conversation: &mut Conversation, message: Value) {
    conversation.sent_by_server(&message).unwrap();
}

fn progress(value: f64) -> Value {
    notification("progress", json!({"progressToken": "p", "progress": value}))
}

fn notification(name: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": format!("notifications/{name}"), "params": params})
}

fn tagged(name: &str, id: impl Into<Value>) -> Value {
    let id: Value = id.into();
    notification(
        name,
        json!({"_meta": {"io.modelcontextprotocol/subscriptionId": id}}),
    )
}

fn answer(id: &str, revision: Revision, result: Value) -> Value {
    let mut result = with_server_info(result, revision);
    if !revision.is_legacy() && result.get("resultType").is_none() {
        result["resultType"] = json!("complete");
    }
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn failure(id: &str, code: i64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "failed"}})
}

fn content(id: &str, revision: Revision) -> Value {
    answer(id, revision, json!({"content": []}))
}

/// The answer to a request without a claim, in the newest revision that has
/// sessions.
fn initialized(capabilities: Value) -> Conversation {
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

fn initialize(revision: Revision, capabilities: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": "init", "method": "initialize",
        "params": {
            "protocolVersion": revision.as_str(), "capabilities": capabilities,
            "clientInfo": {"name": "client", "version": "1"}
        }
    })
}

fn welcome(revision: Revision, capabilities: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": "init",
        "result": {
            "protocolVersion": revision.as_str(), "capabilities": capabilities,
            "serverInfo": {"name": "server", "version": "1"}
        }
    })
}

#[test]
fn progress_increases_and_ends_with_the_result() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        accepted(&mut conversation, progress(0.5));
        refused(
            &mut conversation,
            progress(0.5),
            "/params/progress",
            Rule::Order,
        );
        accepted(&mut conversation, progress(1.0));
        accepted(&mut conversation, content("call", revision));
        refused(
            &mut conversation,
            progress(2.0),
            "/params/progress",
            Rule::Order,
        );
    }
}

#[test]
fn progress_needs_a_token_of_a_request() {
    for revision in Revision::ALL {
        let unknown = notification("progress", json!({"progressToken": 1, "progress": 1}));
        refused(
            &mut prepared(revision),
            unknown,
            "/params/progress",
            Rule::Order,
        );
    }
}

#[test]
fn a_task_keeps_its_progress_token_at_2025_11_25() {
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
    refused(
        &mut conversation,
        answer("2", V2025_11_25, task),
        "/result/task",
        Rule::Order,
    );
}

#[test]
fn a_request_is_answered_once() {
    for revision in Revision::ALL {
        let mut conversation = prepared(revision);
        assert_eq!(conversation.unanswered(), ["call"]);
        accepted(&mut conversation, content("call", revision));
        refused(
            &mut conversation,
            content("call", revision),
            "/id",
            Rule::Order,
        );
        assert!(conversation.unanswered().is_empty());
    }
}

#[test]
fn an_id_that_is_used_twice_is_refused_for_the_later_request() {
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
fn a_cancelled_request_may_be_answered_until_the_test_says_otherwise() {
    for revision in Revision::ALL {
        let cancel = notification("cancelled", json!({"requestId": "call"}));
        let mut conversation = prepared(revision);
        conversation.check_client(&cancel).unwrap();
        assert!(conversation.unanswered().is_empty());
        accepted(&mut conversation.clone(), content("call", revision));
        conversation.forbid_answer(&json!("call"));
        refused(
            &mut conversation.clone(),
            progress(1.0),
            "/params/progress",
            Rule::Order,
        );
        refused(
            &mut conversation,
            content("call", revision),
            "/id",
            Rule::Order,
        );
    }
}

#[test]
fn both_eras_share_one_pipe() {
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
    refused(&mut crossed, old, "/result/resultType", Rule::Required);
    let new = content("old", V2026_07_28);
    refused(&mut crossed, new, "/result/resultType", Rule::Forbidden);
}

#[test]
fn the_answer_to_initialize_is_judged_by_the_revision_that_it_names() {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation
        .check_client(&initialize(V2025_11_25, json!({})))
        .unwrap();
    let mut modern = welcome(V2024_11_05, json!({}));
    modern["result"]["serverInfo"]["title"] = json!("Server");
    refused(
        &mut conversation,
        modern,
        "/result/serverInfo/title",
        Rule::Forbidden,
    );
    assert_eq!(conversation.revision(), V2024_11_05);
}

#[test]
fn without_a_session_only_initialize_and_ping_have_results() {
    let mut conversation = Conversation::new(V2026_07_28);
    conversation.sent_by_client(&call(V2025_11_25, "1", json!({})));
    refused(
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
fn only_2025_03_26_has_batches() {
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
            _ => refused(&mut conversation, answers.clone(), "", Rule::Envelope),
        }
    }
    let mut conversation = Conversation::new(V2025_03_26);
    conversation.check_client(&calls).unwrap();
    let mut alone = conversation.clone();
    accepted(&mut alone, content("1", V2025_03_26));
    let mixed = json!([content("1", V2025_03_26), {"jsonrpc": "2.0", "id": 1, "method": "ping"}]);
    refused(&mut conversation.clone(), mixed, "", Rule::Envelope);
    refused(&mut conversation.clone(), json!([]), "", Rule::Envelope);
    let wrong = json!([content("1", V2025_03_26), {"jsonrpc": "2.0", "id": "2", "result": {}}]);
    refused(
        &mut conversation,
        wrong,
        "/1/result/content",
        Rule::Required,
    );
    conversation.sent_by_client(&json!([initialize(V2025_03_26, json!({}))]));
    refused(
        &mut conversation,
        welcome(V2025_03_26, json!({})),
        "",
        Rule::Envelope,
    );
}

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

#[test]
fn a_log_message_needs_someone_who_asked_for_its_level() {
    let message = |level: &str| notification("message", json!({"level": level, "data": 1}));
    let mut conversation = Conversation::new(V2026_07_28);
    let meta = json!({"io.modelcontextprotocol/logLevel": "error"});
    let quiet = json!({"jsonrpc": "2.0", "id": "1", "method": "tools/call", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    }, "name": "add"}});
    conversation.check_client(&quiet).unwrap();
    refused(
        &mut conversation,
        message("error"),
        "/params/level",
        Rule::Order,
    );
    let mut loud = quiet;
    loud["id"] = json!("2");
    loud["params"]["_meta"]["io.modelcontextprotocol/logLevel"] =
        meta["io.modelcontextprotocol/logLevel"].clone();
    conversation.check_client(&loud).unwrap();
    accepted(&mut conversation, message("alert"));
    refused(
        &mut conversation,
        message("info"),
        "/params/level",
        Rule::Order,
    );
    accepted(&mut conversation, content("2", V2026_07_28));
    refused(
        &mut conversation,
        message("alert"),
        "/params/level",
        Rule::Order,
    );

    let mut session = initialized(json!({"logging": {}}));
    accepted(&mut session, message("debug"));
    let set = request(
        V2025_11_25,
        "3",
        "logging/setLevel",
        json!({"level": "error"}),
    );
    session.check_client(&set).unwrap();
    accepted(&mut session, answer("3", V2025_11_25, json!({})));
    accepted(&mut session, message("error"));
    refused(&mut session, message("info"), "/params/level", Rule::Order);
}

#[test]
fn a_server_does_only_what_it_declared() {
    let mut conversation = initialized(json!({"prompts": {"listChanged": false}}));
    conversation
        .check_client(&call(V2025_11_25, "1", json!({})))
        .unwrap();
    refused(
        &mut conversation,
        content("1", V2025_11_25),
        "/result",
        Rule::Capability,
    );
    let changed = notification("prompts/list_changed", json!({}));
    refused(&mut conversation, changed, "", Rule::Capability);
    let message = notification("message", json!({"level": "error", "data": 1}));
    refused(&mut conversation, message, "", Rule::Capability);

    let mut modern = Conversation::new(V2026_07_28);
    let discover = request(V2026_07_28, "1", "server/discover", json!({}));
    modern.check_client(&discover).unwrap();
    let discovery = json!({
        "supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 0, "cacheScope": "public"
    });
    accepted(&mut modern, answer("1", V2026_07_28, discovery));
    modern
        .check_client(&call(V2026_07_28, "2", json!({})))
        .unwrap();
    refused(
        &mut modern,
        content("2", V2026_07_28),
        "/result",
        Rule::Capability,
    );
}

#[test]
fn a_server_asks_only_for_what_the_client_declared() {
    let roots = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
    let url = json!({"mode": "url", "message": "", "url": "a:b", "elicitationId": "e"});
    let link = json!({"jsonrpc": "2.0", "id": 2, "method": "elicitation/create", "params": url});
    let mut conversation = Conversation::new(V2026_07_28);
    conversation
        .check_client(&initialize(V2025_11_25, json!({"elicitation": {}})))
        .unwrap();
    accepted(&mut conversation, welcome(V2025_11_25, json!({})));
    refused(&mut conversation.clone(), roots.clone(), "", Rule::Order);
    conversation.sent_by_client(&notification("initialized", json!({})));
    refused(&mut conversation, roots, "", Rule::Capability);
    refused(&mut conversation, link, "", Rule::Capability);

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
        modern.check_client(&asked).unwrap();
        let form = json!({"message": "", "requestedSchema": {"type": "object", "properties": {}}});
        let questions = json!({"a": {"method": "elicitation/create", "params": form}});
        let result = json!({"resultType": "input_required", "inputRequests": questions});
        let message = answer("1", V2026_07_28, result);
        match fine {
            true => accepted(&mut modern, message),
            false => refused(
                &mut modern,
                message,
                "/result/inputRequests/a",
                Rule::Capability,
            ),
        }
    }
}

#[test]
fn a_task_needs_the_extension_at_2026_07_28() {
    let mut conversation = Conversation::new(V2026_07_28);
    let mut asked = request(V2026_07_28, "1", "tasks/cancel", json!({"taskId": "t"}));
    asked["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    conversation.check_client(&asked).unwrap();
    refused(
        &mut conversation,
        answer("1", V2026_07_28, json!({})),
        "/result",
        Rule::Capability,
    );
}

#[test]
fn output_fits_the_schema_that_the_tool_was_listed_with() {
    for revision in [V2025_06_18, V2025_11_25, V2026_07_28] {
        let tool = json!({
            "name": "add", "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object", "required": ["sum"]}
        });
        let mut conversation = prepared(revision);
        let list = request(revision, "1", "tools/list", json!({}));
        conversation.check_client(&list).unwrap();
        accepted(&mut conversation, tools_list(tool, revision));
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
            let message = answer("call", revision, result);
            match fine {
                true => accepted(&mut conversation.clone(), message),
                false => refused(&mut conversation.clone(), message, output, Rule::Value),
            }
        }
    }
}

#[test]
fn all_pages_of_a_list_have_one_cache_scope() {
    let mut conversation = Conversation::new(V2026_07_28);
    let page = |id, scope| {
        let page = json!({"tools": [], "ttlMs": 0, "cacheScope": scope, "nextCursor": "2"});
        answer(id, V2026_07_28, page)
    };
    let list = request(V2026_07_28, "1", "tools/list", json!({}));
    conversation.check_client(&list).unwrap();
    accepted(&mut conversation, page("1", "public"));
    let list = request(V2026_07_28, "2", "tools/list", json!({"cursor": "2"}));
    conversation.check_client(&list).unwrap();
    accepted(&mut conversation.clone(), page("2", "public"));
    refused(
        &mut conversation,
        page("2", "private"),
        "/result/cacheScope",
        Rule::Value,
    );
}

#[test]
fn a_text_is_one_line_with_one_value() {
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
fn garbage_of_the_client_does_no_harm() {
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
