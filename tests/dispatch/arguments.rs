use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use wire::Revision;

use crate::talk::{ALL, Talk};

#[test]
fn lossless_forms_of_a_value_are_taken() {
    let check = |tool: &str, arguments: Value, expected: &str| {
        for revision in ALL {
            let text = Talk::in_revision(revision).text_of_call(tool, arguments.clone());
            assert_eq!(text, expected, "{arguments}");
        }
    };
    check("add", json!({ "a": "2", "b": 2.0 }), "4");
    check("add", json!({ "a": 2, "b": null }), "3");
    check(
        "optional",
        json!({ "n": null, "mode": "fast" }),
        "None Some(\"fast\")",
    );
    check(
        "mirror",
        json!({ "point": "{\"x\":1,\"y\":\"2\"}" }),
        "{\"x\":-1,\"y\":-2}",
    );
}

/// Has a default where nothing is a value too.
#[tool(inline)]
fn preset(#[arg(default = Some(5))] n: Option<u32>, other: u32) -> String {
    format!("{n:?} {other}")
}

/// Has a default and a rule.
#[tool(inline)]
fn bounded(#[arg(default = 10, range(1..=100))] count: u32) -> u32 {
    count
}

#[test]
fn nothing_is_left_of_what_is_said_twice() {
    for arguments in [
        r#"{"count":1000000,"count":null}"#,
        r#"{"count":7,"count":null}"#,
    ] {
        let params = format!(r#"{{"name":"bounded","arguments":{arguments}}}"#);
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"#;
        let mut talk = Talk::in_revision(Revision::V2025_11_25);
        let reply = talk.say_text(&format!("{call}{params}}}")).unwrap();
        assert_eq!(reply["result"]["content"][0]["text"], "10", "{arguments}");
    }
}

#[test]
fn null_is_the_default_wherever_it_stands_and_whatever_else_is_to_be_repaired() {
    for arguments in [
        r#"{"n":null,"other":1}"#,
        r#"{"other":1,"n":null}"#,
        r#"{"n":null,"other":"1"}"#,
        r#"{"other":"1","n":null}"#,
        r#"{"other":1}"#,
    ] {
        // As a text, which keeps the order.
        let params = format!(r#"{{"name":"preset","arguments":{arguments}}}"#);
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"#;
        let mut talk = Talk::in_revision(Revision::V2025_11_25);
        let reply = talk.say_text(&format!("{call}{params}}}")).unwrap();
        assert_eq!(
            reply["result"]["content"][0]["text"], "Some(5) 1",
            "{arguments}"
        );
    }
}

#[test]
fn absent_and_null_arguments_are_none() {
    for revision in ALL {
        let mut talk = Talk::in_revision(revision);
        for params in [
            json!({ "name": "nothing" }),
            json!({ "name": "nothing", "arguments": null }),
            json!({ "name": "nothing", "arguments": {} }),
            json!({ "name": "nothing", "arguments": [] }),
        ] {
            let answer = talk.ask("tools/call", params);
            assert_eq!(answer["result"]["content"], json!([]));
        }
    }
}

#[test]
fn every_mistake_is_told_at_once() {
    for revision in ALL {
        let answer = Talk::in_revision(revision).call("add", json!({ "b": "x", "c": 1 }));
        assert_eq!(answer["result"]["isError"], true);
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        for part in ["/a", "/b", "\"x\"", "/c", "integer"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

#[test]
fn an_unknown_argument_is_refused_with_the_nearest_name() {
    let mut talk = Talk::in_revision(Revision::V2025_06_18);
    let text = talk.text_of_call("add", json!({ "a": 1, "bb": 2 }));
    assert!(text.contains("`b`"), "{text}");
}

#[test]
fn a_parameter_of_another_protocol_is_pointed_out() {
    let mut talk = Talk::in_revision(Revision::V2025_06_18);
    let answer = talk.ask(
        "tools/call",
        json!({ "name": "add", "parameters": { "a": 1 } }),
    );
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("`parameters`") && text.contains("`arguments`"),
        "{text}"
    );
}
