//! The dispatcher inside the process, beside the floor: `cargo bench -p benches`.

use divan::Bencher;
use drive::{floor, order::Order};
use mcp_runtime::prelude::*;
use mcp_runtime::{Dispatcher, Peer};
use serde_json::{Value, json};

include!(concat!(env!("OUT_DIR"), "/tools.rs"));

/// Adds two whole numbers.
#[tool(read_only, inline)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Gives an order back.
#[tool(read_only, inline)]
fn echo(order: Order) -> Order {
    order
}

fn main() {
    divan::main();
}

/// A dispatcher, and a peer that shook hands with it.
fn connected() -> (Dispatcher, Peer) {
    let dispatcher = Server::new("bench", "1")
        .build()
        .expect("the tools are sound");
    let peer = Peer::new();
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "bench", "version": "1" },
    });
    let initialize = framed(json!({ "method": "initialize", "params": params }));
    let _ = dispatcher.dispatch(initialize.as_bytes(), &peer, &mut Vec::new());
    (dispatcher, peer)
}

fn framed(mut request: Value) -> String {
    request["jsonrpc"] = "2.0".into();
    request["id"] = 1.into();
    request.to_string()
}

fn ours(bencher: Bencher<'_, '_>, request: Value) {
    let (dispatcher, peer) = connected();
    let request = framed(request);
    let mut out = Vec::new();
    bencher.bench_local(|| {
        out.clear();
        let _ = dispatcher.dispatch(request.as_bytes(), &peer, &mut out);
        out.len()
    });
}

type Floor = fn(&[u8], &mut Vec<u8>) -> serde_json::Result<()>;

fn least(bencher: Bencher<'_, '_>, request: Value, floor: Floor) {
    let request = framed(request);
    let mut out = Vec::new();
    bencher.bench_local(|| {
        out.clear();
        let _ = floor(request.as_bytes(), &mut out);
        out.len()
    });
}

#[divan::bench]
fn add_floor(bencher: Bencher<'_, '_>) {
    least(bencher, drive::add("add"), floor::add);
}

#[divan::bench]
fn add_ours(bencher: Bencher<'_, '_>) {
    ours(bencher, drive::add("add"));
}

#[divan::bench]
fn echo_floor(bencher: Bencher<'_, '_>) {
    least(bencher, drive::echo(), floor::echo);
}

#[divan::bench]
fn echo_ours(bencher: Bencher<'_, '_>) {
    ours(bencher, drive::echo());
}

#[divan::bench]
fn list_of_200_ours(bencher: Bencher<'_, '_>) {
    ours(bencher, drive::tools_list());
}
