use serde_json::{Value, json};
use wire::Revision;

use crate::talk::{ALL, Talk, assert_contains};

fn listed(revision: Revision) -> Vec<Value> {
    let answer = Talk::in_revision(revision).ask("tools/list", json!({}));
    answer["result"]["tools"].as_array().unwrap().clone()
}

fn tool(revision: Revision, name: &str) -> Value {
    let mut tools = listed(revision).into_iter();
    tools.find(|tool| tool["name"] == name).unwrap()
}

#[test]
fn tools_are_sorted_by_name() {
    for revision in ALL {
        let tools = listed(revision);
        let names: Vec<&str> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert!(names.is_sorted(), "{names:?}");
        assert!(names.len() > 10);
    }
}

#[test]
fn a_tool_has_what_its_revision_knows() {
    for revision in ALL {
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
fn a_schema_is_plain() {
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
fn no_schema_has_what_some_client_refuses() {
    for revision in ALL {
        let text = Value::Array(listed(revision)).to_string();
        for unwanted in ["$schema", "$ref", "$defs", "\"format\"", "\"null\""] {
            assert!(!text.contains(unwanted), "{unwanted} in {text}");
        }
    }
}

#[test]
fn an_output_schema_has_an_object_at_its_root_until_2025_11_25() {
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
fn a_cursor_that_was_never_given_is_invalid() {
    for revision in ALL {
        let mut talk = Talk::in_revision(revision);
        for cursor in [json!("x"), json!(""), json!(1)] {
            let answer = talk.ask("tools/list", json!({ "cursor": cursor }));
            assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
        }
    }
}
