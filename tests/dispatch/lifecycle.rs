use mcp_runtime::Server;
use serde_json::{Value, json};

use crate::talk::{Talk, assert_contains, claim, initialize};

fn silent() -> Talk {
    Talk::silent(
        Server::new("tests", "1.2.3")
            .title("Tests")
            .instructions("Test."),
    )
}

#[test]
fn a_known_legacy_version_is_echoed_and_any_other_gets_the_newest_legacy_one() {
    let check = |asked: &str, answered: &str| {
        let reply = silent().say(&initialize(asked)).unwrap();
        let expected = json!({ "id": "init", "result": {
            "protocolVersion": answered,
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "tests", "version": "1.2.3" },
            "instructions": "Test.",
        }});
        assert_contains(&reply, &expected);
        let has_title = reply["result"]["serverInfo"].get("title").is_some();
        assert_eq!(has_title, answered >= "2025-06-18", "{asked}");
    };
    check("2024-11-05", "2024-11-05");
    check("2025-03-26", "2025-03-26");
    check("2025-06-18", "2025-06-18");
    check("2025-11-25", "2025-11-25");
    check("2026-07-28", "2025-11-25");
    check("1999-01-01", "2025-11-25");
    check("", "2025-11-25");
}

/// What is answered to the first message of a conversation.
fn check_first(message: Value, expected: Value) {
    let reply = silent().say(&message).unwrap();
    assert_contains(&reply, &expected);
}

fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

#[test]
fn before_initialize_only_ping_is_answered() {
    check_first(request("ping", json!({})), json!({ "id": 7, "result": {} }));
    let refused = json!({ "id": 7, "error": { "code": -32600 } });
    check_first(request("tools/list", json!({})), refused.clone());
    check_first(request("nonsense", json!({})), refused);
}

#[test]
fn initialize_without_its_parameters_is_invalid() {
    let invalid = json!({ "id": 7, "error": { "code": -32602 } });
    check_first(request("initialize", json!({})), invalid.clone());
    check_first(
        json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize" }),
        invalid,
    );
}

#[test]
fn a_stateless_request_needs_its_version_and_capabilities() {
    let with_meta = |change: &dyn Fn(&mut Value)| {
        let mut meta = claim();
        change(&mut meta);
        request("server/discover", json!({ "_meta": meta }))
    };
    let remove = |key: &'static str| {
        with_meta(&move |meta| {
            meta.as_object_mut().unwrap().remove(key);
        })
    };
    let invalid = json!({ "id": 7, "error": { "code": -32602 } });
    check_first(request("server/discover", json!({})), invalid.clone());
    check_first(
        remove("io.modelcontextprotocol/protocolVersion"),
        invalid.clone(),
    );
    check_first(
        remove("io.modelcontextprotocol/clientCapabilities"),
        invalid.clone(),
    );
    let wrong = with_meta(&|meta| meta["io.modelcontextprotocol/clientCapabilities"] = json!([]));
    check_first(wrong, invalid.clone());
    let wrong = with_meta(&|meta| meta["io.modelcontextprotocol/protocolVersion"] = json!(1));
    check_first(wrong, invalid);
    let discovered = json!({ "id": 7, "result": { "supportedVersions": ["2026-07-28"] } });
    check_first(remove("io.modelcontextprotocol/clientInfo"), discovered);
}

#[test]
fn an_unserved_version_is_named_with_those_that_are_served() {
    for version in ["v999.0.0", "2025-11-25"] {
        let mut meta = claim();
        meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
        // Another version may need other keys, so this is checked before them.
        meta.as_object_mut()
            .unwrap()
            .remove("io.modelcontextprotocol/clientCapabilities");
        let expected = json!({ "id": 7, "error": { "code": -32022, "data": {
            "supported": ["2026-07-28"],
            "requested": version,
        }}});
        check_first(
            request("server/discover", json!({ "_meta": meta })),
            expected,
        );
    }
}

#[test]
fn discover_tells_everything_and_does_not_lock_the_era() {
    let mut talk = silent();
    let discovered = talk
        .say(&request("server/discover", json!({ "_meta": claim() })))
        .unwrap();
    let expected = json!({ "result": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": { "tools": {} },
        "instructions": "Test.",
        "ttlMs": 0,
        "cacheScope": "public",
        "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "tests", "title": "Tests" } },
    }});
    assert_contains(&discovered, &expected);
    let initialized = talk.say(&initialize("2025-06-18")).unwrap();
    assert_contains(
        &initialized,
        &json!({ "result": { "protocolVersion": "2025-06-18" } }),
    );
    // Both eras go on side by side.
    let legacy = talk.say(&request("ping", json!({}))).unwrap();
    assert_eq!(legacy["result"], json!({}));
    let modern = talk
        .say(&request("tools/list", json!({ "_meta": claim() })))
        .unwrap();
    assert_contains(&modern, &json!({ "result": { "resultType": "complete" } }));
}

#[test]
fn methods_of_the_other_era_do_not_exist() {
    let unknown = json!({ "id": 7, "error": { "code": -32601 } });
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
    ] {
        check_first(
            request(method, json!({ "_meta": claim() })),
            unknown.clone(),
        );
    }
    let mut talk = Talk::in_revision(wire::Revision::V2025_11_25);
    let reply = talk.say(&request("server/discover", json!({}))).unwrap();
    assert_contains(&reply, &unknown);
}
