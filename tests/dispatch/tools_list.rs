use serde_json::{Value, json};
use support::wire::Revision;

use support::dispatcher_client::{DispatcherClient, assert_contains};

fn list(revision: Revision) -> Vec<Value> {
    let response = DispatcherClient::in_revision(revision).request("tools/list", json!({}));
    response["result"]["tools"].as_array().unwrap().clone()
}

fn tool(revision: Revision, name: &str) -> Value {
    let mut tools = list(revision).into_iter();
    tools.find(|tool| tool["name"] == name).unwrap()
}

#[test]
fn tools_are_sorted_by_name() {
    for revision in Revision::ALL {
        let tools = list(revision);
        let names: Vec<&str> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert!(names.is_sorted(), "{names:?}");
        assert!(names.len() > 10);
    }
}

#[test]
fn tool_has_only_the_fields_of_its_revision() {
    for revision in Revision::ALL {
        let add = tool(revision, "add");
        let has = |member: &str| add.get(member).is_some();
        assert_eq!(
            has("annotations"),
            revision >= Revision::V2025_03_26,
            "{revision}"
        );
        assert_eq!(
            has("title"),
            revision >= Revision::V2025_06_18,
            "{revision}"
        );
        assert_eq!(
            has("outputSchema"),
            revision >= Revision::V2025_06_18,
            "{revision}"
        );
    }
    let annotations = json!({
        "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false,
    });
    assert_eq!(
        tool(Revision::V2025_11_25, "add")["annotations"],
        annotations
    );
}

#[test]
fn input_schemas_are_inlined_and_minimal() {
    let add = json!({
        "type": "object",
        "properties": {
            "a": { "type": "integer", "description": "The first addend." },
            "b": { "type": "integer", "description": "The second addend.", "default": 1 },
        },
        "required": ["a"],
        "additionalProperties": false,
    });
    assert_eq!(tool(Revision::V2025_06_18, "add")["inputSchema"], add);
    let nothing = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    assert_eq!(
        tool(Revision::V2025_06_18, "nothing")["inputSchema"],
        nothing
    );
    let optional = json!({
        "type": "object",
        "properties": {
            "n": {
                "type": "integer",
                "minimum": 0,
                "maximum": u32::MAX,
                "description": "A number.",
            },
            "mode": {
                "type": "string",
                "enum": ["Fast", "Slow"],
                "description": "A mode.\n\n- `Fast`: With haste.\n- `Slow`: With care.",
            },
        },
        "additionalProperties": false,
    });
    assert_eq!(
        tool(Revision::V2025_06_18, "optional")["inputSchema"],
        optional
    );
}

#[test]
fn schemas_contain_nothing_that_clients_reject() {
    for revision in Revision::ALL {
        let text = Value::Array(list(revision)).to_string();
        for unwanted in ["$schema", "$ref", "$defs", "\"format\"", "\"null\""] {
            assert!(!text.contains(unwanted), "{unwanted} in {text}");
        }
    }
}

#[test]
fn output_schema_root_is_an_object_until_2025_11_25() {
    let wrapped = json!({
        "type": "object",
        "properties": { "result": { "type": "integer" } },
        "required": ["result"],
    });
    assert_contains(
        &tool(Revision::V2025_06_18, "add")["outputSchema"],
        &wrapped,
    );
    assert_contains(
        &tool(Revision::V2025_11_25, "add")["outputSchema"],
        &wrapped,
    );
    let natural = json!({ "type": "integer" });
    assert_contains(
        &tool(Revision::V2026_07_28, "add")["outputSchema"],
        &natural,
    );
    for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
        let mirror = tool(revision, "mirror");
        assert_eq!(mirror["outputSchema"]["type"], "object");
        assert!(mirror["outputSchema"]["properties"].get("x").is_some());
    }
}

#[test]
fn unknown_cursor_is_invalid_params() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        for cursor in [json!("x"), json!(""), json!(1)] {
            let response = client.request("tools/list", json!({ "cursor": cursor }));
            assert_contains(&response, &json!({ "error": { "code": -32602 } }));
        }
    }
}
