//! A client of one revision, every message of which is checked.

use serde_json::{Value, json};
use wire::{Conversation, Revision};

use crate::host::Host;
use crate::line::{Event, Head, Line};

pub(crate) const ALL: [Revision; 5] = [
    Revision::V2024_11_05,
    Revision::V2025_03_26,
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

pub(crate) const BOTH: &str = "application/json, text/event-stream";

pub(crate) struct Caller {
    pub(crate) line: Line,
    pub(crate) conversation: Conversation,
    pub(crate) session: Option<String>,
    revision: Revision,
    next_id: i64,
}

impl Caller {
    /// A client that has said nothing.
    pub(crate) fn new(host: &Host, revision: Revision) -> Self {
        Self {
            line: host.connect(),
            conversation: Conversation::new(Revision::V2026_07_28),
            session: None,
            revision,
            next_id: 0,
        }
    }

    /// A client that is ready for requests of a revision.
    pub(crate) fn ready(host: &Host, revision: Revision) -> Self {
        let mut caller = Self::new(host, revision);
        if revision.is_legacy() {
            let (head, answer) = caller.say(&initialize(revision.as_str()), &[]);
            assert_eq!(head.status, 200);
            assert_eq!(
                answer.unwrap()["result"]["protocolVersion"],
                revision.as_str()
            );
            let session = head.header("mcp-session-id").unwrap().to_owned();
            assert!(session.bytes().all(|byte| byte.is_ascii_graphic()));
            caller.session = Some(session);
            let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            assert_eq!(caller.say(&told, &[]).0.status, 202);
        }
        caller
    }

    /// A client of the same session on another connection.
    pub(crate) fn line(&mut self, host: &Host) -> Line {
        std::mem::replace(&mut self.line, host.connect())
    }

    pub(crate) fn request(&mut self, method: &str, mut params: Value) -> Value {
        if !self.revision.is_legacy() && params.get("_meta").is_none() {
            params["_meta"] = claim();
        }
        self.next_id += 1;
        json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// The headers that this message needs; those in `more` come instead.
    fn headers(&self, message: &Value, more: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut headers = vec![
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("Accept".to_owned(), BOTH.to_owned()),
        ];
        let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        if let Some(session) = &self.session {
            add("Mcp-Session-Id", session);
        }
        if self.session.is_some() || !self.revision.is_legacy() {
            add("MCP-Protocol-Version", self.revision.as_str());
        }
        if !self.revision.is_legacy() {
            add("Mcp-Method", message["method"].as_str().unwrap_or_default());
            let params = &message["params"];
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                add("Mcp-Name", name);
            }
        }
        headers.retain(|(name, _)| !more.iter().any(|(it, _)| it.eq_ignore_ascii_case(name)));
        let more = more.iter().filter(|(_, value)| *value != ABSENT);
        headers.extend(more.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        headers
    }

    /// Sends a message and does not wait.
    pub(crate) fn send(&mut self, message: &Value, more: &[(&str, &str)]) {
        self.conversation.sent_by_client(message);
        let headers = self.headers(message, more);
        let headers: Vec<_> = headers
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        self.line
            .request("POST", &headers, Some(&message.to_string()));
    }

    /// Sends a message, and gives back what came if it is one message.
    pub(crate) fn say(&mut self, message: &Value, more: &[(&str, &str)]) -> (Head, Option<Value>) {
        self.send(message, more);
        let (head, body) = self.line.reply();
        (head, (!body.is_empty()).then(|| self.heard(&body)))
    }

    /// Asks, and gives back the status and the answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> (u16, Value) {
        let request = self.request(method, params);
        let (head, answer) = self.say(&request, &[]);
        let answer = answer.unwrap();
        assert_eq!(answer["id"], request["id"]);
        assert_eq!(head.header("content-type"), Some("application/json"));
        (head.status, answer)
    }

    /// Checks a message of the server against its revision.
    pub(crate) fn heard(&mut self, text: &str) -> Value {
        self.conversation
            .sent_by_server_text(text)
            .unwrap_or_else(|problems| panic!("{text}\n{problems}"))
    }

    /// The next event that has a message, checked; `None` at the end of the stream.
    pub(crate) fn event(&mut self) -> Option<(Event, Value)> {
        let event = self.line.event()?;
        let message = self.heard(event.data.as_deref().unwrap());
        Some((event, message))
    }

    /// Opens the stream for what was not asked for, or the rest of one.
    pub(crate) fn listen(&mut self, more: &[(&str, &str)]) -> Head {
        let session = self.session.clone().unwrap();
        let mut headers = vec![
            ("Accept", "text/event-stream"),
            ("Mcp-Session-Id", &session),
            ("MCP-Protocol-Version", self.revision.as_str()),
        ];
        headers.retain(|(name, _)| !more.iter().any(|(it, _)| it.eq_ignore_ascii_case(name)));
        headers.extend(more.iter().filter(|(_, value)| *value != ABSENT));
        self.line.request("GET", &headers, None);
        self.line.head()
    }
}

/// The value of a header that is to be left out.
pub(crate) const ABSENT: &str = "\0";

pub(crate) fn initialize(version: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": "init",
        "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "probe", "version": "1" },
        },
    })
}

/// The `_meta` that a request of 2026-07-28 needs.
pub(crate) fn claim() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
