//! Plain functions that block their threads.

use std::sync::{Condvar, Mutex};

use mcp_runtime::prelude::*;
use serde_json::json;
use wire::Revision;

use crate::caller::Caller;
use crate::host::{Host, RUNTIME};
use crate::line::PATIENCE;
use crate::talkative::{Gate, gated};

/// What holds calls up once it is closed.
#[derive(Debug, Default)]
pub(crate) struct Barrier {
    state: Mutex<Held>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Held {
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
        let held = self
            .changed
            .wait_timeout_while(state, PATIENCE, |it| it.closed);
        held.unwrap().0.calls -= 1;
    }

    /// Waits until so many calls are held up at the same time.
    fn holds(&self, calls: usize) {
        let state = self.state.lock().unwrap();
        let fewer = |it: &mut Held| it.calls < calls;
        let waited = self.changed.wait_timeout_while(state, PATIENCE, fewer);
        assert!(!waited.unwrap().1.timed_out());
    }
}

/// Passes the barrier, at once while it is open.
#[tool]
pub(crate) fn pass(gate: &Gate) -> &'static str {
    gate.barrier.pass();
    "passed"
}

/// Waits for a future where no thread may be kept waiting but one that may block.
#[tool]
pub(crate) fn wait_for_a_future() -> &'static str {
    let runtime = tokio::runtime::Handle::current();
    runtime.block_on(async {
        tokio::task::yield_now().await;
        "waited"
    })
}

#[test]
fn calls_that_were_quick_and_block_hold_nobody_up() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let (gate, server) = gated();
        let host = Host::of(server);
        let mut caller = Caller::ready(&host, revision);
        for _ in 0..100 {
            let call = caller.call("pass", json!({}));
            assert_eq!(caller.say(&call, &[]).0.status, 200);
        }
        gate.barrier.set(true);
        // More than there are threads that look after the connections.
        let many = RUNTIME.metrics().num_workers() * 2 + 1;
        let lines: Vec<_> = (0..many)
            .map(|_| {
                let call = caller.call("pass", json!({}));
                caller.send(&call, &[("Accept", "application/json")]);
                (call, caller.line(&host))
            })
            .collect();
        gate.barrier.holds(many);
        for tool in ["nothing", "wait_for_a_future"] {
            let call = caller.call(tool, json!({}));
            let (head, reply) = caller.say(&call, &[]);
            assert_eq!(head.status, 200, "{revision:?}");
            assert_eq!(reply.unwrap()["id"], call["id"], "{revision:?}");
        }
        gate.barrier.set(false);
        for (call, mut line) in lines {
            let (head, body) = line.reply();
            assert_eq!(head.status, 200, "{revision:?}");
            assert_eq!(caller.heard(&body)["id"], call["id"], "{revision:?}");
        }
    }
}

#[test]
fn a_plain_function_may_wait_for_a_future() {
    let host = Host::start();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut caller = Caller::ready(&host, revision);
        // Also once it is known to be quick.
        for _ in 0..100 {
            let call = caller.call("wait_for_a_future", json!({}));
            let (head, reply) = caller.say(&call, &[]);
            assert_eq!(head.status, 200);
            let text = &reply.unwrap()["result"]["content"][0]["text"];
            assert_eq!(text, "waited", "{revision:?}");
        }
    }
}
