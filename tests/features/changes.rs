//! What is served changes while it is served.

use mcp_runtime::protocol::{Prompt, PromptArgument, Resource, ResourceTemplate, Tool};
use mcp_runtime::{Added, ServerHandle, ToolError};
use serde_json::{Value, json};
use wire::Revision;

use crate::definitions::{all_groups, server};
use crate::talk::{ALL, Talk, assert_contains};

fn twice() -> Added {
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
    Added::tool(tool, |arguments, _| async move {
        let n = arguments["n"].as_i64().unwrap_or_default();
        match n {
            0 => Err(ToolError::public("nothing to double")),
            n => Ok((n * 2).to_string()),
        }
    })
}

fn added() -> Vec<Added> {
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
    let family = ResourceTemplate {
        uri_template: "made://of/{x}".to_owned(),
        name: "of".to_owned(),
        ..ResourceTemplate::default()
    };
    vec![
        twice(),
        Added::prompt(prompt, |arguments, _| async move {
            Ok(format!("Hail {}", arguments["who"]))
        }),
        Added::resource(resource, |_| async { Ok("one") }),
        Added::resource_template(
            family,
            |variables, _| async move { Ok(variables["x"].clone()) },
        )
        .unwrap(),
    ]
}

/// The methods of the notifications that came.
fn told(talk: &mut Talk) -> Vec<Value> {
    talk.news()
        .into_iter()
        .map(|message| message["method"].clone())
        .collect()
}

#[test]
fn what_is_added_goes_through_the_same_stages() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        talk.dispatcher.handle().add_all(added()).unwrap();
        let mut check = |method: &str, params: Value, expected: Value| {
            assert_contains(&talk.ask(method, params), &expected);
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
fn a_name_is_taken_once() {
    let talk = Talk::with(server(), Revision::V2025_11_25);
    let handle = talk.dispatcher.handle();
    handle.add(twice()).unwrap();
    let error = handle.add(twice()).unwrap_err().to_string();
    assert!(
        error.starts_with("two tools are named `twice`: one added while serving"),
        "{error}"
    );
    assert!(handle.remove_tool("twice"));
    assert!(!handle.remove_tool("twice"));
    handle.add(twice()).unwrap();
}

#[test]
fn a_session_hears_once_of_each_list_that_changed() {
    let changed = [
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
    ];
    for revision in ALL.into_iter().filter(|revision| revision.is_legacy()) {
        let mut talk = Talk::with(server(), revision);
        let handle = talk.dispatcher.handle().clone();
        handle.add_all(added()).unwrap();
        assert_eq!(told(&mut talk), changed);
        // Nothing visible changes.
        handle.enable_tool("slow");
        assert_eq!(told(&mut talk), Vec::<Value>::new());
        handle.disable_tool("slow");
        assert_eq!(told(&mut talk), changed[..1]);
        // It is as it was, which the client does not know.
        handle.enable_tool("slow");
        assert_eq!(told(&mut talk), changed[..1]);
    }
}

#[test]
fn a_body_can_change_what_is_served() {
    let mut talk = Talk::with(server(), Revision::V2025_06_18);
    talk.call("toggle", json!({ "name": "slow", "on": false }));
    assert_eq!(told(&mut talk), ["notifications/tools/list_changed"]);
}

#[test]
fn nothing_is_told_before_the_client_is_ready() {
    let mut talk = Talk::silent(server());
    talk.say(&crate::talk::initialize("2025-11-25"));
    talk.dispatcher.handle().disable_tool("slow");
    assert_eq!(told(&mut talk), Vec::<Value>::new());
    talk.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(told(&mut talk), ["notifications/tools/list_changed"]);
}

#[test]
fn a_subscriber_hears_of_its_resource() {
    for revision in ALL.into_iter().filter(|revision| revision.is_legacy()) {
        let mut talk = Talk::with(server(), revision);
        let handle: ServerHandle = talk.dispatcher.handle().clone();
        let subscribe =
            |talk: &mut Talk, uri: &str| talk.ask("resources/subscribe", json!({ "uri": uri }));
        assert_eq!(subscribe(&mut talk, "config://app")["result"], json!({}));
        assert_eq!(subscribe(&mut talk, "notes://1/body")["result"], json!({}));
        handle.resource_updated("config://app");
        handle.resource_updated("data://bytes");
        handle.resource_updated("notes://1/body");
        let uris: Vec<Value> = talk
            .news()
            .into_iter()
            .map(|it| it["params"]["uri"].clone())
            .collect();
        assert_eq!(uris, ["config://app", "notes://1/body"]);
        assert_eq!(
            talk.ask("resources/unsubscribe", json!({ "uri": "config://app" }))["result"],
            json!({})
        );
        assert_eq!(
            talk.ask("resources/unsubscribe", json!({ "uri": "never://was" }))["result"],
            json!({})
        );
        handle.resource_updated("config://app");
        assert_eq!(talk.news(), Vec::<Value>::new());
        assert_contains(
            &subscribe(&mut talk, "no://where"),
            &json!({ "error": { "code": -32002 } }),
        );
        assert_contains(
            &subscribe(&mut talk, "data://bytes"),
            &json!({ "error": { "code": -32602 } }),
        );
    }
}

#[test]
fn groups_select_what_is_served() {
    let names = |groups: Option<&[&str]>| {
        let server = match groups {
            Some(groups) => server().groups(groups.iter().copied()),
            None => all_groups().state(crate::requests::Itself::default()),
        };
        let mut talk = Talk::with(server, Revision::V2025_11_25);
        let tools = talk.ask("tools/list", json!({})).to_string();
        let prompts = talk.ask("prompts/list", json!({})).to_string();
        let templates = talk.ask("resources/templates/list", json!({})).to_string();
        let reads = talk.ask("resources/read", json!({ "uri": "plan://L1/plan" }));
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
fn several_servers_live_in_one_process() {
    let (mut one, mut other) = (
        Talk::with(server(), Revision::V2025_11_25),
        Talk::with(server(), Revision::V2025_11_25),
    );
    one.dispatcher.handle().add(twice()).unwrap();
    assert_eq!(told(&mut one).len(), 1);
    assert_eq!(told(&mut other), Vec::<Value>::new());
    assert_contains(
        &other.call("twice", json!({ "n": 1 })),
        &json!({ "error": { "code": -32602 } }),
    );
}

/// Whoever tells of a change last must not tell of one that is over.
#[test]
fn changes_at_the_same_time_leave_everybody_with_what_is_served() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut talk = Talk::with(server(), revision);
        let _listening = (!revision.is_legacy()).then(|| {
            let wanted = json!({ "notifications": { "toolsListChanged": true } });
            let request = talk.request("subscriptions/listen", wanted);
            talk.begin(&request)
        });
        let handle = talk.dispatcher.handle().clone();
        for _ in 0..500 {
            std::thread::scope(|scope| {
                scope.spawn(|| handle.disable_tool("slow"));
                scope.spawn(|| handle.enable_tool("slow"));
            });
            let listed = talk.ask("tools/list", json!({})).to_string();
            let served = listed.contains("\"slow\"");
            talk.news();
            // The client knows what it can list, so the opposite is news.
            match served {
                true => handle.disable_tool("slow"),
                false => handle.enable_tool("slow"),
            };
            assert_eq!(told(&mut talk).len(), 1, "{revision}");
        }
    }
}
