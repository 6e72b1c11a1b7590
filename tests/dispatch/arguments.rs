use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use support::wire::Revision;

use support::dispatcher_client::DispatcherClient;

#[test]
fn lossless_representations_are_coerced() {
    let check = |tool: &str, arguments: Value, expected: &str| {
        for revision in Revision::ALL {
            let text = DispatcherClient::in_revision(revision).call_text(tool, arguments.clone());
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

/// Has an optional argument with a default.
#[tool(inline)]
fn optional_with_default(#[arg(default = Some(5))] n: Option<u32>, other: u32) -> String {
    format!("{n:?} {other}")
}

/// Has an argument with a default and a rule.
#[tool(inline)]
fn bounded(#[arg(default = 10, range(1..=100))] count: u32) -> u32 {
    count
}

#[test]
fn duplicate_arguments_are_rejected() {
    for arguments in [
        r#"{"count":1000000,"count":null}"#,
        r#"{"count":7,"count":null}"#,
    ] {
        let params = format!(r#"{{"name":"bounded","arguments":{arguments}}}"#);
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"#;
        let mut client = DispatcherClient::in_revision(Revision::V2025_11_25);
        let reply = client.send_text(&format!("{call}{params}}}")).unwrap();
        assert_eq!(reply["result"]["isError"], true, "{arguments}: {reply}");
    }
}

#[test]
fn null_selects_the_default_in_any_position_and_beside_coerced_arguments() {
    for arguments in [
        r#"{"n":null,"other":1}"#,
        r#"{"other":1,"n":null}"#,
        r#"{"n":null,"other":"1"}"#,
        r#"{"other":"1","n":null}"#,
        r#"{"other":1}"#,
    ] {
        // As text, to keep the order of the arguments.
        let params = format!(r#"{{"name":"optional_with_default","arguments":{arguments}}}"#);
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"#;
        let mut client = DispatcherClient::in_revision(Revision::V2025_11_25);
        let reply = client.send_text(&format!("{call}{params}}}")).unwrap();
        assert_eq!(
            reply["result"]["content"][0]["text"], "Some(5) 1",
            "{arguments}"
        );
    }
}

#[test]
fn missing_null_and_empty_arguments_are_equivalent() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        for params in [
            json!({ "name": "nothing" }),
            json!({ "name": "nothing", "arguments": null }),
            json!({ "name": "nothing", "arguments": {} }),
            json!({ "name": "nothing", "arguments": [] }),
        ] {
            let response = client.request("tools/call", params);
            assert_eq!(response["result"]["content"][0]["text"], "No content.");
        }
    }
}

#[test]
fn all_argument_errors_are_reported_together() {
    for revision in Revision::ALL {
        let response =
            DispatcherClient::in_revision(revision).call("add", json!({ "b": "x", "c": 1 }));
        assert_eq!(response["result"]["isError"], true);
        let text = response["result"]["content"][0]["text"].as_str().unwrap();
        for part in ["/a", "/b", "\"x\"", "/c", "integer"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

#[test]
fn unknown_argument_is_rejected_with_the_nearest_name() {
    let mut client = DispatcherClient::in_revision(Revision::V2025_06_18);
    let text = client.call_text("add", json!({ "a": 1, "bb": 2 }));
    assert!(text.contains("`b`"), "{text}");
}

#[test]
fn parameters_instead_of_arguments_is_pointed_out() {
    let mut client = DispatcherClient::in_revision(Revision::V2025_06_18);
    let response = client.request(
        "tools/call",
        json!({ "name": "add", "parameters": { "a": 1 } }),
    );
    let text = response["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("`parameters`") && text.contains("`arguments`"),
        "{text}"
    );
}
