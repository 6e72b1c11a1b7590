//! `subscriptions/listen`.

use mcp_runtime::Rate;
use serde_json::{Value, json};
use wire::Revision;

use crate::definitions::server;
use crate::talk::{Talk, assert_contains};

fn talk() -> Talk {
    Talk::with(server(), Revision::V2026_07_28)
}

fn listen(talk: &mut Talk, id: &Value, wanted: Value) -> mcp_runtime::Pending {
    let mut request = talk.request("subscriptions/listen", json!({ "notifications": wanted }));
    request["id"] = id.clone();
    talk.begin(&request)
}

fn tag(message: &Value) -> &Value {
    &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
}

#[test]
fn the_acknowledgement_comes_first_and_says_what_is_honoured() {
    let mut talk = talk();
    let wanted = json!({
        "toolsListChanged": true,
        "promptsListChanged": false,
        "resourceSubscriptions": ["config://app", "data://bytes", "no://where", "config://app"],
        "taskIds": ["x"],
    });
    let _pending = listen(&mut talk, &json!("one"), wanted);
    let news = talk.news();
    assert_eq!(news.len(), 1);
    assert_eq!(
        news[0]["method"],
        "notifications/subscriptions/acknowledged"
    );
    let honoured = json!({ "toolsListChanged": true, "resourceSubscriptions": ["config://app"] });
    assert_eq!(news[0]["params"]["notifications"], honoured);
    assert_eq!(*tag(&news[0]), "one");
}

#[test]
fn each_stream_hears_what_it_asked_for_under_its_own_id() {
    let mut talk = talk();
    let tools = listen(&mut talk, &json!(1), json!({ "toolsListChanged": true }));
    let both = listen(
        &mut talk,
        &json!("1"),
        json!({ "toolsListChanged": true, "resourceSubscriptions": ["config://app"] }),
    );
    let prompts = listen(&mut talk, &json!(2), json!({ "promptsListChanged": true }));
    assert_eq!(talk.news().len(), 3);
    let handle = talk.dispatcher.handle().clone();
    handle.disable_tool("slow");
    handle.resource_updated("config://app");
    let told: Vec<(Value, Value)> = talk
        .news()
        .iter()
        .map(|message| (message["method"].clone(), tag(message).clone()))
        .collect();
    let changed = || json!("notifications/tools/list_changed");
    assert_eq!(
        told,
        [
            (changed(), json!(1)),
            (changed(), json!("1")),
            (json!("notifications/resources/updated"), json!("1"))
        ]
    );
    drop((tools, both, prompts));
    handle.enable_tool("slow");
    assert_eq!(talk.news(), Vec::<Value>::new());
}

#[test]
fn a_change_back_is_told_as_well() {
    let mut talk = talk();
    let _pending = listen(&mut talk, &json!(1), json!({ "toolsListChanged": true }));
    talk.news();
    for on in [false, true] {
        talk.call("toggle", json!({ "name": "slow", "on": on }));
        assert_eq!(talk.news().len(), 1);
        talk.call("toggle", json!({ "name": "slow", "on": on }));
        assert_eq!(talk.news(), Vec::<Value>::new());
    }
}

#[test]
fn the_server_ends_a_stream_with_its_result() {
    let mut talk = talk();
    let pending = listen(&mut talk, &json!(5), json!({ "toolsListChanged": true }));
    assert!(pending.is_long_lived());
    talk.news();
    talk.dispatcher.handle().end_streams();
    let result = talk.wait(pending).unwrap();
    let expected = json!({ "id": 5, "result": { "resultType": "complete", "_meta": { "io.modelcontextprotocol/subscriptionId": 5 } } });
    assert_contains(&result, &expected);
    talk.dispatcher.handle().disable_tool("slow");
    assert_eq!(talk.news(), Vec::<Value>::new());
}

#[test]
fn the_end_of_the_client_ends_its_streams() {
    let mut talk = talk();
    let pending = listen(&mut talk, &json!(5), json!({}));
    talk.peer.stop_listening();
    assert!(talk.wait(pending).is_some());
}

#[test]
fn a_cancelled_stream_says_nothing_more() {
    let mut talk = talk();
    let pending = listen(&mut talk, &json!(5), json!({ "toolsListChanged": true }));
    talk.news();
    talk.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } }));
    talk.conversation.forbid_answer(&json!(5));
    assert!(talk.wait(pending).is_none());
    talk.dispatcher.handle().disable_tool("slow");
    assert_eq!(talk.news(), Vec::<Value>::new());
    assert_eq!(talk.peer.calls_in_flight(), 0);
}

#[test]
fn a_listener_without_a_filter_is_refused() {
    let mut talk = talk();
    for params in [
        json!({}),
        json!({ "notifications": [] }),
        json!({ "notifications": { "toolsListChanged": 1 } }),
    ] {
        assert_contains(
            &talk.ask("subscriptions/listen", params),
            &json!({ "error": { "code": -32602 } }),
        );
    }
}

#[test]
fn a_listener_at_a_limit_is_told_and_not_left_without_what_it_asked_for() {
    let limited = server().rate_limit(Rate::per_hour(1));
    let mut talk = Talk::with(limited, Revision::V2026_07_28);
    let uris = json!(["notes://1/body", "notes://2/body", "config://app"]);
    let wanted = json!({ "resourceSubscriptions": uris });
    // The notes are one definition, and one request counts it once.
    let pending = listen(&mut talk, &json!(1), wanted.clone());
    assert_eq!(talk.news()[0]["params"]["notifications"], wanted);
    drop(pending);
    let refused = talk.ask("subscriptions/listen", json!({ "notifications": wanted }));
    assert_contains(&refused, &json!({ "error": { "code": -31429 } }));
    assert_eq!(talk.news(), Vec::<Value>::new());
}
