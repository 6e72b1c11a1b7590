use mcp_runtime::completion::CompletionRequest;
use mcp_runtime::dispatch::DynamicDefinition;
use mcp_runtime::protocol::{Prompt, PromptArgument, ResourceTemplate, Tool};
use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains};

fn complete(
    revision: Revision,
    reference: &Value,
    name: &str,
    value: &str,
    other_arguments: Option<&Value>,
) -> Value {
    let mut params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
    if let Some(arguments) = other_arguments {
        params["context"] = json!({ "arguments": arguments });
    }
    DispatcherClient::connect(server(), revision).request("completion/complete", params)
}

fn check(reference: Value, name: &str, value: &str, expected: Value) {
    for revision in Revision::ALL {
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
fn completion_function_can_use_state() {
    check(prompt("way"), "city", "gd", values(&["Gdynia", "Ogden"]));
    check(prompt("way"), "city", "x", values(&[]));
    let template = json!({ "type": "ref/resource", "uri": "notes://{id}/body{?format}" });
    check(template, "id", "og", values(&["Ogden"]));
    let uri = json!({ "type": "ref/resource", "uri": "notes://1/body" });
    check(uri, "id", "og", values(&["Ogden"]));
}

#[test]
fn enum_argument_completes_itself() {
    check(prompt("way"), "tone", "", values(&["Dry", "Kind"]));
    check(prompt("way"), "tone", "k", values(&["Kind"]));
}

#[test]
fn argument_without_completer_has_no_values() {
    check(
        prompt("way"),
        "limit",
        "1",
        json!({ "result": { "completion": { "values": [] } } }),
    );
}

#[test]
fn completion_can_use_other_arguments() {
    for revision in Revision::ALL
        .into_iter()
        .filter(|it| *it >= Revision::V2025_06_18)
    {
        let arguments = json!({ "city": "Rome" });
        let answer = complete(revision, &prompt("way"), "street", "rome", Some(&arguments));
        assert_contains(&answer, &values(&["Rome Street"]));
    }
}

#[test]
fn unknown_completion_reference_is_invalid_params() {
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
fn panicking_completer_is_an_internal_error() {
    check(
        prompt("way"),
        "city",
        "panic",
        json!({ "error": { "code": -32603 } }),
    );
}

/// A client of a server with a dynamic prompt and template that have completers.
fn client_of_dynamic_definitions(revision: Revision) -> DispatcherClient {
    let client = DispatcherClient::connect(server(), revision);
    let argument = |name: &str| PromptArgument {
        name: name.to_owned(),
        ..PromptArgument::default()
    };
    let prompt = Prompt {
        name: "made".to_owned(),
        arguments: vec![argument("city"), argument("street"), argument("free")],
        ..Prompt::default()
    };
    let prompt = DynamicDefinition::prompt(prompt, |_, _| async { Ok("made") });
    let prompt = prompt.complete("city", |_| ["Gdynia", "Rome"]).unwrap();
    let streets = |request: &CompletionRequest| {
        assert_ne!(request.value(), "panic");
        let city = request.argument("city").unwrap_or("nowhere");
        vec![format!("{city} Street"), format!("{city} Road")]
    };
    let prompt = prompt.complete("street", streets).unwrap();
    let template = ResourceTemplate {
        uri_template: "made://{id}".to_owned(),
        name: "family".to_owned(),
        ..ResourceTemplate::default()
    };
    let template =
        DynamicDefinition::resource_template(template, |_, _| async { Ok("made") }).unwrap();
    let many = |_: &CompletionRequest| (100..300).map(|id| id.to_string()).collect::<Vec<_>>();
    let template = template.complete("id", many).unwrap();
    client
        .dispatcher
        .handle()
        .add_all([prompt, template])
        .unwrap();
    client
}

#[test]
fn dynamic_definitions_complete_through_closures() {
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
    for revision in Revision::ALL {
        let mut client = client_of_dynamic_definitions(revision);
        for (reference, name, value, expected) in &cases {
            let argument = json!({ "name": name, "value": value });
            let params = json!({ "ref": reference, "argument": argument });
            assert_contains(&client.request("completion/complete", params), expected);
        }
    }
}

#[test]
fn completer_needs_an_existing_argument() {
    let nothing = |_: &CompletionRequest| Vec::<String>::new();
    let prompt = Prompt {
        name: "made".to_owned(),
        ..Prompt::default()
    };
    let prompt = DynamicDefinition::prompt(prompt, |_, _| async { Ok("made") });
    let error = prompt.complete("city", nothing).unwrap_err().to_string();
    assert_eq!(
        error,
        "prompt `made` (added at run time): it has no argument `city` that can be completed"
    );
    let tool = Tool {
        name: "made".to_owned(),
        input_schema: json!({ "type": "object", "properties": { "city": { "type": "string" } } }),
        ..Tool::default()
    };
    let tool = DynamicDefinition::tool(tool, |_, _| async { Ok("made") });
    assert!(tool.complete("city", nothing).is_err());
}

/// The capability appears and disappears with the closure.
#[test]
fn dynamic_completer_declares_the_completions_capability() {
    let mut client = DispatcherClient::connect(server(), Revision::V2026_07_28);
    let prompts: Vec<String> = names(&mut client, "prompts");
    for name in prompts {
        assert!(client.dispatcher.handle().remove_prompt(&name));
    }
    for template in ["notes://{+path}", "notes://{id}/body{?format}"] {
        assert!(
            client
                .dispatcher
                .handle()
                .remove_resource_template(template)
        );
    }
    let completes = |client: &mut DispatcherClient| {
        let response = client.request("server/discover", json!({}));
        response["result"]["capabilities"]["completions"].is_object()
    };
    assert!(!completes(&mut client));
    let city = PromptArgument {
        name: "city".to_owned(),
        ..PromptArgument::default()
    };
    let prompt = Prompt {
        name: "made".to_owned(),
        arguments: vec![city],
        ..Prompt::default()
    };
    let prompt = DynamicDefinition::prompt(prompt, |_, _| async { Ok("made") });
    let prompt = prompt.complete("city", |_| ["Rome"]).unwrap();
    client.dispatcher.handle().add(prompt).unwrap();
    assert!(completes(&mut client));
    assert!(client.dispatcher.handle().remove_prompt("made"));
    assert!(!completes(&mut client));
}

fn names(client: &mut DispatcherClient, kind: &str) -> Vec<String> {
    let listed = client.request(&format!("{kind}/list"), json!({}));
    let listed = listed["result"][kind].as_array().unwrap();
    listed
        .iter()
        .map(|item| item["name"].as_str().unwrap().to_owned())
        .collect()
}
