//! One conversation with a dispatcher, every message of which is checked.

use std::sync::{Arc, LazyLock};

use mcp_runtime::{Channel, Dispatched, Dispatcher, Peer, Pending, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wire::{Conversation, Inbox, Revision};

pub(crate) const ALL: [Revision; 5] = [
    Revision::V2024_11_05,
    Revision::V2025_03_26,
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

pub(crate) struct Talk {
    pub(crate) dispatcher: Dispatcher,
    pub(crate) peer: Peer,
    pub(crate) conversation: Conversation,
    revision: Revision,
    next_id: i64,
    inbox: Arc<Inbox>,
    news: Vec<Value>,
}

impl Talk {
    /// A conversation in which nothing was said.
    pub(crate) fn silent(server: Server) -> Self {
        let inbox = Arc::new(Inbox::default());
        Self {
            // Many of these tools want scopes; who may call them is tested elsewhere.
            dispatcher: server.allow_local().build().unwrap(),
            peer: Peer::through(Channel::Memory, inbox.clone()),
            inbox,
            news: Vec::new(),
            conversation: Conversation::new(Revision::V2026_07_28),
            revision: Revision::V2026_07_28,
            next_id: 100,
        }
    }

    /// A conversation that is ready for requests of a revision.
    pub(crate) fn in_revision(revision: Revision) -> Self {
        Self::with(Server::new("tests", "1.2.3"), revision)
    }

    pub(crate) fn with(server: Server, revision: Revision) -> Self {
        let mut talk = Self::silent(server);
        talk.speak(revision);
        talk
    }

    /// Makes it ready for requests of a revision.
    pub(crate) fn speak(&mut self, revision: Revision) {
        self.revision = revision;
        if revision.is_legacy() {
            let reply = self.say(&initialize(revision.as_str())).unwrap();
            assert_eq!(reply["result"]["protocolVersion"], revision.as_str());
            self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
    }

    /// Says something; what comes back is checked against its revision.
    pub(crate) fn say(&mut self, message: &Value) -> Option<Value> {
        self.say_text(&message.to_string())
    }

    /// Says a text, be it a message or not.
    pub(crate) fn say_text(&mut self, text: &str) -> Option<Value> {
        if let Ok(message) = serde_json::from_str(text) {
            self.conversation.sent_by_client(&message);
        }
        let mut reply = Vec::new();
        let _runtime = RUNTIME.enter();
        match self
            .dispatcher
            .dispatch(text.as_bytes(), &self.peer, &mut reply)
        {
            Dispatched::Silent => None,
            Dispatched::Replied(_) => Some(self.heard(reply)),
            Dispatched::Pending(pending) => self.wait(pending),
        }
    }

    /// Says something that is not answered at once.
    pub(crate) fn begin(&mut self, message: &Value) -> Pending {
        let begun = self.try_begin(message);
        begun.unwrap_or_else(|answer| panic!("{answer}"))
    }

    /// Says something that may be answered at once.
    #[allow(dead_code, reason = "not every test is about what may be refused")]
    pub(crate) fn try_begin(&mut self, message: &Value) -> Result<Pending, Value> {
        self.conversation.sent_by_client(message);
        let _runtime = RUNTIME.enter();
        let mut reply = Vec::new();
        match self
            .dispatcher
            .dispatch(message.to_string().as_bytes(), &self.peer, &mut reply)
        {
            Dispatched::Pending(pending) => Ok(pending),
            Dispatched::Replied(_) => Err(self.heard(reply)),
            Dispatched::Silent => panic!("{message} is not answered"),
        }
    }

    pub(crate) fn wait(&mut self, pending: Pending) -> Option<Value> {
        let reply = RUNTIME.block_on(pending.run())?;
        Some(self.heard(reply))
    }

    /// The messages that came and were no replies, in their order.
    #[allow(dead_code, reason = "not every test listens")]
    pub(crate) fn news(&mut self) -> Vec<Value> {
        self.hear_news();
        std::mem::take(&mut self.news)
    }

    fn hear_news(&mut self) {
        for message in self.inbox.take() {
            let message = self.checked(&message);
            self.news.push(message);
        }
    }

    fn heard(&mut self, reply: Vec<u8>) -> Value {
        // Whatever came before the reply was also said before it.
        self.hear_news();
        self.checked(&String::from_utf8(reply).unwrap())
    }

    fn checked(&mut self, text: &str) -> Value {
        assert!(!text.contains(['\n', '\r']), "{text:?}");
        self.conversation
            .sent_by_server_text(text)
            .unwrap_or_else(|problems| panic!("{text}\n{problems}"))
    }

    /// A request of the revision of this conversation.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let params = claimed(self.revision, params);
        self.next_id += 1;
        json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })
    }

    /// Asks, and gives back the whole answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let request = self.request(method, params);
        let answer = self.say(&request).unwrap();
        assert_eq!(answer["id"], request["id"]);
        answer
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// The text of a call's first block.
    pub(crate) fn text_of_call(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

pub(crate) fn initialize(version: &str) -> Value {
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

/// The `_meta` that a request of 2026-07-28 needs.
pub(crate) fn claim() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "probe", "version": "1" },
    })
}

/// The parameters of a request of a revision; they may have members of `_meta`.
pub(crate) fn claimed(revision: Revision, mut params: Value) -> Value {
    if !revision.is_legacy() {
        let mut meta = claim();
        if let Some(own) = params["_meta"].as_object() {
            meta.as_object_mut().unwrap().extend(own.clone());
        }
        params["_meta"] = meta;
    }
    params
}

/// Whether `actual` has at least what `expected` has.
pub(crate) fn contains(actual: &Value, expected: &Value) -> bool {
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

#[track_caller]
pub(crate) fn assert_contains(actual: &Value, expected: &Value) {
    assert!(
        contains(actual, expected),
        "\n     got {actual}\nexpected {expected}"
    );
}
