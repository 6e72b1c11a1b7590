//! Whatever bytes come, a reply or silence goes out.

use std::sync::{Arc, LazyLock};

use allocation_counter::measure;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{LoggingLevel, Revision};
use mcp_runtime::{Channel, Dispatched, Dispatcher, Outgoing, Peer, Server, Value};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::messages::message;

static DISPATCHER: LazyLock<Dispatcher> =
    LazyLock::new(|| Server::new("tests", "1").build().unwrap());
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// Holds what a server says besides its replies to be whole messages.
#[derive(Debug)]
struct Listener;

impl Outgoing for Listener {
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

/// A peer that has shaken hands in `revision`, or has said nothing.
fn peer(revision: Option<Revision>) -> Peer {
    let peer = Peer::through(Channel::Memory, Arc::new(Listener));
    if let Some(revision) = revision {
        let params = json!({
            "protocolVersion": revision.as_str(),
            "capabilities": {},
            "clientInfo": { "name": "p", "version": "1" },
        });
        let initialize =
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        answer(initialize.to_string().as_bytes(), &peer);
    }
    peer
}

/// What comes back, awaited, and taking no more from the heap than what came allows.
fn answer(frame: &[u8], peer: &Peer) -> Option<Value> {
    let mut reply = None;
    let taken = measure(|| reply = run(frame, peer));
    // Schemas are made when first asked for, which is the first part of the bound.
    let most = 2 * 1024 * 1024 + 64 * frame.len() as u64;
    assert!(
        taken.bytes_max <= most,
        "{} bytes for {}",
        taken.bytes_max,
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

/// Every call in these tests ends by itself, but for streams.
fn run(frame: &[u8], peer: &Peer) -> Option<Vec<u8>> {
    let _runtime = RUNTIME.enter();
    let mut out = Vec::new();
    match DISPATCHER.dispatch(frame, peer, &mut out) {
        Dispatched::Silent => None,
        Dispatched::Replied(_) => Some(out),
        Dispatched::Pending(pending) => {
            if pending.is_long_lived() {
                peer.stop_listening();
            }
            RUNTIME.block_on(pending.run())
        }
    }
}

fn is_response(reply: &Value) -> bool {
    let outcomes = ["result", "error"].map(|member| reply.get(member).is_some());
    let id = reply.get("id");
    let legible = id.is_none_or(|id| id.is_string() || id.is_i64());
    reply["jsonrpc"] == "2.0" && outcomes[0] != outcomes[1] && legible
}

fn check(frame: &[u8], peer: &Peer) {
    match answer(frame, peer) {
        None => {}
        Some(Value::Array(replies)) => {
            assert!(!replies.is_empty());
            assert!(replies.iter().all(is_response), "{replies:?}");
        }
        Some(reply) => assert!(is_response(&reply), "{reply}"),
    }
    assert_eq!(peer.calls_in_flight(), 0);
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

/// Where a byte changes, and into what; `None` cuts the rest off.
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
    fn any_bytes_are_answered_or_ignored(frame: Vec<u8>, revision in revision()) {
        check(&frame, &peer(revision));
    }

    #[test]
    fn anything_like_a_message_is_answered_or_ignored(
        messages in prop::collection::vec(message(), 1..4),
        revision in revision(),
        changes in changes(),
    ) {
        let peer = peer(revision);
        let batch = Value::from(messages.clone());
        for message in messages.iter().chain([&batch]) {
            let mut frame = message.to_string().into_bytes();
            check(&frame, &peer);
            for (place, byte) in &changes {
                let place = place.index(frame.len());
                match byte {
                    Some(byte) => frame[place] = *byte,
                    None => frame.truncate(place + 1),
                }
            }
            check(&frame, &peer);
        }
    }
}

#[test]
fn what_nests_without_end_is_refused() {
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
            let reply = answer(frame.as_bytes(), &peer(Some(Revision::V2025_11_25))).unwrap();
            let refused = reply["result"]["isError"] == true || reply.get("error").is_some();
            assert!(refused, "{reply}");
        }
        check(value.as_bytes(), &peer(None));
        let as_text = json!({ "value": value });
        let params = json!({ "name": "of_tree", "arguments": as_text });
        let frame = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        check(
            frame.to_string().as_bytes(),
            &peer(Some(Revision::V2025_11_25)),
        );
    }
}
