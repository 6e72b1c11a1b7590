use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use support::wire::Revision;

use support::dispatcher_client::assert_contains;

use crate::client;

type Alias = Option<u8>;

/// The largest page.
const MAX_PAGE: u32 = 100;

/// Has arguments with rules.
#[tool(inline)]
#[expect(clippy::too_many_arguments, reason = "one for each rule")]
fn limited(
    /// A page.
    #[arg(default = 10, range(1..=MAX_PAGE))]
    page: u32,
    #[arg(range(..200))] alias: Alias,
    #[arg(range(0.0..1.0))] share: Option<f64>,
    #[arg(range(-0.5..=0.1))] small: Option<f32>,
    #[arg(length(2..=5), pattern("^[a-zä]+$"))] word: Option<String>,
    #[arg(one_of("red", "green"), default = "red")] colour: String,
    #[arg(one_of(1, 2, 4))] power: Option<i32>,
    #[arg(items(1..=2), example = [1, 2])] list: Option<Vec<i64>>,
    #[arg(items(..=1))] map: Option<std::collections::BTreeMap<String, bool>>,
) -> String {
    format!("{page} {alias:?} {share:?} {small:?} {word:?} {colour} {power:?} {list:?} {map:?}")
}

/// Has arguments that are clamped.
#[tool(inline)]
fn clamped(
    /// How many.
    #[arg(default = 10, clamp(1..=100))]
    limit: u32,
    #[arg(clamp(..=0.5))] share: Option<f64>,
) -> String {
    format!("{limit} {share:?}")
}

fn schema(name: &str) -> Value {
    let mut client = client(Revision::V2026_07_28);
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    let found = tools.into_iter().find(|tool| tool["name"] == name);
    found.unwrap()["inputSchema"].clone()
}

#[test]
fn argument_rules_are_in_the_schema() {
    let schema = schema("limited");
    let check = |name: &str, expected: Value| {
        assert_eq!(schema["properties"][name], expected, "{name}");
    };
    check(
        "page",
        json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "A page." }),
    );
    check(
        "alias",
        json!({ "type": "integer", "minimum": 0, "maximum": 199 }),
    );
    check(
        "share",
        json!({ "type": "number", "minimum": 0.0, "exclusiveMaximum": 1.0 }),
    );
    check(
        "small",
        json!({ "type": "number", "minimum": -0.5, "maximum": 0.1 }),
    );
    check(
        "word",
        json!({ "type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-zä]+$" }),
    );
    check(
        "colour",
        json!({ "type": "string", "enum": ["red", "green"], "default": "red" }),
    );
    assert_eq!(schema["properties"]["power"]["enum"], json!([1, 2, 4]));
    assert_contains(
        &schema["properties"]["list"],
        &json!({ "minItems": 1, "maxItems": 2, "examples": [[1, 2]] }),
    );
    assert_eq!(schema["properties"]["map"]["maxProperties"], 1);
}

#[test]
fn argument_rules_are_enforced() {
    let check = |arguments: Value, rejected: bool| {
        for revision in Revision::ALL {
            let answer = client(revision).call("limited", arguments.clone());
            let is_error = answer["result"]["isError"] == true;
            assert_eq!(is_error, rejected, "{arguments}: {answer}");
        }
    };
    for (arguments, rejected) in [
        (json!({}), false),
        (json!({ "page": 1 }), false),
        (json!({ "page": 100 }), false),
        (json!({ "page": 0 }), true),
        (json!({ "page": 101 }), true),
        (json!({ "page": "101" }), true),
        (json!({ "page": "100" }), false),
        (json!({ "alias": 199 }), false),
        (json!({ "alias": 200 }), true),
        (json!({ "alias": null }), false),
        (json!({ "share": 0 }), false),
        (json!({ "share": 1 }), true),
        (json!({ "share": 0.999 }), false),
        (json!({ "small": 0.1 }), false),
        (json!({ "small": 0.100_000_001 }), true),
        (json!({ "word": "ä" }), true),
        (json!({ "word": "ää" }), false),
        (json!({ "word": "äääääa" }), true),
        (json!({ "word": "a1" }), true),
        (json!({ "colour": "blue" }), true),
        (json!({ "colour": "green" }), false),
        (json!({ "power": 3 }), true),
        (json!({ "power": 4 }), false),
        (json!({ "list": [] }), true),
        (json!({ "list": [1, 2, 3] }), true),
        (json!({ "list": [1] }), false),
        (json!({ "map": { "a": true, "b": true } }), true),
        (json!({ "map": {} }), false),
    ] {
        check(arguments, rejected);
    }
}

#[test]
fn rejected_value_is_explained() {
    let mut client = client(Revision::V2025_11_25);
    let text = client.call_text("limited", json!({ "page": 500, "colour": "gren" }));
    for part in [
        "/page",
        "1",
        "100",
        "500",
        "/colour",
        "did you mean \"green\"?",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn clamped_values_are_reported_in_the_result() {
    for revision in Revision::ALL {
        let mut client = client(revision);
        let answer = client.call("clamped", json!({ "limit": 500, "share": 0.75 }));
        assert_contains(
            &answer["result"],
            &json!({
                "content": [{ "type": "text", "text": "100 Some(0.5)" }],
                "_meta": { "mcp-runtime/adjusted": [
                    { "argument": "limit", "from": 500, "to": 100 },
                    { "argument": "share", "from": 0.75, "to": 0.5 },
                ] },
            }),
        );
        let answer = client.call("clamped", json!({ "limit": 0 }));
        assert_eq!(answer["result"]["content"][0]["text"], "1 None");
        // The type of the parameter cannot hold these values.
        for (sent, from, limit) in [
            (json!(-5), json!(-5), 1),
            (json!("-5"), json!(-5), 1),
            (json!(1e12), json!(1_000_000_000_000_u64), 100),
            (json!(u64::MAX), json!(u64::MAX), 100),
        ] {
            let answer = client.call("clamped", json!({ "limit": sent }));
            assert_contains(
                &answer["result"],
                &json!({
                    "content": [{ "type": "text", "text": format!("{limit} None") }],
                    "_meta": { "mcp-runtime/adjusted": [
                        { "argument": "limit", "from": from, "to": limit },
                    ] },
                }),
            );
        }
        let answer = client.call("clamped", json!({ "limit": 0.5 }));
        assert_eq!(answer["result"]["isError"], true);
        let answer = client.call("clamped", json!({ "limit": "x" }));
        assert_eq!(answer["result"]["isError"], true);
        let answer = client.call("clamped", json!({}));
        assert_eq!(
            answer["result"]["_meta"]["mcp-runtime/adjusted"],
            Value::Null
        );
    }
    let limit = &schema("clamped")["properties"]["limit"];
    assert_eq!(
        limit["description"],
        "How many. A value below 1 or above 100 is set to that limit."
    );
    assert_eq!(limit["maximum"], u32::MAX);
}
