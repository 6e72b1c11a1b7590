//! What the dispatcher takes from the heap.

use allocation_counter::{AllocationInfo, measure};
use mcp_runtime::protocol::Tool;
use mcp_runtime::{Added, Dispatched, Dispatcher, Peer, Value, prelude::*};
use serde_json::json;

/// Adds two whole numbers.
#[tool(inline)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two whole numbers where a thread may block.
#[tool]
fn add_blocking(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two whole numbers at leisure.
#[tool]
async fn add_later(a: i64, b: i64) -> i64 {
    a + b
}

/// Waits.
#[tool]
async fn wait() {
    std::future::pending::<()>().await;
}

/// One entry of a list.
#[json]
struct Entry {
    name: String,
    tags: Vec<String>,
    size: Option<f64>,
}

/// Gives entries back.
#[tool(inline)]
fn entries(entries: Vec<Entry>) -> Vec<Entry> {
    entries
}

/// A dispatcher, and a peer that shook hands with it.
fn connected() -> (Dispatcher, Peer) {
    let dispatcher = Server::new("tests", "1").build().unwrap();
    let peer = Peer::new();
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" },
    });
    answer(
        &dispatcher,
        &peer,
        &request("initialize", params),
        &mut Vec::new(),
    );
    (dispatcher, peer)
}

fn request(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

fn call(tool: &str, arguments: &Value) -> String {
    request(
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

fn answer(dispatcher: &Dispatcher, peer: &Peer, request: &str, out: &mut Vec<u8>) {
    out.clear();
    match dispatcher.dispatch(request.as_bytes(), peer, out) {
        Dispatched::Pending(pending) => {
            let answered = pending.run_here(out);
            assert!(matches!(answered, Dispatched::Replied(_)));
        }
        answered => assert!(matches!(answered, Dispatched::Replied(_))),
    }
}

/// What answering takes once everything that is made once is made.
fn taken(request: &str) -> AllocationInfo {
    let (dispatcher, peer) = connected();
    // As a transport's buffer that has grown to its size.
    let mut out = Vec::with_capacity(4 * 1024 * 1024);
    for _ in 0..3 {
        answer(&dispatcher, &peer, request, &mut out);
    }
    measure(|| answer(&dispatcher, &peer, request, &mut out))
}

fn modern(request: &str) -> String {
    let mut request: Value = serde_json::from_str(request).unwrap();
    request["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request.to_string()
}

#[test]
fn a_call_allocates_no_more_often_than_this() {
    let check = |tool: &str, legacy: u64, stateless: u64| {
        let request = call(tool, &json!({ "a": 20, "b": 22 }));
        let often = |request: &str| taken(request).count_total;
        let counted = (often(&request), often(&modern(&request)));
        let (in_legacy, in_stateless) = counted;
        assert!(
            in_legacy <= legacy && in_stateless <= stateless,
            "{tool}: {counted:?}"
        );
    };
    check("add", 6, 8);
    check("add_blocking", 9, 11);
    check("add_later", 9, 11);
}

#[test]
fn a_list_is_copied_and_not_made_again() {
    for request in [
        request("tools/list", json!({})),
        modern(&request("tools/list", json!({}))),
    ] {
        let info = taken(&request);
        assert!(info.count_total <= 8 && info.bytes_total < 512, "{info:?}");
    }
}

/// Ten thousand tools beside one cost nothing when that one is called, and a page
/// of their list no more than any other of that size.
#[test]
fn a_call_among_ten_thousand_tools_allocates_as_among_few() {
    let (dispatcher, peer) = connected();
    let named = |index: usize| Tool {
        name: format!("made_{index:05}"),
        input_schema: json!({ "type": "object" }),
        ..Tool::default()
    };
    let made = (0..10_000).map(|index| {
        let body = |_, _| async { Ok("") };
        Added::tool(named(index), body)
    });
    dispatcher.handle().add_all(made).unwrap();
    assert!(dispatcher.tool_count() > 10_000);
    let request = call("add", &json!({ "a": 20, "b": 22 }));
    let mut out = Vec::with_capacity(4 * 1024 * 1024);
    answer(&dispatcher, &peer, &request, &mut out);
    let among_many = measure(|| answer(&dispatcher, &peer, &request, &mut out));
    assert_eq!(among_many.count_total, taken(&request).count_total);

    let list = self::request("tools/list", json!({}));
    answer(&dispatcher, &peer, &list, &mut out);
    let listed = measure(|| answer(&dispatcher, &peer, &list, &mut out));
    assert!(out.len() > 500_000, "{} bytes", out.len());
    assert!(
        listed.count_total <= 8 && listed.bytes_total < 512,
        "{listed:?}"
    );
}

/// What is kept while so many clients wait for an answer, a piece.
#[test]
fn a_call_in_flight_holds_no_more_than_this() {
    let (dispatcher, _) = connected();
    let peers: Vec<Peer> = (0..1_000).map(|_| Peer::new()).collect();
    let request = modern(&call("wait", &json!({})));
    let mut waiting = Vec::with_capacity(peers.len());
    let mut out = Vec::with_capacity(1_024);
    let info = measure(|| {
        for peer in &peers {
            match dispatcher.dispatch(request.as_bytes(), peer, &mut out) {
                Dispatched::Pending(pending) => waiting.push(pending),
                answered => panic!("{answered:?}"),
            }
        }
    });
    let bytes = info.bytes_current / 1_000;
    assert!(bytes <= 816, "{bytes} bytes a call");
    assert!(peers.iter().all(|peer| peer.calls_in_flight() == 1));
    drop(waiting);
    assert!(peers.iter().all(|peer| peer.calls_in_flight() == 0));
}

/// What reading into the exact types and writing them once takes.
fn least(entries: &Value) -> AllocationInfo {
    let json = entries.to_string();
    measure(|| {
        let entries: Vec<Entry> = serde_json::from_str(&json).unwrap();
        drop(serde_json::value::to_raw_value(&entries).unwrap());
    })
}

/// A `Value` between the wire and the body would take several allocations for
/// each part of the argument.
#[test]
fn nothing_lies_between_the_wire_and_the_types_of_the_body() {
    let over = |count: usize| {
        let entry = json!({ "name": "n\"ame", "tags": ["a", "b", "c"], "size": 1.5 });
        let entries = Value::from(vec![entry; count]);
        let ours = taken(&call("entries", &json!({ "entries": entries })));
        ours.count_total - least(&entries).count_total
    };
    assert_eq!(over(1_000), over(2));
}

#[test]
fn hostile_messages_take_memory_in_proportion() {
    let (dispatcher, peer) = connected();
    let repeated = |text: &str| text.repeat(100_000);
    let in_call = |json: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"entries","arguments":{json}}}}}"#
        )
    };
    let messages = [
        repeated("["),
        repeated("{\"a\":"),
        format!("[{}1]", repeated("1,")),
        format!("{{{}\"b\":1}}", repeated("\"a\":1,")),
        format!("\"{}\"", repeated("\\u0000")),
        in_call(&repeated("[")),
        in_call(&format!("{{\"entries\":[{}1]}}", repeated("1,"))),
        in_call(&format!("{{\"entries\":[{}{{}}]}}", repeated("{},"))),
        in_call(&format!("{{{}\"b\":1}}", repeated("\"a\":1,"))),
    ];
    for message in messages {
        let mut out = Vec::new();
        let info = measure(|| {
            let _ = dispatcher.dispatch(message.as_bytes(), &peer, &mut out);
        });
        let (most, head) = (info.bytes_max, &message[..100]);
        assert!(
            most < 64 * 1_024 + 100 * message.len() as u64,
            "{most} bytes for {head}"
        );
        assert!(out.len() < 64 * 1_024, "{} bytes answer {head}", out.len());
    }
}
