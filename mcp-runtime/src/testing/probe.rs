use std::sync::Arc;

use serde_json::{Value, json};

use super::torture::TortureRow;
use crate::auth::Principal;
use crate::context::{Channel, DRY_RUN, Outgoing};
use crate::dispatch::{Dispatched, Dispatcher, Peer, Pending};
use crate::jsonrpc::ErrorCode;
use crate::protocol::{Revision, meta};
use crate::task::EXTENSION;
use crate::text::shortened;

/// A stream whose messages nobody reads; they are not what is asked about.
#[derive(Debug)]
struct Unread;

impl Outgoing for Unread {
    fn send(&self, _: &[u8]) -> bool {
        true
    }
}

/// A client of one revision that asks whatever it likes.
pub(super) struct Probe<'a> {
    server: &'a Dispatcher,
    peer: Peer,
    pub(super) revision: Revision,
    next_id: i64,
    /// The capabilities that the handshake told.
    offer: Value,
}

/// A question with its answer, which is `None` for silence.
pub(super) struct Asked {
    question: String,
    answer: Option<Value>,
}

impl<'a> Probe<'a> {
    /// A client that has said nothing.
    pub(super) fn silent(server: &'a Dispatcher, caller: Option<&Arc<Principal>>) -> Self {
        let peer = Peer::through(Channel::Memory, Arc::new(Unread));
        Self {
            server,
            peer: match caller {
                Some(caller) => peer.with_principal(Arc::clone(caller)),
                None => peer,
            },
            revision: Revision::NEWEST_LEGACY,
            next_id: 1000,
            offer: Value::Null,
        }
    }

    /// A client that is ready for requests.
    pub(super) fn ready(
        server: &'a Dispatcher,
        caller: Option<&Arc<Principal>>,
        revision: Revision,
    ) -> Self {
        let mut probe = Self::silent(server, caller);
        probe.revision = revision;
        if !revision.is_modern() {
            let handshake = probe.initialize("", revision.as_str());
            let offer = handshake.pointer("/result/capabilities");
            probe.offer = offer.cloned().unwrap_or_default();
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            let _ = probe.ask("", &ready);
        }
        probe
    }

    pub(super) fn initialize(&mut self, question: &str, version: &str) -> Asked {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "torture", "version": "1" },
        });
        let message =
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        self.ask(question, &message)
    }

    /// Asks a well-formed request of the revision.
    pub(super) fn request(&mut self, question: &str, method: &str, params: Value) -> Asked {
        self.next_id += 1;
        let id = json!(self.next_id);
        self.request_as(question, &id, method, params)
    }

    /// As [`request`](Self::request), with an id of one's own.
    pub(super) fn request_as(
        &mut self,
        question: &str,
        id: &Value,
        method: &str,
        params: Value,
    ) -> Asked {
        let message = self.message(id, method, params);
        self.ask(question, &message)
    }

    /// As [`request`](Self::request), up to the body.
    pub(super) fn dry_run(&mut self, question: &str, method: &str, mut params: Value) -> Asked {
        params["_meta"] = json!({ DRY_RUN: true });
        self.request(question, method, params)
    }

    /// Begins a request that lasts; `None` if it does not.
    pub(super) fn begin(&mut self, id: &Value, method: &str, params: Value) -> Option<Pending> {
        let message = self.message(id, method, params).to_string();
        let begun = self
            .server
            .dispatch(message.as_bytes(), &self.peer, &mut Vec::new());
        match begun {
            Dispatched::Pending(pending) => Some(pending),
            Dispatched::Silent | Dispatched::Replied(_) => None,
        }
    }

    /// What the server says that it has.
    pub(super) fn offer(&mut self) -> Value {
        if self.revision.is_modern() {
            let asked = self.request("", "server/discover", json!({}));
            return asked
                .pointer("/result/capabilities")
                .cloned()
                .unwrap_or_default();
        }
        self.offer.clone()
    }

    fn message(&self, id: &Value, method: &str, mut params: Value) -> Value {
        if self.revision.is_modern() {
            params["_meta"][meta::PROTOCOL_VERSION] = json!(self.revision.as_str());
            // Some tools are only for clients that know tasks.
            let tasks = json!({ "extensions": { EXTENSION: {} } });
            params["_meta"][meta::CLIENT_CAPABILITIES] = tasks;
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    pub(super) fn ask(&mut self, question: &str, message: &Value) -> Asked {
        self.ask_text(question, message.to_string().as_bytes())
    }

    pub(super) fn ask_text(&mut self, question: &str, text: &[u8]) -> Asked {
        let mut reply = Vec::new();
        let dispatched = self.server.dispatch(text, &self.peer, &mut reply);
        let answer = match dispatched {
            Dispatched::Silent => None,
            Dispatched::Replied(_) => {
                let parsed = serde_json::from_slice(&reply);
                Some(parsed.unwrap_or_else(|_| json!("an answer that is no JSON")))
            }
            Dispatched::Pending(_) => Some(json!("a body that runs")),
        };
        let revision = self.revision;
        Asked {
            question: format!("{revision}: {question}"),
            answer,
        }
    }

    /// A row about something that is there already.
    pub(super) fn seen(
        &self,
        question: &str,
        what: &Value,
        good: bool,
        wanted: &str,
    ) -> TortureRow {
        let asked = Asked {
            question: format!("{}: {question}", self.revision),
            answer: Some(what.clone()),
        };
        asked.row(good, wanted)
    }
}

impl Asked {
    pub(super) fn pointer(&self, pointer: &str) -> Option<&Value> {
        self.answer.as_ref()?.pointer(pointer)
    }

    pub(super) fn silent(self) -> TortureRow {
        let good = self.answer.is_none();
        self.row(good, "silence")
    }

    pub(super) fn result(self) -> TortureRow {
        let good = self.pointer("/result").is_some();
        self.row(good, "a result")
    }

    /// Answered, in whichever way.
    pub(super) fn answered(self) -> TortureRow {
        let good = self.pointer("/result").or(self.pointer("/error")).is_some();
        self.row(good, "an answer")
    }

    /// As somebody sees who knows what is good.
    pub(super) fn is(self, good: bool, wanted: &str) -> TortureRow {
        self.row(good, wanted)
    }

    /// A call that came to its body, or was stopped by a gate before.
    pub(super) fn not_run(self) -> TortureRow {
        let text = self
            .pointer("/result/content/0/text")
            .and_then(Value::as_str);
        let good = text.is_some_and(|text| text.starts_with("dry run"));
        let good = good || self.is_stopped();
        self.row(good, "the call to come to its body")
    }

    pub(super) fn error_of(self, codes: [i32; 2]) -> TortureRow {
        let code = self.pointer("/error/code").and_then(Value::as_i64);
        let good = codes.iter().any(|known| code == Some((*known).into()));
        self.row(good, &format!("one of the errors {codes:?}"))
    }

    pub(super) fn error(self, code: i32) -> TortureRow {
        let good = self.pointer("/error/code") == Some(&json!(code));
        self.row(good, &format!("the error {code}"))
    }

    pub(super) fn any_error(self) -> TortureRow {
        let first = self.pointer("/error").or(self.pointer("/0/error"));
        let good = first.is_some();
        self.row(good, "an error")
    }

    pub(super) fn has(self, pointer: &str, expected: &Value) -> TortureRow {
        let good = self.pointer(pointer) == Some(expected);
        self.row(good, &format!("`{pointer}` to be {expected}"))
    }

    /// Refused in either way that a call can be, or by a gate before.
    pub(super) fn refused(self) -> TortureRow {
        let told = self.pointer("/result/isError") == Some(&json!(true));
        let code = self.pointer("/error/code");
        let good = told || code == Some(&json!(ErrorCode::INVALID_PARAMS)) || self.is_stopped();
        self.row(good, "a refusal")
    }

    fn is_stopped(&self) -> bool {
        let codes = [
            ErrorCode::RATE_LIMITED,
            ErrorCode::UNAUTHENTICATED,
            ErrorCode::FORBIDDEN,
        ];
        let code = self.pointer("/error/code");
        codes.iter().any(|known| code == Some(&json!(known)))
    }

    fn row(self, good: bool, wanted: &str) -> TortureRow {
        let answer = self.answer.map(|answer| answer.to_string());
        TortureRow {
            question: self.question,
            answer: answer.unwrap_or_default(),
            problem: (!good).then(|| format!("wanted {wanted}")),
        }
        .without_internals()
    }
}

impl TortureRow {
    /// What a model repairs its call from must name what is wrong.
    pub(super) fn telling(mut self, word: &str) -> Self {
        if self.problem.is_none() && !self.answer.contains(word) && !self.answer.contains("-314") {
            self.problem = Some(format!("wanted `{word}` to be named"));
        }
        self
    }

    pub(super) fn shorter_than(mut self, bytes: usize) -> Self {
        if self.problem.is_none() && self.answer.len() >= bytes {
            self.problem = Some(format!("wanted less than {bytes} bytes"));
        }
        self
    }

    /// No answer tells where the server's source is.
    fn without_internals(mut self) -> Self {
        let leaks = [".rs:", "panicked at", "stack backtrace"];
        if self.problem.is_none() && leaks.iter().any(|leak| self.answer.contains(leak)) {
            self.problem = Some("wanted no trace of the source".to_owned());
        }
        self.answer = match self.answer.len() {
            0..2000 => self.answer,
            _ => shortened(&self.answer, 2000).into_owned(),
        };
        self
    }
}
