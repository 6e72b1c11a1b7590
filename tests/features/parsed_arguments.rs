//! Arguments of types that are parsed with `FromStr`, without serde.

use std::fmt;
use std::str::FromStr;
use support::wire::Revision;

use mcp_runtime::prelude::*;
use serde_json::{Value, json};

use support::dispatcher_client::{DispatcherClient, assert_contains};

/// A type that implements `FromStr` and not serde's traits.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Level(u8);

#[derive(Debug)]
pub(crate) struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a level is an `L` and a digit")
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        let digit = text.strip_prefix('L').and_then(|digit| digit.parse().ok());
        digit.map(Self).ok_or(ParseLevelError)
    }
}

type OptionalLevel = Option<Level>;

fn levels(_: &str) -> [&'static str; 2] {
    ["L1", "L2"]
}

/// Compares levels.
#[prompt(group = "parsed")]
fn compare(
    #[arg(complete = levels)] first: Level,
    second: OptionalLevel,
    #[arg(default = Level(7))] third: Level,
) -> String {
    let second = second.map_or(0, |level| level.0);
    format!("{}, {second}, {}", first.0, third.0)
}

/// The plan of a level.
#[resource("plan://{level}/plan{?other}", group = "parsed")]
fn plan(level: Level, other: Option<Level>) -> String {
    format!("{}, {}", level.0, other.map_or(0, |level| level.0))
}

fn server() -> Server {
    Server::new("tests", "1.2.3").groups(["parsed"])
}

fn check(method: &str, params: Value, expected: Value) {
    for revision in Revision::ALL {
        let answer = DispatcherClient::connect(server(), revision).request(method, params.clone());
        assert_contains(&answer, &expected);
    }
}

fn check_prompt(arguments: Value, expected: Value) {
    let params = json!({ "name": "compare", "arguments": arguments });
    check("prompts/get", params, expected);
}

fn prompt_text(text: &str) -> Value {
    json!({ "result": { "messages": [{ "content": { "text": text } }] } })
}

#[test]
fn prompt_argument_is_parsed_with_from_str() {
    check_prompt(json!({ "first": "L3" }), prompt_text("3, 0, 7"));
    check_prompt(
        json!({ "first": "L3", "second": "L4", "third": "L5" }),
        prompt_text("3, 4, 5"),
    );
    // Escapes in the JSON text are decoded.
    check_prompt(json!({ "first": "\u{4c}1" }), prompt_text("1, 0, 7"));
}

#[test]
fn parse_error_text_is_shown() {
    for arguments in [
        json!({ "first": "3" }),
        json!({ "first": "L3", "second": "" }),
        json!({ "first": "L3", "third": "x" }),
    ] {
        let params = json!({ "name": "compare", "arguments": arguments });
        for revision in Revision::ALL {
            let answer = DispatcherClient::connect(server(), revision)
                .request("prompts/get", params.clone());
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            let text = answer["error"]["message"].as_str().unwrap();
            assert!(text.contains("a level is an `L` and a digit"), "{text}");
        }
    }
    let invalid = json!({ "error": { "code": -32602 } });
    check_prompt(json!({}), invalid.clone());
    check_prompt(json!({ "first": 3 }), invalid);
}

#[test]
fn argument_is_required_unless_optional_or_defaulted() {
    let arguments = json!([
        { "name": "first", "required": true },
        { "name": "second" },
        { "name": "third" },
    ]);
    for revision in Revision::ALL {
        let answer =
            DispatcherClient::connect(server(), revision).request("prompts/list", json!({}));
        let prompts = answer["result"]["prompts"].as_array().unwrap();
        let prompt = prompts.iter().find(|prompt| prompt["name"] == "compare");
        let listed = &prompt.unwrap()["arguments"];
        assert_contains(listed, &arguments);
        assert_ne!(listed[1]["required"], true);
        assert_ne!(listed[2]["required"], true);
    }
}

#[test]
fn parsed_argument_can_be_completed() {
    check(
        "completion/complete",
        json!({
            "ref": { "type": "ref/prompt", "name": "compare" },
            "argument": { "name": "first", "value": "2" },
        }),
        json!({ "result": { "completion": { "values": ["L2"], "total": 1 } } }),
    );
}

#[test]
fn template_variable_is_parsed_with_from_str() {
    let text = |text: &str| json!({ "result": { "contents": [{ "text": text }] } });
    check(
        "resources/read",
        json!({ "uri": "plan://L2/plan" }),
        text("2, 0"),
    );
    check(
        "resources/read",
        json!({ "uri": "plan://L2/plan?other=L9" }),
        text("2, 9"),
    );
}
