//! Edge cases of JSON-RPC.

use serde_json::{Value, json};
use support::wire::Revision;

use support::dispatcher_client::{DispatcherClient, assert_contains};

/// Checks the response to a text in every revision; `null` means that there is none.
fn check(text: &str, expected: &Value) {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        match client.send_text(text) {
            Some(reply) => {
                assert_contains(&reply, expected);
                assert_eq!(reply.get("id"), expected.get("id"), "{text}");
            }
            None => assert!(expected.is_null(), "{text} got no response in {revision}"),
        }
    }
}

#[test]
fn invalid_json_is_a_parse_error() {
    let parse_error = json!({ "error": { "code": -32700 } });
    for text in [
        "garbage",
        "{",
        "[",
        "[1,",
        "{\"a\":}",
        "\u{0}",
        "{} {}",
        "\"",
        "{\"id\":1,}",
    ] {
        check(text, &parse_error);
    }
}

#[test]
fn invalid_message_is_an_invalid_request() {
    let invalid = json!({ "error": { "code": -32600 } });
    let with_id = json!({ "id": 1, "error": { "code": -32600 } });
    for text in [
        "1",
        "null",
        "\"text\"",
        "true",
        "{}",
        r#"{"jsonrpc":"2.0"}"#,
    ] {
        check(text, &invalid);
    }
    check(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, &invalid);
    check(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, &invalid);
    check(r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, &invalid);
    check(r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, &invalid);
    check(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, &invalid);
    check(r#"{"jsonrpc":"2.0","id":1}"#, &with_id);
    check(r#"{"jsonrpc":"2.0","id":1,"method":1}"#, &with_id);
    check(r#"{"jsonrpc":"2.0","id":1,"method":null}"#, &with_id);
    check(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, &with_id);
    check(r#"{"id":1,"method":"ping"}"#, &with_id);
    check(
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        &invalid,
    );
}

#[test]
fn notification_with_an_id_is_rejected() {
    let rejected = json!({ "id": 1, "error": { "code": -32600 } });
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#,
        &rejected,
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"notifications/nonsense"}"#,
        &rejected,
    );
}

#[test]
fn params_must_be_an_object() {
    let rejected = json!({ "id": 1, "error": { "code": -32602 } });
    let check_params = |params: &str, expected: &Value| {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{params}}}"#);
        check(&ping, expected);
    };
    for params in ["[]", "1", "\"x\""] {
        check_params(params, &rejected);
    }
    // Lenient clients send `null` for no parameters.
    check_params("null", &json!({ "id": 1, "result": {} }));
}

#[test]
fn notifications_and_responses_get_no_response() {
    let silence = Value::Null;
    check(
        r#"{"jsonrpc":"2.0","method":"notifications/nonsense"}"#,
        &silence,
    );
    check(
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"add"}}"#,
        &silence,
    );
    check(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        &silence,
    );
    check(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
        &silence,
    );
    check(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#,
        &silence,
    );
    check(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#, &silence);
    check(
        r#"{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"x"}}"#,
        &silence,
    );
    check(r#"{"jsonrpc":"2.0","id":77,"error":"x"}"#, &silence);
    check(
        r#"{"jsonrpc":"2.0","id":77,"result":{},"error":{}}"#,
        &silence,
    );
    check(r#"{"jsonrpc":"2.0","result":{}}"#, &silence);
}

#[test]
fn response_id_keeps_its_type() {
    let mut client = DispatcherClient::in_revision(Revision::V2025_11_25);
    let odd = "\"\\u00e4\\\"\"";
    for id in ["0", "-1", "9007199254740993", "\"1\"", "\"\"", odd] {
        let reply = client.send_text(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
        let expected: Value = serde_json::from_str(id).unwrap();
        assert_eq!(reply.unwrap()["id"], expected);
    }
}

#[test]
fn unknown_members_are_ignored_and_escapes_decoded() {
    let mut client = DispatcherClient::in_revision(Revision::V2025_06_18);
    let text = r#"{"x":[1],"method":"p\u0069ng","jsonrpc":"2.0","params":{"y":null},"id":3}"#;
    assert_eq!(
        client.send_text(text).unwrap(),
        json!({ "jsonrpc": "2.0", "id": 3, "result": {} })
    );
}

#[test]
fn escaped_slashes_are_decoded_everywhere() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        let mut call = |meta: Value| {
            let params = json!({ "name": "add", "arguments": { "a": 2 }, "_meta": meta });
            let request = client.new_request("tools/call", params);
            let escaped = request.to_string().replace('/', "\\/");
            let reply = client.send_text(&escaped).unwrap();
            reply["result"]["content"][0]["text"].to_string()
        };
        assert_eq!(call(json!({})), "\"3\"");
        let dry = call(json!({ "mcp-runtime/dryRun": true }));
        assert!(dry.contains("nothing was done"), "{revision}: {dry}");
    }
}

#[test]
fn only_2025_03_26_accepts_batches() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        let reply = client.send_text(batch).unwrap();
        if revision == Revision::V2025_03_26 {
            assert_eq!(reply, json!([{ "jsonrpc": "2.0", "id": 1, "result": {} }]));
        } else {
            assert_contains(&reply, &json!({ "error": { "code": -32600 } }));
            assert_eq!(reply.get("id"), None);
        }
    }
}

fn check_batch(batch: Value, expected: Value) {
    let mut client = DispatcherClient::in_revision(Revision::V2025_03_26);
    let reply = client.send(&batch).unwrap_or(Value::Null);
    assert_contains(&reply, &expected);
}

#[test]
fn batch_has_one_response_per_request() {
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let slow = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
                       "params": { "name": "sleep", "arguments": { "millis": 1 } } });
    let blocking = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call",
                           "params": { "name": "block", "arguments": { "millis": 1 } } });
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/nonsense" });
    let pong = json!({ "id": 1, "result": {} });
    let invalid = json!({ "error": { "code": -32600 } });
    check_batch(json!([]), invalid.clone());
    check_batch(json!([notification]), Value::Null);
    check_batch(json!([1, ping, notification]), json!([invalid, pong]));
    let success = |id: i64| json!({ "id": id, "result": { "content": [{ "type": "text" }] } });
    check_batch(json!([ping, slow]), json!([pong, success(2)]));
    check_batch(json!([blocking]), json!([success(3)]));
}

#[test]
fn batch_length_is_limited() {
    let batch = |length: i64| {
        let ping = |id| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        Value::Array((0..length).map(ping).collect())
    };
    check_batch(batch(101), json!({ "error": { "code": -32600 } }));
    let mut client = DispatcherClient::in_revision(Revision::V2025_03_26);
    let replies = client.send(&batch(100)).unwrap();
    assert_eq!(replies.as_array().unwrap().len(), 100);
}

#[test]
fn initialize_is_rejected_inside_a_batch() {
    let inner = support::dispatcher_client::initialize("2025-03-26");
    let rejected = json!([{ "id": "init", "error": { "code": -32600 } }]);
    check_batch(json!([inner]), rejected);
}
