//! What is easily missed in the specification, a test each that no other test is about.
//!
//! Those that others are about, by what is to be held and the test that holds it:
//!
//! - a claim that is incomplete is invalid, and nobody need say who it is:
//!   `http::status::an_incomplete_claim_is_400`, `a_client_need_not_say_who_it_is`
//! - a mismatch comes before an unsupported version, which is named with those that are served:
//!   `http::eras::a_mismatch_comes_before_an_unsupported_version`,
//!   `dispatch::lifecycle::an_unserved_version_is_named_with_those_that_are_served`
//! - methods of the other era are unknown: `http::status::an_unknown_method_is_404_since_2026`,
//!   `http::eras::a_claim_is_no_handshake`
//! - a method without its capability does not exist: `matrix::methods`
//! - a handshake about an unknown version succeeds:
//!   `dispatch::lifecycle::a_known_legacy_version_is_echoed_and_any_other_gets_the_newest_legacy_one`
//! - a lost connection cancels in one era only:
//!   `http::streams::a_lost_connection_cancels_since_2026`, `a_lost_connection_does_not_cancel_before_2026`
//! - a missing resource has the code of its revision:
//!   `features::resources::what_does_not_exist_is_told_in_the_code_of_the_revision`
//! - lists that differ between callers are private: `guarded::authorize::lists_that_differ_are_private`
//! - wrong arguments are a result and an unknown tool is an error:
//!   `dispatch::arguments::every_mistake_is_told_at_once`,
//!   `dispatch::calls::an_unknown_tool_is_a_protocol_error_with_the_nearest_names`
//! - a listen stream is acknowledged first, honours what there is, and says whose it is:
//!   `features::listening`
//! - questions are asked by three methods, with a state that is sealed:
//!   `asking::era::prompts_and_resources_ask_as_tools_do`, `asking::answers`, `seal` in the runtime
//! - headers repeat the body: `http::mirror`; what a schema may ask to be repeated:
//!   `schema::header` in the runtime
//! - schemas and results are such as old clients take: `dispatch::listing`, `dispatch::calls`
//! - batches: `dispatch::corners::batches_are_for_2025_03_26_alone`,
//!   `http::eras::a_batch_of_notifications_is_202`
//! - a version that is not in a header is that of the session:
//!   `http::eras::what_a_session_agreed_on_counts`
//! - sessions and their streams: `http::sessions`, `http::resuming`
//! - a stream is primed where its revision knows that:
//!   `http::streams::a_question_makes_the_response_a_stream`
//! - strangers at the door: `http::doors`, `guarded::http`, `auth::jwt` in the runtime
//! - tasks: `tasks`

use serde_json::{Value, json};
use wire::Revision;

use crate::caller::ALL;
use crate::doors::{Door, Transport};
use crate::talk::assert_contains;

const MODERN: Revision = Revision::V2026_07_28;
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The transports that carry what is no reply.
const CARRYING: [Transport; 3] = [Transport::Memory, Transport::Stdio, Transport::Http];

/// Requests that succeed in every revision.
fn requests() -> Vec<(&'static str, Value)> {
    vec![
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": "widget", "arguments": {} })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "picture" })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "config://app" })),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/prompt", "name": "way" },
                "argument": { "name": "tone", "value": "" },
            }),
        ),
    ]
}

#[test]
fn every_result_has_a_type_since_2026_and_none_before() {
    for transport in Transport::ALL {
        for revision in ALL {
            let mut door = Door::open(transport, revision);
            let mut requests = requests();
            match revision.is_legacy() {
                true => requests.push(("ping", json!({}))),
                false => requests.push(("server/discover", json!({}))),
            }
            for (method, params) in requests {
                let result = door.ask(method, params)["result"].clone();
                assert!(result.is_object(), "{method} in {revision}");
                let expected = match revision.is_legacy() {
                    true => Value::Null,
                    false => "complete".into(),
                };
                assert_eq!(result["resultType"], expected, "{method} in {revision}");
            }
        }
    }
}

#[test]
fn results_that_can_be_kept_say_how_long_and_by_whom() {
    let kept = [
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    ];
    for transport in Transport::ALL {
        for revision in ALL {
            let mut door = Door::open(transport, revision);
            let mut requests = requests();
            if !revision.is_legacy() {
                requests.push(("server/discover", json!({})));
            }
            for (method, params) in requests {
                let result = &door.ask(method, params)["result"];
                let told = result["ttlMs"].is_u64() && result["cacheScope"].is_string();
                let expected = !revision.is_legacy() && kept.contains(&method);
                assert_eq!(told, expected, "{method} in {revision}: {result}");
            }
        }
    }
}

/// A call of a client that declares these capabilities in its request.
fn call_with(door: &mut Door, tool: &str, capabilities: Value) -> Value {
    let meta = json!({ CAPABILITIES: capabilities, "progressToken": "t" });
    let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
    door.exchange("tools/call", params).reply
}

/// Its status says what is missing, so the refusal is an ordinary response; only
/// where the body has told of its progress before has a stream begun already.
#[test]
fn a_missing_capability_is_told_before_a_stream_begins() {
    for transport in Transport::ALL {
        let mut door = Door::open(transport, MODERN);
        let params = json!({ "name": "ask", "arguments": {} });
        let refused = door.exchange("tools/call", params);
        let data = json!({ "requiredCapabilities": { "elicitation": {} } });
        let expected = json!({ "error": { "code": -32021, "data": data } });
        assert_contains(&refused.reply, &expected);
        if let Some(status) = door.status {
            assert_eq!(status, 400);
        }
    }
}

#[test]
fn capabilities_count_for_the_request_that_declares_them_alone() {
    for transport in Transport::ALL {
        let mut door = Door::open(transport, MODERN);
        let asked = call_with(&mut door, "ask", json!({ "elicitation": {} }));
        assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
        let refused = call_with(&mut door, "ask", json!({}));
        assert_eq!(refused["error"]["code"], -32021, "{refused}");
    }
}

#[test]
fn elicitation_without_more_is_of_forms_only() {
    for transport in Transport::ALL {
        let mut door = Door::open(transport, MODERN);
        for too_little in [
            json!({ "elicitation": {} }),
            json!({ "elicitation": { "form": {} } }),
        ] {
            let refused = call_with(&mut door, "ask_on_a_page", too_little);
            assert_contains(
                &refused,
                &json!({ "error": {
                    "code": -32021,
                    "data": { "requiredCapabilities": { "elicitation": { "url": {} } } },
                } }),
            );
        }
        let asked = call_with(
            &mut door,
            "ask_on_a_page",
            json!({ "elicitation": { "url": {} } }),
        );
        assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    }
}

#[test]
fn a_question_inside_of_a_result_is_no_request() {
    let mut door = Door::open(Transport::Memory, MODERN);
    let asked = call_with(&mut door, "ask", json!({ "elicitation": {} }));
    let result = &asked["result"];
    assert!(result["requestState"].is_string());
    let questions = result["inputRequests"].as_object().unwrap();
    assert_eq!(questions.len(), 1);
    for question in questions.values() {
        assert_eq!(question["method"], "elicitation/create");
        assert!(question.get("jsonrpc").is_none() && question.get("id").is_none());
    }
}

/// No error code of an older revision is used in the newest, nor the other way round.
#[test]
fn error_codes_are_those_of_the_revision() {
    for transport in Transport::ALL {
        for revision in ALL {
            let mut door = Door::open(transport, revision);
            let of_legacy = [-32002, -32042];
            let of_modern = [-32020, -32021, -32022];
            for (method, params) in [
                ("resources/read", json!({ "uri": "no://where" })),
                ("resources/read", json!({ "uri": "notes://9/body" })),
                ("resources/subscribe", json!({ "uri": "no://where" })),
                (
                    "tools/call",
                    json!({ "name": "ask_on_a_page", "arguments": {} }),
                ),
                ("tools/call", json!({ "name": "none", "arguments": {} })),
            ] {
                let answer = door.ask(method, params);
                let code = answer["error"]["code"].as_i64().unwrap_or_default();
                match revision.is_legacy() {
                    true => assert!(!of_modern.contains(&code), "{answer}"),
                    false => assert!(!of_legacy.contains(&code), "{answer}"),
                }
            }
        }
    }
}

#[test]
fn what_belongs_to_a_request_does_not_travel_on_a_listen_stream() {
    for transport in CARRYING {
        let mut door = Door::open(transport, MODERN);
        assert!(door.listens());
        let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
        for tool in ["steps", "logs"] {
            let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
            let told = door.exchange("tools/call", params).before;
            assert!(!told.is_empty(), "{tool} over {transport}");
            for message in told {
                let tag = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
                assert!(tag.is_null(), "{message}");
            }
        }
        // The next thing on the stream is what it was opened for.
        let news = door.news_of("toggle", json!({ "name": "slow", "on": false }));
        assert_eq!(news.len(), 1, "{news:?}");
        assert_eq!(news[0]["method"], "notifications/tools/list_changed");
    }
}
