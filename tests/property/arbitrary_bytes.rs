//! Arbitrary input gets a response or silence, with bounded memory.

use std::sync::{Arc, LazyLock};

use allocation_counter::measure;
use mcp_runtime::dispatch::{ClientSink, Connection, DispatchOutcome, TransportKind};
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{LoggingLevel, Revision};
use mcp_runtime::{Dispatcher, Server, Value};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::messages::message;

static DISPATCHER: LazyLock<Dispatcher> =
    LazyLock::new(|| Server::new("tests", "1").build().unwrap());
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// Checks that notifications are whole messages.
#[derive(Debug)]
struct NotificationChecker;

impl ClientSink for NotificationChecker {
    fn send(&self, message: &[u8]) -> bool {
        assert!(!message.contains(&b'\n'));
        let message: Value = serde_json::from_slice(message).unwrap();
        assert!(
            message["jsonrpc"] == "2.0" && message["method"].is_string(),
            "{message}"
        );
        true
    }
}

/// A greeting. It has an argument that can be completed.
#[prompt]
fn greet(#[arg(complete = names)] name: String, times: Option<u8>) -> String {
    format!("Greet {name} {times:?} times.")
}

fn names(_: &str) -> [&'static str; 2] {
    ["Ada", "Grace"]
}

/// A note.
#[resource("note://{id}{?page}", subscribe)]
async fn note(id: u8, page: Option<String>, ctx: &Context) -> Option<String> {
    ctx.log(LoggingLevel::Error, &page);
    ctx.progress(f64::from(id), None);
    (id < 3).then_some(page.unwrap_or_default())
}

/// A connection that is initialized with `revision`, or not at all.
fn connect(revision: Option<Revision>) -> Connection {
    let connection = Connection::with_sink(TransportKind::Memory, Arc::new(NotificationChecker));
    if let Some(revision) = revision {
        let params = json!({
            "protocolVersion": revision.as_str(),
            "capabilities": {},
            "clientInfo": { "name": "p", "version": "1" },
        });
        let initialize =
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        answer(initialize.to_string().as_bytes(), &connection);
    }
    connection
}

/// Dispatches a frame and checks that memory and response are proportional to it.
fn answer(frame: &[u8], connection: &Connection) -> Option<Value> {
    let mut reply = None;
    let allocations = measure(|| reply = run(frame, connection));
    // Schemas are built on first use, which is the constant part of the bound.
    let max = 2 * 1024 * 1024 + 64 * frame.len() as u64;
    assert!(
        allocations.bytes_max <= max,
        "{} bytes for {}",
        allocations.bytes_max,
        frame.len()
    );
    let reply = reply?;
    assert!(
        reply.len() <= 128 * 1_024 + 8 * frame.len(),
        "{} bytes for {}",
        reply.len(),
        frame.len()
    );
    assert!(!reply.contains(&b'\n'));
    Some(serde_json::from_slice(&reply).unwrap())
}

/// Runs a message to completion; listen streams are ended at once.
fn run(frame: &[u8], connection: &Connection) -> Option<Vec<u8>> {
    let _runtime = RUNTIME.enter();
    let mut out = Vec::new();
    match DISPATCHER.dispatch(frame, connection, &mut out) {
        DispatchOutcome::Silent => None,
        DispatchOutcome::Replied(_) => Some(out),
        DispatchOutcome::Pending(pending) => {
            if pending.is_long_lived() {
                connection.close_listen_streams();
            }
            RUNTIME.block_on(pending.run())
        }
    }
}

fn is_response(reply: &Value) -> bool {
    let outcomes = ["result", "error"].map(|member| reply.get(member).is_some());
    let id = reply.get("id");
    let valid_id = id.is_none_or(|id| id.is_string() || id.is_i64());
    reply["jsonrpc"] == "2.0" && outcomes[0] != outcomes[1] && valid_id
}

fn check(frame: &[u8], connection: &Connection) {
    match answer(frame, connection) {
        None => {}
        Some(Value::Array(replies)) => {
            assert!(!replies.is_empty());
            assert!(replies.iter().all(is_response), "{replies:?}");
        }
        Some(reply) => assert!(is_response(&reply), "{reply}"),
    }
    assert_eq!(connection.calls_in_flight(), 0);
}

fn revision() -> impl Strategy<Value = Option<Revision>> {
    prop::sample::select(vec![
        None,
        Some(Revision::V2024_11_05),
        Some(Revision::V2025_03_26),
        Some(Revision::V2025_06_18),
        Some(Revision::V2025_11_25),
    ])
}

/// Positions and new bytes; `None` truncates the message there.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, Option<u8>)>> {
    prop::collection::vec(
        (
            any::<prop::sample::Index>(),
            prop::option::weighted(0.9, any::<u8>()),
        ),
        0..3,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_get_a_response_or_silence(frame: Vec<u8>, revision in revision()) {
        check(&frame, &connect(revision));
    }

    #[test]
    fn almost_valid_messages_get_a_response_or_silence(
        messages in prop::collection::vec(message(), 1..4),
        revision in revision(),
        changes in changes(),
    ) {
        let connection = connect(revision);
        let batch = Value::from(messages.clone());
        for message in messages.iter().chain([&batch]) {
            let mut frame = message.to_string().into_bytes();
            check(&frame, &connection);
            for (position, byte) in &changes {
                let position = position.index(frame.len());
                match byte {
                    Some(byte) => frame[position] = *byte,
                    None => frame.truncate(position + 1),
                }
            }
            check(&frame, &connection);
        }
    }
}

#[test]
fn deeply_nested_json_is_rejected() {
    let deep = |open: &str, close: &str| [open.repeat(100_000), close.repeat(100_000)].concat();
    let values = [
        deep("[", ""),
        deep("[", "]"),
        deep("{\"value\":", "}"),
        deep("{\"children\":[", "]}"),
    ];
    for value in values {
        for tool in ["of_value", "of_tree", "of_vec_of_vecs", "of_untagged"] {
            let params = format!(r#"{{"name":"{tool}","arguments":{{"value":{value}}}}}"#);
            let frame =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let reply = answer(frame.as_bytes(), &connect(Some(Revision::V2025_11_25))).unwrap();
            let rejected = reply["result"]["isError"] == true || reply.get("error").is_some();
            assert!(rejected, "{reply}");
        }
        check(value.as_bytes(), &connect(None));
        let as_text = json!({ "value": value });
        let params = json!({ "name": "of_tree", "arguments": as_text });
        let frame = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        check(
            frame.to_string().as_bytes(),
            &connect(Some(Revision::V2025_11_25)),
        );
    }
}
