mod capabilities;
mod client;
mod earlier_results;
mod listen_streams;
mod message;
mod progress;
mod requests;
mod response;
mod server;

use serde_json::Value;

use crate::wire::{Problem, Problems, Revision, Rule, check::Checker};
use capabilities::Capabilities;
use earlier_results::EarlierResults;
use listen_streams::{ListenStreams, is_listen};
use message::{MessageKind, method_of, params_of};
use progress::ProgressTokens;
use requests::Requests;

/// Follows one conversation between a client and a server.
///
/// It matches responses to requests, which determines the revision and
/// shape that a message must have.
/// A request that names a revision in `params._meta` is checked as revision
/// 2026-07-28, every other one as the revision of the session.
///
/// Messages must be recorded in the order in which the client sent or received them.
/// An HTTP client has one conversation, however many streams it reads.
#[derive(Clone, Debug)]
pub struct Conversation {
    session: Option<Revision>,
    handshake: Handshake,
    to_server: Requests,
    to_client: Requests,
    capabilities: Capabilities,
    progress: ProgressTokens,
    listen_streams: ListenStreams,
    earlier_results: EarlierResults,
}

/// The progress of a session that starts with `initialize`.
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
            progress: ProgressTokens::default(),
            listen_streams: ListenStreams::default(),
            earlier_results: EarlierResults::default(),
        };
        conversation.set_revision(revision);
        conversation
    }

    /// The revision of the session, or 2026-07-28 without one.
    pub fn revision(&self) -> Revision {
        self.session.unwrap_or(Revision::V2026_07_28)
    }

    /// Sets the revision of the session.
    ///
    /// A response to `initialize` does this automatically.
    pub fn set_revision(&mut self, revision: Revision) {
        self.session = Some(revision).filter(|revision| revision.is_legacy());
    }

    /// Records a message of the client, which may be invalid on purpose.
    pub fn sent_by_client(&mut self, message: &Value) {
        match message.as_array() {
            Some(batch) => batch.iter().for_each(|item| self.record(item, true)),
            None => self.record(message, false),
        }
    }

    /// Records and checks a message of the client.
    ///
    /// # Errors
    /// Every problem of the message.
    pub fn check_client_message(&mut self, message: &Value) -> Result<(), Problems> {
        let problems = match message.as_array() {
            Some(batch) => self.batch(batch, |it, item| it.client_problems(item)),
            None => self.client_problems(message),
        };
        self.sent_by_client(message);
        Problems::into_result(problems)
    }

    /// Checks a message of the server.
    ///
    /// # Errors
    /// Every problem of the message.
    pub fn sent_by_server(&mut self, message: &Value) -> Result<(), Problems> {
        Problems::into_result(match message.as_array() {
            Some(batch) => self.batch(batch, |it, item| it.server_problems(item, true)),
            None => self.server_problems(message, false),
        })
    }

    /// Checks a line, HTTP body or event of the server, and returns its JSON.
    ///
    /// The text excludes the final newline.
    ///
    /// # Errors
    /// Every problem of the message, also if the text is not one line with one JSON
    /// value.
    pub fn sent_by_server_text(&mut self, text: &str) -> Result<Value, Problems> {
        let parsed = match text.contains(['\n', '\r']) {
            true => Err("is more than one line".to_owned()),
            false => serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}")),
        };
        let message = parsed.or_else(|fault| self.envelope_fault(fault))?;
        self.sent_by_server(&message)?;
        Ok(message)
    }

    /// The ids of the client's requests without a response.
    ///
    /// Cancelled requests and open listen streams do not count.
    pub fn pending_requests(&self) -> Vec<Value> {
        let waiting = self.to_server.open.iter();
        waiting
            .filter(|request| !request.cancelled && !is_listen(request))
            .map(|request| request.id.clone())
            .collect()
    }

    /// Forbids any further message for a request.
    ///
    /// For tests that know that a cancellation has arrived; by default a
    /// cancellation and a response may cross on the wire.
    pub fn forbid_response(&mut self, id: &Value) {
        if let Some(request) = self.to_server.take_answered(id, None) {
            self.progress.finish(&request);
            self.listen_streams.end(id);
        }
    }

    fn envelope_fault<T>(&self, fault: String) -> Result<T, Problems> {
        let mut checker = Checker::new(self.revision());
        checker.report(Rule::Envelope, fault);
        Problems::fail(checker.into_problems())
    }

    /// Only 2025-03-26 has batches, either of requests and notifications or of
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
        let calls = batch.iter().filter(|it| it.get("method").is_some()).count();
        if calls != 0 && calls != batch.len() {
            checker.report(
                Rule::Envelope,
                "a batch must not mix responses with other messages",
            );
        }
        for (index, item) in batch.iter().enumerate() {
            let problems = check(self, item);
            checker.at(&index.to_string(), |checker| checker.adopt(problems));
        }
        checker.into_problems()
    }

    fn record(&mut self, message: &Value, batched: bool) {
        let none = &Value::Null;
        match (MessageKind::of(message), method_of(message)) {
            (MessageKind::Response, _)
                if ["result", "error"]
                    .iter()
                    .any(|it| message.get(it).is_some()) =>
            {
                let id = message.get("id").unwrap_or(none);
                self.to_client.take_answered(id, None);
            }
            (MessageKind::Notification, "notifications/initialized") => {
                self.handshake = Handshake::Initialized;
            }
            (MessageKind::Notification, "notifications/cancelled") => {
                let id = params_of(message).get("requestId").unwrap_or(none);
                self.to_server.cancel(id);
            }
            _ => {
                if let Some(request) = self.to_server.record(message, batched) {
                    self.progress.record(request);
                    self.listen_streams.record(request);
                }
            }
        }
    }
}
