//! Heap allocations of the dispatcher.

use allocation_counter::{AllocationInfo, measure};
use mcp_runtime::dispatch::{Connection, DispatchOutcome, DynamicDefinition};
use mcp_runtime::protocol::Tool;
use mcp_runtime::{Dispatcher, Value, prelude::*};
use serde_json::json;

/// Adds two whole numbers.
#[tool(inline)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two whole numbers on a blocking thread.
#[tool]
fn add_blocking(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two whole numbers asynchronously.
#[tool]
async fn add_later(a: i64, b: i64) -> i64 {
    a + b
}

/// Never completes.
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

/// Returns its argument.
#[tool(inline)]
fn entries(entries: Vec<Entry>) -> Vec<Entry> {
    entries
}

/// A dispatcher and an initialized connection.
fn connected() -> (Dispatcher, Connection) {
    let dispatcher = Server::new("tests", "1").build().unwrap();
    let connection = Connection::new();
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" },
    });
    dispatch(
        &dispatcher,
        &connection,
        &request("initialize", params),
        &mut Vec::new(),
    );
    (dispatcher, connection)
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

fn dispatch(dispatcher: &Dispatcher, connection: &Connection, request: &str, out: &mut Vec<u8>) {
    out.clear();
    match dispatcher.dispatch(request.as_bytes(), connection, out) {
        DispatchOutcome::Pending(pending) => {
            let outcome = pending.run_blocking(out);
            assert!(matches!(outcome, DispatchOutcome::Replied(_)));
        }
        outcome => assert!(matches!(outcome, DispatchOutcome::Replied(_))),
    }
}

/// The allocations of a request after everything that is built once exists.
fn allocations(request: &str) -> AllocationInfo {
    let (dispatcher, connection) = connected();
    // Like the buffer of a transport that has reached its size.
    let mut out = Vec::with_capacity(4 * 1024 * 1024);
    for _ in 0..3 {
        dispatch(&dispatcher, &connection, request, &mut out);
    }
    measure(|| dispatch(&dispatcher, &connection, request, &mut out))
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
fn call_allocation_count_is_bounded() {
    let check = |tool: &str, legacy: u64, stateless: u64| {
        let request = call(tool, &json!({ "a": 20, "b": 22 }));
        let count = |request: &str| allocations(request).count_total;
        let counts = (count(&request), count(&modern(&request)));
        let (in_legacy, in_stateless) = counts;
        assert!(
            in_legacy <= legacy && in_stateless <= stateless,
            "{tool}: {counts:?}"
        );
    };
    check("add", 6, 8);
    check("add_blocking", 9, 11);
    check("add_later", 9, 11);
}

#[test]
fn list_is_copied_and_not_rebuilt() {
    for request in [
        request("tools/list", json!({})),
        modern(&request("tools/list", json!({}))),
    ] {
        let info = allocations(&request);
        assert!(info.count_total <= 8 && info.bytes_total < 512, "{info:?}");
    }
}

/// Ten thousand more tools add nothing to the cost of a call, nor to the cost of a
/// page of their list.
#[test]
fn call_allocations_do_not_grow_with_the_number_of_tools() {
    let (dispatcher, connection) = connected();
    let tool = |index: usize| Tool {
        name: format!("dynamic_{index:05}"),
        input_schema: json!({ "type": "object" }),
        ..Tool::default()
    };
    let tools = (0..10_000).map(|index| {
        let handler = |_, _| async { Ok("") };
        DynamicDefinition::tool(tool(index), handler)
    });
    dispatcher.handle().add_all(tools).unwrap();
    assert!(dispatcher.tool_count() > 10_000);
    let request = call("add", &json!({ "a": 20, "b": 22 }));
    let mut out = Vec::with_capacity(4 * 1024 * 1024);
    dispatch(&dispatcher, &connection, &request, &mut out);
    let among_many = measure(|| dispatch(&dispatcher, &connection, &request, &mut out));
    assert_eq!(among_many.count_total, allocations(&request).count_total);

    let list = self::request("tools/list", json!({}));
    dispatch(&dispatcher, &connection, &list, &mut out);
    let listed = measure(|| dispatch(&dispatcher, &connection, &list, &mut out));
    assert!(out.len() > 500_000, "{} bytes", out.len());
    assert!(
        listed.count_total <= 8 && listed.bytes_total < 512,
        "{listed:?}"
    );
}

/// The memory of each of a thousand calls in flight.
#[test]
fn call_in_flight_memory_is_bounded() {
    let (dispatcher, _) = connected();
    let connections: Vec<Connection> = (0..1_000).map(|_| Connection::new()).collect();
    let request = modern(&call("wait", &json!({})));
    let mut waiting = Vec::with_capacity(connections.len());
    let mut out = Vec::with_capacity(1_024);
    let info = measure(|| {
        for connection in &connections {
            match dispatcher.dispatch(request.as_bytes(), connection, &mut out) {
                DispatchOutcome::Pending(pending) => waiting.push(pending),
                outcome => panic!("{outcome:?}"),
            }
        }
    });
    let bytes = info.bytes_current / 1_000;
    assert!(bytes <= 816, "{bytes} bytes a call");
    assert!(
        connections
            .iter()
            .all(|connection| connection.calls_in_flight() == 1)
    );
    drop(waiting);
    assert!(
        connections
            .iter()
            .all(|connection| connection.calls_in_flight() == 0)
    );
}

/// The allocations of deserializing the exact types and serializing them once.
fn serde_allocations(entries: &Value) -> AllocationInfo {
    let json = entries.to_string();
    measure(|| {
        let entries: Vec<Entry> = serde_json::from_str(&json).unwrap();
        drop(serde_json::value::to_raw_value(&entries).unwrap());
    })
}

/// An intermediate `Value` would take several allocations for each part of the
/// argument.
#[test]
fn arguments_are_deserialized_without_an_intermediate_value() {
    let overhead = |count: usize| {
        let entry = json!({ "name": "n\"ame", "tags": ["a", "b", "c"], "size": 1.5 });
        let entries = Value::from(vec![entry; count]);
        let ours = allocations(&call("entries", &json!({ "entries": entries })));
        ours.count_total - serde_allocations(&entries).count_total
    };
    assert_eq!(overhead(1_000), overhead(2));
}

#[test]
fn hostile_messages_use_proportional_memory() {
    let (dispatcher, connection) = connected();
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
            let _ = dispatcher.dispatch(message.as_bytes(), &connection, &mut out);
        });
        let (max, head) = (info.bytes_max, &message[..100]);
        assert!(
            max < 64 * 1_024 + 100 * message.len() as u64,
            "{max} bytes for {head}"
        );
        assert!(
            out.len() < 64 * 1_024,
            "{} bytes in the response to {head}",
            out.len()
        );
    }
}
