mod capabilities;
mod client;
mod listen;
mod memory;
mod message;
mod progress;
mod requests;
mod response;
mod server;

use serde_json::Value;

use crate::wire::{Problem, Problems, Revision, Rule, check::Checker};
use capabilities::Capabilities;
use listen::{Listens, is_listen};
use memory::Memory;
use message::{Kind, method_of, params_of};
use progress::Progress;
use requests::Requests;

/// Follows one conversation between a client and a server.
///
/// It knows which request each response answers, and so which revision and
/// which shape a message must have.
/// A request that names a revision in `params._meta` is judged by revision
/// 2026-07-28, every other one by the revision of the session.
///
/// Messages are told in the order in which the client saw or sent them.
/// A client over HTTP has one conversation, however many streams it reads.
#[derive(Clone, Debug)]
pub struct Conversation {
    session: Option<Revision>,
    handshake: Handshake,
    to_server: Requests,
    to_client: Requests,
    capabilities: Capabilities,
    progress: Progress,
    listens: Listens,
    memory: Memory,
}

/// How far a session has come that began with `initialize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handshake {
    NotSeen,
    Answered,
    Initialized,
}

impl Conversation {
    /// Starts a conversation.
    ///
    /// With a legacy `revision` the session counts as negotiated already; with
    /// 2026-07-28 there is no session until `initialize` is answered.
    pub fn new(revision: Revision) -> Self {
        let mut conversation = Self {
            session: None,
            handshake: Handshake::NotSeen,
            to_server: Requests::default(),
            to_client: Requests::default(),
            capabilities: Capabilities::default(),
            progress: Progress::default(),
            listens: Listens::default(),
            memory: Memory::default(),
        };
        conversation.set_revision(revision);
        conversation
    }

    /// The revision of the session, or 2026-07-28 where there is none.
    pub fn revision(&self) -> Revision {
        self.session.unwrap_or(Revision::V2026_07_28)
    }

    /// Says which revision the session speaks from now on.
    ///
    /// An answer to `initialize` does this by itself.
    pub fn set_revision(&mut self, revision: Revision) {
        self.session = Some(revision).filter(|revision| revision.is_legacy());
    }

    /// Records what the client sent, be it valid or garbage on purpose.
    pub fn sent_by_client(&mut self, message: &Value) {
        match message.as_array() {
            Some(batch) => batch.iter().for_each(|item| self.record(item, true)),
            None => self.record(message, false),
        }
    }

    /// Records what the client sent and checks it.
    ///
    /// # Errors
    /// Every problem of the message.
    pub fn check_client(&mut self, message: &Value) -> Result<(), Problems> {
        let problems = match message.as_array() {
            Some(batch) => self.batch(batch, |it, item| it.client_problems(item)),
            None => self.client_problems(message),
        };
        self.sent_by_client(message);
        Problems::none_or(problems)
    }

    /// Checks what the server sent.
    ///
    /// # Errors
    /// Every problem of the message.
    pub fn sent_by_server(&mut self, message: &Value) -> Result<(), Problems> {
        Problems::none_or(match message.as_array() {
            Some(batch) => self.batch(batch, |it, item| it.server_problems(item, true)),
            None => self.server_problems(message, false),
        })
    }

    /// Checks a line, HTTP body or event of the server, and returns its JSON.
    ///
    /// The text comes without the line break that ends it.
    ///
    /// # Errors
    /// Every problem of the message; text that is not one line with one JSON
    /// value is one.
    pub fn sent_by_server_text(&mut self, text: &str) -> Result<Value, Problems> {
        let parsed = match text.contains(['\n', '\r']) {
            true => Err("is more than one line".to_owned()),
            false => serde_json::from_str(text).map_err(|error| format!("is no JSON: {error}")),
        };
        let message = parsed.or_else(|fault| self.envelope_fault(fault))?;
        self.sent_by_server(&message)?;
        Ok(message)
    }

    /// The ids of the client's requests that wait for an answer.
    ///
    /// Cancelled requests and open listen streams do not count.
    pub fn unanswered(&self) -> Vec<Value> {
        let waiting = self.to_server.open.iter();
        waiting
            .filter(|request| !request.cancelled && !is_listen(request))
            .map(|request| request.id.clone())
            .collect()
    }

    /// Nothing more may be sent for the request from now on.
    ///
    /// For a test that knows that a cancellation has arrived; by itself a
    /// conversation lets a cancellation and an answer cross on the wire.
    pub fn forbid_answer(&mut self, id: &Value) {
        if let Some(request) = self.to_server.answered_by(id, None) {
            self.progress.finish(&request);
            self.listens.end(id);
        }
    }

    fn envelope_fault<T>(&self, fault: String) -> Result<T, Problems> {
        let mut checker = Checker::new(self.revision());
        checker.report(Rule::Envelope, fault);
        Problems::fail(checker.into_problems())
    }

    /// Only 2025-03-26 has batches: of requests and notifications, or of
    /// responses.
    fn batch(
        &mut self,
        batch: &[Value],
        mut check: impl FnMut(&mut Self, &Value) -> Vec<Problem>,
    ) -> Vec<Problem> {
        let mut checker = Checker::new(self.revision());
        if self.session != Some(Revision::V2025_03_26) {
            checker.report(Rule::Envelope, "a batch is only allowed at 2025-03-26");
        }
        if batch.is_empty() {
            checker.report(Rule::Envelope, "a batch must not be empty");
        }
        let questions = batch.iter().filter(|it| it.get("method").is_some()).count();
        if questions != 0 && questions != batch.len() {
            checker.report(Rule::Envelope, "a batch must not mix responses with others");
        }
        for (index, item) in batch.iter().enumerate() {
            let problems = check(self, item);
            checker.at(&index.to_string(), |checker| checker.adopt(problems));
        }
        checker.into_problems()
    }

    fn record(&mut self, message: &Value, batched: bool) {
        let none = &Value::Null;
        match (Kind::of(message), method_of(message)) {
            (Kind::Response, _)
                if ["result", "error"]
                    .iter()
                    .any(|it| message.get(it).is_some()) =>
            {
                let id = message.get("id").unwrap_or(none);
                self.to_client.answered_by(id, None);
            }
            (Kind::Notification, "notifications/initialized") => {
                self.handshake = Handshake::Initialized;
            }
            (Kind::Notification, "notifications/cancelled") => {
                let id = params_of(message).get("requestId").unwrap_or(none);
                self.to_server.cancel(id);
            }
            _ => {
                if let Some(request) = self.to_server.record(message, batched) {
                    self.progress.record(request);
                    self.listens.record(request);
                }
            }
        }
    }
}
