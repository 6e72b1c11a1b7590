use mcp_runtime::Server;
use serde_json::{Value, json};

use support::dispatcher_client::{DispatcherClient, assert_contains, initialize, request_meta};

fn uninitialized() -> DispatcherClient {
    DispatcherClient::uninitialized(
        Server::new("tests", "1.2.3")
            .title("Tests")
            .instructions("Test."),
    )
}

#[test]
fn initialize_echoes_a_known_version_and_otherwise_offers_the_newest_legacy_one() {
    let check = |requested: &str, negotiated: &str| {
        let reply = uninitialized().send(&initialize(requested)).unwrap();
        let expected = json!({ "id": "init", "result": {
            "protocolVersion": negotiated,
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "tests", "version": "1.2.3" },
            "instructions": "Test.",
        }});
        assert_contains(&reply, &expected);
        let has_title = reply["result"]["serverInfo"].get("title").is_some();
        assert_eq!(has_title, negotiated >= "2025-06-18", "{requested}");
    };
    check("2024-11-05", "2024-11-05");
    check("2025-03-26", "2025-03-26");
    check("2025-06-18", "2025-06-18");
    check("2025-11-25", "2025-11-25");
    check("2026-07-28", "2025-11-25");
    check("1999-01-01", "2025-11-25");
    check("", "2025-11-25");
}

/// Checks the response to the first message of a connection.
fn check_first(message: Value, expected: Value) {
    let reply = uninitialized().send(&message).unwrap();
    assert_contains(&reply, &expected);
}

fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

#[test]
fn only_ping_is_allowed_before_initialize() {
    check_first(request("ping", json!({})), json!({ "id": 7, "result": {} }));
    let rejected = json!({ "id": 7, "error": { "code": -32600 } });
    check_first(request("tools/list", json!({})), rejected.clone());
    check_first(request("nonsense", json!({})), rejected);
}

#[test]
fn initialize_without_params_is_invalid_params() {
    let invalid = json!({ "id": 7, "error": { "code": -32602 } });
    check_first(request("initialize", json!({})), invalid.clone());
    check_first(
        json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize" }),
        invalid,
    );
}

#[test]
fn stateless_request_needs_version_and_capabilities() {
    let with_meta = |change: &dyn Fn(&mut Value)| {
        let mut meta = request_meta();
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
fn unsupported_version_error_lists_the_supported_ones() {
    for version in ["v999.0.0", "2025-11-25"] {
        let mut meta = request_meta();
        meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
        // Another version may need other keys, so the version is checked first.
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
fn discover_describes_the_server_and_still_allows_initialize() {
    let mut client = uninitialized();
    let discovered = client
        .send(&request(
            "server/discover",
            json!({ "_meta": request_meta() }),
        ))
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
    let initialized = client.send(&initialize("2025-06-18")).unwrap();
    assert_contains(
        &initialized,
        &json!({ "result": { "protocolVersion": "2025-06-18" } }),
    );
    // Legacy and stateless requests can be mixed.
    let legacy = client.send(&request("ping", json!({}))).unwrap();
    assert_eq!(legacy["result"], json!({}));
    let modern = client
        .send(&request("tools/list", json!({ "_meta": request_meta() })))
        .unwrap();
    assert_contains(&modern, &json!({ "result": { "resultType": "complete" } }));
}

#[test]
fn legacy_and_modern_methods_are_unknown_to_each_other() {
    let unknown = json!({ "id": 7, "error": { "code": -32601 } });
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
    ] {
        check_first(
            request(method, json!({ "_meta": request_meta() })),
            unknown.clone(),
        );
    }
    let mut client = DispatcherClient::in_revision(support::wire::Revision::V2025_11_25);
    let reply = client.send(&request("server/discover", json!({}))).unwrap();
    assert_contains(&reply, &unknown);
}
