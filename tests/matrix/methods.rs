//! Every method in every revision through every transport: answered, refused
//! with each of its errors, and absent where the server lacks what it needs.

use serde_json::{Value, json};

use crate::caller::ALL;
use crate::doors::{Door, Transport};
use crate::talk::assert_contains;

pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// Parameters that are good.
    good: fn() -> Value,
    /// Parameters that are not, and the code of the error.
    bad: &'static [(&'static str, i64)],
    /// What the method needs, as `take_away` names it.
    needs: Option<&'static str>,
}

const INVALID: i64 = -32602;
const ABSENT: i64 = -32601;
/// In 2026-07-28 what does not exist is invalid.
const NOT_FOUND: i64 = -32002;

pub(crate) const METHODS: [Method; 15] = [
    Method {
        name: "initialize",
        good: || json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } }),
        bad: &[("{}", INVALID)],
        needs: None,
    },
    Method {
        name: "server/discover",
        good: || json!({}),
        bad: &[],
        needs: None,
    },
    Method {
        name: "ping",
        good: || json!({}),
        bad: &[],
        needs: None,
    },
    Method {
        name: "tools/list",
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: Some("tools"),
    },
    Method {
        name: "tools/call",
        good: || json!({ "name": "widget" }),
        bad: &[
            ("{}", INVALID),
            (r#"{"name":"none"}"#, INVALID),
            (r#"{"name":"widget","arguments":[]}"#, 0),
        ],
        needs: Some("tools"),
    },
    Method {
        name: "prompts/list",
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: Some("prompts"),
    },
    Method {
        name: "prompts/get",
        good: || json!({ "name": "picture" }),
        bad: &[
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
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: Some("resources"),
    },
    Method {
        name: "resources/templates/list",
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        needs: Some("resources"),
    },
    Method {
        name: "resources/read",
        good: || json!({ "uri": "config://app" }),
        bad: &[
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
        good: || json!({ "uri": "config://app" }),
        bad: &[("{}", INVALID), (r#"{"uri":"no://x"}"#, NOT_FOUND)],
        needs: Some("resources"),
    },
    Method {
        name: "resources/unsubscribe",
        good: || json!({ "uri": "config://app" }),
        bad: &[("{}", INVALID)],
        needs: Some("resources"),
    },
    Method {
        name: "completion/complete",
        good: || json!({ "ref": { "type": "ref/prompt", "name": "way" }, "argument": { "name": "tone", "value": "" } }),
        bad: &[
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
        good: || json!({ "level": "error" }),
        bad: &[("{}", INVALID), (r#"{"level":"loud"}"#, INVALID)],
        needs: Some("logging"),
    },
    Method {
        name: "subscriptions/listen",
        good: || json!({ "notifications": {} }),
        bad: &[("{}", INVALID), (r#"{"notifications":[]}"#, INVALID)],
        needs: None,
    },
];

/// The code of the answer, 0 for a result or a stream that opened.
fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or(0)
}

pub(crate) fn exists(method: &Method, door: &mut Door) -> bool {
    code(&door.ask(method.name, (method.good)())) != ABSENT
}

fn check_errors(method: &Method, door: &mut Door, named: &str) {
    for (params, expected) in method.bad {
        let answer = door.ask(method.name, serde_json::from_str(params).unwrap());
        let expected = match *expected {
            NOT_FOUND if !door.revision.is_legacy() => INVALID,
            expected => expected,
        };
        assert_eq!(code(&answer), expected, "{named} with {params}: {answer}");
    }
}

fn check_absence(method: &Method, door: &mut Door, named: &str) {
    let params = method
        .bad
        .iter()
        .map(|(params, _)| serde_json::from_str(params).unwrap());
    for params in params.chain([json!({}), (method.good)()]) {
        let answer = door.ask(method.name, params);
        assert_eq!(code(&answer), ABSENT, "{named}: {answer}");
        if let Some(status) = door.status {
            let expected = if door.revision.is_legacy() { 200 } else { 404 };
            assert_eq!(status, expected, "{named}");
        }
    }
}

fn check(transport: Transport) {
    for revision in ALL {
        for method in &METHODS {
            let named = format!("{} in {revision} over {transport}", method.name);
            let mut door = Door::open(transport, revision);
            if !exists(method, &mut door) {
                check_absence(method, &mut door, &named);
                continue;
            }
            check_errors(method, &mut door, &named);
            if let Some(what) = method.needs {
                let taken = door.call("take_away", json!({ "what": what })).reply;
                assert_contains(&taken, &json!({ "result": { "content": [] } }));
                check_absence(method, &mut door, &named);
            }
        }
    }
}

#[test]
fn methods_answer_refuse_and_are_absent_where_only_replies_are_heard() {
    check(Transport::Replies);
}

#[test]
fn methods_answer_refuse_and_are_absent_in_memory() {
    check(Transport::Memory);
}

#[test]
fn methods_answer_refuse_and_are_absent_over_stdio() {
    check(Transport::Stdio);
}

#[test]
fn methods_answer_refuse_and_are_absent_over_http() {
    check(Transport::Http);
}

/// What the server says that it has.
fn capabilities(door: &mut Door) -> Value {
    let (method, params) = match door.revision.is_legacy() {
        true => (
            "initialize",
            crate::talk::initialize(door.revision.as_str())["params"].clone(),
        ),
        false => ("server/discover", json!({})),
    };
    door.ask(method, params)["result"]["capabilities"].clone()
}

#[test]
fn capabilities_are_what_methods_there_are() {
    for transport in Transport::ALL {
        let carries = transport != Transport::Replies;
        for revision in ALL {
            let mut expected = json!({
                "extensions": { "io.modelcontextprotocol/ui": {} },
                "prompts": {}, "resources": {}, "tools": {},
            });
            if carries {
                expected["logging"] = json!({});
                expected["resources"]["subscribe"] = true.into();
                for kind in ["prompts", "resources", "tools"] {
                    expected[kind]["listChanged"] = true.into();
                }
            }
            if revision >= wire::Revision::V2025_03_26 {
                expected["completions"] = json!({});
            }
            let mut door = Door::open(transport, revision);
            assert_eq!(
                capabilities(&mut door),
                expected,
                "{revision} over {transport}"
            );
        }
    }
}
