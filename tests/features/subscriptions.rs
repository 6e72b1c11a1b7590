//! `subscriptions/listen`.

use mcp_runtime::Rate;
use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains};

fn client() -> DispatcherClient {
    DispatcherClient::connect(server(), Revision::V2026_07_28)
}

fn listen(
    client: &mut DispatcherClient,
    id: &Value,
    wanted: Value,
) -> mcp_runtime::dispatch::PendingCall {
    let mut request =
        client.new_request("subscriptions/listen", json!({ "notifications": wanted }));
    request["id"] = id.clone();
    client.start(&request)
}

fn subscription_id(message: &Value) -> &Value {
    &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
}

#[test]
fn acknowledgement_comes_first_with_the_accepted_filter() {
    let mut client = client();
    let wanted = json!({
        "toolsListChanged": true,
        "promptsListChanged": false,
        "resourceSubscriptions": ["config://app", "data://bytes", "no://where", "config://app"],
        "taskIds": ["x"],
    });
    let _pending = listen(&mut client, &json!("one"), wanted);
    let notifications = client.take_notifications();
    assert_eq!(notifications.len(), 1);
    assert_eq!(
        notifications[0]["method"],
        "notifications/subscriptions/acknowledged"
    );
    let accepted = json!({ "toolsListChanged": true, "resourceSubscriptions": ["config://app"] });
    assert_eq!(notifications[0]["params"]["notifications"], accepted);
    assert_eq!(*subscription_id(&notifications[0]), "one");
}

#[test]
fn each_listen_stream_gets_its_notifications_under_its_own_id() {
    let mut client = client();
    let tools = listen(&mut client, &json!(1), json!({ "toolsListChanged": true }));
    let both = listen(
        &mut client,
        &json!("1"),
        json!({ "toolsListChanged": true, "resourceSubscriptions": ["config://app"] }),
    );
    let prompts = listen(
        &mut client,
        &json!(2),
        json!({ "promptsListChanged": true }),
    );
    assert_eq!(client.take_notifications().len(), 3);
    let handle = client.dispatcher.handle().clone();
    handle.disable_tool("slow");
    handle.resource_updated("config://app");
    let received: Vec<(Value, Value)> = client
        .take_notifications()
        .iter()
        .map(|message| (message["method"].clone(), subscription_id(message).clone()))
        .collect();
    let changed = || json!("notifications/tools/list_changed");
    assert_eq!(
        received,
        [
            (changed(), json!(1)),
            (changed(), json!("1")),
            (json!("notifications/resources/updated"), json!("1"))
        ]
    );
    drop((tools, both, prompts));
    handle.enable_tool("slow");
    assert_eq!(client.take_notifications(), Vec::<Value>::new());
}

#[test]
fn reverting_a_change_notifies_again() {
    let mut client = client();
    let _pending = listen(&mut client, &json!(1), json!({ "toolsListChanged": true }));
    client.take_notifications();
    for on in [false, true] {
        client.call("toggle", json!({ "name": "slow", "on": on }));
        assert_eq!(client.take_notifications().len(), 1);
        client.call("toggle", json!({ "name": "slow", "on": on }));
        assert_eq!(client.take_notifications(), Vec::<Value>::new());
    }
}

#[test]
fn ended_listen_stream_gets_its_result() {
    let mut client = client();
    let pending = listen(&mut client, &json!(5), json!({ "toolsListChanged": true }));
    assert!(pending.is_long_lived());
    client.take_notifications();
    client.dispatcher.handle().close_listen_streams();
    let result = client.finish(pending).unwrap();
    let expected = json!({ "id": 5, "result": { "resultType": "complete", "_meta": { "io.modelcontextprotocol/subscriptionId": 5 } } });
    assert_contains(&result, &expected);
    client.dispatcher.handle().disable_tool("slow");
    assert_eq!(client.take_notifications(), Vec::<Value>::new());
}

#[test]
fn disconnecting_ends_listen_streams() {
    let mut client = client();
    let pending = listen(&mut client, &json!(5), json!({}));
    client.connection.close_listen_streams();
    assert!(client.finish(pending).is_some());
}

#[test]
fn cancelled_listen_stream_gets_nothing_more() {
    let mut client = client();
    let pending = listen(&mut client, &json!(5), json!({ "toolsListChanged": true }));
    client.take_notifications();
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } }));
    client.conversation.forbid_response(&json!(5));
    assert!(client.finish(pending).is_none());
    client.dispatcher.handle().disable_tool("slow");
    assert_eq!(client.take_notifications(), Vec::<Value>::new());
    assert_eq!(client.connection.calls_in_flight(), 0);
}

#[test]
fn listen_without_a_filter_is_invalid_params() {
    let mut client = client();
    for params in [
        json!({}),
        json!({ "notifications": [] }),
        json!({ "notifications": { "toolsListChanged": 1 } }),
    ] {
        assert_contains(
            &client.request("subscriptions/listen", params),
            &json!({ "error": { "code": -32602 } }),
        );
    }
}

#[test]
fn rate_limited_listen_request_is_rejected_as_a_whole() {
    let limited = server().rate_limit(Rate::per_hour(2));
    let mut client = DispatcherClient::connect(limited, Revision::V2026_07_28);
    let uris = json!(["notes://1/body", "notes://2/body", "config://app"]);
    let wanted = json!({ "resourceSubscriptions": uris });
    // Both notes belong to one template, and each of them counts.
    let pending = listen(&mut client, &json!(1), wanted.clone());
    assert_eq!(
        client.take_notifications()[0]["params"]["notifications"],
        wanted
    );
    drop(pending);
    let rejected = client.request("subscriptions/listen", json!({ "notifications": wanted }));
    assert_contains(&rejected, &json!({ "error": { "code": -31429 } }));
    assert_eq!(client.take_notifications(), Vec::<Value>::new());
}

#[test]
fn unknown_uris_count_towards_the_rate_limit() {
    let limited = server().rate_limit(Rate::per_hour(3));
    let mut client = DispatcherClient::connect(limited, Revision::V2026_07_28);
    let mut listen = |uris: Value| {
        let wanted = json!({ "notifications": { "resourceSubscriptions": uris } });
        client.request("subscriptions/listen", wanted)
    };
    let limited = json!({ "error": { "code": -31429 } });
    assert_contains(
        &listen(json!(["no://1", "no://2", "no://3", "no://4"])),
        &limited,
    );
    assert_contains(&listen(json!(["no://5"])), &limited);
}

#[test]
fn uris_of_a_stream_are_bounded_in_bytes() {
    let mut client = client();
    let uris: Vec<String> = (0..100)
        .map(|index| format!("no://{index:04000}"))
        .collect();
    let wanted = json!({ "notifications": { "resourceSubscriptions": uris } });
    let rejected = client.request("subscriptions/listen", wanted);
    assert_contains(&rejected, &json!({ "error": { "code": -32602 } }));
}

#[test]
fn equivalent_uris_are_one_subscription() {
    let mut client = client();
    let uris = json!(["notes://1/b%6fdy", "notes://1/body"]);
    let accepted = json!(["notes://1/b%6fdy"]);
    let _pending = listen(
        &mut client,
        &json!(1),
        json!({ "resourceSubscriptions": uris }),
    );
    let acknowledged = &client.take_notifications()[0]["params"]["notifications"];
    assert_eq!(acknowledged["resourceSubscriptions"], accepted);
    client
        .dispatcher
        .handle()
        .resource_updated("notes://1/body");
    let updated = &client.take_notifications()[0]["params"]["uri"];
    assert_eq!(*updated, accepted[0]);
}
