//! What can be told apart of features in a conversation.

use serde_json::{Value, json};

use crate::transports::TransportClient;

type Probe = fn(&mut TransportClient) -> bool;

/// Each with how it shows, and in the order of the page.
pub(crate) const FEATURES: &[(&str, Probe)] = &[
    ("titles", |client| {
        entry(client, "prompts", "way")["title"].is_string()
    }),
    ("icons", |client| {
        entry(client, "prompts", "way")["icons"].is_array()
    }),
    ("`_meta` of definitions", |client| {
        entry(client, "prompts", "way")["_meta"].is_object()
    }),
    ("tool annotations", |client| {
        entry(client, "tools", "remove")["annotations"].is_object()
    }),
    ("resource annotations", |client| {
        entry(client, "resources", "config")["annotations"].is_object()
    }),
    ("resource sizes", |client| {
        entry(client, "resources", "config")["size"].is_number()
    }),
    ("output schemas", |client| {
        entry(client, "tools", "toggle")["outputSchema"].is_object()
    }),
    ("structured output: objects", |client| {
        !structured(client).is_null()
    }),
    ("structured output: any value", |client| {
        structured(client).is_boolean()
    }),
    ("cache hints", |client| {
        client.request("tools/list", json!({}))["result"]["ttlMs"].is_number()
    }),
    ("completion with other arguments as context", settled),
    ("`_meta` of results", |client| {
        let reply = client.call("steps", json!({})).reply;
        reply["result"]["_meta"]["example.com/steps"] == 3
    }),
    ("batches", batch),
    ("progress", |client| !progress(client).is_empty()),
    ("progress with a message", |client| {
        progress(client).iter().any(|it| it["message"].is_string())
    }),
    ("log messages, level set per session", |client| {
        client.call("logs", json!({})).before.iter().any(is_log)
    }),
    ("log messages, level set per request", |client| {
        let meta = json!({ "io.modelcontextprotocol/logLevel": "debug" });
        let params = json!({ "name": "logs", "arguments": {}, "_meta": meta });
        !client.revision.is_legacy()
            && client
                .exchange("tools/call", params)
                .before
                .iter()
                .any(is_log)
    }),
    ("list change notifications without subscription", |client| {
        client.revision.is_legacy() && client.open_listen_stream() && hears_of_tools(client)
    }),
    (
        "resource update notifications, `resources/subscribe`",
        |client| {
            let params = json!({ "uri": "config://app" });
            client.open_listen_stream()
                && client.request("resources/subscribe", params)["result"].is_object()
                && hears_of_resource(client)
        },
    ),
    (
        "list and resource notifications, `subscriptions/listen`",
        |client| {
            !client.revision.is_legacy()
                && client.open_listen_stream()
                && hears_of_tools(client)
                && hears_of_resource(client)
        },
    ),
];

fn entry(client: &mut TransportClient, kind: &str, name: &str) -> Value {
    let listed = client.request(&format!("{kind}/list"), json!({}));
    let listed = listed["result"][kind].as_array().unwrap();
    listed
        .iter()
        .find(|entry| entry["name"] == name)
        .unwrap()
        .clone()
}

fn structured(client: &mut TransportClient) -> Value {
    let reply = client
        .call("toggle", json!({ "name": "slow", "on": true }))
        .reply;
    reply["result"]["structuredContent"].clone()
}

fn settled(client: &mut TransportClient) -> bool {
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "way" },
        "argument": { "name": "street", "value": "" },
        "context": { "arguments": { "city": "Rome" } },
    });
    client.request("completion/complete", params)["result"]["completion"]["values"][0]
        == "Rome Street"
}

fn batch(client: &mut TransportClient) -> bool {
    let request = client.new_request("tools/list", json!({}));
    client.batch(&json!([request])).is_array()
}

fn progress(client: &mut TransportClient) -> Vec<Value> {
    let params = json!({ "name": "steps", "arguments": {}, "_meta": { "progressToken": 1 } });
    let heard = client.exchange("tools/call", params).before.into_iter();
    let told = heard.filter(|message| message["method"] == "notifications/progress");
    told.map(|message| message["params"].clone()).collect()
}

fn hears_of_tools(client: &mut TransportClient) -> bool {
    let notifications = client.notifications_of("toggle", json!({ "name": "slow", "on": false }));
    notifications
        .iter()
        .any(|it| it["method"] == "notifications/tools/list_changed")
}

fn hears_of_resource(client: &mut TransportClient) -> bool {
    let notifications = client.notifications_of("touch", json!({ "uri": "config://app" }));
    notifications
        .iter()
        .any(|it| it["method"] == "notifications/resources/updated")
}

fn is_log(message: &Value) -> bool {
    message["method"] == "notifications/message"
}
