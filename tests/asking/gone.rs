//! Clients in a session that answer late, twice, wrongly, or not at all.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::gate::server;
use mcp_runtime::{Dispatched, Dispatcher, Outgoing, Peer, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

#[derive(Debug)]
struct Stream(UnboundedSender<Value>, Mutex<bool>);

impl Outgoing for Stream {
    fn send(&self, message: &[u8]) -> bool {
        let message = serde_json::from_slice(message).unwrap();
        !*self.1.lock().unwrap() && self.0.send(message).is_ok()
    }
}

/// A client of 2025-11-25 that says what a test wants.
struct Session {
    dispatcher: Dispatcher,
    peer: Peer,
    stream: Arc<Stream>,
    heard: UnboundedReceiver<Value>,
}

impl Session {
    fn open(server: Server) -> Self {
        let (sender, heard) = unbounded_channel();
        let stream = Arc::new(Stream(sender, Mutex::new(false)));
        let outgoing: Arc<dyn Outgoing> = Arc::<Stream>::clone(&stream);
        let mut session = Self {
            dispatcher: server.build().unwrap(),
            peer: Peer::new().on_stream(outgoing),
            stream,
            heard,
        };
        let capabilities = json!({ "elicitation": {}, "sampling": {}, "roots": {} });
        session.say(
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "probe", "version": "1" },
            }}),
        );
        session
    }

    fn say(&mut self, message: Value) -> Option<JoinHandle<Option<Value>>> {
        let mut reply = Vec::new();
        let text = message.to_string();
        match self
            .dispatcher
            .dispatch(text.as_bytes(), &self.peer, &mut reply)
        {
            Dispatched::Pending(pending) => Some(tokio::spawn(async move {
                let reply = pending.run().await?;
                Some(serde_json::from_slice(&reply).unwrap())
            })),
            _ => None,
        }
    }

    /// Calls a tool and gives back its call and its first question.
    async fn call(&mut self, tool: &str) -> (JoinHandle<Option<Value>>, Value) {
        let params = json!({ "name": tool });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let call = self.say(call).unwrap();
        (call, self.heard.recv().await.unwrap())
    }

    async fn end(&mut self, call: JoinHandle<Option<Value>>) -> Value {
        let reply = call.await.unwrap().unwrap();
        assert_eq!(self.peer.calls_in_flight(), 0);
        reply["result"]["content"][0]["text"].clone()
    }
}

fn accepts(id: &Value) -> Value {
    let content = json!({ "name": "Bob", "colour": "blue" });
    json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "accept", "content": content } })
}

#[tokio::test]
async fn an_answer_that_comes_twice_counts_once() {
    let mut session = Session::open(server());
    let (call, question) = session.call("two_questions").await;
    session.say(accepts(&question["id"]));
    session.say(accepts(&question["id"]));
    let second = session.heard.recv().await.unwrap();
    assert_ne!(second["id"], question["id"]);
    session.say(accepts(&json!("not an id of ours")));
    session.say(accepts(&second["id"]));
    assert_eq!(session.end(call).await, "Bob likes blue");
    session.say(accepts(&second["id"]));
}

#[tokio::test]
async fn an_error_of_the_client_is_an_error_of_the_question() {
    for (code, expected) in [
        (-32601, "does not declare `elicitation`"),
        (-1, "was rejected"),
        (-32603, "the client failed to answer `step1`: broken"),
    ] {
        let mut session = Session::open(server());
        let (call, question) = session.call("two_questions").await;
        let error = json!({ "code": code, "message": "broken" });
        session.say(json!({ "jsonrpc": "2.0", "id": question["id"], "error": error }));
        let text = session.end(call).await;
        assert!(text.as_str().unwrap().contains(expected), "{text}");
    }
}

#[tokio::test]
async fn a_malformed_answer_is_an_error_of_the_question() {
    for result in [
        json!({}),
        json!({ "action": "accept" }),
        json!(5),
        json!(null),
    ] {
        let mut session = Session::open(server());
        let (call, question) = session.call("two_questions").await;
        session.say(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }));
        let text = session.end(call).await;
        assert!(text.as_str().unwrap().contains("does not fit"), "{text}");
    }
}

#[tokio::test]
async fn a_client_that_never_answers_is_told_that_nobody_waits() {
    let mut session = Session::open(server().patience(Duration::from_millis(20)));
    let (call, question) = session.call("two_questions").await;
    let text = session.end(call).await;
    assert!(text.as_str().unwrap().contains("did not answer"), "{text}");
    let cancelled = session.heard.recv().await.unwrap();
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    session.say(accepts(&question["id"]));
}

#[tokio::test]
async fn a_client_that_leaves_ends_what_waits_for_it() {
    let mut session = Session::open(server());
    let (call, _) = session.call("two_questions").await;
    session.peer.hang_up();
    let text = session.end(call).await;
    assert!(
        text.as_str().unwrap().contains("cannot be reached"),
        "{text}"
    );

    let mut session = Session::open(server());
    let (call, _) = session.call("two_questions").await;
    session.peer.cancel_all();
    assert!(call.await.unwrap().is_none());
    assert_eq!(session.peer.calls_in_flight(), 0);
}

#[tokio::test]
async fn a_client_that_reads_no_more_is_not_waited_for() {
    let session = Session::open(server());
    *session.stream.1.lock().unwrap() = true;
    let params = json!({ "name": "two_questions" });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut reply = Vec::new();
    let text = call.to_string();
    let said = session
        .dispatcher
        .dispatch(text.as_bytes(), &session.peer, &mut reply);
    assert!(matches!(said, Dispatched::Replied(_)));
    assert!(
        String::from_utf8(reply)
            .unwrap()
            .contains("cannot be reached")
    );
}

#[tokio::test]
async fn cancelling_a_call_takes_its_question_back() {
    let mut session = Session::open(server());
    let (call, question) = session.call("two_questions").await;
    session.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }));
    assert!(call.await.unwrap().is_none());
    let cancelled = session.heard.recv().await.unwrap();
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    assert_eq!(session.peer.calls_in_flight(), 0);
}
