//! In whatever order calls come, end and are cancelled, none is left over.

use std::sync::LazyLock;

use mcp_runtime::{Dispatched, Dispatcher, Peer, Pending, Server, Value, prelude::*};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// Ends after a while.
#[tool]
async fn soon() -> String {
    tokio::task::yield_now().await;
    "soon".to_owned()
}

/// Never ends.
#[tool]
async fn never() -> String {
    std::future::pending().await
}

/// Runs on a thread.
#[tool]
fn blocking() -> String {
    "blocked".to_owned()
}

/// Panics after a while.
#[tool]
async fn panics() -> String {
    tokio::task::yield_now().await;
    panic!("on purpose")
}

#[derive(Clone, Debug)]
enum Step {
    Call(Value, &'static str),
    Cancel(Value),
    CancelAll,
    Finish(prop::sample::Index),
    FinishHere(prop::sample::Index),
    Drop(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    let id = || prop::sample::select(vec![json!(1), json!("1"), json!(2)]);
    let tool = prop::sample::select(vec!["soon", "never", "blocking", "panics"]);
    prop_oneof![
        4 => (id(), tool).prop_map(|(id, tool)| Step::Call(id, tool)),
        2 => id().prop_map(Step::Cancel),
        1 => Just(Step::CancelAll),
        2 => any::<prop::sample::Index>().prop_map(Step::Finish),
        1 => any::<prop::sample::Index>().prop_map(Step::FinishHere),
        1 => any::<prop::sample::Index>().prop_map(Step::Drop),
    ]
}

struct Flying {
    id: Value,
    tool: &'static str,
    cancelled: bool,
    pending: Pending,
}

struct Flight {
    dispatcher: Dispatcher,
    peer: Peer,
    flying: Vec<Flying>,
}

impl Flight {
    fn new() -> Self {
        Self {
            dispatcher: Server::new("tests", "1").build().unwrap(),
            peer: Peer::new(),
            flying: Vec::new(),
        }
    }

    fn dispatch(&self, message: &Value) -> (Dispatched, Vec<u8>) {
        let mut out = Vec::new();
        let dispatched =
            self.dispatcher
                .dispatch(message.to_string().as_bytes(), &self.peer, &mut out);
        (dispatched, out)
    }

    fn call(&mut self, id: Value, tool: &'static str) {
        let params = json!({
            "name": tool,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let taken = self
            .flying
            .iter()
            .any(|call| call.id == id && !call.cancelled);
        match self.dispatch(&request) {
            (Dispatched::Pending(pending), _) => {
                assert!(!taken, "{id} is in flight");
                self.flying.push(Flying {
                    id,
                    tool,
                    cancelled: false,
                    pending,
                });
            }
            (other, out) => {
                assert!(taken, "{other:?}");
                let reply: Value = serde_json::from_slice(&out).unwrap();
                assert_eq!(reply["error"]["code"], -32600);
            }
        }
    }

    fn cancel(&mut self, id: &Value) {
        let params = json!({ "requestId": id });
        let (dispatched, _) = self.dispatch(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        );
        assert!(matches!(dispatched, Dispatched::Silent));
        for call in self.flying.iter_mut().filter(|call| call.id == *id) {
            call.cancelled = true;
        }
    }

    fn take(&mut self, index: &prop::sample::Index) -> Option<Flying> {
        (!self.flying.is_empty()).then(|| self.flying.swap_remove(index.index(self.flying.len())))
    }

    /// Runs one to its end, which only a cancelled one has without a reply.
    fn finish(&mut self, index: &prop::sample::Index) {
        let Some(call) = self.take(index) else { return };
        if call.tool == "never" && !call.cancelled {
            return;
        }
        let reply = RUNTIME.block_on(call.pending.run());
        assert_eq!(reply.is_none(), call.cancelled);
    }

    fn finish_here(&mut self, index: &prop::sample::Index) {
        let Some(mut call) = self.take(index) else {
            return;
        };
        let mut out = Vec::new();
        match call.pending.run_here(&mut out) {
            Dispatched::Replied(_) => assert!(!call.cancelled && call.tool == "blocking"),
            Dispatched::Silent => assert!(call.cancelled && call.tool == "blocking"),
            Dispatched::Pending(pending) => {
                call.pending = pending;
                self.flying.push(call);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Call(id, tool) => self.call(id.clone(), tool),
            Step::Cancel(id) => self.cancel(id),
            Step::CancelAll => {
                self.peer.cancel_all();
                self.flying
                    .iter_mut()
                    .for_each(|call| call.cancelled = true);
            }
            Step::Finish(index) => self.finish(index),
            Step::FinishHere(index) => self.finish_here(index),
            Step::Drop(index) => drop(self.take(index)),
        }
        assert_eq!(self.peer.calls_in_flight(), self.flying.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_order_of_calls_leaves_one_in_flight(steps in prop::collection::vec(step(), 0..30)) {
        let _runtime = RUNTIME.enter();
        let mut flight = Flight::new();
        for step in &steps {
            flight.step(step);
        }
        for id in [json!(1), json!("1"), json!(2)] {
            flight.cancel(&id);
        }
        for call in std::mem::take(&mut flight.flying) {
            assert_eq!(RUNTIME.block_on(call.pending.run()), None);
        }
        assert_eq!(flight.peer.calls_in_flight(), 0);
        flight.call(json!(1), "soon");
        assert_eq!(flight.flying.len(), 1, "every id is free again");
    }
}
