use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains};

fn check(uri: &str, expected: Value) {
    for revision in Revision::ALL {
        let answer = DispatcherClient::connect(server(), revision)
            .request("resources/read", json!({ "uri": uri }));
        assert_contains(&answer, &expected);
    }
}

#[test]
fn contents_are_text_or_base64_with_the_requested_uri() {
    check(
        "config://app",
        json!({ "result": { "contents": [
        { "uri": "config://app", "mimeType": "application/json", "text": "{}" },
    ] } }),
    );
    check(
        "data://bytes",
        json!({ "result": { "contents": [
        { "uri": "data://bytes", "mimeType": "application/octet-stream", "blob": "AAECAw==" },
    ] } }),
    );
}

#[test]
fn template_variables_become_arguments() {
    check(
        "notes://1/body",
        json!({ "result": { "contents": [
        { "uri": "notes://1/body", "mimeType": "text/plain", "text": "note 1 as None" },
    ] } }),
    );
    check(
        "notes://2/body?format=a%20b",
        json!({ "result": { "contents": [
        { "uri": "notes://2/body?format=a%20b", "text": "note 2 as Some(\"a b\")" },
    ] } }),
    );
    check("notes://x/body", json!({ "error": { "code": -32602 } }));
}

#[test]
fn most_specific_template_matches_first() {
    check(
        "notes://1/body/",
        json!({ "result": { "contents": [
        { "uri": "notes://1/body/", "text": "1/body/" },
        { "uri": "notes://other", "text": "another" },
    ] } }),
    );
}

#[test]
fn contents_meta_is_sent_where_the_revision_has_it() {
    for revision in Revision::ALL {
        let answer = DispatcherClient::connect(server(), revision)
            .request("resources/read", json!({ "uri": "notes://a" }));
        let meta = &answer["result"]["contents"][0]["_meta"];
        let expected = match revision >= Revision::V2025_06_18 {
            true => json!({ "example.com/path": "a" }),
            false => Value::Null,
        };
        assert_eq!(*meta, expected, "{revision}");
    }
}

#[test]
fn missing_resource_has_the_error_code_of_the_revision() {
    for (revision, uri) in Revision::ALL
        .into_iter()
        .flat_map(|it| [(it, "nothing://here"), (it, "notes://9/body")])
    {
        let answer = DispatcherClient::connect(server(), revision)
            .request("resources/read", json!({ "uri": uri }));
        let code = if revision.is_legacy() { -32002 } else { -32602 };
        assert_contains(
            &answer,
            &json!({ "error": { "code": code, "data": { "uri": uri } } }),
        );
    }
}

#[test]
fn internal_error_of_a_resource_hides_its_cause() {
    for revision in Revision::ALL {
        let answer = DispatcherClient::connect(server(), revision)
            .request("resources/read", json!({ "uri": "notes://broken" }));
        assert_contains(&answer, &json!({ "error": { "code": -32603 } }));
        assert!(!answer.to_string().contains("disk"), "{answer}");
    }
}

#[test]
fn cache_hints_come_from_the_resource() {
    let mut client = DispatcherClient::connect(server(), Revision::V2026_07_28);
    let answer = client.request("resources/read", json!({ "uri": "config://app" }));
    assert_contains(
        &answer["result"],
        &json!({ "ttlMs": 60_000, "cacheScope": "private" }),
    );
    let answer = client.request("resources/read", json!({ "uri": "data://bytes" }));
    assert_contains(
        &answer["result"],
        &json!({ "ttlMs": 0, "cacheScope": "public" }),
    );
}
