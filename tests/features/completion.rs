use mcp_runtime::protocol::{Prompt, PromptArgument, ResourceTemplate, Tool};
use mcp_runtime::{Added, Completing};
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

/// A server to which a prompt and a family were added, with what completes them.
fn talk_of_added(revision: Revision) -> Talk {
    let talk = Talk::with(server(), revision);
    let argument = |name: &str| PromptArgument {
        name: name.to_owned(),
        ..PromptArgument::default()
    };
    let prompt = Prompt {
        name: "made".to_owned(),
        arguments: vec![argument("city"), argument("street"), argument("free")],
        ..Prompt::default()
    };
    let prompt = Added::prompt(prompt, |_, _| async { Ok("made") });
    let prompt = prompt.complete("city", |_| ["Gdynia", "Rome"]).unwrap();
    let streets = |completing: &Completing| {
        assert_ne!(completing.value(), "panic");
        let city = completing.argument("city").unwrap_or("nowhere");
        vec![format!("{city} Street"), format!("{city} Road")]
    };
    let prompt = prompt.complete("street", streets).unwrap();
    let family = ResourceTemplate {
        uri_template: "made://{id}".to_owned(),
        name: "family".to_owned(),
        ..ResourceTemplate::default()
    };
    let family = Added::resource_template(family, |_, _| async { Ok("made") }).unwrap();
    let many = |_: &Completing| (100..300).map(|id| id.to_string()).collect::<Vec<_>>();
    let family = family.complete("id", many).unwrap();
    talk.dispatcher.handle().add_all([prompt, family]).unwrap();
    talk
}

#[test]
fn what_was_added_while_serving_completes_by_its_closures() {
    let template = json!({ "type": "ref/resource", "uri": "made://{id}" });
    let member = json!({ "type": "ref/resource", "uri": "made://1" });
    let cases = [
        (prompt("made"), "city", "g", values(&["Gdynia"])),
        (prompt("made"), "street", "s", values(&["nowhere Street"])),
        (
            prompt("made"),
            "free",
            "x",
            json!({ "result": { "completion": { "values": [] } } }),
        ),
        (
            prompt("made"),
            "none",
            "",
            json!({ "error": { "code": -32602 } }),
        ),
        (
            prompt("made"),
            "street",
            "panic",
            json!({ "error": { "code": -32603 } }),
        ),
        (template, "id", "299", values(&["299"])),
        (
            member,
            "id",
            "",
            json!({ "result": { "completion": { "total": 200, "hasMore": true } } }),
        ),
    ];
    for revision in ALL {
        let mut talk = talk_of_added(revision);
        for (reference, name, value, expected) in &cases {
            let argument = json!({ "name": name, "value": value });
            let params = json!({ "ref": reference, "argument": argument });
            assert_contains(&talk.ask("completion/complete", params), expected);
        }
    }
}

#[test]
fn only_what_is_there_can_be_completed() {
    let nothing = |_: &Completing| Vec::<String>::new();
    let prompt = Prompt {
        name: "made".to_owned(),
        ..Prompt::default()
    };
    let prompt = Added::prompt(prompt, |_, _| async { Ok("made") });
    let error = prompt.complete("city", nothing).unwrap_err().to_string();
    assert_eq!(
        error,
        "prompt `made` (one added while serving): it has no argument `city` that can be completed"
    );
    let tool = Tool {
        name: "made".to_owned(),
        input_schema: json!({ "type": "object", "properties": { "city": { "type": "string" } } }),
        ..Tool::default()
    };
    let tool = Added::tool(tool, |_, _| async { Ok("made") });
    assert!(tool.complete("city", nothing).is_err());
}

/// The capability is there because of a closure, and goes with it.
#[test]
fn a_closure_that_completes_is_a_capability() {
    let mut talk = Talk::with(server(), Revision::V2026_07_28);
    let prompts: Vec<String> = names(&mut talk, "prompts");
    for name in prompts {
        assert!(talk.dispatcher.handle().remove_prompt(&name));
    }
    for template in ["notes://{+path}", "notes://{id}/body{?format}"] {
        assert!(talk.dispatcher.handle().remove_resource_template(template));
    }
    let completes = |talk: &mut Talk| {
        let told = talk.ask("server/discover", json!({}));
        told["result"]["capabilities"]["completions"].is_object()
    };
    assert!(!completes(&mut talk));
    let city = PromptArgument {
        name: "city".to_owned(),
        ..PromptArgument::default()
    };
    let made = Prompt {
        name: "made".to_owned(),
        arguments: vec![city],
        ..Prompt::default()
    };
    let made = Added::prompt(made, |_, _| async { Ok("made") });
    let made = made.complete("city", |_| ["Rome"]).unwrap();
    talk.dispatcher.handle().add(made).unwrap();
    assert!(completes(&mut talk));
    assert!(talk.dispatcher.handle().remove_prompt("made"));
    assert!(!completes(&mut talk));
}

fn names(talk: &mut Talk, kind: &str) -> Vec<String> {
    let listed = talk.ask(&format!("{kind}/list"), json!({}));
    let listed = listed["result"][kind].as_array().unwrap();
    listed
        .iter()
        .map(|item| item["name"].as_str().unwrap().to_owned())
        .collect()
}
