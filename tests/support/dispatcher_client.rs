//! A client that calls a dispatcher directly, with every message checked.

use std::sync::{Arc, LazyLock};

use crate::Inbox;
use crate::wire::{Conversation, Revision};
use mcp_runtime::dispatch::{Connection, DispatchOutcome, PendingCall, TransportKind};
use mcp_runtime::{Dispatcher, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A connection to a [`Dispatcher`] in this process.
pub struct DispatcherClient {
    pub dispatcher: Dispatcher,
    pub connection: Connection,
    pub conversation: Conversation,
    revision: Revision,
    next_id: i64,
    inbox: Arc<Inbox>,
    notifications: Vec<Value>,
}

impl DispatcherClient {
    /// A client that has sent nothing.
    pub fn uninitialized(server: Server) -> Self {
        let inbox = Arc::new(Inbox::default());
        Self {
            // Some of these tools require scopes, which other tests cover.
            dispatcher: server.allow_local().build().unwrap(),
            connection: Connection::with_sink(TransportKind::Memory, inbox.clone()),
            inbox,
            notifications: Vec::new(),
            conversation: Conversation::new(Revision::V2026_07_28),
            revision: Revision::V2026_07_28,
            next_id: 100,
        }
    }

    /// An initialized client of all tools in this binary.
    pub fn in_revision(revision: Revision) -> Self {
        Self::connect(Server::new("tests", "1.2.3"), revision)
    }

    /// An initialized client of `server`.
    pub fn connect(server: Server, revision: Revision) -> Self {
        let mut client = Self::uninitialized(server);
        client.initialize_revision(revision);
        client
    }

    /// Sets the revision of later requests, and initializes a legacy one.
    pub fn initialize_revision(&mut self, revision: Revision) {
        self.revision = revision;
        if revision.is_legacy() {
            let reply = self.send(&initialize(revision.as_str())).unwrap();
            assert_eq!(reply["result"]["protocolVersion"], revision.as_str());
            self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
    }

    /// Sends a message and returns the response, if there is one.
    pub fn send(&mut self, message: &Value) -> Option<Value> {
        self.send_text(&message.to_string())
    }

    /// Sends a text that need not be a valid message.
    pub fn send_text(&mut self, text: &str) -> Option<Value> {
        if let Ok(message) = serde_json::from_str(text) {
            self.conversation.sent_by_client(&message);
        }
        let mut reply = Vec::new();
        let _runtime = RUNTIME.enter();
        match self
            .dispatcher
            .dispatch(text.as_bytes(), &self.connection, &mut reply)
        {
            DispatchOutcome::Silent => None,
            DispatchOutcome::Replied(_) => Some(self.check_reply(reply)),
            DispatchOutcome::Pending(pending) => self.finish(pending),
        }
    }

    /// Sends a request that must not complete at once.
    pub fn start(&mut self, message: &Value) -> PendingCall {
        let pending = self.try_start(message);
        pending.unwrap_or_else(|response| panic!("{response}"))
    }

    /// Sends a request; `Err` is the response of one that completed at once.
    pub fn try_start(&mut self, message: &Value) -> Result<PendingCall, Value> {
        self.conversation.sent_by_client(message);
        let _runtime = RUNTIME.enter();
        let mut reply = Vec::new();
        match self
            .dispatcher
            .dispatch(message.to_string().as_bytes(), &self.connection, &mut reply)
        {
            DispatchOutcome::Pending(pending) => Ok(pending),
            DispatchOutcome::Replied(_) => Err(self.check_reply(reply)),
            DispatchOutcome::Silent => panic!("{message} got no response"),
        }
    }

    /// Runs a pending call and returns its response.
    pub fn finish(&mut self, pending: PendingCall) -> Option<Value> {
        let reply = RUNTIME.block_on(pending.run())?;
        Some(self.check_reply(reply))
    }

    /// Takes the messages that are not responses, in order of arrival.
    pub fn take_notifications(&mut self) -> Vec<Value> {
        self.drain_inbox();
        std::mem::take(&mut self.notifications)
    }

    fn drain_inbox(&mut self) {
        for message in self.inbox.take() {
            let message = self.check(&message);
            self.notifications.push(message);
        }
    }

    fn check_reply(&mut self, reply: Vec<u8>) -> Value {
        // The checker needs the messages in the order in which they were sent.
        self.drain_inbox();
        self.check(&String::from_utf8(reply).unwrap())
    }

    fn check(&mut self, text: &str) -> Value {
        assert!(!text.contains(['\n', '\r']), "{text:?}");
        self.conversation
            .sent_by_server_text(text)
            .unwrap_or_else(|problems| panic!("{text}\n{problems}"))
    }

    /// Builds a request of the client's revision.
    pub fn new_request(&mut self, method: &str, params: Value) -> Value {
        let params = with_request_meta(self.revision, params);
        self.next_id += 1;
        json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })
    }

    /// Sends a request and returns the response.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let request = self.new_request(method, params);
        let response = self.send(&request).unwrap();
        assert_eq!(response["id"], request["id"]);
        response
    }

    /// Calls a tool and returns the response.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// Calls a tool and returns the text of the first content block.
    pub fn call_text(&mut self, tool: &str, arguments: Value) -> String {
        let response = self.call(tool, arguments);
        response["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

/// An `initialize` request for this version.
pub fn initialize(version: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": "init",
        "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "probe", "version": "1" },
        },
    })
}

/// The `_meta` that every request of 2026-07-28 needs.
pub fn request_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "probe", "version": "1" },
    })
}

/// Adds the `_meta` that the revision needs, and keeps members that are there.
pub fn with_request_meta(revision: Revision, mut params: Value) -> Value {
    if !revision.is_legacy() {
        let mut meta = request_meta();
        if let Some(members) = params["_meta"].as_object() {
            meta.as_object_mut().unwrap().extend(members.clone());
        }
        params["_meta"] = meta;
    }
    params
}

/// Whether `actual` has every member of `expected`; arrays must have the same length.
pub fn contains(actual: &Value, expected: &Value) -> bool {
    match (actual, expected) {
        (Value::Object(actual), Value::Object(expected)) => expected.iter().all(|(name, value)| {
            actual
                .get(name)
                .is_some_and(|actual| contains(actual, value))
        }),
        (Value::Array(actual), Value::Array(expected)) => {
            actual.len() == expected.len()
                && actual
                    .iter()
                    .zip(expected)
                    .all(|(actual, expected)| contains(actual, expected))
        }
        (actual, expected) => actual == expected,
    }
}

/// Panics unless `actual` contains `expected`, as [`contains`] defines it.
#[track_caller]
pub fn assert_contains(actual: &Value, expected: &Value) {
    assert!(
        contains(actual, expected),
        "\n     got {actual}\nexpected {expected}"
    );
}
