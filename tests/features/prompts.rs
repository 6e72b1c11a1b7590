use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains};

fn get(revision: Revision, name: &str, arguments: Value) -> Value {
    let mut client = DispatcherClient::connect(server(), revision);
    client.request(
        "prompts/get",
        json!({ "name": name, "arguments": arguments }),
    )
}

/// Checks the response in every revision.
fn check(name: &str, arguments: Value, expected: Value) {
    for revision in Revision::ALL {
        assert_contains(&get(revision, name, arguments.clone()), &expected);
    }
}

fn text(text: &str) -> Value {
    json!({ "result": { "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] } })
}

#[test]
fn prompt_arguments_are_parsed_from_strings() {
    check(
        "way",
        json!({ "city": "1", "limit": "7", "tone": "Kind", "street": "2" }),
        text("The way to 2 in 1, Some(7), please"),
    );
    check(
        "way",
        json!({ "city": "Rome", "tone": "Dry" }),
        text("The way to Main Street in Rome, None, now"),
    );
}

#[test]
fn prompt_result_has_the_description() {
    check(
        "picture",
        json!({}),
        json!({ "result": { "description": "A conversation about a picture.", "messages": [
            { "role": "user", "content": { "type": "image", "mimeType": "image/png", "data": "cG5n" } },
            { "role": "assistant", "content": { "type": "text", "text": "I see." } },
        ] } }),
    );
    check("picture", Value::Null, json!({ "result": {} }));
}

#[test]
fn invalid_prompt_arguments_are_invalid_params() {
    let invalid = json!({ "error": { "code": -32602 } });
    check("way", json!({}), invalid.clone());
    check(
        "way",
        json!({ "city": "Rome", "tone": "Rude" }),
        invalid.clone(),
    );
    check(
        "way",
        json!({ "city": "Rome", "tone": "Dry", "limit": "far" }),
        invalid.clone(),
    );
    check(
        "way",
        json!({ "city": "Rome", "tone": "Dry", "cite": "x" }),
        invalid.clone(),
    );
    check("way", json!({ "city": 1, "tone": "Dry" }), invalid.clone());
    check("failing", json!({ "address": "nowhere" }), invalid.clone());
    check(
        "wa",
        json!({}),
        json!({ "error": {
        "code": -32602,
        "message": "unknown prompt `wa`; did you mean `way`?",
        "data": { "nearest": ["way"] },
    } }),
    );
    let mut client = DispatcherClient::connect(server(), Revision::V2025_11_25);
    assert_contains(&client.request("prompts/get", json!({})), &invalid);
}

#[test]
fn prompt_failure_is_an_internal_error_with_its_text() {
    check(
        "failing",
        json!({ "address": "::1" }),
        json!({ "error": { "code": -32603, "message": "no way to ::1" } }),
    );
}
