//! Tools that are shown by an app (extension `io.modelcontextprotocol/ui`).

use mcp_runtime::Added;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{Resource, Tool};
use serde_json::{Value, json};
use wire::Revision;

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains};

/// Is shown to people only.
#[tool(group = "panel", ui = "ui://panel", meta("ui" = json!({ "visibility": ["app"] })), inline)]
fn panel() -> &'static str {
    "shown"
}

/// Names its app by hand.
#[tool(group = "panel", meta("ui" = json!({ "resourceUri": "ui://panel" })), inline)]
fn other_panel() -> &'static str {
    "shown"
}

const APP: &str = "text/html;profile=mcp-app";

/// The page of the panel, and how it wants to be shown.
#[resource(
    "ui://panel",
    group = "page",
    mime_type = "text/html;profile=mcp-app",
    meta("ui" = json!({ "prefersBorder": true }))
)]
fn page() -> &'static str {
    "<p>"
}

fn extension(talk: &mut Talk, revision: Revision) -> Value {
    let told = match revision.is_legacy() {
        true => talk
            .say(&crate::talk::initialize(revision.as_str()))
            .unwrap(),
        false => talk.ask("server/discover", json!({})),
    };
    told["result"]["capabilities"]["extensions"]["io.modelcontextprotocol/ui"].clone()
}

#[test]
fn an_app_is_named_and_read_in_every_revision() {
    for revision in ALL {
        let mut talk = Talk::with(server().groups(["panel", "page"]), revision);
        let tools = talk.ask("tools/list", json!({}));
        let meta = |name: &str| {
            let tools = tools["result"]["tools"].as_array().unwrap();
            tools.iter().find(|tool| tool["name"] == name).unwrap()["_meta"].clone()
        };
        if revision >= Revision::V2025_06_18 {
            let ui = json!({ "resourceUri": "ui://panel", "visibility": ["app"] });
            assert_eq!(meta("panel"), json!({ "ui": ui }));
            let ui = json!({ "resourceUri": "ui://panel" });
            assert_eq!(meta("other_panel"), json!({ "ui": ui }));
        }
        let read = talk.ask("resources/read", json!({ "uri": "ui://panel" }));
        let contents = json!([{ "uri": "ui://panel", "mimeType": APP, "text": "<p>" }]);
        assert_contains(&read, &json!({ "result": { "contents": contents } }));
        let shown = &read["result"]["contents"][0]["_meta"];
        let expected = match revision >= Revision::V2025_06_18 {
            true => json!({ "ui": { "prefersBorder": true } }),
            false => Value::Null,
        };
        assert_eq!(*shown, expected, "{revision}");
    }
}

#[test]
fn the_extension_is_declared_only_where_it_is_used() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        assert_eq!(extension(&mut talk, revision), json!({}));
        assert!(talk.dispatcher.handle().disable_tool("widget"));
        assert_eq!(extension(&mut talk, revision), Value::Null);
        let ui = json!({ "ui": { "resourceUri": "ui://made" } });
        let tool = Tool {
            name: "made".to_owned(),
            input_schema: json!({ "type": "object" }),
            meta: ui.as_object().cloned(),
            ..Tool::default()
        };
        let page = Resource {
            uri: "ui://made".to_owned(),
            name: "made".to_owned(),
            mime_type: Some(APP.to_owned()),
            ..Resource::default()
        };
        let added = [
            Added::tool(tool, |_, _| async { Ok("made") }),
            Added::resource(page, |_| async { Ok("<p>") }),
        ];
        talk.dispatcher.handle().add_all(added).unwrap();
        assert_eq!(extension(&mut talk, revision), json!({}));
    }
}

#[test]
fn an_app_that_is_not_there_stops_the_start() {
    let error = server().groups(["panel"]).build().unwrap_err().to_string();
    for tool in ["panel", "other_panel"] {
        let expected = format!("tool `{tool}` (tests/features/apps.rs:");
        assert!(error.contains(&expected), "{error}");
    }
    assert!(error.contains("it is shown by `ui://panel`, and there is no such resource"));
}
