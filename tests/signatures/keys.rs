use mcp_runtime::prelude::*;
use mcp_runtime::protocol::Icon;
use serde_json::{Value, json};
use wire::Revision;

use crate::talk::{ALL, Talk, assert_contains};

/// Says much about itself.
#[tool(
    name = "files.read",
    dotted,
    title = "Read",
    read_only,
    destructive = false,
    open_world,
    icons("https://example.com/a.png", Icon { theme: Some("dark".to_owned()), ..Icon::from("data:,") }),
    meta("example.com/tier" = "gold", "example.com/weight" = 1 + 1),
    group = "files",
    scopes("files:read", "files:list"),
    timeout = "30s",
    serial,
    max_result = "64KiB",
    unknown = "ignore",
    renamed_from("read_file", "cat"),
    deprecated = "use `files.open`"
)]
fn read(path: String) -> String {
    path
}

/// Its doc comment is for readers of the code.
#[tool(description = "Tells the region.", inline)]
fn region(
    /// For readers of the code.
    #[arg(description = "Where.", header = "Region")]
    region: String,
    #[arg(header = "Count")] count: Option<i64>,
    #[arg(secret)] token: Option<String>,
) -> String {
    format!("{region} {count:?} {token:?}")
}

fn by_hand() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": { "a": { "type": "integer", "multipleOf": 3 }, "b": {} },
        "required": ["a"],
    })
}

/// Has a schema of its own.
#[tool(input_schema = by_hand(), inline)]
fn threes(a: i64, b: Option<bool>) -> String {
    format!("{a} {b:?}")
}

fn listed(revision: Revision, name: &str) -> Option<Value> {
    let listed = Talk::in_revision(revision).ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    tools.into_iter().find(|tool| tool["name"] == name)
}

#[test]
fn what_a_tool_says_about_itself_is_listed() {
    let tool = listed(Revision::V2026_07_28, "files.read").unwrap();
    assert_contains(
        &tool,
        &json!({
            "title": "Read",
            "description": "Says much about itself.\n\nDeprecated: use `files.open`",
            "annotations": { "readOnlyHint": true, "destructiveHint": false, "openWorldHint": true },
            "icons": [{ "src": "https://example.com/a.png" }, { "src": "data:,", "theme": "dark" }],
            "_meta": { "example.com/tier": "gold", "example.com/weight": 2 },
        }),
    );
    assert_eq!(tool["inputSchema"].get("additionalProperties"), None);
    let older = listed(Revision::V2025_06_18, "files.read").unwrap();
    assert_eq!(older.get("icons"), None);
}

#[test]
fn a_former_name_is_answered_and_not_listed() {
    for revision in ALL {
        assert_eq!(listed(revision, "cat"), None);
        let mut talk = Talk::in_revision(revision);
        for name in ["files.read", "read_file", "cat"] {
            assert_eq!(talk.text_of_call(name, json!({ "path": "p" })), "p");
        }
    }
}

#[test]
fn ignored_arguments_are_stepped_over() {
    let mut talk = Talk::in_revision(Revision::V2025_11_25);
    for arguments in [
        json!({ "path": "p", "z": { "a": [1, "}"] } }),
        json!({ "a": null, "path": "p" }),
    ] {
        assert_eq!(talk.text_of_call("cat", arguments), "p");
    }
}

#[test]
fn headers_are_advertised_with_exact_integers_only() {
    let tool = listed(Revision::V2026_07_28, "region").unwrap();
    assert_eq!(tool["description"], "Tells the region.");
    let safe = 9_007_199_254_740_991_i64;
    assert_contains(
        &tool["inputSchema"]["properties"],
        &json!({
            "region": { "type": "string", "description": "Where.", "x-mcp-header": "Region" },
            "count": { "type": "integer", "x-mcp-header": "Count", "minimum": -safe, "maximum": safe },
        }),
    );
    let mut talk = Talk::in_revision(Revision::V2025_11_25);
    let answer = talk.call("region", json!({ "region": "eu", "count": safe + 1 }));
    assert_eq!(answer["result"]["isError"], true);
    let text = talk.text_of_call("region", json!({ "region": "eu", "count": safe }));
    assert_eq!(text, format!("eu Some({safe}) None"));
}

#[test]
fn a_schema_by_hand_is_untouched_and_enforced() {
    let tool = listed(Revision::V2026_07_28, "threes").unwrap();
    assert_eq!(tool["inputSchema"], by_hand());
    let mut talk = Talk::in_revision(Revision::V2025_11_25);
    assert_eq!(
        talk.text_of_call("threes", json!({ "a": 6, "c": 1 })),
        "6 None"
    );
    let text = talk.text_of_call("threes", json!({ "a": 7 }));
    assert!(text.contains("/a"), "{text}");
    let text = talk.text_of_call("threes", json!({ "a": 9, "b": "x" }));
    assert!(text.contains("/b"), "{text}");
}
