use serde_json::{Value, json};

use super::torture::TortureRow;
use crate::dispatch::{Dispatched, Dispatcher, Peer};
use crate::jsonrpc::ErrorCode;
use crate::protocol::{Revision, meta};
use crate::text::shortened;

/// A client of one revision that asks whatever it likes.
pub(super) struct Probe<'a> {
    server: &'a Dispatcher,
    peer: Peer,
    pub(super) revision: Revision,
    next_id: i64,
}

/// A question with its answer, which is `None` for silence.
pub(super) struct Asked {
    question: String,
    answer: Option<Value>,
}

impl<'a> Probe<'a> {
    /// A client that has said nothing.
    pub(super) fn silent(server: &'a Dispatcher) -> Self {
        Self {
            server,
            peer: Peer::new(),
            revision: Revision::NEWEST_LEGACY,
            next_id: 1000,
        }
    }

    /// A client that is ready for requests.
    pub(super) fn ready(server: &'a Dispatcher, revision: Revision) -> Self {
        let mut probe = Self::silent(server);
        probe.revision = revision;
        if !revision.is_modern() {
            let _ = probe.initialize("", revision.as_str());
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
    pub(super) fn request(&mut self, question: &str, method: &str, mut params: Value) -> Asked {
        if self.revision.is_modern() {
            params["_meta"] = json!({
                meta::PROTOCOL_VERSION: self.revision.as_str(),
                meta::CLIENT_CAPABILITIES: {},
            });
        }
        self.next_id += 1;
        let id = self.next_id;
        self.ask(
            question,
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
        )
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
        let codes = [
            ErrorCode::INVALID_PARAMS,
            ErrorCode::RATE_LIMITED,
            ErrorCode::UNAUTHENTICATED,
            ErrorCode::FORBIDDEN,
        ];
        let code = self.pointer("/error/code");
        let good = told || codes.iter().any(|known| code == Some(&json!(known)));
        self.row(good, "a refusal")
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
