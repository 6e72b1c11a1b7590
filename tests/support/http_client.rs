//! A client on a raw HTTP connection, with every message checked.

use crate::wire::{Conversation, Revision};
use serde_json::{Value, json};

use crate::http_connection::{HttpConnection, ResponseHead, SseEvent};
use crate::http_server::HttpServer;

/// The `Accept` header that the specification requires.
pub const ACCEPT_BOTH: &str = "application/json, text/event-stream";

/// A client of one revision.
pub struct HttpClient {
    pub connection: HttpConnection,
    pub conversation: Conversation,
    pub session_id: Option<String>,
    revision: Revision,
    next_id: i64,
}

impl HttpClient {
    /// A client that has sent nothing.
    pub fn new(server: &HttpServer, revision: Revision) -> Self {
        Self {
            connection: server.connect(),
            conversation: Conversation::new(Revision::V2026_07_28),
            session_id: None,
            revision,
            next_id: 0,
        }
    }

    /// A client that has initialized a session where its revision has sessions.
    pub fn initialized(server: &HttpServer, revision: Revision) -> Self {
        let mut client = Self::new(server, revision);
        if revision.is_legacy() {
            let (head, answer) = client.post(&initialize(revision.as_str()), &[]);
            assert_eq!(head.status, 200);
            assert_eq!(
                answer.unwrap()["result"]["protocolVersion"],
                revision.as_str()
            );
            let session_id = head.header("mcp-session-id").unwrap().to_owned();
            assert!(session_id.bytes().all(|byte| byte.is_ascii_graphic()));
            client.session_id = Some(session_id);
            let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            assert_eq!(client.post(&initialized, &[]).0.status, 202);
        }
        client
    }

    /// Opens a new connection for the client and returns the old one.
    pub fn reconnect(&mut self, server: &HttpServer) -> HttpConnection {
        std::mem::replace(&mut self.connection, server.connect())
    }

    /// Builds a request of the client's revision.
    pub fn new_request(&mut self, method: &str, mut params: Value) -> Value {
        if !self.revision.is_legacy() && params.get("_meta").is_none() {
            params["_meta"] = request_meta();
        }
        self.next_id += 1;
        json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })
    }

    /// Builds a `tools/call` request.
    pub fn new_call(&mut self, tool: &str, arguments: Value) -> Value {
        self.new_request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// The headers that this message needs; those in `more` replace them.
    fn headers(&self, message: &Value, more: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut headers = vec![
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("Accept".to_owned(), ACCEPT_BOTH.to_owned()),
        ];
        let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        if let Some(session_id) = &self.session_id {
            add("Mcp-Session-Id", session_id);
        }
        if self.session_id.is_some() || !self.revision.is_legacy() {
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
        let more = more.iter().filter(|(_, value)| *value != OMIT);
        headers.extend(more.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        headers
    }

    /// Sends a message without reading the response.
    pub fn send(&mut self, message: &Value, more: &[(&str, &str)]) {
        self.conversation.sent_by_client(message);
        let headers = self.headers(message, more);
        let headers: Vec<_> = headers
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        self.connection
            .send_request("POST", &headers, Some(&message.to_string()));
    }

    /// Sends a message and reads a response that is not a stream.
    pub fn post(
        &mut self,
        message: &Value,
        more: &[(&str, &str)],
    ) -> (ResponseHead, Option<Value>) {
        self.send(message, more);
        let (head, body) = self.connection.read_response();
        (head, (!body.is_empty()).then(|| self.check(&body)))
    }

    /// Sends a request and returns the HTTP status and the JSON-RPC response.
    pub fn request(&mut self, method: &str, params: Value) -> (u16, Value) {
        let request = self.new_request(method, params);
        let (head, answer) = self.post(&request, &[]);
        let answer = answer.unwrap();
        assert_eq!(answer["id"], request["id"]);
        assert_eq!(head.header("content-type"), Some("application/json"));
        (head.status, answer)
    }

    /// Checks a message of the server.
    pub fn check(&mut self, text: &str) -> Value {
        self.conversation
            .sent_by_server_text(text)
            .unwrap_or_else(|problems| panic!("{text}\n{problems}"))
    }

    /// Reads and checks the next event of a stream; `None` at its end.
    pub fn next_message(&mut self) -> Option<(SseEvent, Value)> {
        let event = self.connection.next_event()?;
        let message = self.check(event.data.as_deref().unwrap());
        Some((event, message))
    }

    /// Opens the server stream of the session, or resumes a stream.
    pub fn open_stream(&mut self, more: &[(&str, &str)]) -> ResponseHead {
        let session_id = self.session_id.clone().unwrap();
        let mut headers = vec![
            ("Accept", "text/event-stream"),
            ("Mcp-Session-Id", &session_id),
            ("MCP-Protocol-Version", self.revision.as_str()),
        ];
        headers.retain(|(name, _)| !more.iter().any(|(it, _)| it.eq_ignore_ascii_case(name)));
        headers.extend(more.iter().filter(|(_, value)| *value != OMIT));
        self.connection.send_request("GET", &headers, None);
        self.connection.read_head()
    }
}

/// The value of a header to leave out.
pub const OMIT: &str = "\0";

/// An `initialize` request for this version.
pub fn initialize(version: &str) -> Value {
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

/// The `_meta` that every request of 2026-07-28 needs.
pub fn request_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
