//! Arguments of types that serde does not know: read from text by `FromStr`.

use std::fmt;
use std::str::FromStr;

use mcp_runtime::prelude::*;
use serde_json::{Value, json};

use crate::talk::{ALL, Talk, assert_contains};

/// A type that can be parsed, and neither read nor written as JSON.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Level(u8);

#[derive(Debug)]
pub(crate) struct NoLevel;

impl fmt::Display for NoLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a level is an `L` and a digit")
    }
}

impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Self, NoLevel> {
        let digit = text.strip_prefix('L').and_then(|digit| digit.parse().ok());
        digit.map(Self).ok_or(NoLevel)
    }
}

type Perhaps = Option<Level>;

fn levels(_: &str) -> [&'static str; 2] {
    ["L1", "L2"]
}

/// Compares levels.
#[prompt(group = "parsed")]
fn compare(
    #[arg(complete = levels)] first: Level,
    second: Perhaps,
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
    for revision in ALL {
        let answer = Talk::with(server(), revision).ask(method, params.clone());
        assert_contains(&answer, &expected);
    }
}

fn compared(arguments: Value, expected: Value) {
    let params = json!({ "name": "compare", "arguments": arguments });
    check("prompts/get", params, expected);
}

fn said(text: &str) -> Value {
    json!({ "result": { "messages": [{ "content": { "text": text } }] } })
}

#[test]
fn an_argument_of_a_prompt_is_parsed_by_its_type() {
    compared(json!({ "first": "L3" }), said("3, 0, 7"));
    compared(
        json!({ "first": "L3", "second": "L4", "third": "L5" }),
        said("3, 4, 5"),
    );
    // An escape in the text is no part of it.
    compared(json!({ "first": "\u{4c}1" }), said("1, 0, 7"));
}

#[test]
fn what_a_type_refuses_is_told_in_its_own_words() {
    for arguments in [
        json!({ "first": "3" }),
        json!({ "first": "L3", "second": "" }),
        json!({ "first": "L3", "third": "x" }),
    ] {
        let params = json!({ "name": "compare", "arguments": arguments });
        for revision in ALL {
            let answer = Talk::with(server(), revision).ask("prompts/get", params.clone());
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            let text = answer["error"]["message"].as_str().unwrap();
            assert!(text.contains("a level is an `L` and a digit"), "{text}");
        }
    }
    let invalid = json!({ "error": { "code": -32602 } });
    compared(json!({}), invalid.clone());
    compared(json!({ "first": 3 }), invalid);
}

#[test]
fn an_argument_is_required_unless_its_type_or_a_default_says_otherwise() {
    let arguments = json!([
        { "name": "first", "required": true },
        { "name": "second" },
        { "name": "third" },
    ]);
    for revision in ALL {
        let answer = Talk::with(server(), revision).ask("prompts/list", json!({}));
        let prompts = answer["result"]["prompts"].as_array().unwrap();
        let prompt = prompts.iter().find(|prompt| prompt["name"] == "compare");
        let told = &prompt.unwrap()["arguments"];
        assert_contains(told, &arguments);
        assert_ne!(told[1]["required"], true);
        assert_ne!(told[2]["required"], true);
    }
}

#[test]
fn a_parsed_argument_is_completed_by_its_function() {
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
fn a_variable_of_a_template_is_parsed_by_its_type() {
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
