//! Every method in every revision over every transport: success, each of its errors,
//! and absence where the server lacks the definitions that it needs.

use serde_json::{Value, json};
use support::wire::Revision;

use crate::transports::{Transport, TransportClient};
use support::dispatcher_client::assert_contains;

/// A method of the protocol.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// Valid parameters.
    valid: fn() -> Value,
    /// Invalid parameters, and their error code.
    invalid: &'static [(&'static str, i64)],
    /// The definitions that the method needs, as description by `remove`.
    needs: Option<&'static str>,
}

const INVALID: i64 = -32602;
const ABSENT: i64 = -32601;
/// In 2026-07-28 the code is `INVALID` instead.
const NOT_FOUND: i64 = -32002;

pub(crate) const METHODS: [Method; 15] = [
    Method {
        name: "initialize",
        valid: || json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } }),
        invalid: &[("{}", INVALID)],
        needs: None,
    },
    Method {
        name: "server/discover",
        valid: || json!({}),
        invalid: &[],
        needs: None,
    },
    Method {
        name: "ping",
        valid: || json!({}),
        invalid: &[],
        needs: None,
    },
    Method {
        name: "tools/list",
        valid: || json!({}),
        invalid: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: Some("tools"),
    },
    Method {
        name: "tools/call",
        valid: || json!({ "name": "widget" }),
        invalid: &[
            ("{}", INVALID),
            (r#"{"name":"none"}"#, INVALID),
            (r#"{"name":"widget","arguments":[]}"#, 0),
        ],
        needs: Some("tools"),
    },
    Method {
        name: "prompts/list",
        valid: || json!({}),
        invalid: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: None,
    },
    Method {
        name: "prompts/get",
        valid: || json!({ "name": "picture" }),
        invalid: &[
            ("{}", INVALID),
            (r#"{"name":"none"}"#, INVALID),
            (r#"{"name":"way"}"#, INVALID),
            (
                r#"{"name":"failing","arguments":{"address":"::1"}}"#,
                -32603,
            ),
        ],
        needs: Some("prompts"),
    },
    Method {
        name: "resources/list",
        valid: || json!({}),
        invalid: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: None,
    },
    Method {
        name: "resources/templates/list",
        valid: || json!({}),
        invalid: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: None,
    },
    Method {
        name: "resources/read",
        valid: || json!({ "uri": "config://app" }),
        invalid: &[
            ("{}", INVALID),
            (r#"{"uri":7}"#, INVALID),
            (r#"{"uri":"no://x"}"#, NOT_FOUND),
            (r#"{"uri":"notes://9/body"}"#, NOT_FOUND),
            (r#"{"uri":"notes://broken"}"#, -32603),
        ],
        needs: Some("resources"),
    },
    Method {
        name: "resources/subscribe",
        valid: || json!({ "uri": "config://app" }),
        invalid: &[("{}", INVALID), (r#"{"uri":"no://x"}"#, NOT_FOUND)],
        needs: Some("resources"),
    },
    Method {
        name: "resources/unsubscribe",
        valid: || json!({ "uri": "config://app" }),
        invalid: &[("{}", INVALID)],
        needs: Some("resources"),
    },
    Method {
        name: "completion/complete",
        valid: || json!({ "ref": { "type": "ref/prompt", "name": "way" }, "argument": { "name": "tone", "value": "" } }),
        invalid: &[
            ("{}", INVALID),
            (
                r#"{"ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"tone","value":""}}"#,
                INVALID,
            ),
            (
                r#"{"ref":{"type":"ref/prompt","name":"way"},"argument":{"name":"none","value":""}}"#,
                INVALID,
            ),
            (
                r#"{"ref":{"type":"ref/prompt","name":"way"},"argument":{"name":"city","value":"panic"}}"#,
                -32603,
            ),
        ],
        needs: Some("completions"),
    },
    Method {
        name: "logging/setLevel",
        valid: || json!({ "level": "error" }),
        invalid: &[("{}", INVALID), (r#"{"level":"loud"}"#, INVALID)],
        needs: Some("logging"),
    },
    Method {
        name: "subscriptions/listen",
        valid: || json!({ "notifications": {} }),
        invalid: &[("{}", INVALID), (r#"{"notifications":[]}"#, INVALID)],
        needs: None,
    },
];

/// The error code of a response, or 0 for a result or an opened stream.
fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or(0)
}

/// Whether the method is known.
pub(crate) fn exists(method: &Method, client: &mut TransportClient) -> bool {
    code(&client.request(method.name, (method.valid)())) != ABSENT
}

fn check_errors(method: &Method, client: &mut TransportClient, description: &str) {
    for (params, expected) in method.invalid {
        let answer = client.request(method.name, serde_json::from_str(params).unwrap());
        let expected = match *expected {
            NOT_FOUND if !client.revision.is_legacy() => INVALID,
            expected => expected,
        };
        assert_eq!(
            code(&answer),
            expected,
            "{description} with {params}: {answer}"
        );
    }
}

fn check_absence(method: &Method, client: &mut TransportClient, description: &str) {
    let params = method
        .invalid
        .iter()
        .map(|(params, _)| serde_json::from_str(params).unwrap());
    for params in params.chain([json!({}), (method.valid)()]) {
        let answer = client.request(method.name, params);
        assert_eq!(code(&answer), ABSENT, "{description}: {answer}");
        if let Some(status) = client.status {
            let expected = if client.revision.is_legacy() {
                200
            } else {
                404
            };
            assert_eq!(status, expected, "{description}");
        }
    }
}

fn check(transport: Transport) {
    for revision in Revision::ALL {
        for method in &METHODS {
            let description = format!("{} in {revision} over {transport}", method.name);
            let mut client = TransportClient::connect(transport, revision);
            if !exists(method, &mut client) {
                check_absence(method, &mut client, &description);
                continue;
            }
            check_errors(method, &mut client, &description);
            if let Some(what) = method.needs {
                let removed = client.call("remove", json!({ "what": what })).reply;
                assert_contains(
                    &removed,
                    &json!({ "result": { "content": [{ "text": "No content." }] } }),
                );
                check_absence(method, &mut client, &description);
            }
        }
    }
}

/// Hosts request these lists although the capability is not declared.
#[test]
fn lists_of_absent_definitions_are_empty() {
    for (method, what, member) in [
        ("prompts/list", "prompts", "prompts"),
        ("resources/list", "resources", "resources"),
        ("resources/templates/list", "resources", "resourceTemplates"),
    ] {
        for revision in Revision::ALL {
            let mut client = TransportClient::connect(Transport::Responses, revision);
            client.call("remove", json!({ "what": what }));
            let answer = client.request(method, json!({}));
            assert_eq!(answer["result"][member], json!([]), "{revision}: {answer}");
        }
    }
}

#[test]
fn methods_succeed_fail_and_are_absent_with_responses_only() {
    check(Transport::Responses);
}

#[test]
fn methods_succeed_fail_and_are_absent_in_memory() {
    check(Transport::Memory);
}

#[test]
fn methods_succeed_fail_and_are_absent_over_stdio() {
    check(Transport::Stdio);
}

#[test]
fn methods_succeed_fail_and_are_absent_over_http() {
    check(Transport::Http);
}

/// The capabilities that the server declares.
fn capabilities(client: &mut TransportClient) -> Value {
    let (method, params) = match client.revision.is_legacy() {
        true => (
            "initialize",
            support::dispatcher_client::initialize(client.revision.as_str())["params"].clone(),
        ),
        false => ("server/discover", json!({})),
    };
    client.request(method, params)["result"]["capabilities"].clone()
}

#[test]
fn capabilities_match_the_available_methods() {
    for transport in Transport::ALL {
        let notifies = transport != Transport::Responses;
        for revision in Revision::ALL {
            let mut expected = json!({
                "extensions": { "io.modelcontextprotocol/ui": {} },
                "prompts": {}, "resources": {}, "tools": {},
            });
            if notifies {
                expected["logging"] = json!({});
                expected["resources"]["subscribe"] = true.into();
                for kind in ["prompts", "resources", "tools"] {
                    expected[kind]["listChanged"] = true.into();
                }
            }
            if revision >= support::wire::Revision::V2025_03_26 {
                expected["completions"] = json!({});
            }
            let mut client = TransportClient::connect(transport, revision);
            assert_eq!(
                capabilities(&mut client),
                expected,
                "{revision} over {transport}"
            );
        }
    }
}
