use mcp_runtime::prelude::*;
use mcp_runtime::protocol::Icon;
use serde_json::{Value, json};
use support::wire::Revision;

use support::dispatcher_client::assert_contains;

use crate::client;

/// Uses every attribute.
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

/// The `description` key replaces this comment.
#[tool(description = "Returns the region.", inline)]
fn region(
    /// Replaced by the `description` key.
    #[arg(description = "Where.", header = "Region")]
    region: String,
    #[arg(header = "Count")] count: Option<i64>,
    #[arg(secret)] token: Option<String>,
) -> String {
    format!("{region} {count:?} {token:?}")
}

fn custom_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": { "a": { "type": "integer", "multipleOf": 3 }, "b": {} },
        "required": ["a"],
    })
}

/// Has a custom schema.
#[tool(input_schema = custom_schema(), inline)]
fn threes(a: i64, b: Option<bool>) -> String {
    format!("{a} {b:?}")
}

fn listed(revision: Revision, name: &str) -> Option<Value> {
    let listed = client(revision).request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    tools.into_iter().find(|tool| tool["name"] == name)
}

#[test]
fn tool_attributes_are_listed() {
    let tool = listed(Revision::V2026_07_28, "files.read").unwrap();
    assert_contains(
        &tool,
        &json!({
            "title": "Read",
            "description": "Uses every attribute.\n\nDeprecated: use `files.open`",
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
fn former_name_is_callable_and_not_listed() {
    for revision in Revision::ALL {
        assert_eq!(listed(revision, "cat"), None);
        let mut client = client(revision);
        for name in ["files.read", "read_file", "cat"] {
            assert_eq!(client.call_text(name, json!({ "path": "p" })), "p");
        }
    }
}

#[test]
fn unknown_arguments_can_be_ignored() {
    let mut client = client(Revision::V2025_11_25);
    for arguments in [
        json!({ "path": "p", "z": { "a": [1, "}"] } }),
        json!({ "a": null, "path": "p" }),
    ] {
        assert_eq!(client.call_text("cat", arguments), "p");
    }
}

#[test]
fn header_arguments_are_limited_to_safe_integers() {
    let tool = listed(Revision::V2026_07_28, "region").unwrap();
    assert_eq!(tool["description"], "Returns the region.");
    let safe = 9_007_199_254_740_991_i64;
    assert_contains(
        &tool["inputSchema"]["properties"],
        &json!({
            "region": { "type": "string", "description": "Where.", "x-mcp-header": "Region" },
            "count": { "type": "integer", "x-mcp-header": "Count", "minimum": -safe, "maximum": safe },
        }),
    );
    let mut client = client(Revision::V2025_11_25);
    let answer = client.call("region", json!({ "region": "eu", "count": safe + 1 }));
    assert_eq!(answer["result"]["isError"], true);
    let text = client.call_text("region", json!({ "region": "eu", "count": safe }));
    assert_eq!(text, format!("eu Some({safe}) None"));
}

#[test]
fn custom_schema_is_unchanged_and_enforced() {
    let tool = listed(Revision::V2026_07_28, "threes").unwrap();
    assert_eq!(tool["inputSchema"], custom_schema());
    let mut client = client(Revision::V2025_11_25);
    assert_eq!(
        client.call_text("threes", json!({ "a": 6, "c": 1 })),
        "6 None"
    );
    let text = client.call_text("threes", json!({ "a": 7 }));
    assert!(text.contains("/a"), "{text}");
    let text = client.call_text("threes", json!({ "a": 9, "b": "x" }));
    assert!(text.contains("/b"), "{text}");
}
