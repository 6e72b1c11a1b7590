//! What can be told apart of features in a conversation.

use serde_json::{Value, json};

use crate::doors::Door;

type Probe = fn(&mut Door) -> bool;

/// Each with how it shows, and in the order of the page.
pub(crate) const FEATURES: &[(&str, Probe)] = &[
    ("titles", |door| {
        entry(door, "prompts", "way")["title"].is_string()
    }),
    ("icons", |door| {
        entry(door, "prompts", "way")["icons"].is_array()
    }),
    ("`_meta` of definitions", |door| {
        entry(door, "prompts", "way")["_meta"].is_object()
    }),
    ("annotations of tools", |door| {
        entry(door, "tools", "take_away")["annotations"].is_object()
    }),
    ("annotations of resources", |door| {
        entry(door, "resources", "config")["annotations"].is_object()
    }),
    ("size of resources", |door| {
        entry(door, "resources", "config")["size"].is_number()
    }),
    ("output schemas", |door| {
        entry(door, "tools", "toggle")["outputSchema"].is_object()
    }),
    ("structured output, objects", |door| {
        !structured(door).is_null()
    }),
    ("structured output, anything", |door| {
        structured(door).is_boolean()
    }),
    ("hints for caches", |door| {
        door.ask("tools/list", json!({}))["result"]["ttlMs"].is_number()
    }),
    ("completion with settled arguments", settled),
    ("`_meta` of results", |door| {
        let reply = door.call("steps", json!({})).reply;
        reply["result"]["_meta"]["example.com/steps"] == 3
    }),
    ("batches", batch),
    ("progress", |door| !progress(door).is_empty()),
    ("progress with a message", |door| {
        progress(door).iter().any(|it| it["message"].is_string())
    }),
    ("log messages, by a level of the session", |door| {
        door.call("logs", json!({})).before.iter().any(is_log)
    }),
    ("log messages, by a level of the request", |door| {
        let meta = json!({ "io.modelcontextprotocol/logLevel": "debug" });
        let params = json!({ "name": "logs", "arguments": {}, "_meta": meta });
        !door.revision.is_legacy()
            && door
                .exchange("tools/call", params)
                .before
                .iter()
                .any(is_log)
    }),
    ("changes of lists, told unasked", |door| {
        door.revision.is_legacy() && door.listens() && hears_of_tools(door)
    }),
    ("changes of resources, subscribed to", |door| {
        let params = json!({ "uri": "config://app" });
        door.listens()
            && door.ask("resources/subscribe", params)["result"].is_object()
            && hears_of_resource(door)
    }),
    ("changes of lists and resources, listened for", |door| {
        !door.revision.is_legacy()
            && door.listens()
            && hears_of_tools(door)
            && hears_of_resource(door)
    }),
];

fn entry(door: &mut Door, kind: &str, name: &str) -> Value {
    let listed = door.ask(&format!("{kind}/list"), json!({}));
    let listed = listed["result"][kind].as_array().unwrap();
    listed
        .iter()
        .find(|entry| entry["name"] == name)
        .unwrap()
        .clone()
}

fn structured(door: &mut Door) -> Value {
    let reply = door
        .call("toggle", json!({ "name": "slow", "on": true }))
        .reply;
    reply["result"]["structuredContent"].clone()
}

fn settled(door: &mut Door) -> bool {
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "way" },
        "argument": { "name": "street", "value": "" },
        "context": { "arguments": { "city": "Rome" } },
    });
    door.ask("completion/complete", params)["result"]["completion"]["values"][0] == "Rome Street"
}

fn batch(door: &mut Door) -> bool {
    let request = door.request("tools/list", json!({}));
    door.batch(&json!([request])).is_array()
}

fn progress(door: &mut Door) -> Vec<Value> {
    let params = json!({ "name": "steps", "arguments": {}, "_meta": { "progressToken": 1 } });
    let heard = door.exchange("tools/call", params).before.into_iter();
    let told = heard.filter(|message| message["method"] == "notifications/progress");
    told.map(|message| message["params"].clone()).collect()
}

fn hears_of_tools(door: &mut Door) -> bool {
    let news = door.news_of("toggle", json!({ "name": "slow", "on": false }));
    news.iter()
        .any(|it| it["method"] == "notifications/tools/list_changed")
}

fn hears_of_resource(door: &mut Door) -> bool {
    let news = door.news_of("touch", json!({ "uri": "config://app" }));
    news.iter()
        .any(|it| it["method"] == "notifications/resources/updated")
}

fn is_log(message: &Value) -> bool {
    message["method"] == "notifications/message"
}
