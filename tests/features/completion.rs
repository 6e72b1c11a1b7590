use serde_json::{Value, json};
use wire::Revision;

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains};

fn complete(
    revision: Revision,
    reference: &Value,
    name: &str,
    value: &str,
    known: Option<&Value>,
) -> Value {
    let mut params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
    if let Some(known) = known {
        params["context"] = json!({ "arguments": known });
    }
    Talk::with(server(), revision).ask("completion/complete", params)
}

fn check(reference: Value, name: &str, value: &str, expected: Value) {
    for revision in ALL {
        assert_contains(
            &complete(revision, &reference, name, value, None),
            &expected,
        );
    }
}

fn prompt(name: &str) -> Value {
    json!({ "type": "ref/prompt", "name": name })
}

fn values(values: &[&str]) -> Value {
    json!({ "result": { "completion": { "values": values, "total": values.len(), "hasMore": false } } })
}

#[test]
fn a_function_completes_with_the_state_of_the_server() {
    check(prompt("way"), "city", "gd", values(&["Gdynia", "Ogden"]));
    check(prompt("way"), "city", "x", values(&[]));
    let template = json!({ "type": "ref/resource", "uri": "notes://{id}/body{?format}" });
    check(template, "id", "og", values(&["Ogden"]));
    let uri = json!({ "type": "ref/resource", "uri": "notes://1/body" });
    check(uri, "id", "og", values(&["Ogden"]));
}

#[test]
fn an_enum_completes_itself() {
    check(prompt("way"), "tone", "", values(&["Dry", "Kind"]));
    check(prompt("way"), "tone", "k", values(&["Kind"]));
}

#[test]
fn what_nothing_is_known_about_has_no_values() {
    check(
        prompt("way"),
        "limit",
        "1",
        json!({ "result": { "completion": { "values": [] } } }),
    );
}

#[test]
fn other_arguments_are_known() {
    for revision in ALL.into_iter().filter(|it| *it >= Revision::V2025_06_18) {
        let known = json!({ "city": "Rome" });
        let answer = complete(revision, &prompt("way"), "street", "rome", Some(&known));
        assert_contains(&answer, &values(&["Rome Street"]));
    }
}

#[test]
fn a_reference_to_nothing_is_invalid() {
    let invalid = json!({ "error": { "code": -32602 } });
    check(prompt("no"), "city", "", invalid.clone());
    check(prompt("way"), "no", "", invalid.clone());
    check(
        json!({ "type": "ref/resource", "uri": "no://{x}" }),
        "x",
        "",
        invalid.clone(),
    );
    check(
        json!({ "type": "ref/tool", "name": "slow" }),
        "x",
        "",
        invalid,
    );
}

#[test]
fn a_panic_is_an_internal_error() {
    check(
        prompt("way"),
        "city",
        "panic",
        json!({ "error": { "code": -32603 } }),
    );
}
