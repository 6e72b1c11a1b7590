//! Calls in flight after any sequence of calls, completions and cancellations.

use std::sync::{Arc, LazyLock};

use mcp_runtime::dispatch::{ClientSink, Connection, DispatchOutcome, PendingCall, TransportKind};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Dispatcher, Server, Value};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::in_flight_requests::{InFlightRequest, Step, step};

static DISPATCHER: LazyLock<Dispatcher> =
    LazyLock::new(|| Server::new("tests", "1").build().unwrap());
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

struct Call {
    id: Value,
    request: InFlightRequest,
    cancelled: bool,
}

/// A pending call, or the pending calls of a batch and the number of its rejected ones.
struct PendingMessage {
    calls: Vec<Call>,
    rejected: usize,
    is_batch: bool,
    pending: PendingCall,
}

impl PendingMessage {
    fn active_count(&self) -> usize {
        self.calls.iter().filter(|call| !call.cancelled).count()
    }

    /// The number of responses on completion; `None` if it never completes.
    fn responses(&self) -> Option<usize> {
        let mut active = self.calls.iter().filter(|call| !call.cancelled);
        let completes = active.all(|call| call.request.completes());
        completes.then(|| self.active_count() + self.rejected)
    }
}

/// Discards notifications.
#[derive(Debug)]
struct NullSink;

impl ClientSink for NullSink {
    fn send(&self, _: &[u8]) -> bool {
        true
    }
}

struct Session {
    dispatcher: Dispatcher,
    connection: Connection,
    revision: Revision,
    pending_messages: Vec<PendingMessage>,
}

impl Session {
    fn new(revision: Revision) -> Self {
        let session = Self {
            dispatcher: DISPATCHER.clone(),
            connection: Connection::with_sink(TransportKind::Memory, Arc::new(NullSink)),
            revision,
            pending_messages: Vec::new(),
        };
        if !revision.is_modern() {
            let params = json!({
                "protocolVersion": revision.as_str(), "capabilities": {},
                "clientInfo": { "name": "p", "version": "1" },
            });
            let initialize =
                json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
            assert!(matches!(
                session.dispatch(&initialize).0,
                DispatchOutcome::Replied(_)
            ));
        }
        session
    }

    fn dispatch(&self, message: &Value) -> (DispatchOutcome, Vec<u8>) {
        let mut out = Vec::new();
        let text = message.to_string();
        let dispatched = self
            .dispatcher
            .dispatch(text.as_bytes(), &self.connection, &mut out);
        (dispatched, out)
    }

    fn is_taken(&self, id: &Value) -> bool {
        let mut calls = self
            .pending_messages
            .iter()
            .flat_map(|message| &message.calls);
        calls.any(|call| call.id == *id && !call.cancelled)
    }

    /// Whether the revision has this kind of request.
    fn has(&self, request: InFlightRequest) -> bool {
        request != InFlightRequest::Listen || self.revision.is_modern()
    }

    fn call(&mut self, id: Value, request: InFlightRequest) {
        let taken = self.is_taken(&id);
        let rejected = taken || !self.has(request);
        match self.dispatch(&request.message(&id, self.revision)) {
            (DispatchOutcome::Pending(pending), _) => {
                assert!(!rejected, "{id} is in flight");
                let calls = vec![Call {
                    id,
                    request,
                    cancelled: false,
                }];
                self.pending_messages.push(PendingMessage {
                    calls,
                    rejected: 0,
                    is_batch: false,
                    pending,
                });
            }
            (other, out) => {
                assert!(rejected, "{other:?}");
                let reply: Value = serde_json::from_slice(&out).unwrap();
                let expected = if taken { -32600 } else { -32601 };
                assert_eq!(reply["error"]["code"], expected, "{reply}");
            }
        }
    }

    fn batch(&mut self, elements: &[(Value, InFlightRequest)]) {
        let requests = elements
            .iter()
            .map(|(id, request)| request.message(id, self.revision));
        let (dispatched, out) = self.dispatch(&requests.collect());
        if self.revision != Revision::V2025_03_26 {
            let reply: Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(reply["error"]["code"], -32600, "{reply}");
            return;
        }
        let mut calls: Vec<Call> = Vec::new();
        for (id, request) in elements {
            let duplicate = calls.iter().any(|call| call.id == *id);
            if self.has(*request) && !self.is_taken(id) && !duplicate {
                calls.push(Call {
                    id: id.clone(),
                    request: *request,
                    cancelled: false,
                });
            }
        }
        let rejected = elements.len() - calls.len();
        match dispatched {
            DispatchOutcome::Pending(pending) => {
                self.pending_messages.push(PendingMessage {
                    calls,
                    rejected,
                    is_batch: true,
                    pending,
                });
            }
            other => {
                assert!(calls.is_empty(), "{other:?}");
                let replies: Vec<Value> = serde_json::from_slice(&out).unwrap();
                assert_eq!(replies.len(), rejected);
            }
        }
    }

    fn cancel(&mut self, id: &Value) {
        let params = json!({ "requestId": id });
        let (dispatched, _) = self.dispatch(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        );
        assert!(matches!(dispatched, DispatchOutcome::Silent));
        let calls = self
            .pending_messages
            .iter_mut()
            .flat_map(|message| &mut message.calls);
        for call in calls.filter(|call| call.id == *id) {
            call.cancelled = true;
        }
    }

    fn take(&mut self, index: &prop::sample::Index) -> Option<PendingMessage> {
        (!self.pending_messages.is_empty()).then(|| {
            self.pending_messages
                .swap_remove(index.index(self.pending_messages.len()))
        })
    }

    /// Runs one to completion, unless it never completes.
    fn finish(&mut self, index: &prop::sample::Index) {
        if let Some(message) = self.take(index)
            && message.responses().is_some()
        {
            complete(message);
        }
    }

    fn finish_here(&mut self, index: &prop::sample::Index) {
        let Some(mut message) = self.take(index) else {
            return;
        };
        let mut out = Vec::new();
        let blocking =
            !message.is_batch && message.calls[0].request == InFlightRequest::Tool("blocking");
        match message.pending.run_blocking(&mut out) {
            DispatchOutcome::Replied(_) => assert!(!message.calls[0].cancelled && blocking),
            DispatchOutcome::Silent => assert!(message.calls[0].cancelled && blocking),
            DispatchOutcome::Pending(pending) => {
                message.pending = pending;
                self.pending_messages.push(message);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Call(id, request) => self.call(id.clone(), *request),
            Step::Batch(elements) => self.batch(elements),
            Step::Cancel(id) => self.cancel(id),
            Step::CancelAll => {
                self.connection.cancel_all();
                let calls = self
                    .pending_messages
                    .iter_mut()
                    .flat_map(|message| &mut message.calls);
                calls.for_each(|call| call.cancelled = true);
            }
            Step::Finish(index) => self.finish(index),
            Step::FinishHere(index) => self.finish_here(index),
            Step::Drop(index) => drop(self.take(index)),
        }
        let call_count: usize = self
            .pending_messages
            .iter()
            .map(|message| message.calls.len())
            .sum();
        assert_eq!(self.connection.calls_in_flight(), call_count);
    }
}

/// Runs one to completion and counts its responses.
fn complete(message: PendingMessage) {
    let (expected, is_batch) = (message.responses().unwrap(), message.is_batch);
    let reply = RUNTIME.block_on(message.pending.run());
    let reply: Option<Value> = reply.map(|reply| serde_json::from_slice(&reply).unwrap());
    let responses = match &reply {
        None => 0,
        Some(Value::Array(replies)) => replies.len(),
        Some(_) => 1,
    };
    assert_eq!(responses, expected, "{reply:?}");
    let is_array = reply.as_ref().is_some_and(Value::is_array);
    assert_eq!(is_array, is_batch && expected > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_of_calls_leaves_one_in_flight(
        steps in prop::collection::vec(step(), 0..30),
        revision in prop::sample::select(Revision::ALL.to_vec()),
    ) {
        let _runtime = RUNTIME.enter();
        let mut session = Session::new(revision);
        for step in &steps {
            session.step(step);
        }
        for id in [json!(1), json!("1"), json!(2)] {
            session.cancel(&id);
        }
        for message in std::mem::take(&mut session.pending_messages) {
            assert_eq!(message.active_count(), 0);
            complete(message);
        }
        assert_eq!(session.connection.calls_in_flight(), 0);
        session.call(json!(1), InFlightRequest::Tool("soon"));
        assert_eq!(session.pending_messages.len(), 1, "every id is free again");
    }
}
