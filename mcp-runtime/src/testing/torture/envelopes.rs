use serde_json::{Value, json};

use super::TortureRow;
use crate::protocol::Revision;
use crate::testing::raw_client::RawClient;

/// Sends invalid JSON, invalid JSON-RPC messages, unusual ids, and batches.
pub(super) fn check(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let mut rows = invalid_json(raw_client);
    rows.extend(invalid_messages(raw_client));
    rows.extend(ids(raw_client));
    rows.extend(batches(raw_client));
    rows
}

fn invalid_json(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let garbage = [
        "",
        "{",
        "nonsense",
        "\u{0}",
        "\u{feff}{}",
        "{\"jsonrpc\":\"2.0\",\"id\":1",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} and more",
        "{'jsonrpc':'2.0'}",
        "NaN",
    ];
    let mut rows: Vec<_> = garbage
        .into_iter()
        .map(|text| {
            let response = raw_client.send_bytes("invalid JSON", text.as_bytes());
            response.expect_error(-32700)
        })
        .collect();
    let response = raw_client.send_bytes("invalid UTF-8", b"{\"jsonrpc\":\"\xff\xfe\"}");
    rows.push(response.expect_error(-32700));
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let response = raw_client.send_bytes("deeply nested arrays", deep.as_bytes());
    rows.push(response.expect_any_error());
    let deep = deep.replace('[', "{\"a\":").replace(']', "}");
    let response = raw_client.send_bytes("deeply nested objects", deep.as_bytes());
    rows.push(response.expect_any_error());
    let open = "[".repeat(1_000_000);
    let response = raw_client.send_bytes("a million unclosed arrays", open.as_bytes());
    rows.push(response.expect_any_error());
    rows.push(truncated(raw_client));
    rows
}

/// Sends every prefix of a message. Returns one row for all of them.
fn truncated(raw_client: &mut RawClient<'_>) -> TortureRow {
    let call = json!({ "name": "no such tool", "arguments": { "text": "ä\n" } });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
    let message = message.to_string().into_bytes();
    let case = "a truncated message";
    let rows = (0..message.len()).map(|end| {
        raw_client
            .send_bytes(case, &message[..end])
            .expect_error(-32700)
    });
    let mut rows: Vec<_> = rows.collect();
    let bad = rows.iter().position(|row| row.problem.is_some());
    rows.swap_remove(bad.unwrap_or_default())
}

fn invalid_messages(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let mut rows = Vec::new();
    for text in ["1", "null", "true", "\"text\"", "{}", "[]", "[1]", "[[]]"] {
        let response = raw_client.send_bytes("JSON that is not a message", text.as_bytes());
        rows.push(response.expect_any_error());
    }
    for message in [
        json!({ "id": 1, "method": "tools/list" }),
        json!({ "jsonrpc": "1.0", "id": 1, "method": "tools/list" }),
        json!({ "jsonrpc": 2.0, "id": 1, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": null, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 1.5, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": true, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": [1], "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": {}, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": 7 }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": null }),
    ] {
        rows.push(
            raw_client
                .send("a malformed request", &message)
                .expect_error(-32600),
        );
    }
    for params in [json!("text"), json!(7), json!(true)] {
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
        let response = raw_client.send("parameters that are not an object", &message);
        rows.push(response.expect_any_error());
    }
    let twice = br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"no/such"}"#;
    rows.push(
        raw_client
            .send_bytes("duplicate members", twice)
            .expect_any_error(),
    );
    rows
}

/// Sends requests with unusual ids. The responses must repeat the ids unchanged.
fn ids(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let ids = [
        json!(0),
        json!(-1),
        json!(9_007_199_254_740_993_i64),
        json!(i64::MAX),
        json!(""),
        json!("1"),
        json!("ä \"\\ \n \u{1f600}"),
        json!("x".repeat(1000)),
    ];
    let rows = ids.map(|id: Value| {
        let response = raw_client.request_with_id("an unusual id", &id, "no/such", json!({}));
        response.expect_value("/id", &id)
    });
    rows.into()
}

fn batches(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let allowed = raw_client.revision == Revision::V2025_03_26;
    let request = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "no/such" });
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/nonsense" });
    let mut send = |case: &str, batch: Value, pointer: &str, expected: Value| {
        let response = raw_client.send(case, &batch);
        match allowed {
            true => response.expect_value(pointer, &expected),
            false => response.expect_error(-32600),
        }
    };
    let mut rows = vec![
        send("a batch", json!([request(1)]), "/0/id", json!(1)),
        send(
            "a batch with an invalid message",
            json!([7, request(2)]),
            "/1/error/code",
            json!(-32601),
        ),
        send(
            "a batch inside a batch",
            json!([[request(1)], request(3)]),
            "/1/id",
            json!(3),
        ),
        send("an empty batch", json!([]), "/error/code", json!(-32600)),
    ];
    let response = raw_client.send(
        "a batch of notifications",
        &json!([notification, notification]),
    );
    rows.push(match allowed {
        true => response.expect_silence(),
        false => response.expect_error(-32600),
    });
    rows
}
