//! In whatever order calls come, end and are cancelled, none is left over.

use std::sync::{Arc, LazyLock};

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Channel, Dispatched, Dispatcher, Outgoing, Peer, Pending, Server, Value};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::work::{Step, Work, step};

static DISPATCHER: LazyLock<Dispatcher> =
    LazyLock::new(|| Server::new("tests", "1").build().unwrap());
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

struct Call {
    id: Value,
    work: Work,
    cancelled: bool,
}

/// A call, or the calls of a batch, with those of it that were refused at once.
struct Flying {
    calls: Vec<Call>,
    refused: usize,
    is_batch: bool,
    pending: Pending,
}

impl Flying {
    fn wanted(&self) -> usize {
        self.calls.iter().filter(|call| !call.cancelled).count()
    }

    /// How many answers there are at the end; `None` if there is no end.
    fn answers(&self) -> Option<usize> {
        let mut wanted = self.calls.iter().filter(|call| !call.cancelled);
        let ends = wanted.all(|call| call.work.ends());
        ends.then(|| self.wanted() + self.refused)
    }
}

/// Takes whatever is told besides.
#[derive(Debug)]
struct Sink;

impl Outgoing for Sink {
    fn send(&self, _: &[u8]) -> bool {
        true
    }
}

struct Flight {
    dispatcher: Dispatcher,
    peer: Peer,
    revision: Revision,
    flying: Vec<Flying>,
}

impl Flight {
    fn new(revision: Revision) -> Self {
        let flight = Self {
            dispatcher: DISPATCHER.clone(),
            peer: Peer::through(Channel::Memory, Arc::new(Sink)),
            revision,
            flying: Vec::new(),
        };
        if !revision.is_modern() {
            let params = json!({
                "protocolVersion": revision.as_str(), "capabilities": {},
                "clientInfo": { "name": "p", "version": "1" },
            });
            let hello =
                json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
            assert!(matches!(flight.dispatch(&hello).0, Dispatched::Replied(_)));
        }
        flight
    }

    fn dispatch(&self, message: &Value) -> (Dispatched, Vec<u8>) {
        let mut out = Vec::new();
        let text = message.to_string();
        let dispatched = self
            .dispatcher
            .dispatch(text.as_bytes(), &self.peer, &mut out);
        (dispatched, out)
    }

    fn is_taken(&self, id: &Value) -> bool {
        let mut calls = self.flying.iter().flat_map(|flying| &flying.calls);
        calls.any(|call| call.id == *id && !call.cancelled)
    }

    /// Whether the revision has what is asked for.
    fn has(&self, work: Work) -> bool {
        work != Work::Listen || self.revision.is_modern()
    }

    fn call(&mut self, id: Value, work: Work) {
        let taken = self.is_taken(&id);
        let refused = taken || !self.has(work);
        match self.dispatch(&work.request(&id, self.revision)) {
            (Dispatched::Pending(pending), _) => {
                assert!(!refused, "{id} is in flight");
                let calls = vec![Call {
                    id,
                    work,
                    cancelled: false,
                }];
                self.flying.push(Flying {
                    calls,
                    refused: 0,
                    is_batch: false,
                    pending,
                });
            }
            (other, out) => {
                assert!(refused, "{other:?}");
                let reply: Value = serde_json::from_slice(&out).unwrap();
                let expected = if taken { -32600 } else { -32601 };
                assert_eq!(reply["error"]["code"], expected, "{reply}");
            }
        }
    }

    fn batch(&mut self, elements: &[(Value, Work)]) {
        let requests = elements
            .iter()
            .map(|(id, work)| work.request(id, self.revision));
        let (dispatched, out) = self.dispatch(&requests.collect());
        if self.revision != Revision::V2025_03_26 {
            let reply: Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(reply["error"]["code"], -32600, "{reply}");
            return;
        }
        let mut calls: Vec<Call> = Vec::new();
        for (id, work) in elements {
            let doubled = calls.iter().any(|call| call.id == *id);
            if self.has(*work) && !self.is_taken(id) && !doubled {
                calls.push(Call {
                    id: id.clone(),
                    work: *work,
                    cancelled: false,
                });
            }
        }
        let refused = elements.len() - calls.len();
        match dispatched {
            Dispatched::Pending(pending) => {
                self.flying.push(Flying {
                    calls,
                    refused,
                    is_batch: true,
                    pending,
                });
            }
            other => {
                assert!(calls.is_empty(), "{other:?}");
                let replies: Vec<Value> = serde_json::from_slice(&out).unwrap();
                assert_eq!(replies.len(), refused);
            }
        }
    }

    fn cancel(&mut self, id: &Value) {
        let params = json!({ "requestId": id });
        let (dispatched, _) = self.dispatch(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        );
        assert!(matches!(dispatched, Dispatched::Silent));
        let calls = self.flying.iter_mut().flat_map(|flying| &mut flying.calls);
        for call in calls.filter(|call| call.id == *id) {
            call.cancelled = true;
        }
    }

    fn take(&mut self, index: &prop::sample::Index) -> Option<Flying> {
        (!self.flying.is_empty()).then(|| self.flying.swap_remove(index.index(self.flying.len())))
    }

    /// Runs one to its end, which only a cancelled one has without a reply.
    fn finish(&mut self, index: &prop::sample::Index) {
        if let Some(flying) = self.take(index)
            && flying.answers().is_some()
        {
            end(flying);
        }
    }

    fn finish_here(&mut self, index: &prop::sample::Index) {
        let Some(mut flying) = self.take(index) else {
            return;
        };
        let mut out = Vec::new();
        let blocking = !flying.is_batch && flying.calls[0].work == Work::Tool("blocking");
        match flying.pending.run_here(&mut out) {
            Dispatched::Replied(_) => assert!(!flying.calls[0].cancelled && blocking),
            Dispatched::Silent => assert!(flying.calls[0].cancelled && blocking),
            Dispatched::Pending(pending) => {
                flying.pending = pending;
                self.flying.push(flying);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Call(id, work) => self.call(id.clone(), *work),
            Step::Batch(elements) => self.batch(elements),
            Step::Cancel(id) => self.cancel(id),
            Step::CancelAll => {
                self.peer.cancel_all();
                let calls = self.flying.iter_mut().flat_map(|flying| &mut flying.calls);
                calls.for_each(|call| call.cancelled = true);
            }
            Step::Finish(index) => self.finish(index),
            Step::FinishHere(index) => self.finish_here(index),
            Step::Drop(index) => drop(self.take(index)),
        }
        let flying: usize = self.flying.iter().map(|flying| flying.calls.len()).sum();
        assert_eq!(self.peer.calls_in_flight(), flying);
    }
}

/// Runs one to its end and counts its answers.
fn end(flying: Flying) {
    let (expected, is_batch) = (flying.answers().unwrap(), flying.is_batch);
    let reply = RUNTIME.block_on(flying.pending.run());
    let reply: Option<Value> = reply.map(|reply| serde_json::from_slice(&reply).unwrap());
    let answers = match &reply {
        None => 0,
        Some(Value::Array(replies)) => replies.len(),
        Some(_) => 1,
    };
    assert_eq!(answers, expected, "{reply:?}");
    let is_array = reply.as_ref().is_some_and(Value::is_array);
    assert_eq!(is_array, is_batch && expected > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_order_of_calls_leaves_one_in_flight(
        steps in prop::collection::vec(step(), 0..30),
        revision in prop::sample::select(Revision::ALL.to_vec()),
    ) {
        let _runtime = RUNTIME.enter();
        let mut flight = Flight::new(revision);
        for step in &steps {
            flight.step(step);
        }
        for id in [json!(1), json!("1"), json!(2)] {
            flight.cancel(&id);
        }
        for flying in std::mem::take(&mut flight.flying) {
            assert_eq!(flying.wanted(), 0);
            end(flying);
        }
        assert_eq!(flight.peer.calls_in_flight(), 0);
        flight.call(json!(1), Work::Tool("soon"));
        assert_eq!(flight.flying.len(), 1, "every id is free again");
    }
}
