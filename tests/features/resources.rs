use serde_json::{Value, json};
use wire::Revision;

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains};

fn check(uri: &str, expected: Value) {
    for revision in ALL {
        let answer = Talk::with(server(), revision).ask("resources/read", json!({ "uri": uri }));
        assert_contains(&answer, &expected);
    }
}

#[test]
fn contents_are_text_or_base64_at_the_uri_that_was_read() {
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
fn a_template_gives_its_variables_to_the_function() {
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
fn the_more_particular_template_counts() {
    check(
        "notes://1/body/",
        json!({ "result": { "contents": [
        { "uri": "notes://1/body/", "text": "1/body/" },
        { "uri": "notes://other", "text": "another" },
    ] } }),
    );
}

#[test]
fn meta_is_kept_where_the_revision_has_it() {
    for revision in ALL {
        let answer =
            Talk::with(server(), revision).ask("resources/read", json!({ "uri": "notes://a" }));
        let meta = &answer["result"]["contents"][0]["_meta"];
        let expected = match revision >= Revision::V2025_06_18 {
            true => json!({ "example.com/path": "a" }),
            false => Value::Null,
        };
        assert_eq!(*meta, expected, "{revision}");
    }
}

#[test]
fn what_does_not_exist_is_told_in_the_code_of_the_revision() {
    for (revision, uri) in ALL
        .into_iter()
        .flat_map(|it| [(it, "nothing://here"), (it, "notes://9/body")])
    {
        let answer = Talk::with(server(), revision).ask("resources/read", json!({ "uri": uri }));
        let code = if revision.is_legacy() { -32002 } else { -32602 };
        assert_contains(
            &answer,
            &json!({ "error": { "code": code, "data": { "uri": uri } } }),
        );
    }
}

#[test]
fn a_failure_hides_its_cause() {
    for revision in ALL {
        let answer = Talk::with(server(), revision)
            .ask("resources/read", json!({ "uri": "notes://broken" }));
        assert_contains(&answer, &json!({ "error": { "code": -32603 } }));
        assert!(!answer.to_string().contains("disk"), "{answer}");
    }
}

#[test]
fn hints_say_how_long_contents_may_be_kept() {
    let mut talk = Talk::with(server(), Revision::V2026_07_28);
    let answer = talk.ask("resources/read", json!({ "uri": "config://app" }));
    assert_contains(
        &answer["result"],
        &json!({ "ttlMs": 60_000, "cacheScope": "private" }),
    );
    let answer = talk.ask("resources/read", json!({ "uri": "data://bytes" }));
    assert_contains(
        &answer["result"],
        &json!({ "ttlMs": 0, "cacheScope": "public" }),
    );
}
