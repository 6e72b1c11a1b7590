//! Requirements of the specification that are easily missed and not tested elsewhere.
//!
//! Requirements that other tests cover, with those tests:
//!
//! - incomplete request metadata is invalid, and client info is optional:
//!   `transports::http::status::incomplete_request_meta_is_400`, `client_info_is_optional`
//! - a version mismatch is checked before support, and the error lists supported versions:
//!   `transports::http::version_negotiation::version_mismatch_is_checked_before_support`,
//!   `dispatch::lifecycle::unsupported_version_error_lists_the_supported_ones`
//! - legacy and stateless methods are unknown to each other: `transports::http::status::unknown_method_is_404_since_2026_07_28`,
//!   `transports::http::version_negotiation::initialize_with_request_meta_is_unknown`
//! - a method without its capability is unknown: `matrix::methods`
//! - `initialize` with an unknown version succeeds:
//!   `dispatch::lifecycle::initialize_echoes_a_known_version_and_otherwise_offers_the_newest_legacy_one`
//! - a lost connection cancels stateless calls only:
//!   `transports::http::streams::lost_connection_cancels_stateless_calls`, `lost_connection_does_not_cancel_legacy_calls`
//! - a missing resource has the error code of its revision:
//!   `features::resources::missing_resource_has_the_error_code_of_the_revision`
//! - lists that differ between callers are private: `access::authorization::lists_that_differ_between_callers_are_private`
//! - invalid arguments are a tool error and an unknown tool is a protocol error:
//!   `dispatch::arguments::all_argument_errors_are_reported_together`,
//!   `dispatch::calls::unknown_tool_is_invalid_params_with_the_nearest_names`
//! - a listen stream is acknowledged first, with the accepted filter and its id:
//!   `features::subscriptions`
//! - three methods can request input, with a sealed state:
//!   `input_requests::revisions::prompts_and_resources_can_request_input`, `input_requests::input_responses`, `seal` in the runtime
//! - headers must match the body: `transports::http::header_validation`; header arguments:
//!   `schema::header` in the runtime
//! - schemas and results work with old clients: `dispatch::tools_list`, `dispatch::calls`
//! - batches: `dispatch::jsonrpc::only_2025_03_26_accepts_batches`,
//!   `transports::http::version_negotiation::batch_of_notifications_is_202`
//! - without a version header, the version of the session is used:
//!   `transports::http::version_negotiation::negotiated_version_of_the_session_is_used`
//! - sessions and their streams: `transports::http::sessions`, `transports::http::resumption`
//! - a stream starts with a priming event where its revision has it:
//!   `transports::http::streams::server_request_turns_the_response_into_a_stream`
//! - untrusted callers: `transports::http::host_origin_checks`, `access::http_auth`, `auth::jwt` in the runtime
//! - tasks: `tasks`

use serde_json::{Value, json};
use support::wire::Revision;

use crate::transports::{Transport, TransportClient};
use support::dispatcher_client::assert_contains;

const MODERN: Revision = Revision::V2026_07_28;
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The transports that send notifications.
const WITH_NOTIFICATIONS: [Transport; 3] = [Transport::Memory, Transport::Stdio, Transport::Http];

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
fn results_have_a_result_type_since_2026_07_28() {
    for transport in Transport::ALL {
        for revision in Revision::ALL {
            let mut client = TransportClient::connect(transport, revision);
            let mut requests = requests();
            match revision.is_legacy() {
                true => requests.push(("ping", json!({}))),
                false => requests.push(("server/discover", json!({}))),
            }
            for (method, params) in requests {
                let result = client.request(method, params)["result"].clone();
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
fn cacheable_results_have_cache_hints() {
    let cacheable = [
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    ];
    for transport in Transport::ALL {
        for revision in Revision::ALL {
            let mut client = TransportClient::connect(transport, revision);
            let mut requests = requests();
            if !revision.is_legacy() {
                requests.push(("server/discover", json!({})));
            }
            for (method, params) in requests {
                let result = &client.request(method, params)["result"];
                let has_hints = result["ttlMs"].is_u64() && result["cacheScope"].is_string();
                let expected = !revision.is_legacy() && cacheable.contains(&method);
                assert_eq!(has_hints, expected, "{method} in {revision}: {result}");
            }
        }
    }
}

/// Calls a tool with these client capabilities.
fn call_with(client: &mut TransportClient, tool: &str, capabilities: Value) -> Value {
    let meta = json!({ CAPABILITIES: capabilities, "progressToken": "t" });
    let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
    client.exchange("tools/call", params).reply
}

/// The HTTP status reports the error, so the response is not a stream, unless the
/// handler has reported progress before.
#[test]
fn missing_capability_is_reported_before_streaming() {
    for transport in Transport::ALL {
        let mut client = TransportClient::connect(transport, MODERN);
        let params = json!({ "name": "ask", "arguments": {} });
        let rejected = client.exchange("tools/call", params);
        let data = json!({ "requiredCapabilities": { "elicitation": {} } });
        let expected = json!({ "error": { "code": -32021, "data": data } });
        assert_contains(&rejected.reply, &expected);
        if let Some(status) = client.status {
            assert_eq!(status, 400);
        }
    }
}

#[test]
fn capabilities_apply_to_their_own_request_only() {
    for transport in Transport::ALL {
        let mut client = TransportClient::connect(transport, MODERN);
        let response = call_with(&mut client, "ask", json!({ "elicitation": {} }));
        assert_eq!(
            response["result"]["resultType"], "input_required",
            "{response}"
        );
        let rejected = call_with(&mut client, "ask", json!({}));
        assert_eq!(rejected["error"]["code"], -32021, "{rejected}");
    }
}

#[test]
fn plain_elicitation_capability_means_forms_only() {
    for transport in Transport::ALL {
        let mut client = TransportClient::connect(transport, MODERN);
        for capabilities in [
            json!({ "elicitation": {} }),
            json!({ "elicitation": { "form": {} } }),
        ] {
            let rejected = call_with(&mut client, "ask_on_a_page", capabilities);
            assert_contains(
                &rejected,
                &json!({ "error": {
                    "code": -32021,
                    "data": { "requiredCapabilities": { "elicitation": { "url": {} } } },
                } }),
            );
        }
        let response = call_with(
            &mut client,
            "ask_on_a_page",
            json!({ "elicitation": { "url": {} } }),
        );
        assert_eq!(
            response["result"]["resultType"], "input_required",
            "{response}"
        );
    }
}

#[test]
fn embedded_input_request_is_not_a_jsonrpc_request() {
    let mut client = TransportClient::connect(Transport::Memory, MODERN);
    let response = call_with(&mut client, "ask", json!({ "elicitation": {} }));
    let result = &response["result"];
    assert!(result["requestState"].is_string());
    let requests = result["inputRequests"].as_object().unwrap();
    assert_eq!(requests.len(), 1);
    for request in requests.values() {
        assert_eq!(request["method"], "elicitation/create");
        assert!(request.get("jsonrpc").is_none() && request.get("id").is_none());
    }
}

/// Legacy error codes are not used in 2026-07-28, and the other way round.
#[test]
fn error_codes_match_the_revision() {
    for transport in Transport::ALL {
        for revision in Revision::ALL {
            let mut client = TransportClient::connect(transport, revision);
            let legacy_codes = [-32002, -32042];
            let modern_codes = [-32020, -32021, -32022];
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
                let answer = client.request(method, params);
                let code = answer["error"]["code"].as_i64().unwrap_or_default();
                match revision.is_legacy() {
                    true => assert!(!modern_codes.contains(&code), "{answer}"),
                    false => assert!(!legacy_codes.contains(&code), "{answer}"),
                }
            }
        }
    }
}

#[test]
fn request_notifications_do_not_use_listen_streams() {
    for transport in WITH_NOTIFICATIONS {
        let mut client = TransportClient::connect(transport, MODERN);
        assert!(client.open_listen_stream());
        let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
        for tool in ["steps", "logs"] {
            let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
            let messages = client.exchange("tools/call", params).before;
            assert!(!messages.is_empty(), "{tool} over {transport}");
            for message in messages {
                let subscription =
                    &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
                assert!(subscription.is_null(), "{message}");
            }
        }
        // The next message of the stream is a list change.
        let notifications =
            client.notifications_of("toggle", json!({ "name": "slow", "on": false }));
        assert_eq!(notifications.len(), 1, "{notifications:?}");
        assert_eq!(
            notifications[0]["method"],
            "notifications/tools/list_changed"
        );
    }
}
