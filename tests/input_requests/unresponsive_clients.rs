//! Sessions whose client answers late, twice, wrongly or not at all.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::gate::server;
use mcp_runtime::dispatch::{ClientSink, Connection, DispatchOutcome};
use mcp_runtime::{Dispatcher, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

#[derive(Debug)]
/// A stream that forwards messages until it is marked as broken.
struct ForwardingSink(UnboundedSender<Value>, Mutex<bool>);

impl ClientSink for ForwardingSink {
    fn send(&self, message: &[u8]) -> bool {
        let message = serde_json::from_slice(message).unwrap();
        !*self.1.lock().unwrap() && self.0.send(message).is_ok()
    }
}

/// A client of 2025-11-25 under control of the test.
struct Session {
    dispatcher: Dispatcher,
    connection: Connection,
    stream: Arc<ForwardingSink>,
    received: UnboundedReceiver<Value>,
}

impl Session {
    fn open(server: Server) -> Self {
        let (sender, received) = unbounded_channel();
        let stream = Arc::new(ForwardingSink(sender, Mutex::new(false)));
        let outgoing: Arc<dyn ClientSink> = Arc::<ForwardingSink>::clone(&stream);
        let mut session = Self {
            dispatcher: server.build().unwrap(),
            connection: Connection::new().on_stream(outgoing),
            stream,
            received,
        };
        let capabilities = json!({ "elicitation": {}, "sampling": {}, "roots": {} });
        session.send(
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "probe", "version": "1" },
            }}),
        );
        session
    }

    fn send(&mut self, message: Value) -> Option<JoinHandle<Option<Value>>> {
        let mut reply = Vec::new();
        let text = message.to_string();
        match self
            .dispatcher
            .dispatch(text.as_bytes(), &self.connection, &mut reply)
        {
            DispatchOutcome::Pending(pending) => Some(tokio::spawn(async move {
                let reply = pending.run().await?;
                Some(serde_json::from_slice(&reply).unwrap())
            })),
            _ => None,
        }
    }

    /// Calls a tool; returns the pending call and its first input request.
    async fn call(&mut self, tool: &str) -> (JoinHandle<Option<Value>>, Value) {
        let params = json!({ "name": tool });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let call = self.send(call).unwrap();
        (call, self.received.recv().await.unwrap())
    }

    async fn finish(&mut self, call: JoinHandle<Option<Value>>) -> Value {
        let reply = call.await.unwrap().unwrap();
        assert_eq!(self.connection.calls_in_flight(), 0);
        reply["result"]["content"][0]["text"].clone()
    }
}

fn accepts(id: &Value) -> Value {
    let content = json!({ "name": "Bob", "colour": "blue" });
    json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "accept", "content": content } })
}

#[tokio::test]
async fn duplicate_answer_counts_once() {
    let mut session = Session::open(server());
    let (call, request) = session.call("two_questions").await;
    session.send(accepts(&request["id"]));
    session.send(accepts(&request["id"]));
    let second = session.received.recv().await.unwrap();
    assert_ne!(second["id"], request["id"]);
    session.send(accepts(&json!("unknown id")));
    session.send(accepts(&second["id"]));
    assert_eq!(session.finish(call).await, "Bob likes blue");
    session.send(accepts(&second["id"]));
}

#[tokio::test]
async fn client_error_fails_the_input_request() {
    for (code, expected) in [
        (-32601, "does not declare `elicitation`"),
        (-1, "was rejected"),
        (-32603, "the client failed to answer `step1`: broken"),
    ] {
        let mut session = Session::open(server());
        let (call, request) = session.call("two_questions").await;
        let error = json!({ "code": code, "message": "broken" });
        session.send(json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }));
        let text = session.finish(call).await;
        assert!(text.as_str().unwrap().contains(expected), "{text}");
    }
}

#[tokio::test]
async fn malformed_answer_fails_the_input_request() {
    for result in [
        json!({}),
        json!({ "action": "accept" }),
        json!(5),
        json!(null),
    ] {
        let mut session = Session::open(server());
        let (call, request) = session.call("two_questions").await;
        session.send(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }));
        let text = session.finish(call).await;
        assert!(text.as_str().unwrap().contains("does not fit"), "{text}");
    }
}

#[tokio::test]
async fn timed_out_input_request_is_cancelled() {
    let mut session = Session::open(server().input_timeout(Duration::from_millis(20)));
    let (call, request) = session.call("two_questions").await;
    let text = session.finish(call).await;
    assert!(text.as_str().unwrap().contains("did not answer"), "{text}");
    let cancelled = session.received.recv().await.unwrap();
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
    session.send(accepts(&request["id"]));
}

#[tokio::test]
async fn disconnecting_ends_pending_input_requests() {
    let mut session = Session::open(server());
    let (call, _) = session.call("two_questions").await;
    session.connection.close_input();
    let text = session.finish(call).await;
    assert!(
        text.as_str().unwrap().contains("cannot be reached"),
        "{text}"
    );

    let mut session = Session::open(server());
    let (call, _) = session.call("two_questions").await;
    session.connection.cancel_all();
    assert!(call.await.unwrap().is_none());
    assert_eq!(session.connection.calls_in_flight(), 0);
}

#[tokio::test]
async fn unreachable_client_fails_the_input_request_at_once() {
    let session = Session::open(server());
    *session.stream.1.lock().unwrap() = true;
    let params = json!({ "name": "two_questions" });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut reply = Vec::new();
    let text = call.to_string();
    let outcome = session
        .dispatcher
        .dispatch(text.as_bytes(), &session.connection, &mut reply);
    assert!(matches!(outcome, DispatchOutcome::Replied(_)));
    assert!(
        String::from_utf8(reply)
            .unwrap()
            .contains("cannot be reached")
    );
}

#[tokio::test]
async fn cancelling_a_call_cancels_its_input_request() {
    let mut session = Session::open(server());
    let (call, request) = session.call("two_questions").await;
    session.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }));
    assert!(call.await.unwrap().is_none());
    let cancelled = session.received.recv().await.unwrap();
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
    assert_eq!(session.connection.calls_in_flight(), 0);
}
