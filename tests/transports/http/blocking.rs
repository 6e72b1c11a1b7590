//! Handlers that block their threads.

use std::sync::{Condvar, Mutex};

use mcp_runtime::prelude::*;
use serde_json::json;
use support::wire::Revision;

use crate::http::gated_tools::{Gate, gated, start_server};
use support::http_client::HttpClient;
use support::http_connection::TIMEOUT;
use support::http_server::{HttpServer, RUNTIME};

/// Blocks calls while it is closed.
#[derive(Debug, Default)]
pub(crate) struct Barrier {
    state: Mutex<BarrierState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct BarrierState {
    closed: bool,
    calls: usize,
}

impl Barrier {
    fn set(&self, closed: bool) {
        self.state.lock().unwrap().closed = closed;
        self.changed.notify_all();
    }

    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.calls += 1;
        self.changed.notify_all();
        let state = self
            .changed
            .wait_timeout_while(state, TIMEOUT, |it| it.closed);
        state.unwrap().0.calls -= 1;
    }

    /// Waits until this many calls are blocked at the same time.
    fn wait_for_calls(&self, calls: usize) {
        let state = self.state.lock().unwrap();
        let fewer = |it: &mut BarrierState| it.calls < calls;
        let waited = self.changed.wait_timeout_while(state, TIMEOUT, fewer);
        assert!(!waited.unwrap().1.timed_out());
    }
}

/// Passes the barrier once it is open.
#[tool]
pub(crate) fn pass(gate: &Gate) -> &'static str {
    gate.barrier.pass();
    "passed"
}

/// Blocks on a future, which needs a thread that may block.
#[tool]
pub(crate) fn wait_for_a_future() -> &'static str {
    let runtime = tokio::runtime::Handle::current();
    runtime.block_on(async {
        tokio::task::yield_now().await;
        "waited"
    })
}

#[test]
fn blocking_calls_do_not_block_other_requests() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let (gate, server) = gated();
        let server = HttpServer::start(server);
        let mut client = HttpClient::initialized(&server, revision);
        for _ in 0..100 {
            let call = client.new_call("pass", json!({}));
            assert_eq!(client.post(&call, &[]).0.status, 200);
        }
        gate.barrier.set(true);
        // More calls than tokio workers.
        let many = RUNTIME.metrics().num_workers() * 2 + 1;
        let calls: Vec<_> = (0..many)
            .map(|_| {
                let call = client.new_call("pass", json!({}));
                client.send(&call, &[("Accept", "application/json")]);
                (call, client.reconnect(&server))
            })
            .collect();
        gate.barrier.wait_for_calls(many);
        for tool in ["nothing", "wait_for_a_future"] {
            let call = client.new_call(tool, json!({}));
            let (head, reply) = client.post(&call, &[]);
            assert_eq!(head.status, 200, "{revision:?}");
            assert_eq!(reply.unwrap()["id"], call["id"], "{revision:?}");
        }
        gate.barrier.set(false);
        for (call, mut connection) in calls {
            let (head, body) = connection.read_response();
            assert_eq!(head.status, 200, "{revision:?}");
            assert_eq!(client.check(&body)["id"], call["id"], "{revision:?}");
        }
    }
}

#[test]
fn plain_function_can_block_on_a_future() {
    let server = start_server();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = HttpClient::initialized(&server, revision);
        // Also once the tool is known to be fast.
        for _ in 0..100 {
            let call = client.new_call("wait_for_a_future", json!({}));
            let (head, reply) = client.post(&call, &[]);
            assert_eq!(head.status, 200);
            let text = &reply.unwrap()["result"]["content"][0]["text"];
            assert_eq!(text, "waited", "{revision:?}");
        }
    }
}
