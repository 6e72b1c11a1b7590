//! Tools with an app (extension `io.modelcontextprotocol/ui`).

use mcp_runtime::dispatch::DynamicDefinition;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{Resource, Tool};
use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains};

/// Is visible to the user only.
#[tool(group = "panel", ui = "ui://panel", meta("ui" = json!({ "visibility": ["app"] })), inline)]
fn panel() -> &'static str {
    "shown"
}

/// Sets the metadata of its app itself.
#[tool(group = "panel", meta("ui" = json!({ "resourceUri": "ui://panel" })), inline)]
fn other_panel() -> &'static str {
    "shown"
}

const APP: &str = "text/html;profile=mcp-app";

/// The page of the panel, with display preferences.
#[resource(
    "ui://panel",
    group = "page",
    mime_type = "text/html;profile=mcp-app",
    meta("ui" = json!({ "prefersBorder": true }))
)]
fn page() -> &'static str {
    "<p>"
}

fn extension(client: &mut DispatcherClient, revision: Revision) -> Value {
    let response = match revision.is_legacy() {
        true => client
            .send(&support::dispatcher_client::initialize(revision.as_str()))
            .unwrap(),
        false => client.request("server/discover", json!({})),
    };
    response["result"]["capabilities"]["extensions"]["io.modelcontextprotocol/ui"].clone()
}

#[test]
fn tool_names_its_app_resource() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server().groups(["panel", "page"]), revision);
        let tools = client.request("tools/list", json!({}));
        let tool_meta = |name: &str| {
            let tools = tools["result"]["tools"].as_array().unwrap();
            tools.iter().find(|tool| tool["name"] == name).unwrap()["_meta"].clone()
        };
        if revision >= Revision::V2025_06_18 {
            let ui = json!({ "resourceUri": "ui://panel", "visibility": ["app"] });
            assert_eq!(tool_meta("panel"), json!({ "ui": ui }));
            let ui = json!({ "resourceUri": "ui://panel" });
            assert_eq!(tool_meta("other_panel"), json!({ "ui": ui }));
        }
        let response = client.request("resources/read", json!({ "uri": "ui://panel" }));
        let contents = json!([{ "uri": "ui://panel", "mimeType": APP, "text": "<p>" }]);
        assert_contains(&response, &json!({ "result": { "contents": contents } }));
        let meta = &response["result"]["contents"][0]["_meta"];
        let expected = match revision >= Revision::V2025_06_18 {
            true => json!({ "ui": { "prefersBorder": true } }),
            false => Value::Null,
        };
        assert_eq!(*meta, expected, "{revision}");
    }
}

#[test]
fn ui_extension_is_declared_only_if_a_tool_uses_it() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server(), revision);
        assert_eq!(extension(&mut client, revision), json!({}));
        assert!(client.dispatcher.handle().disable_tool("widget"));
        assert_eq!(extension(&mut client, revision), Value::Null);
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
        let definitions = [
            DynamicDefinition::tool(tool, |_, _| async { Ok("made") }),
            DynamicDefinition::resource(page, |_| async { Ok("<p>") }),
        ];
        client.dispatcher.handle().add_all(definitions).unwrap();
        assert_eq!(extension(&mut client, revision), json!({}));
    }
}

#[test]
fn missing_app_resource_fails_startup() {
    let error = server().groups(["panel"]).build().unwrap_err().to_string();
    for tool in ["panel", "other_panel"] {
        let expected = format!("tool `{tool}` (tests/features/apps.rs:");
        assert!(error.contains(&expected), "{error}");
    }
    assert!(error.contains("its app is the resource `ui://panel`, which does not exist"));
}
