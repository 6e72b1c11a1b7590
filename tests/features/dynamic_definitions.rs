//! Definitions that are added and removed while serving, and list changes.

use mcp_runtime::dispatch::DynamicDefinition;
use mcp_runtime::protocol::{Prompt, PromptArgument, Resource, ResourceTemplate, Tool};
use mcp_runtime::{ServerHandle, ToolError};
use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::{all_groups, server};
use support::dispatcher_client::{DispatcherClient, assert_contains};

fn twice() -> DynamicDefinition {
    let tool = Tool {
        name: "twice".to_owned(),
        description: Some("Doubles.".to_owned()),
        input_schema: json!({
            "type": "object",
            "properties": { "n": { "type": "integer", "maximum": 9 } },
            "required": ["n"],
            "additionalProperties": false,
        }),
        ..Tool::default()
    };
    DynamicDefinition::tool(tool, |arguments, _| async move {
        let n = arguments["n"].as_i64().unwrap_or_default();
        match n {
            0 => Err(ToolError::public("nothing to double")),
            n => Ok((n * 2).to_string()),
        }
    })
}

fn definitions() -> Vec<DynamicDefinition> {
    let argument = PromptArgument {
        name: "who".to_owned(),
        required: true,
        ..PromptArgument::default()
    };
    let prompt = Prompt {
        name: "hail".to_owned(),
        arguments: vec![argument],
        ..Prompt::default()
    };
    let resource = Resource {
        uri: "made://one".to_owned(),
        name: "one".to_owned(),
        ..Resource::default()
    };
    let template = ResourceTemplate {
        uri_template: "made://of/{x}".to_owned(),
        name: "of".to_owned(),
        ..ResourceTemplate::default()
    };
    vec![
        twice(),
        DynamicDefinition::prompt(prompt, |arguments, _| async move {
            Ok(format!("Hail {}", arguments["who"]))
        }),
        DynamicDefinition::resource(resource, |_| async { Ok("one") }),
        DynamicDefinition::resource_template(template, |variables, _| async move {
            Ok(variables["x"].clone())
        })
        .unwrap(),
    ]
}

/// Takes the methods of the notifications received.
fn notified_methods(client: &mut DispatcherClient) -> Vec<Value> {
    client
        .take_notifications()
        .into_iter()
        .map(|message| message["method"].clone())
        .collect()
}

#[test]
fn dynamic_definitions_pass_the_same_stages() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server(), revision);
        client.dispatcher.handle().add_all(definitions()).unwrap();
        let mut check = |method: &str, params: Value, expected: Value| {
            assert_contains(&client.request(method, params), &expected);
        };
        let call = |arguments: Value| json!({ "name": "twice", "arguments": arguments });
        let text = |text: &str| json!({ "result": { "content": [{ "text": text }] } });
        check("tools/call", call(json!({ "n": 4 })), text("8"));
        check("tools/call", call(json!({ "n": "4" })), text("8"));
        check(
            "tools/call",
            call(json!({ "n": 0 })),
            json!({ "result": { "isError": true } }),
        );
        check(
            "tools/call",
            call(json!({ "n": 10 })),
            json!({ "result": { "isError": true } }),
        );
        check(
            "tools/call",
            call(json!({})),
            json!({ "result": { "isError": true } }),
        );
        let hail = json!({ "name": "hail", "arguments": { "who": "you" } });
        check(
            "prompts/get",
            hail,
            json!({ "result": { "messages": [{ "content": { "text": "Hail you" } }] } }),
        );
        check(
            "prompts/get",
            json!({ "name": "hail" }),
            json!({ "error": { "code": -32602 } }),
        );
        let contents = |text: &str| json!({ "result": { "contents": [{ "text": text }] } });
        check(
            "resources/read",
            json!({ "uri": "made://one" }),
            contents("one"),
        );
        check(
            "resources/read",
            json!({ "uri": "made://of/a%20b" }),
            contents("a b"),
        );
    }
}

#[test]
fn duplicate_dynamic_name_is_rejected() {
    let client = DispatcherClient::connect(server(), Revision::V2025_11_25);
    let handle = client.dispatcher.handle();
    handle.add(twice()).unwrap();
    let error = handle.add(twice()).unwrap_err().to_string();
    assert!(
        error.starts_with("two tools are named `twice`: added at run time"),
        "{error}"
    );
    assert!(handle.remove_tool("twice"));
    assert!(!handle.remove_tool("twice"));
    handle.add(twice()).unwrap();
}

#[test]
fn session_is_notified_once_per_changed_list() {
    let changed = [
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
    ];
    for revision in Revision::ALL
        .into_iter()
        .filter(|revision| revision.is_legacy())
    {
        let mut client = DispatcherClient::connect(server(), revision);
        let handle = client.dispatcher.handle().clone();
        handle.add_all(definitions()).unwrap();
        assert_eq!(notified_methods(&mut client), changed);
        // The list does not change.
        handle.enable_tool("slow");
        assert_eq!(notified_methods(&mut client), Vec::<Value>::new());
        handle.disable_tool("slow");
        assert_eq!(notified_methods(&mut client), changed[..1]);
        // The list is as before, which the client does not know.
        handle.enable_tool("slow");
        assert_eq!(notified_methods(&mut client), changed[..1]);
    }
}

#[test]
fn handler_can_disable_a_tool() {
    let mut client = DispatcherClient::connect(server(), Revision::V2025_06_18);
    client.call("toggle", json!({ "name": "slow", "on": false }));
    assert_eq!(
        notified_methods(&mut client),
        ["notifications/tools/list_changed"]
    );
}

#[test]
fn list_changes_are_held_until_initialized() {
    let mut client = DispatcherClient::uninitialized(server());
    client.send(&support::dispatcher_client::initialize("2025-11-25"));
    client.dispatcher.handle().disable_tool("slow");
    assert_eq!(notified_methods(&mut client), Vec::<Value>::new());
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(
        notified_methods(&mut client),
        ["notifications/tools/list_changed"]
    );
}

#[test]
fn subscriber_is_notified_of_its_resource() {
    for revision in Revision::ALL
        .into_iter()
        .filter(|revision| revision.is_legacy())
    {
        let mut client = DispatcherClient::connect(server(), revision);
        let handle: ServerHandle = client.dispatcher.handle().clone();
        let subscribe = |client: &mut DispatcherClient, uri: &str| {
            client.request("resources/subscribe", json!({ "uri": uri }))
        };
        assert_eq!(subscribe(&mut client, "config://app")["result"], json!({}));
        assert_eq!(
            subscribe(&mut client, "notes://1/body")["result"],
            json!({})
        );
        handle.resource_updated("config://app");
        handle.resource_updated("data://bytes");
        handle.resource_updated("notes://1/body");
        let uris: Vec<Value> = client
            .take_notifications()
            .into_iter()
            .map(|message| message["params"]["uri"].clone())
            .collect();
        assert_eq!(uris, ["config://app", "notes://1/body"]);
        assert_eq!(
            client.request("resources/unsubscribe", json!({ "uri": "config://app" }))["result"],
            json!({})
        );
        assert_eq!(
            client.request("resources/unsubscribe", json!({ "uri": "never://was" }))["result"],
            json!({})
        );
        handle.resource_updated("config://app");
        assert_eq!(client.take_notifications(), Vec::<Value>::new());
        assert_contains(
            &subscribe(&mut client, "no://where"),
            &json!({ "error": { "code": -32002 } }),
        );
        assert_contains(
            &subscribe(&mut client, "data://bytes"),
            &json!({ "error": { "code": -32602 } }),
        );
    }
}

#[test]
fn groups_select_definitions() {
    let names = |groups: Option<&[&str]>| {
        let server = match groups {
            Some(groups) => server().groups(groups.iter().copied()),
            None => all_groups().state(crate::request_context::OwnDispatcher::default()),
        };
        let mut client = DispatcherClient::connect(server, Revision::V2025_11_25);
        let tools = client.request("tools/list", json!({})).to_string();
        let prompts = client.request("prompts/list", json!({})).to_string();
        let templates = client
            .request("resources/templates/list", json!({}))
            .to_string();
        let reads = client.request("resources/read", json!({ "uri": "plan://L1/plan" }));
        assert_eq!(templates.contains("plan://"), reads["result"].is_object());
        [
            tools.contains("\"extra\""),
            prompts.contains("extra_prompt"),
            templates.contains("plan://"),
            tools.contains("\"slow\""),
        ]
    };
    assert_eq!(names(None), [true; 4]);
    assert_eq!(names(Some(&["extra"])), [true, true, false, true]);
    assert_eq!(names(Some(&["parsed"])), [false, false, true, true]);
    assert_eq!(names(Some(&["other"])), [false, false, false, true]);
}

#[test]
fn servers_in_one_process_are_independent() {
    let (mut one, mut other) = (
        DispatcherClient::connect(server(), Revision::V2025_11_25),
        DispatcherClient::connect(server(), Revision::V2025_11_25),
    );
    one.dispatcher.handle().add(twice()).unwrap();
    assert_eq!(notified_methods(&mut one).len(), 1);
    assert_eq!(notified_methods(&mut other), Vec::<Value>::new());
    assert_contains(
        &other.call("twice", json!({ "n": 1 })),
        &json!({ "error": { "code": -32602 } }),
    );
}

/// The last notification must not be about an outdated list.
#[test]
fn concurrent_changes_leave_clients_with_the_current_list() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = DispatcherClient::connect(server(), revision);
        let _listening = (!revision.is_legacy()).then(|| {
            let wanted = json!({ "notifications": { "toolsListChanged": true } });
            let request = client.new_request("subscriptions/listen", wanted);
            client.start(&request)
        });
        let handle = client.dispatcher.handle().clone();
        for _ in 0..500 {
            std::thread::scope(|scope| {
                scope.spawn(|| handle.disable_tool("slow"));
                scope.spawn(|| handle.enable_tool("slow"));
            });
            let listed = client.request("tools/list", json!({})).to_string();
            let served = listed.contains("\"slow\"");
            client.take_notifications();
            // The client has just listed, so the opposite is a change.
            match served {
                true => handle.disable_tool("slow"),
                false => handle.enable_tool("slow"),
            };
            assert_eq!(notified_methods(&mut client).len(), 1, "{revision}");
        }
    }
}

#[test]
fn resource_is_found_under_equivalent_uris() {
    let mut client = DispatcherClient::connect(server(), Revision::V2025_11_25);
    let own = "docs://café/my menu";
    let resource = Resource {
        uri: own.to_owned(),
        name: "menu".to_owned(),
        ..Resource::default()
    };
    let menu = || DynamicDefinition::resource(resource.clone(), |_| async { Ok("soup") });
    let server = client.dispatcher.handle().clone();
    server.add(menu()).unwrap();
    let uris = ["docs://caf%C3%A9/my%20menu", "docs://%63af%c3%a9/my%20menu"];
    // What is listed must be a URI.
    let listed = client.request("resources/list", json!({}))["result"]["resources"].take();
    let listed = listed.as_array().unwrap();
    assert!(listed.iter().any(|it| it["uri"] == uris[0]), "{listed:?}");
    for uri in uris {
        let read = client.request("resources/read", json!({ "uri": uri }));
        let expected = json!({ "result": { "contents": [{ "uri": uri, "text": "soup" }] } });
        assert_contains(&read, &expected);
        let subscribed = client.request("resources/subscribe", json!({ "uri": uri }));
        assert_eq!(subscribed["result"], json!({}), "{uri}");
    }
    client.take_notifications();
    server.resource_updated(own);
    assert_eq!(client.take_notifications().len(), 1);
    client.request("resources/unsubscribe", json!({ "uri": uris[0] }));
    server.resource_updated("docs://caf%C3%A9/my%20menu");
    assert_eq!(client.take_notifications(), Vec::<Value>::new());

    let second = Resource {
        uri: uris[0].to_owned(),
        ..resource.clone()
    };
    let second = DynamicDefinition::resource(second, |_| async { Ok("stew") });
    assert!(server.add(second).is_err());
    assert!(server.disable_resource(own));
    for uri in uris {
        let read = client.request("resources/read", json!({ "uri": uri }));
        assert_contains(&read, &json!({ "error": { "code": -32002 } }));
    }
    assert!(server.remove_resource(own));
    server.add(menu()).unwrap();
}

#[test]
fn path_traversal_in_a_variable_matches_no_resource() {
    let mut client = DispatcherClient::connect(server(), Revision::V2025_11_25);
    let handle = client.dispatcher.handle().clone();
    let echo = |uri: &str| {
        let template = ResourceTemplate {
            uri_template: uri.to_owned(),
            name: uri.to_owned(),
            ..ResourceTemplate::default()
        };
        let echo = DynamicDefinition::resource_template(template, |variables, _| async move {
            Ok(variables["path"].clone())
        });
        echo.unwrap()
    };
    handle.add(echo("files://{+path}")).unwrap();
    handle.add(echo("names://{path}")).unwrap();
    handle
        .add(echo("any:/x/{+path}").allow_path_traversal())
        .unwrap();
    let mut read = |uri: &str| {
        let read = client.request("resources/read", json!({ "uri": uri }));
        let subscribed = client.request("resources/subscribe", json!({ "uri": uri }));
        assert_eq!(read["error"]["code"], subscribed["error"]["code"], "{uri}");
        read
    };
    for path in [
        "../etc/passwd",
        "%2E%2e/etc",
        "..%2F..%2Fetc%2Fpasswd",
        "a/..",
        "a%5C..%5Cb",
        "/etc/passwd",
        "%2Fetc",
        "C:%5Ca",
        "a%00.txt",
    ] {
        let absent = json!({ "error": { "code": -32002 } });
        assert_contains(&read(&format!("files://{path}")), &absent);
        if !path.contains('/') {
            assert_contains(&read(&format!("names://{path}")), &absent);
        }
        let allowed = read(&format!("any:/x/{path}"));
        assert!(
            allowed["result"]["contents"][0]["text"].is_string(),
            "{path}"
        );
    }
    let inside = json!({ "result": { "contents": [{ "text": "a/b..c.txt" }] } });
    assert_contains(&read("files://a/b..c.txt"), &inside);
}
