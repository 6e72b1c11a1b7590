//! What is switched off and on again.

use mcp_runtime::ServerHandle;
use serde_json::{Value, json};

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains};

#[test]
fn what_is_disabled_is_neither_listed_nor_called() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        let handle = talk.dispatcher.handle().clone();
        assert!(handle.disable_tool("slow"));
        assert!(!handle.disable_tool("never"));
        assert!(
            !talk
                .ask("tools/list", json!({}))
                .to_string()
                .contains("\"slow\"")
        );
        assert_contains(
            &talk.call("slow", json!({})),
            &json!({ "error": { "code": -32602 } }),
        );
        assert!(handle.enable_tool("slow"));
        assert!(
            talk.ask("tools/list", json!({}))
                .to_string()
                .contains("\"slow\"")
        );
    }
}

/// One of each other kind: how it is listed, and a request that it answers.
#[test]
fn prompts_and_resources_are_disabled_like_tools() {
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
    for revision in ALL {
        for (list, name, method, params, switch) in &cases {
            let mut talk = Talk::with(server(), revision);
            let handle = talk.dispatcher.handle().clone();
            let mut check = |there: bool| {
                let listed = talk.ask(list, json!({})).to_string();
                assert_eq!(listed.contains(name), there, "{list} in {revision}");
                let answer = talk.ask(method, params.clone());
                assert_eq!(answer["result"].is_object(), there, "{answer}");
            };
            check(true);
            assert!(switch(&handle, false));
            check(false);
            assert!(switch(&handle, true));
            check(true);
        }
    }
}
