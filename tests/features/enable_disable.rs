//! Disabling and enabling definitions.

use mcp_runtime::ServerHandle;
use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains};

#[test]
fn disabled_tool_is_neither_listed_nor_callable() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server(), revision);
        let handle = client.dispatcher.handle().clone();
        assert!(handle.disable_tool("slow"));
        assert!(!handle.disable_tool("never"));
        assert!(
            !client
                .request("tools/list", json!({}))
                .to_string()
                .contains("\"slow\"")
        );
        assert_contains(
            &client.call("slow", json!({})),
            &json!({ "error": { "code": -32602 } }),
        );
        assert!(handle.enable_tool("slow"));
        assert!(
            client
                .request("tools/list", json!({}))
                .to_string()
                .contains("\"slow\"")
        );
    }
}

/// For each kind: list method, listed name, a request that uses it, and its switch.
#[test]
fn prompts_and_resources_can_be_disabled() {
    type Switch = fn(&ServerHandle, bool) -> bool;
    let cases: [(&str, &str, &str, Value, Switch); 3] = [
        (
            "prompts/list",
            "\"picture\"",
            "prompts/get",
            json!({ "name": "picture" }),
            |handle, on| match on {
                true => handle.enable_prompt("picture"),
                false => handle.disable_prompt("picture"),
            },
        ),
        (
            "resources/list",
            "config://app",
            "resources/read",
            json!({ "uri": "config://app" }),
            |handle, on| match on {
                true => handle.enable_resource("config://app"),
                false => handle.disable_resource("config://app"),
            },
        ),
        (
            "resources/templates/list",
            "notes://{+path}",
            "resources/read",
            json!({ "uri": "notes://any" }),
            |handle, on| match on {
                true => handle.enable_resource_template("notes://{+path}"),
                false => handle.disable_resource_template("notes://{+path}"),
            },
        ),
    ];
    for revision in Revision::ALL {
        for (list, name, method, params, switch) in &cases {
            let mut client = DispatcherClient::connect(server(), revision);
            let handle = client.dispatcher.handle().clone();
            let mut check = |available: bool| {
                let listed = client.request(list, json!({})).to_string();
                assert_eq!(listed.contains(name), available, "{list} in {revision}");
                let answer = client.request(method, params.clone());
                assert_eq!(answer["result"].is_object(), available, "{answer}");
            };
            check(true);
            assert!(switch(&handle, false));
            check(false);
            assert!(switch(&handle, true));
            check(true);
        }
    }
}
