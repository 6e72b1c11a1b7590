use serde_json::{Value, json};

use super::TortureRow;
use crate::protocol::Revision;
use crate::testing::probe::Probe;

/// Text that is no message, and messages that are malformed.
pub(super) fn ask(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let mut rows = no_json(probe);
    rows.extend(no_message(probe));
    rows.extend(ids(probe));
    rows.extend(batches(probe));
    rows
}

fn no_json(probe: &mut Probe<'_>) -> Vec<TortureRow> {
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
            let asked = probe.ask_text("text that is no JSON", text.as_bytes());
            asked.error(-32700)
        })
        .collect();
    let asked = probe.ask_text("bytes that are no text", b"{\"jsonrpc\":\"\xff\xfe\"}");
    rows.push(asked.error(-32700));
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let asked = probe.ask_text("very deep JSON", deep.as_bytes());
    rows.push(asked.any_error());
    let deep = deep.replace('[', "{\"a\":").replace(']', "}");
    let asked = probe.ask_text("very deep objects", deep.as_bytes());
    rows.push(asked.any_error());
    let open = "[".repeat(1_000_000);
    let asked = probe.ask_text("a million opened arrays", open.as_bytes());
    rows.push(asked.any_error());
    rows.push(cut_off(probe));
    rows
}

/// The client ends within a message: whatever is missing, the rest is no message.
fn cut_off(probe: &mut Probe<'_>) -> TortureRow {
    let call = json!({ "name": "no such tool", "arguments": { "text": "ä\n" } });
    let whole = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
    let whole = whole.to_string().into_bytes();
    let question = "a message that is cut off anywhere";
    let cuts = (0..whole.len()).map(|end| probe.ask_text(question, &whole[..end]).error(-32700));
    let mut rows: Vec<_> = cuts.collect();
    let bad = rows.iter().position(|row| row.problem.is_some());
    rows.swap_remove(bad.unwrap_or_default())
}

fn no_message(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let mut rows = Vec::new();
    for text in ["1", "null", "true", "\"text\"", "{}", "[]", "[1]", "[[]]"] {
        let asked = probe.ask_text("JSON that is no message", text.as_bytes());
        rows.push(asked.any_error());
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
        rows.push(probe.ask("a malformed request", &message).error(-32600));
    }
    for params in [json!("text"), json!(7), json!(true)] {
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
        let asked = probe.ask("parameters that are no object", &message);
        rows.push(asked.any_error());
    }
    let twice = br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"no/such"}"#;
    rows.push(
        probe
            .ask_text("members that occur twice", twice)
            .any_error(),
    );
    rows
}

/// An id comes back as it was.
fn ids(probe: &mut Probe<'_>) -> Vec<TortureRow> {
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
    let asked = ids.map(|id: Value| {
        let asked = probe.request_as("an odd id", &id, "no/such", json!({}));
        asked.has("/id", &id)
    });
    asked.into()
}

fn batches(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let legal = probe.revision == Revision::V2025_03_26;
    let request = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "no/such" });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/nonsense" });
    let mut ask = |question: &str, batch: Value, pointer: &str, expected: Value| {
        let asked = probe.ask(question, &batch);
        match legal {
            true => asked.has(pointer, &expected),
            false => asked.error(-32600),
        }
    };
    let mut rows = vec![
        ask("a batch", json!([request(1)]), "/0/id", json!(1)),
        ask(
            "a batch with a message that is none",
            json!([7, request(2)]),
            "/1/error/code",
            json!(-32601),
        ),
        ask(
            "a batch with a batch in it",
            json!([[request(1)], request(3)]),
            "/1/id",
            json!(3),
        ),
        ask("an empty batch", json!([]), "/error/code", json!(-32600)),
    ];
    let asked = probe.ask("a batch of what is not answered", &json!([note, note]));
    rows.push(match legal {
        true => asked.silent(),
        false => asked.error(-32600),
    });
    rows
}
