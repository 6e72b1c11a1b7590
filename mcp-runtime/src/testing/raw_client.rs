use std::sync::Arc;

use serde_json::{Value, json};

use super::report::TortureRow;
use crate::auth::Principal;
use crate::context::{ClientSink, DRY_RUN, TransportKind};
use crate::dispatch::{Connection, DispatchOutcome, Dispatcher, PendingCall};
use crate::jsonrpc::ErrorCode;
use crate::protocol::{Revision, meta};
use crate::task::EXTENSION;

/// A sink that accepts and discards the messages that the server initiates.
#[derive(Debug)]
struct DiscardSink;

impl ClientSink for DiscardSink {
    fn send(&self, _: &[u8]) -> bool {
        true
    }
}

/// A client of one protocol revision that can send arbitrary messages.
pub(super) struct RawClient<'a> {
    server: &'a Dispatcher,
    connection: Connection,
    pub(super) revision: Revision,
    next_id: i64,
    /// The capabilities of the server from the handshake.
    capabilities: Value,
}

/// The response to a message, or `None` if the server sent no response.
pub(super) struct RawResponse {
    case: String,
    response: Option<Value>,
}

impl<'a> RawClient<'a> {
    /// Creates a client that has not sent any message.
    pub(super) fn new(server: &'a Dispatcher, caller: Option<&Arc<Principal>>) -> Self {
        let connection = Connection::with_sink(TransportKind::Memory, Arc::new(DiscardSink));
        Self {
            server,
            connection: match caller {
                Some(caller) => connection.with_principal(Arc::clone(caller)),
                None => connection,
            },
            revision: Revision::NEWEST_LEGACY,
            next_id: 1000,
            capabilities: Value::Null,
        }
    }

    /// Creates a client that can send requests. In a legacy revision, it performs the handshake
    /// first.
    pub(super) fn connected(
        server: &'a Dispatcher,
        caller: Option<&Arc<Principal>>,
        revision: Revision,
    ) -> Self {
        let mut raw_client = Self::new(server, caller);
        raw_client.revision = revision;
        if !revision.is_modern() {
            let handshake = raw_client.initialize("", revision.as_str());
            let capabilities = handshake.pointer("/result/capabilities");
            raw_client.capabilities = capabilities.cloned().unwrap_or_default();
            let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            let _ = raw_client.send("", &initialized);
        }
        raw_client
    }

    pub(super) fn initialize(&mut self, case: &str, version: &str) -> RawResponse {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "torture", "version": "1" },
        });
        let message =
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        self.send(case, &message)
    }

    /// Sends a well-formed request of the revision of this client.
    pub(super) fn request(&mut self, case: &str, method: &str, params: Value) -> RawResponse {
        self.next_id += 1;
        let id = json!(self.next_id);
        self.request_with_id(case, &id, method, params)
    }

    pub(super) fn request_with_id(
        &mut self,
        case: &str,
        id: &Value,
        method: &str,
        params: Value,
    ) -> RawResponse {
        let message = self.message(id, method, params);
        self.send(case, &message)
    }

    /// Sends a [`request`](Self::request) as a dry run, which does not run the handler.
    pub(super) fn dry_run(&mut self, case: &str, method: &str, mut params: Value) -> RawResponse {
        params["_meta"] = json!({ DRY_RUN: true });
        self.request(case, method, params)
    }

    /// Starts a request that stays in flight. Returns `None` if the server replies immediately.
    pub(super) fn start(&mut self, id: &Value, method: &str, params: Value) -> Option<PendingCall> {
        let message = self.message(id, method, params).to_string();
        let outcome = self
            .server
            .dispatch(message.as_bytes(), &self.connection, &mut Vec::new());
        match outcome {
            DispatchOutcome::Pending(pending) => Some(pending),
            DispatchOutcome::Silent | DispatchOutcome::Replied(_) => None,
        }
    }

    /// Returns the capabilities of the server.
    pub(super) fn capabilities(&mut self) -> Value {
        if self.revision.is_modern() {
            let response = self.request("", "server/discover", json!({}));
            let capabilities = response.pointer("/result/capabilities");
            return capabilities.cloned().unwrap_or_default();
        }
        self.capabilities.clone()
    }

    fn message(&self, id: &Value, method: &str, mut params: Value) -> Value {
        if self.revision.is_modern() {
            params["_meta"][meta::PROTOCOL_VERSION] = json!(self.revision.as_str());
            // Declare the tasks extension, because some tools require it.
            let tasks = json!({ "extensions": { EXTENSION: {} } });
            params["_meta"][meta::CLIENT_CAPABILITIES] = tasks;
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    pub(super) fn send(&mut self, case: &str, message: &Value) -> RawResponse {
        self.send_bytes(case, message.to_string().as_bytes())
    }

    pub(super) fn send_bytes(&mut self, case: &str, bytes: &[u8]) -> RawResponse {
        let mut reply = Vec::new();
        let outcome = self.server.dispatch(bytes, &self.connection, &mut reply);
        let response = match outcome {
            DispatchOutcome::Silent => None,
            DispatchOutcome::Replied(_) => {
                let parsed = serde_json::from_slice(&reply);
                Some(parsed.unwrap_or_else(|_| json!("a response that is not JSON")))
            }
            DispatchOutcome::Pending(_) => Some(json!("a running handler")),
        };
        let revision = self.revision;
        RawResponse {
            case: format!("{revision}: {case}"),
            response,
        }
    }

    /// Returns a row for a value that the server has already sent.
    pub(super) fn row(
        &self,
        case: &str,
        value: &Value,
        is_good: bool,
        expected: &str,
    ) -> TortureRow {
        let response = RawResponse {
            case: format!("{}: {case}", self.revision),
            response: Some(value.clone()),
        };
        response.expect(is_good, expected)
    }
}

/// Checks of a response, each of which returns a row of the report.
impl RawResponse {
    pub(super) fn pointer(&self, pointer: &str) -> Option<&Value> {
        self.response.as_ref()?.pointer(pointer)
    }

    pub(super) fn expect(self, is_good: bool, expected: &str) -> TortureRow {
        let response = self.response.map(|response| response.to_string());
        let problem = (!is_good).then(|| format!("expected {expected}"));
        TortureRow::new(self.case, response.unwrap_or_default(), problem)
    }

    pub(super) fn expect_silence(self) -> TortureRow {
        let is_good = self.response.is_none();
        self.expect(is_good, "no response")
    }

    pub(super) fn expect_result(self) -> TortureRow {
        let is_good = self.pointer("/result").is_some();
        self.expect(is_good, "a result")
    }

    /// Checks that the response is a result or an error.
    pub(super) fn expect_response(self) -> TortureRow {
        let is_good = self.pointer("/result").or(self.pointer("/error")).is_some();
        self.expect(is_good, "a response")
    }

    /// Checks that the server accepted the call or that access control denied it.
    pub(super) fn expect_accepted(self) -> TortureRow {
        let text = self
            .pointer("/result/content/0/text")
            .and_then(Value::as_str);
        let is_dry_run = text.is_some_and(|text| text.starts_with("dry run"));
        let is_good = is_dry_run || self.is_denied();
        self.expect(is_good, "the call to reach its handler")
    }

    pub(super) fn expect_error_of(self, codes: [i32; 2]) -> TortureRow {
        let code = self.pointer("/error/code").and_then(Value::as_i64);
        let is_expected = codes.iter().any(|known| code == Some((*known).into()));
        let is_good = is_expected || self.is_rate_limited();
        self.expect(is_good, &format!("one of the errors {codes:?}"))
    }

    pub(super) fn expect_error(self, code: i32) -> TortureRow {
        let is_expected = self.pointer("/error/code") == Some(&json!(code));
        let is_good = is_expected || self.is_rate_limited();
        self.expect(is_good, &format!("the error {code}"))
    }

    pub(super) fn expect_any_error(self) -> TortureRow {
        let error = self.pointer("/error").or(self.pointer("/0/error"));
        let is_good = error.is_some();
        self.expect(is_good, "an error")
    }

    pub(super) fn expect_value(self, pointer: &str, value: &Value) -> TortureRow {
        let is_good = self.pointer(pointer) == Some(value);
        self.expect(is_good, &format!("`{pointer}` to be {value}"))
    }

    /// Checks that the response is a tool error or an invalid-parameters error, or that access
    /// control denied the call.
    pub(super) fn expect_rejection(self) -> TortureRow {
        let is_tool_error = self.pointer("/result/isError") == Some(&json!(true));
        let code = self.pointer("/error/code");
        let is_invalid = code == Some(&json!(ErrorCode::INVALID_PARAMS));
        let is_good = is_tool_error || is_invalid || self.is_denied();
        self.expect(is_good, "the call to be rejected")
    }

    /// Whether the server rejected the request before it looked at its parameters.
    fn is_rate_limited(&self) -> bool {
        let code = self.pointer("/error/code");
        let codes = [ErrorCode::RATE_LIMITED, ErrorCode::LEGACY_RATE_LIMITED];
        codes.iter().any(|known| code == Some(&json!(known)))
    }

    fn is_denied(&self) -> bool {
        let codes = [
            ErrorCode::RATE_LIMITED,
            ErrorCode::UNAUTHENTICATED,
            ErrorCode::FORBIDDEN,
            ErrorCode::LEGACY_RATE_LIMITED,
            ErrorCode::LEGACY_UNAUTHENTICATED,
            ErrorCode::LEGACY_FORBIDDEN,
        ];
        let code = self.pointer("/error/code");
        codes.iter().any(|known| code == Some(&json!(known)))
    }
}
